/* many.h - many sets of arguments in one statement of PostgreSQL: its text, derived from that for
 * one set, and each argument of all sets as an array in the server's binary form.
 *
 * Pure: it knows neither libpq nor a connection. */
#ifndef DB_MANY_H
#define DB_MANY_H

#include "db/db.h"

/* Of PostgreSQL's pg_type. */
enum pg_type {
    PG_BOOL = 16,
    PG_BYTEA = 17,
    PG_INT8 = 20,
    PG_INT2 = 21,
    PG_INT4 = 23,
    PG_TEXT = 25,
    PG_FLOAT4 = 700,
    PG_FLOAT8 = 701
};

enum { MANY_ARGS_MAX = 256 << 20 }; /* bytes of one argument in all sets */

unsigned many_type(enum val_kind kind);

/* Whether several statements without results can be combined: inserts of single rows, made of their
 * values or of another row found by its id, and updates of rows found by their key and by nothing
 * that others change. */
bool many_can(const char *sql);
/* ... as long as their first arguments differ. */
bool many_by_key(const char *sql);

/* The statement for sets of n arguments of these types. `adds`: it returns the ids of what it
 * inserts, and fails if a row exists already. */
void many_sql(struct buf *b, const char *sql, const unsigned *types, size_t n, bool adds);

/* Argument k of all n sets, in the arena. False if it is too long. */
bool many_array(struct arena *a, unsigned type, struct args all, size_t n, size_t k,
                struct val *out);

#endif
