/* verify.h - compute everything that is derived once more, and compare.
 *
 * Four things are checked: that every score stored equals, bit for bit, what the verdicts give;
 * that every judge's raw words, read again, give the marks stored; that the rows fit together; and
 * that the run's name follows from its key. Nothing is written. */
#ifndef EVAL_VERIFY_H
#define EVAL_VERIFY_H

#include "eval/store.h"

struct verify_counts {
    int64_t scores;   /* rows compared */
    bool stale;       /* they were not: the verdicts are newer, and reading them will score again */
    int64_t samples;  /* with an answer, looked at */
    int64_t verdicts; /* done or unscored, looked at */
    int64_t replies;  /* of those, read again */
    int64_t wordless; /* of those, imported without the judge's words */
    int64_t differences;
};

/* Called for each difference. It must not use the store. */
typedef void verify_fn(void *user, const char *difference);

CHECKED enum status verify_run(struct store *s, const struct run_row *run, verify_fn *fn,
                               void *user, struct verify_counts *out, struct err *e);

#endif
