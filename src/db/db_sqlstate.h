/* db_sqlstate.h - what the five-letter codes of PostgreSQL's errors mean to us. Pure. */
#ifndef DB_DB_SQLSTATE_H
#define DB_DB_SQLSTATE_H

#include <stdbool.h>

#include "base/str.h"

/* The same statement may succeed if it is repeated. */
bool db_sqlstate_passes(const char *state);
/* A connection was refused, and will be refused again: because of who we are or what we ask for. A
 * lack of room or of connections, or a shutdown, may pass; a reason of libpq's own ("") does
 * not. */
bool db_sqlstate_bars(const char *state);
/* The code at the end of a message, which libpq was told to give instead of words; "" if there is
 * none. */
const char *db_sqlstate_at_end(struct str message, char out[6]);

#endif
