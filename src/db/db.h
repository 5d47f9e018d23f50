/* db.h - SQL without meaning: one small interface over SQLite and PostgreSQL.
 *
 * A handle is opened by URL: a file path (or sqlite:PATH) or postgresql://... All SQL text
 * lives in sql/queries/ under names; build/gen/queries.h has an enum value for each
 * (Q_RUN_GET for `-- name: run_get`). One text serves both: $1 parameters, ON CONFLICT,
 * RETURNING, integer UTC milliseconds, JSON as text. For SQLite the driver rewrites $n to ?n
 * and drops FOR UPDATE [SKIP LOCKED], FOR KEY SHARE and FOR NO KEY UPDATE SKIP LOCKED, which one
 * writer does not need. PostgreSQL takes a parameter's type from what it is compared with or stored
 * in; where that is a small constant ($1 + 1000) or nothing (SELECT $1), write CAST($1 AS BIGINT).
 *
 * A handle belongs to one thread. Statements are prepared once per handle and kept.
 * At most one cursor per query is open at a time; on PostgreSQL a cursor's rows are held
 * in memory, except those of db_stream().
 *
 * Errors: E_BUSY (locked by another process, connection lost or refused: wait, db_revive(), try
 * the transaction again), E_FULL (disk full), E_STORE (all else). After an error inside
 * a transaction the caller must db_rollback(). */
#ifndef DB_DB_H
#define DB_DB_H

#include "base/err.h"
#include "base/mem.h"

struct db;
struct rows; /* an open cursor */

/* DB_CHANGE writes to what is there, DB_WRITE creates a missing SQLite file besides. */
enum db_mode { DB_READ, DB_CHANGE, DB_WRITE };

/* Open; fails at once where the mode writes and nothing can be written. Does not migrate. */
CHECKED enum status db_open(struct db **out, const char *url, enum db_mode mode, struct err *e);
void db_close(struct db *db); /* NULL is fine */
static inline void db_closep(struct db **db)
{
    db_close(*db);
}
/* The file of a temporary copy is deleted while it is open, so that it disappears with this handle.
 * Commits then do not report that the file cannot be found. */
void db_nameless(struct db *db);
bool db_is_postgres(const struct db *db);
const char *db_url(const struct db *db); /* for messages: without the password */

/* Bring the schema up to date (numbered migrations, forward only, recorded with their hashes; a
 * changed hash is an error): each in a transaction, of a new database all in one. *applied counts
 * what was done. */
CHECKED enum status db_migrate(struct db *db, int *applied, struct err *e);
/* E_STORE, with what to do, when the schema is older or newer than this program; E_ABSENT when
 * there is none yet. */
CHECKED enum status db_schema_check(struct db *db, struct err *e);
/* SQLite only. *name is a view or trigger that no migration made, or NULL. Everybody who reads or
 * writes its table would run it, even if it never ends. */
CHECKED enum status db_schema_strange(struct db *db, struct arena *a, const char **name,
                                      struct err *e);

/* Transactions do not nest. On a DB_READ handle it is one snapshot for everything read in it. */
CHECKED enum status db_begin(struct db *db, struct err *e);
CHECKED enum status db_commit(struct db *db, struct err *e);
void db_rollback(struct db *db); /* harmless outside a transaction */
/* Updates the statistics of tables that have changed a lot, before much of that is read. Call it
 * before the transaction that reads: a rollback would discard the statistics, and its locks last as
 * long as the transaction. */
CHECKED enum status db_survey(struct db *db, struct err *e);
/* Inside a transaction: the caller will compute between statements for longer than the server
 * otherwise tolerates. */
CHECKED enum status db_compute(struct db *db, struct err *e);
/* Inside a transaction: rows are looked up by key, one by one, even in tables that the server
 * believes to be small because they were empty when it last looked; and query plans are reused, not
 * made for each statement. */
CHECKED enum status db_by_key(struct db *db, struct err *e);

/* Inside a write transaction: only one process at a time gets past this point, until its
 * transaction ends. */
CHECKED enum status db_take_turns(struct db *db, struct err *e);

