/* store_trick.h - results of audits of judges, and what the judges said. See audit/audit.h.
 *
 * Every row has a seal, a hash of its contents; `sealed` tells whether it still matches. */
#ifndef STORE_STORE_TRICK_H
#define STORE_STORE_TRICK_H

#include "store/cursor.h"

struct trick_row {
    const char *judge, *probe;
    int64_t n, fell, at_ms, seal;
    bool older;  /* from before trials were stored: nothing can be recounted */
    bool sealed; /* read only */
};
struct trick_list {
    struct trick_row *v;
    size_t n;
};
/* Stores one probe of a judge on a run, replacing an earlier one. */
CHECKED enum status store_trick_put(struct store *s, int64_t run, const struct trick_row *row,
                                    struct err *e);
/* Those of a judge in all runs, newest first. */
CHECKED enum status store_trick_list(struct arena *a, struct store *s, const char *judge,
                                     struct trick_list *out, struct err *e);
/* Those of a run, by judge. */
CHECKED enum status store_trick_of_run(struct arena *a, struct store *s, int64_t run,
                                       struct trick_list *out, struct err *e);

/* The probe with the unchanged answer, which comes before its tricks. */
#define TRIAL_PLAIN "plain"

struct trial_row {
    int64_t sample, repeat, seal;
    const char *judge, *probe, *model, *item; /* names; model and item are those of the sample */
    struct str reply;
    struct str body; /* read only: the frozen item */
    bool sealed;     /* read only */
};
/* Deletes what a judge said in an audit of a run; adds what it says now. */
CHECKED enum status store_trial_drop(struct store *s, int64_t run, const char *judge,
                                     struct err *e);
CHECKED enum status store_trial_add(struct store *s, int64_t run, const struct trial_row *row,
                                    struct err *e);
/* Those of a run, by judge and sample. */
struct cursor store_trials(struct store *s, int64_t run, struct err *e);
bool store_trial_next(struct cursor *c, struct trial_row *out);

#endif
