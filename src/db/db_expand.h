/* db_expand.h - the part of a migration that is for one kind of database.
 *
 * Also linked into tools/schema.c, which runs the migrations while the program is built; so it
 * needs only base/str.c and base/mem.c. */
#ifndef DB_EXPAND_H
#define DB_EXPAND_H

#include "base/str.h"

/* What {{id}} stands for in SQLite. */
#define DB_SQLITE_ID "INTEGER PRIMARY KEY"

/* The lines of a migration that apply to the database `name` ("sqlite", "postgres"), with `id` for
 * {{id}}. */
void db_expand(struct buf *out, struct str text, const char *name, const char *id);

extern const char db_sqlite_schema[]; /* generated: the result of all migrations, as one script */

#endif
