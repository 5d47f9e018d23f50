/* keeper.h - what the server does on its own, every few minutes: it carries out the retention
 * periods of campaigns. A thread of its own with a handle from the server's. */
#ifndef WEB_KEEPER_H
#define WEB_KEEPER_H

#include "web/stores.h"

struct keeper;

CHECKED enum status keeper_new(struct keeper **out, struct stores *stores, struct err *e);
void keeper_free(struct keeper *k); /* waits for what it is doing; NULL is fine */

#endif