/* Many small pieces of work with one flush to the disk. Between db_group_begin() and
 * db_group_commit() there is a single transaction; transactions in it are savepoints, and nothing
 * is durable before the group is committed. Each piece begins with db_group_part(). After a
 * database error db_group_undo() undoes that piece only, and the others can go on. */
CHECKED enum status db_group_begin(struct db *db, struct err *e);
CHECKED enum status db_group_part(struct db *db, struct err *e);
void db_group_undo(struct db *db);
CHECKED enum status db_group_commit(struct db *db, struct err *e);
void db_group_abandon(struct db *db); /* harmless outside a group */

/* After E_BUSY: reconnects if needed, and checks that the database can be used again. */
CHECKED enum status db_revive(struct db *db, struct err *e);

enum val_kind { VAL_NULL, VAL_INT, VAL_REAL, VAL_TEXT, VAL_BYTES };

struct val {
    enum val_kind kind;
    int64_t i;
    double d;
    struct str s;
};

/* NULL gives NULL. */
static inline struct val val_text(const char *cstr)
{
    return (struct val){.kind = cstr ? VAL_TEXT : VAL_NULL, .s = str_of(cstr)};
}

#define V_NULL    ((struct val){.kind = VAL_NULL})
#define V_INT(v)  ((struct val){.kind = VAL_INT, .i = (int64_t)(v)})
#define V_REAL(v) ((struct val){.kind = VAL_REAL, .d = (v)}) /* NaN is stored as NULL */
#define V_STR(v)  ((struct val){.kind = VAL_TEXT, .s = (v)}) /* a NUL inside is refused */
#define V_TEXT(v) val_text(v)
/* A count of which -1 means that it is not known, which is stored as NULL. */
static inline struct val val_count(int64_t n)
{
    return (struct val){.kind = n < 0 ? VAL_NULL : VAL_INT, .i = n};
}
#define V_COUNT(v) val_count(v)
/* Any bytes, for a column of type BYTEA; not supported by db_each_of(). */
#define V_BYTES(v) ((struct val){.kind = VAL_BYTES, .s = (v)})

/* The parameters of a query: db_run(db, Q_X, ARGS(V_INT(1), V_TEXT(s)), &e). */
struct args {
    const struct val *v;
    size_t n;
};
#define ARGS(...)                                                                                  \
    ((struct args){(const struct val[]){__VA_ARGS__},                                              \
                   sizeof((const struct val[]){__VA_ARGS__}) / sizeof(struct val)})
#define NO_ARGS ((struct args){NULL, 0})

/* Run a statement that returns no rows. *changed (may be NULL) gets the number of rows it changed.
 * If changed is NULL inside a transaction, PostgreSQL's answer is not awaited: a failure is then
 * reported by the next call that waits, db_commit() at the latest. */
CHECKED enum status db_run(struct db *db, int query, struct args args, int64_t *changed,
                           struct err *e);

/* The same; *any says whether it changed any row. */
CHECKED enum status db_change(struct db *db, int query, struct args args, bool *any, struct err *e);

/* The last statement and the commit, sent to a server as one message: a process that stops or loses
 * its connection between the two would leave rows locked. */
CHECKED enum status db_commit_after(struct db *db, int query, struct args args, struct err *e);

/* Rows of a query, one after another:
 *     struct rows *r = db_query(db, Q_X, ARGS(...), e);
 *     while (rows_next(r)) use(row_int(r, 0));
 *     return rows_end(r, e);                      <- always; reports what went wrong
 * A query that fails gives NULL, which has no rows and ends with what *e says. */
struct rows *db_query(struct db *db, int query, struct args args, struct err *e);
/* The same in constant memory on both databases. Until rows_end() the texts among the arguments
 * must stay in place, and the handle must not be used for anything else. */
struct rows *db_stream(struct db *db, int query, struct args args, struct err *e);
bool rows_next(struct rows *r);
CHECKED enum status rows_end(struct rows *r, struct err *e);

/* Columns of the current row, numbered from 0. NULL reads as 0, NaN or the empty view. Text is
 * borrowed until rows_next() or rows_end(). */
