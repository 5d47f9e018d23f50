/* shape.h - the dialects that the mock speaks: requests into the form of chat completions, answers
 * out of it.
 *
 * A shape is nothing but texts around the answer, so that what is wrong with an answer (bytes that
 * are no UTF-8, half of it) stays wrong in every dialect. */
#ifndef MOCK_SHAPE_H
#define MOCK_SHAPE_H

#include "base/json.h"

struct shape {
    const char *path;        /* how the path ends, or what stands in it */
    bool bare_key;           /* the key comes alone in a header, not as a bearer */
    const char *head;        /* of a whole reply */
    const char *thinking[2]; /* around the reasoning, where there is some */
    const char *text[2];     /* around the answer */
    const char *called[2];   /* ... where a tool is to be called; NULL: no tools */
    const char *tail;        /* %zu tokens in, %zu out */
    const char *piece[2];    /* around a piece of the answer, as an event */
    const char *thought[2];  /* ... of the reasoning */
    const char *end;         /* of a stream; %zu and %zu again */
    const char *error;       /* %s why, %s type, %d status */
};

/* By the path of a request; NULL: none of ours. */
const struct shape *shape_of(struct str path);

/* {"model","messages","seed","stream"} of any request. The path may name the model. A new value. */
json_t *shape_request(const struct shape *s, struct str path, const json_t *request);

#endif
