/* answer.h - what the mock says: a pure function of the request and of the seed.
 *
 * The model id decides the kind of answer (see the table in answer.c), the hash of model,
 * messages and seeds every choice within it: the same request has the same answer for ever. */
#ifndef MOCK_ANSWER_H
#define MOCK_ANSWER_H

#include "mock/shape.h"

enum { ANSWER_DIMENSIONS_MAX = 32, ANSWER_SCORES_MAX = 32, ANSWER_BYTES_MAX = 32 << 20 };

struct answer_dimension {
    struct str id;
    struct str scores[ANSWER_SCORES_MAX]; /* as written, ascending by convention */
    size_t nscores;
};

struct answer_options {
    uint64_t seed;
    size_t reply_bytes;
    struct answer_dimension dimensions[ANSWER_DIMENSIONS_MAX];
    size_t ndimensions;
};

/* What is wrong with the text of an otherwise good completion. */
enum answer_blemish {
    ANSWER_CLEAN,
    ANSWER_EMPTY,
    ANSWER_BAD_UTF8,      /* bytes that are not UTF-8, where text may be lost without harm */
    ANSWER_BAD_SURROGATE, /* half of a surrogate pair as an escape, likewise */
};

/* "quality=0|0.5|1,humour=0|1|2" into o->dimensions, as views of `text`. */
CHECKED enum status answer_dimensions(struct answer_options *o, struct str text, struct err *e);

/* A request to a classifier: {"inputs": TEXT} or {"input": TEXT}. A text is "even" with
 * probability 0.9 when its number of bytes is, else 0.2. */
bool answer_classifies(const json_t *request);
void answer_classes(const json_t *request, struct buf *out);

/* E_INPUT unless the request is one of those, or has a model and at least one message. */
CHECKED enum status answer_check(const json_t *request, struct err *e);

/* Add the body of a reply in this shape to out. The request has passed answer_check(). */
void answer_write(const struct answer_options *o, const struct shape *shape, const json_t *request,
                  enum answer_blemish blemish, struct buf *out);

/* Does the request ask for the completion in pieces? Then write it as events. */
bool answer_streams(const json_t *request);
void answer_stream(const struct answer_options *o, const struct shape *shape, const json_t *request,
                   enum answer_blemish blemish, struct buf *out);

/* Add the body of the model list. */
void answer_models(struct buf *out);

#endif
