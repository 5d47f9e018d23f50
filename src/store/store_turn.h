/* store_turn.h - the turns of an interview as rows: each is stored as it happens. */
#ifndef STORE_STORE_TURN_H
#define STORE_STORE_TURN_H

#include "store/store_work.h"
#include "suite/turn.h"

/* All turns of a sample, in order. */
CHECKED enum status store_turn_list(struct arena *a, struct store *s, int64_t sample,
                                    struct turn_list *out, struct err *e);
/* The turn that a call was answered with; *found is false when there is none. */
CHECKED enum status store_turn_of_call(struct arena *a, struct store *s, int64_t call,
                                       struct turn *out, bool *found, struct err *e);
/* Add turns to a sample that we hold, in a transaction that holds us (store_worker_hold), and then
 * what they cost. *ours becomes false, and nothing is written, when they are there already or the
 * sample is no longer ours: only where store.doubt is set, else nobody waits to hear of it. */
CHECKED enum status store_turn_add(struct store *s, int64_t sample, const struct turn_list *turns,
                                   bool *ours, struct err *e);
CHECKED enum status store_turn_spent(struct store *s, int64_t sample, const struct spent *spent,
                                     bool *ours, struct err *e);
/* Add turns to a sitting that a person holds. *fresh is false when one of them is there already, or
 * the sitting is over: the caller then takes the transaction back. */
CHECKED enum status store_turn_say(struct store *s, int64_t sample, const struct turn_list *turns,
                                   bool *fresh, struct err *e);

#endif
