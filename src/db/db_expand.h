/* db_expand.h - what a migration says to one kind of database.
 *
 * tools/schema.c, which runs migrations while the program is built, is made of it too: it needs
 * nothing but base/str.c and base/mem.c. */
#ifndef DB_EXPAND_H
#define DB_EXPAND_H

#include "base/str.h"

/* What {{id}} is in SQLite. */
#define DB_SQLITE_ID "INTEGER PRIMARY KEY"

/* The lines of a migration that are meant for the database `name` ("sqlite", "postgres"), with its
 * spelling of {{id}}. */
void db_expand(struct buf *out, struct str text, const char *name, const char *id);

extern const char db_sqlite_schema[]; /* generated: where all migrations lead, as one script */

#endif
