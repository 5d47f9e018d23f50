/* db_sqlstate.h - what the five-letter codes of PostgreSQL's errors mean to us. Pure. */
#ifndef DB_DB_SQLSTATE_H
#define DB_DB_SQLSTATE_H

#include <stdbool.h>

#include "base/str.h"

/* The same statement may do better in a moment. */
bool db_sqlstate_passes(const char *state);
/* A connection was refused, and will be refused again: for who we are, or what we ask for. What the
 * server cannot do for want of room or of connections, or because it goes down, may pass. "" (a
 * reason of libpq's own) does not. */
bool db_sqlstate_bars(const char *state);
/* The end of a message of which libpq was told to give the code alone; "" where there is none. */
const char *db_sqlstate_at_end(struct str message, char out[6]);

#endif
