/* store_turn.h - the turns of an interview as rows; each is stored when it happens. */
#ifndef STORE_STORE_TURN_H
#define STORE_STORE_TURN_H

#include "store/store_work.h"
#include "suite/turn.h"

/* All turns of a sample, in order. */
CHECKED enum status store_turn_list(struct arena *a, struct store *s, int64_t sample,
                                    struct turn_list *out, struct err *e);
/* The turn that came from a call; *found is false if there is none. */
CHECKED enum status store_turn_of_call(struct arena *a, struct store *s, int64_t call,
                                       struct turn *out, bool *found, struct err *e);
/* Adds turns to a sample that we hold, and afterwards their cost. Both belong in a transaction that
 * holds our worker (store_worker_hold). If the turns exist already or the sample is no longer ours,
 * nothing is written and *ours becomes false; the latter only if store.doubt is set, otherwise the
 * result is not awaited. */
CHECKED enum status store_turn_add(struct store *s, int64_t sample, const struct turn_list *turns,
                                   bool *ours, struct err *e);
CHECKED enum status store_turn_spent(struct store *s, int64_t sample, const struct spent *spent,
                                     bool *ours, struct err *e);
/* Adds turns to a sitting that a person holds. *fresh is false if one of them exists already or the
 * sitting is over: the caller then rolls back. */
CHECKED enum status store_turn_say(struct store *s, int64_t sample, const struct turn_list *turns,
                                   bool *fresh, struct err *e);

#endif
