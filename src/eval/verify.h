/* verify.h - compute everything that is derived once more, and compare.
 *
 * Six things are checked: that every fact is what was stored (seal.h); that every stored score
 * equals, bit for bit, what the verdicts give; that every judge's raw words, read again, give the
 * stored marks; that the answers show the stored flags and no others; that the rows fit together;
 * and that the run's name follows from its key.
 * Nothing is written. */
#ifndef EVAL_VERIFY_H
#define EVAL_VERIFY_H

#include "store/store_read.h"
#include "suite/training.h"

struct verify_counts {
    int64_t scores;   /* rows compared */
    bool stale;       /* they were not: the verdicts are newer, and reading them will score again */
    bool older;       /* an older program scored it: points were compared, intervals made anew */
    int64_t samples;  /* with an answer, looked at */
    int64_t verdicts; /* done or unscored, looked at */
    int64_t replies;  /* of those, read again */
    int64_t wordless; /* of those, imported without the judge's words */
    int64_t flags;    /* compared with what the answers show; none when stale */
    const char *unsearched; /* why training lines were not searched again; "" when they were */
    const char *digest;     /* of all stored facts (seal.h); "": scored by an older program */
    int64_t differences;
};

/* Called for each difference. It must not use the store. */
typedef void verify_fn(void *user, const char *difference);

/* Rows that were stored against those computed now, to the last bit. */
struct verify_rows {
    const char *what, *whose; /* "score", " by kim" */
    bool older;               /* made by an older program: points alone are compared */
    struct score_list stored, computed;
};
/* Are rows those of an older program? fn gets it as a difference when they are of several. */
bool verify_older(struct arena *a, const struct score_versions *is, const char *whose,
                  verify_fn *fn, void *user);
void verify_rows(struct arena *a, const struct verify_rows *r, verify_fn *fn, void *user);

/* `watch` may be NULL. What *out points to lives in arena a. */
struct verify_look {
    verify_fn *fn;
    void *user;
    const struct training_watch *watch;
};
CHECKED enum status verify_run(struct arena *a, struct store *s, const struct run_row *run,
                               const struct verify_look *look, struct verify_counts *out,
                               struct err *e);

#endif
