/* keeper.h - a thread that every ten minutes carries out the retention periods of campaigns and
 * removes traces of what raters have withdrawn. Its database handle is one of the server's. */
#ifndef WEB_KEEPER_H
#define WEB_KEEPER_H

#include "web/stores.h"

struct keeper;

CHECKED enum status keeper_new(struct keeper **out, struct stores *stores, struct err *e);
void keeper_free(struct keeper *k); /* waits for work in progress; NULL is fine */

#endif
