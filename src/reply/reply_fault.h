/* reply_fault.h - what can be wrong with a judge's reply, said in the judge's language.
 *
 * Pure. One sentence per fault, fit to be sent back to the judge and to be shown in a report. Text
 * that the judge wrote is cut and cleaned before it is repeated. */
#ifndef REPLY_REPLY_FAULT_H
#define REPLY_REPLY_FAULT_H

#include "base/mem.h"

enum fault {
    FAULT_NONE,
    FAULT_EMPTY,
    FAULT_LONG,    /* allowed: most bytes */
    FAULT_NO_JSON, /* allowed: the dimensions */
    FAULT_CUT,
    FAULT_BROKEN,  /* found: from the unreadable place on */
    FAULT_DOUBLED, /* found: the name */
    FAULT_MISSING, /* these and the following: dimension, found, allowed values */
    FAULT_EXTRA,   /* found: the name; allowed: the dimensions */
    FAULT_NUMBER,
    FAULT_RANGE,
    FAULT_WHOLE,
    FAULT_LEVEL,
    FAULT_ANSWERS,    /* objects that score differently */
    FAULT_NOT_OWN,    /* scores that are quoted, or follow a refusal */
    FAULT_UNQUOTED,   /* dimension */
    FAULT_MISQUOTED,  /* dimension, found: the words */
    FAULT_NO_VERDICT, /* these are of pairs; allowed: the choices */
    FAULT_VERDICTS,
    FAULT_CHOICE,    /* found: what was chosen instead */
    FAULT_CHARACTER, /* dimension: who was asked about; found: who the reply is about */
};

struct fault_words {
    struct str dimension, found, allowed;
};

const char *reply_fault_kind(enum fault f); /* a stable word, for counting */

/* The sentence, in arena a. `language`: zh..., ja..., else English. */
const char *reply_fault_text(struct arena *a, enum fault f, struct fault_words w,
                             const char *language);

/* A list of names as that language writes it: "a, b". */
struct str reply_fault_list(struct arena *a, const struct str *v, size_t n, const char *language);
/* "a whole number from 0 to 10". */
struct str reply_fault_span(struct arena *a, double min, double max, bool whole,
                            const char *language);

#endif
