/* endpoint.h - the routes of the mock: chat completions, classifiers, models, stats.
 *
 * Each chat request passes, in this order, the key, the parser, the rate limit and its fate;
 * what became of it is counted and logged when its reply has gone. The log has one line per
 * chat request, `time_ms digest attempt outcome model`: digest is the first 16 hexadecimal
 * digits of the SHA-256 of the body, attempt is 0 for a request that was refused. "good",
 * "drip", "utf8" and "surrogate" mean that a whole answer was handed to the kernel. */
#ifndef MOCK_ENDPOINT_H
#define MOCK_ENDPOINT_H

#include "mock/answer.h"
#include "mock/fate.h"
#include "mock/server.h"

struct endpoint_options {
    struct answer_options answer;
    struct fate_options fate;
    int64_t rps;      /* 0: no limit */
    const char *key;  /* NULL: anyone may ask */
    const char *log;  /* NULL: no log */
    const char *only; /* how the one path ends that is there; NULL: all of them are */
};

struct endpoint;

/* The options are borrowed and must outlive the endpoint. */
CHECKED enum status endpoint_new(struct endpoint **out, const struct endpoint_options *o,
                                 struct err *e);
void endpoint_free(struct endpoint *ep); /* NULL is fine */
struct server_hooks endpoint_hooks(struct endpoint *ep);

/* One line for a person: requests, good replies, faults by kind, peak in flight. */
void endpoint_summary(const struct endpoint *ep, struct buf *out);

#endif
