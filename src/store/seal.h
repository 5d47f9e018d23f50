/* seal.h - a hash of every stored fact, so that a changed byte is found and named.
 *
 * Names of models, items, templates, the frozen suite, calls, answers, turns, verdicts, marks and
 * what raters handed in never change once they are there. When a run is scored, what has no seal
 * yet gets one: a hash of all that the row says. One hash of all seals is kept with the run as its
 * digest. A row that was changed later, or has vanished, no longer fits its seal, whatever else was
 * changed to go with it. Whoever can write to the database can also make new seals: the digest
 * that `verify` prints, noted elsewhere, tells them apart. */
#ifndef STORE_SEAL_H
#define STORE_SEAL_H

#include "store/store.h"

/* Seal what has none, and keep the digest. Part of the caller's transaction. */
CHECKED enum status seal_refresh(struct store *s, int64_t run, struct err *e);

/* Have no facts come since they were last sealed by a program that scores as this one does? Then
 * seal_again() keeps the digest of that time, without reading a fact. */
CHECKED enum status seal_same(struct store *s, int64_t run, bool *out, struct err *e);
CHECKED enum status seal_again(struct store *s, int64_t run, struct err *e);

/* The same for what is no part of the digest: what classifiers say, which judges count and on which
 * panel, what of campaigns decides which ratings do, verdicts without a score. */
CHECKED enum status seal_beside(struct store *s, int64_t run, struct err *e);

/* Before a judge is dropped or counts again. */
CHECKED enum status seal_jury_drop(struct store *s, int64_t run, const char *judge, bool dropped,
                                   struct err *e);

/* Whoever changes what classifiers say drops the seals of those samples first, and looks before
 * whether all hold (E_STORE: one does not): they would be set anew. */
CHECKED enum status seal_classes_hold(struct store *s, int64_t run, struct err *e);
CHECKED enum status seal_classes_drop(struct store *s, int64_t run, int64_t first, int64_t last,
                                      struct err *e);

/* When a verdict without a score is replaced, or (0) all that have been planned again; the run is
 * stale then. */
CHECKED enum status seal_unscored_drop(struct store *s, int64_t run, int64_t verdict,
                                       struct err *e);

/* Hold every fact against its seal. fn gets each difference; it must not use the store. *digest is
 * in arena a; "" where the run has none. */
typedef void seal_fn(void *user, const char *difference);
CHECKED enum status seal_check(struct arena *a, struct store *s, int64_t run, seal_fn *fn,
                               void *user, const char **digest, struct err *e);

#endif
