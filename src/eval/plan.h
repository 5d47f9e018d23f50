/* plan.h - from a suite, some models and a seed to a run whose rows are the queue.
 *
 * The same plan gives the same run: asked for a second time it is found by its key, and work goes
 * on where it stood. Planning is one transaction: a run has all its rows or is not there. */
#ifndef EVAL_PLAN_H
#define EVAL_PLAN_H

#include "store/jury.h"
#include "suite/suite.h"

struct plan {
    const struct suite *suite; /* elicit.repeats and seed as they shall be, options applied */
    const struct item_source *items;
    const struct endpoint *const *models;
    size_t nmodels;
    /* Who follows up, plays the user, or directs and plays in a cast. */
    const struct endpoint *const *others;
    size_t nothers;
    int64_t limit;           /* first n items only; 0: all */
    const char *const *only; /* only items with these ids; NULL: all */
    size_t nonly;
    bool fresh; /* reuse no reply of another run */
    bool held;  /* plan no samples: items are opened one after the other */
};

/* Find the run with this plan, or make it. Faults in items go to d; with any, nothing is made and
 * E_INPUT is returned. *resumed: it was there. A fresh plan resumes only a fresh run
 * whose work is not finished. */
CHECKED enum status plan_run(struct arena *a, struct store *s, const struct plan *p,
                             struct run_row *out, bool *resumed, struct diags *d, struct err *e);
/* The same as part of a transaction of the caller, who rolls back on failure. */
CHECKED enum status plan_run_within(struct arena *a, struct store *s, const struct plan *p,
                                    struct run_row *out, bool *resumed, struct diags *d,
                                    struct err *e);

/* Add a model to a run that exists; `known`: the run has it, and only where it is served may
 * change. */
CHECKED enum status plan_model(struct arena *a, struct store *s, const struct run_row *run,
                               const struct endpoint *model, bool known, struct err *e);

/* A judge in a run: added, or its configuration brought up to date. `template` NULL: the suite's
 * own. own_family: it may judge models of its own family. */
struct plan_judge {
    const struct endpoint *judge;
    const struct template *template;
    int repeats;
    const char *panel; /* where it sits (store/jury.h); NULL: it sits somewhere already */
};
/* The name by which a run knows it. */
const char *plan_judge_name(struct arena *a, const struct plan_judge *j);
CHECKED enum status plan_judge(struct arena *a, struct store *s, const struct run_row *run,
                               const struct suite *suite, const struct plan_judge *j,
                               struct err *e);

#endif
