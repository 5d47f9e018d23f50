/* stores.h - handles on the database for threads that serve: one each, kept for the next request.
 *
 * A handle is used by one thread at a time. Safe from any thread. */
#ifndef WEB_STORES_H
#define WEB_STORES_H

#include "store/store.h"

struct stores;

struct stores *stores_new(const char *url); /* url is borrowed */
void stores_free(struct stores *p);         /* NULL is fine; all have been given back */
CHECKED enum status stores_take(struct stores *p, struct store **out, struct err *e);
/* NULL is fine. An open transaction is rolled back; a `broken` one is not used again. */
void stores_give(struct stores *p, struct store *s, bool broken);

#endif
