/* reply.h - read a judge's reply: tolerant in form, strict in content.
 *
 * Pure. Tolerated: a code fence, sentences before and after, // and block comments, trailing
 * commas, scores as strings, raw line breaks inside strings, full-width digits and colons; the LAST
 * complete object that answers the question is taken. Refused: a missing, invented or doubled
 * dimension, a value that is not allowed, a reply without such an object, one with an earlier
 * object that answers well and differently, scores that may be somebody else's words (reply_own.h).
 * Nothing is ever guessed: a reply is good or has one fault, in words that can be sent back to the
 * judge. */
#ifndef REPLY_REPLY_H
#define REPLY_REPLY_H

#include "base/err.h"
#include "base/mem.h"
#include "suite/vocab.h"

enum { REPLY_MAX = 1 << 20 }; /* bytes; more is a fault */

struct reply {
    struct mark *marks; /* one per dimension, in the instrument's order */
    double overall;     /* the judge's own; NaN when it gave none */
    struct str reason;  /* of the overall */
    const char *fault;  /* NULL: good. Else what is wrong, for repair and for the report */
    const struct mark
        *doubted;     /* of a fault: what the text says that may not be the judge's, or NULL */
    const char *kind; /* of the fault, for counting: "no-json", "missing", "extra", "range", ... */
};

/* Everything in *out lives in arena a. `language` chooses the language of `fault` (zh, ja, else
 * en). */
void reply_read(struct arena *a, struct str text, const struct instrument *in, const char *language,
                struct reply *out);

#endif
