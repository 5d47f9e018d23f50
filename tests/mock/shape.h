/* shape.h - the dialects that the mock speaks: requests into the form of chat completions, answers
 * out of it.
 *
 * A shape is nothing but texts around the answer, so that what is wrong with an answer (bytes that
 * are no UTF-8, half of it) stays wrong in every dialect. */
#ifndef MOCK_SHAPE_H
#define MOCK_SHAPE_H

#include "base/json.h"

/* Why a reply ended. */
enum stop { STOP_END, STOP_LENGTH, STOP_FILTER, STOP_REFUSAL, STOP_COUNT };

struct shape {
    const char *path;        /* how the path ends, or what stands in it */
    bool bare_key;           /* the key comes alone in a header, not as a bearer */
    const char *head;        /* of a whole reply */
    const char *thinking[2]; /* around the reasoning, where there is some */
    const char *text[2];     /* around the answer */
    const char *called[2];   /* ... where a tool is to be called; NULL: no tools */
    const char *calling[2];  /* ... in pieces */
    const char *refused[2];  /* ... where the model says no; NULL: as any answer */
    const char *piece[2];    /* around a piece of the answer, as an event */
    const char *thought[2];  /* ... of the reasoning */
    const char *no[2];       /* ... of a refusal; NULL: as any answer */
    const char *stop[STOP_COUNT];
    /* In these %i is tokens in, %u those of them that were not cached, %o out, %a those of them
     * that are the answer, %c cached, %t spent on reasoning, %s one of `stop`, %w "completed" or
     * "incomplete", %d the details. */
    const char *tail;
    const char *end;     /* of a stream */
    const char *details; /* of usage, where the model reasons */
    const char *error;   /* %s why, %s type, %d status */
};

/* By the path of a request; NULL: none of ours. */
const struct shape *shape_of(struct str path);

/* {"model","messages","seed","stream"} of any request. The path may name the model. A new value. */
json_t *shape_request(const struct shape *s, struct str path, const json_t *request);

#endif
