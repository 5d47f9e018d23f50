/* objective.h - scores an answer against a reference without a judge.
 *
 * Each scorer gives a value from 0 to 1 and says what it found. An answer without what is asked for
 * (no number, no option) gets 0; a case that cannot be scored, because there is no usable
 * reference, has no value. Everything lives in the arena. Pure. */
#ifndef TEXT_OBJECTIVE_H
#define TEXT_OBJECTIVE_H

#include "base/mem.h"

enum objective_kind {
    OBJECTIVE_EXACT,      /* equal but for white space at the ends */
    OBJECTIVE_NORMALISED, /* equal but for width, case, spaces and punctuation outside numbers */
    OBJECTIVE_NUMERIC,    /* the last number; see number.h */
    OBJECTIVE_CHOICE,     /* the option that is stated; see choice.h */
    OBJECTIVE_CONTAINS, /* one of the references (separated by | or newlines) occurs, normalised */
    OBJECTIVE_REGEX,    /* the pattern occurs; see pattern.h */
    OBJECTIVE_EDIT,     /* 2 LCS / (|a| + |b|), normalised */
    OBJECTIVE_BLEU_1,   /* these, as metrics.h defines them for one pair, by character */
    OBJECTIVE_BLEU_2,
    OBJECTIVE_BLEU_3,
    OBJECTIVE_BLEU_4,
    OBJECTIVE_GLEU,
    OBJECTIVE_ROUGE_1,
    OBJECTIVE_ROUGE_2,
    OBJECTIVE_ROUGE_L,
    OBJECTIVE_CHRF,
    OBJECTIVE_KINDS,
};

const char *objective_name(enum objective_kind k); /* "exact", "bleu-4", ... */
bool objective_find(const char *name, enum objective_kind *out);
bool objective_graded(enum objective_kind k); /* true if values between 0 and 1 occur */

struct objective_case {
    struct str answer, reference;
    struct str pattern; /* of OBJECTIVE_REGEX */
};

struct objective {
    double value;         /* NaN: it cannot be scored */
    const char *evidence; /* what was compared; if there is no value, why */
};

struct objective objective_score(struct arena *a, enum objective_kind k,
                                 const struct objective_case *c);

#endif
