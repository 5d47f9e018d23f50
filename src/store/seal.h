/* seal.h - a hash of every stored fact, so that any change is detected and named.
 *
 * Names of models, items, templates, the frozen suite, calls, answers, turns, verdicts, marks and
 * ratings that were handed in never change once they are stored. When a run is scored, each of
 * these facts that has no seal yet gets one: a hash of everything in its rows. A hash of all seals
 * is kept with the run as its digest. A row that is changed or deleted later no longer matches its
 * seal, even if other rows are changed to fit. Somebody who can write to the database can also make
 * new seals: this shows if the digest that `verify` prints was noted elsewhere. */
#ifndef STORE_SEAL_H
#define STORE_SEAL_H

#include "store/store.h"

/* Seals what has no seal yet, and stores the digest. Part of the caller's transaction. */
CHECKED enum status seal_refresh(struct store *s, int64_t run, struct err *e);

/* *out: no facts were added since they were last sealed by a program that scores as this one does.
 * seal_again() then confirms the digest of that time without reading any fact. */
CHECKED enum status seal_same(struct store *s, int64_t run, bool *out, struct err *e);
CHECKED enum status seal_again(struct store *s, int64_t run, struct err *e);

/* Seals what is no part of the digest: results of classifiers, which judges count and on which
 * panel they sit, what decides which ratings of a campaign count, and verdicts without a score. */
CHECKED enum status seal_beside(struct store *s, int64_t run, struct err *e);

/* Call it before a judge is dropped or taken back. */
CHECKED enum status seal_jury_drop(struct store *s, int64_t run, const char *judge, bool dropped,
                                   struct err *e);

/* Before results of classifiers are changed, check that all their seals hold (E_STORE: one does
 * not), then drop the seals of those samples. Otherwise, false results would be sealed again. */
CHECKED enum status seal_classes_hold(struct store *s, int64_t run, struct err *e);
CHECKED enum status seal_classes_drop(struct store *s, int64_t run, int64_t first, int64_t last,
                                      struct err *e);

/* Call it when a verdict without a score is replaced, or (0) when all of them have been planned
 * again. The run becomes stale. */
CHECKED enum status seal_unscored_drop(struct store *s, int64_t run, int64_t verdict,
                                       struct err *e);

/* Compares every fact with its seal. fn gets each difference; it must not use the store. *digest is
 * in arena a; "" if the run has none. */
typedef void seal_fn(void *user, const char *difference);
CHECKED enum status seal_check(struct arena *a, struct store *s, int64_t run, seal_fn *fn,
                               void *user, const char **digest, struct err *e);

#endif