bool row_null(const struct rows *r, int column);
int64_t row_int(const struct rows *r, int column);
double row_real(const struct rows *r, int column);
struct str row_str(const struct rows *r, int column);
struct str row_copy(struct arena *a, const struct rows *r, int column);
struct str row_bytes(struct arena *a, const struct rows *r, int column); /* of a BYTEA */
/* The same as C strings; a column that is NULL reads as NULL. */
const char *row_text(const struct rows *r, int column);
const char *row_text_copy(struct arena *a, const struct rows *r, int column);

/* Columns that are copied into the members of a struct with the same names: queries.h has
 * COLUMNS_X(struct thing) for each query X; the result is valid in the enclosing block. Members of
 * an enum type are left to the caller. */
enum column_type {
    COLUMN_END,
    COLUMN_INT,
    COLUMN_BOOL,
    COLUMN_REAL,
    COLUMN_TEXT, /* const char *; NULL reads as NULL */
    COLUMN_STR,
    COLUMN_WORD, /* an enum */
};
struct column_at {
    enum column_type type;
    int column;
    size_t at;
};
enum { COLUMNS_MAX = 32 };
struct columns {
    size_t size; /* of the struct */
    struct column_at v[COLUMNS_MAX + 1];
};
/* clang-format off */
#define COLUMN_TYPE(member)                                                                        \
    _Generic((member), int64_t: COLUMN_INT, uint64_t: COLUMN_INT, bool: COLUMN_BOOL,               \
             double: COLUMN_REAL, const char *: COLUMN_TEXT, struct str: COLUMN_STR,               \
             unsigned: COLUMN_WORD)
/* clang-format on */
#define COLUMN(type, member, number)                                                               \
    {                                                                                              \
        COLUMN_TYPE(((type){0}).member), (number), offsetof(type, member)                          \
    }
/* Reads the current row; members without a column become 0. Texts are copied into the arena, or
 * borrowed if it is NULL. */
void row_into(struct arena *a, const struct rows *r, const struct columns *c, void *out);

/* Insert n rows, each from its part of `all`. ids[i] gets the id of row i, or 0 if an equal row was
 * there before or was added twice; the caller then has to look it up. Use such a query for nothing
 * else. */
CHECKED enum status db_add_all(struct db *db, int query, struct args all, size_t n, int64_t *ids,
                               struct err *e);

/* The first column of the first row; *found (may be NULL) is false if there is no row. */
CHECKED enum status db_int(struct db *db, int query, struct args args, int64_t *out, bool *found,
                           struct err *e);

/* Whether that number is not 0; false if there is no row. */
CHECKED enum status db_true(struct db *db, int query, struct args args, bool *out, struct err *e);

/* The same column as text, copied into the arena; *out is unchanged if there is no row. */
CHECKED enum status db_str(struct db *db, int query, struct args args, struct arena *a,
                           struct str *out, bool *found, struct err *e);

/* The first two columns of the first row; both are unchanged if there is no row. */
CHECKED enum status db_two_ints(struct db *db, int query, struct args args, int64_t *first,
                                int64_t *second, struct err *e);

/* The first row, read with row_into(); if there is none, *found (may be NULL) is false and *out
 * unchanged. Without an arena no column may be text: the row is gone when this returns. */
CHECKED enum status db_row(struct db *db, int query, struct args args, struct arena *a,
                           const struct columns *c, void *out, bool *found, struct err *e);

/* The same query n times, with the arguments of each side by side in `all`; i tells to which of
 * them a row belongs. PostgreSQL makes one statement of it. Therefore arguments have the same kinds
 * each time, and the query must do one of the following: read; insert what stands in VALUES (...);
 * change what its first WHERE finds, a different row each time; or delete what its first argument
 * names, the other arguments being equal. If it returns no rows, fn is NULL, and its answer is not
 * awaited (see db_run). All rows may be in memory at the same time. */
typedef enum status row_of_fn(void *user, size_t i, const struct rows *row, struct err *e);
CHECKED enum status db_each_of(struct db *db, int query, struct args all, size_t n, row_of_fn *fn,
                               void *user, struct err *e);

/* For a query that returns at most one row each time: row i is read with row_into() into element i
 * of the array `out`, which is unchanged if there is no row. */
CHECKED enum status db_row_of_each(struct db *db, int query, struct args all, size_t n,
                                   struct arena *a, const struct columns *c, void *out,
                                   struct err *e);

