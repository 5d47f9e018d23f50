/* batch_file.h - requests as files, and their replies as files, for batch endpoints.
 *
 * A line of requests:  {"custom_id": KEY, "method": "POST", "url": "/v1/chat/completions",
 *                       "body": {...}}
 * A line of results:   {"custom_id": KEY, "response": {"status_code": 200, "body": {...}},
 *                       "error": null}
 * OpenAI, vendors who follow it, and the batch runner of vLLM take the first and give the second.
 * Files are for one endpoint each: DIR/ENDPOINT-0001.jsonl, and so on. */
#ifndef EXCHANGE_BATCH_FILE_H
#define EXCHANGE_BATCH_FILE_H

#include "base/err.h"
#include "base/mem.h"

/* ---- requests ---- */

struct batch_limits {
    int64_t requests, bytes; /* most of them in one file */
};
struct batch_out;

/* Into a folder, which is made where it is missing and must hold no requests yet. */
CHECKED enum status batch_out_open(struct batch_out **out, const char *dir,
                                   struct batch_limits limits, struct err *e);
/* A request of `endpoint`, whose whole URL is `url`. One that was written already is not written
 * again. What goes wrong is told at the end. */
void batch_out_add(struct batch_out *b, const char *endpoint, const char *url, const char *key,
                   struct str body);
struct batch_written {
    int64_t requests, files;
};
/* End it; without `keep`, or after a fault, the files that were not full are not there. */
CHECKED enum status batch_out_close(struct batch_out *b, bool keep, struct batch_written *out,
                                    struct err *e);

/* DIR/ENDPOINT-0001.END, as requests are named ("jsonl") and what belongs to them. */
const char *batch_path(struct arena *a, const char *dir, const char *endpoint, int64_t number,
                       const char *end);
/* "/v1/chat/completions" of a whole URL; a view of it. */
struct str batch_url_path(const char *url);

/* ---- results ---- */

struct batch_in; /* only places are kept in memory, not the replies */

/* Any number of files, in any order. Of several results for one request a good one counts. */
CHECKED enum status batch_in_open(struct batch_in **out, const char *const *paths, size_t n,
                                  struct err *e);
void batch_in_close(struct batch_in *b); /* NULL is fine */

struct batch_result {
    int status;      /* 200: good */
    struct str body; /* of the reply, as JSON */
    const char *why; /* of a bad one: what the server said; NULL */
};
/* The result for a request; *found is false where there is none. */
CHECKED enum status batch_in_find(struct arena *a, struct batch_in *b, const char *key,
                                  struct batch_result *out, bool *found, struct err *e);
int64_t batch_in_results(const struct batch_in *b); /* for different requests */

#endif