/* Reads every row as one element of an array in an arena:
 *     struct thing_list *out;
 *     return db_list(db, Q_X, ARGS(...), INTO(a, out, read_thing), e);
 * The list is set once all rows have been read. read() must set the whole element, which is not
 * zeroed, and must not use the handle. With ROWS_INTO(a, out, COLUMNS_X(struct thing)), row_into()
 * does it. */
typedef void row_read_fn(struct arena *a, const struct rows *row, void *element);
struct row_list {
    struct arena *arena;
    size_t size; /* of an element */
    row_read_fn *read;
    void *v; /* receives the pointer to the array */
    size_t *n;
    const struct columns *columns; /* replaces read() */
};
/* Reads the first column as an element of type int64_t. */
void row_first_int(struct arena *a, const struct rows *row, void *element);
#define INTO_ARRAY(arena, v, n, read)                                                              \
    (&(struct row_list){(arena), sizeof **(v), (read), (v), (n), NULL})
#define INTO(arena, list, read) INTO_ARRAY(arena, &(list)->v, &(list)->n, read)
#define ROWS_INTO(arena, list, columns)                                                            \
    (&(struct row_list){(arena), sizeof *(list)->v, NULL, &(list)->v, &(list)->n, (columns)})
CHECKED enum status db_list(struct db *db, int query, struct args args, const struct row_list *l,
                            struct err *e);

/* Inside a transaction of a handle opened for writing: checks that it really can write. What was
 * tried is undone with the transaction. */
CHECKED enum status db_try_write(struct db *db, struct err *e);

/* Reads every table and index. *fault says what is damaged; NULL if nothing can be found. */
CHECKED enum status db_check(struct db *db, struct arena *a, const char **fault, struct err *e);

/* How much room tables and runs take. Tables: with their indexes, largest first. Runs: the `most`
 * largest, by the texts of requests, answers and verdicts. Reads everything. */
struct db_size {
    const char *name;
    int64_t rows, bytes;
};
struct db_sizes {
    struct db_size *v;
    size_t n;
};
CHECKED enum status db_table_sizes(struct db *db, struct arena *a, struct db_sizes *out,
                                   struct err *e);
CHECKED enum status db_run_sizes(struct db *db, struct arena *a, int64_t most, struct db_sizes *out,
                                 struct err *e);
/* The size of the database, and how much of it db_vacuum() would free; 0 on PostgreSQL, which does
 * not tell. */
CHECKED enum status db_space(struct db *db, int64_t *bytes, int64_t *unused, struct err *e);
/* SQLite: writes the file anew without gaps, all or nothing; meanwhile this needs as much room
 * again. PostgreSQL: makes the room of deleted rows reusable and renews statistics. Others can go
 * on working. */
CHECKED enum status db_vacuum(struct db *db, struct err *e);
/* SQLite: writes the WAL back and empties it, unless somebody is reading from it; until then it
 * still holds deleted data. PostgreSQL does this by itself. */
CHECKED enum status db_drain(struct db *db, struct err *e);

/* For `audition db`: a consistent copy of a SQLite database while others write to it. */
CHECKED enum status db_backup(struct db *db, const char *path, struct err *e);
/* The rows of one table for which `where` is true; $1 is the caller's `arg`. The others list
 * columns, as in "id run sample": `shift` is added to those that are not 0 or NULL, `set` replaces
 * them by the caller's number, `zero` by 0. */
struct db_part {
    const char *table, *where, *shift, *set, *zero;
};
/* No id grows this high by itself: larger ones are not copied, and nothing is added to them. */
#define DB_NUMBER_MAX (INT64_C(1) << 53)
struct db_parts {
    const struct db_part *v;
    size_t n;
    int64_t arg, shift, set;
};
/* Copies them, in the order given, into a database that may hold others already. Call it inside a
 * transaction of `to`. */
CHECKED enum status db_copy_part(struct db *from, struct db *to, const struct db_parts *parts,
                                 int64_t *rows, struct err *e);
/* Copies every table into an empty, migrated database of either kind; *rows is their number. */
CHECKED enum status db_copy(struct db *from, struct db *to, int64_t *rows, struct err *e);

#endif
