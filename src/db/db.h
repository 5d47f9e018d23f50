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
/* The file of a copy is deleted while it is open, so that it goes with this handle: nobody is told
 * that what is written cannot be found again. */
void db_nameless(struct db *db);
bool db_is_postgres(const struct db *db);
const char *db_url(const struct db *db); /* for messages: without the password */

/* Bring the schema up to date (numbered migrations, forward only, recorded with their hashes; a
 * changed hash is an error): each in a transaction, of a new database all in one. *applied counts
 * what was done. */
CHECKED enum status db_migrate(struct db *db, int *applied, struct err *e);
/* E_STORE with what to do when the schema is older or newer than this program; E_ABSENT: there is
 * none yet. */
CHECKED enum status db_schema_check(struct db *db, struct err *e);
/* SQLite alone. *name: a view or trigger that no migration made, which whoever reads or writes a
 * table runs, if it never ends for ever; NULL: there is none. */
CHECKED enum status db_schema_strange(struct db *db, struct arena *a, const char **name,
                                      struct err *e);

/* Transactions do not nest. On a DB_READ handle it is one snapshot for everything read in it. */
CHECKED enum status db_begin(struct db *db, struct err *e);
CHECKED enum status db_commit(struct db *db, struct err *e);
void db_rollback(struct db *db); /* harmless outside a transaction */
/* We shall read what was written lately, much of it. Before the transaction that does: what the
 * server learns is lost with one that is rolled back, and locks last as long as it. */
CHECKED enum status db_survey(struct db *db, struct err *e);
/* Inside a transaction: we shall compute between statements for longer than a server gives those
 * who have stopped. */
CHECKED enum status db_compute(struct db *db, struct err *e);
/* Inside a transaction: rows are found by their keys, one by one, however small a server takes a
 * table to be that was empty when it last looked; and plans are kept, not made for each statement.
 */
CHECKED enum status db_by_key(struct db *db, struct err *e);

/* Inside a transaction that writes: one process at a time gets beyond this, until it ends. */
CHECKED enum status db_take_turns(struct db *db, struct err *e);

/* Many small pieces of work with one flush to the disk. From db_group_begin() to db_group_commit()
 * there is one transaction, transactions in it are savepoints, and nothing is durable before the
 * group is committed. Each piece begins with db_group_part(); after an error of the database
 * db_group_undo() undoes this piece, and the others can go on. */
CHECKED enum status db_group_begin(struct db *db, struct err *e);
CHECKED enum status db_group_part(struct db *db, struct err *e);
void db_group_undo(struct db *db);
CHECKED enum status db_group_commit(struct db *db, struct err *e);
void db_group_abandon(struct db *db); /* harmless outside a group */

/* After E_BUSY: is the database there again? Reconnects where needed. */
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
/* Any bytes, into a column of type BYTEA; db_each_of() does not take them. */
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

/* Run a statement that returns no rows. *changed (may be NULL) gets the rows it touched. Where that
 * is not asked for inside a transaction, PostgreSQL is not waited for: that the statement failed is
 * then told by the next one that is, db_commit() at the latest. */
CHECKED enum status db_run(struct db *db, int query, struct args args, int64_t *changed,
                           struct err *e);

/* The same; *any: it touched some. */
CHECKED enum status db_change(struct db *db, int query, struct args args, bool *any, struct err *e);

/* A last statement and the commit, in one message where the server is elsewhere: a process that is
 * stopped or cut off between the two would keep others from what the statement locks. */
CHECKED enum status db_commit_after(struct db *db, int query, struct args args, struct err *e);

/* Rows of a query, one after another:
 *     struct rows *r = db_query(db, Q_X, ARGS(...), e);
 *     while (rows_next(r)) use(row_int(r, 0));
 *     return rows_end(r, e);                      <- always; reports what went wrong
 * A query that fails gives NULL, which has no rows and ends with what *e says. */
struct rows *db_query(struct db *db, int query, struct args args, struct err *e);
/* The same in constant memory on both databases. Until rows_end() texts among the arguments stay
 * where they are, and the handle is used for nothing else. */
struct rows *db_stream(struct db *db, int query, struct args args, struct err *e);
bool rows_next(struct rows *r);
CHECKED enum status rows_end(struct rows *r, struct err *e);

/* Columns of the current row, from 0. NULL reads as 0, NaN and the empty view. Text is borrowed
 * until rows_next() or rows_end(). */
bool row_null(const struct rows *r, int column);
int64_t row_int(const struct rows *r, int column);
double row_real(const struct rows *r, int column);
struct str row_str(const struct rows *r, int column);
struct str row_copy(struct arena *a, const struct rows *r, int column);
struct str row_bytes(struct arena *a, const struct rows *r, int column); /* of a BYTEA */
/* The same as C strings; here a column that is NULL reads as NULL. */
const char *row_text(const struct rows *r, int column);
const char *row_text_copy(struct arena *a, const struct rows *r, int column);

/* Columns that go into the members of a struct that have their names: queries.h has
 * COLUMNS_X(struct thing) of each query X, good in the block where it stands. A member of an
 * enum type is left to the caller. */
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
/* All of the current row; other members become 0. Texts are copied into the arena, or borrowed
 * where that is NULL. */
void row_into(struct arena *a, const struct rows *r, const struct columns *c, void *out);

/* Insert n rows, each from its part of `all`. ids[i] gets the id of row i, or 0 where it is to be
 * asked for: what was there stayed, of this row or of another that was added with it. Such a query
 * serves nothing else. */
CHECKED enum status db_add_all(struct db *db, int query, struct args all, size_t n, int64_t *ids,
                               struct err *e);

/* The first column of the first row; *found (may be NULL) is false where there is none. */
CHECKED enum status db_int(struct db *db, int query, struct args args, int64_t *out, bool *found,
                           struct err *e);

/* Whether it is anything but 0; false where there is no row. */
CHECKED enum status db_true(struct db *db, int query, struct args args, bool *out, struct err *e);

/* The same as text, copied into the arena; *out stays as it was where there is no row. */
CHECKED enum status db_str(struct db *db, int query, struct args args, struct arena *a,
                           struct str *out, bool *found, struct err *e);

/* The first two columns of the first row; both as they were where there is none. */
CHECKED enum status db_two_ints(struct db *db, int query, struct args args, int64_t *first,
                                int64_t *second, struct err *e);

/* The first row, as row_into() reads it, into *out; *found (may be NULL) is false, and *out as it
 * was, where there is none. Without an arena no column may be text: the row is gone when this
 * returns. */
CHECKED enum status db_row(struct db *db, int query, struct args args, struct arena *a,
                           const struct columns *c, void *out, bool *found, struct err *e);

/* The same query n times, with the arguments of each side by side in `all`; i says to which of them
 * a row belongs. Arguments have the same kinds each time, and the query reads, or inserts what
 * stands in VALUES (...), or changes what its first WHERE finds, another row each time, or deletes
 * what its first argument names, while the others stay as they are: PostgreSQL makes one statement
 * of it. Where it gives no rows, fn is NULL, and it is not waited for either (db_run). The rows of
 * all may be in memory together. */
typedef enum status row_of_fn(void *user, size_t i, const struct rows *row, struct err *e);
CHECKED enum status db_each_of(struct db *db, int query, struct args all, size_t n, row_of_fn *fn,
                               void *user, struct err *e);

/* Such a query gives one row at most each time: element i of the array `out` becomes it, as
 * row_into() reads it, or stays as it was. */
CHECKED enum status db_row_of_each(struct db *db, int query, struct args all, size_t n,
                                   struct arena *a, const struct columns *c, void *out,
                                   struct err *e);

/* Every row as one element of an array in an arena:
 *     struct thing_list *out;
 *     return db_list(db, Q_X, ARGS(...), INTO(a, out, read_thing), e);
 * The list is set once all rows are read. read() sets the whole element, which is not zeroed, and
 * must not use the handle. With ROWS_INTO(a, out, COLUMNS_X(struct thing)) row_into() does it. */
typedef void row_read_fn(struct arena *a, const struct rows *row, void *element);
struct row_list {
    struct arena *arena;
    size_t size; /* of an element */
    row_read_fn *read;
    void *v; /* where the pointer to the first goes */
    size_t *n;
    const struct columns *columns; /* in place of read() */
};
/* The first column, as an element of type int64_t. */
void row_first_int(struct arena *a, const struct rows *row, void *element);
#define INTO_ARRAY(arena, v, n, read)                                                              \
    (&(struct row_list){(arena), sizeof **(v), (read), (v), (n), NULL})
#define INTO(arena, list, read) INTO_ARRAY(arena, &(list)->v, &(list)->n, read)
#define ROWS_INTO(arena, list, columns)                                                            \
    (&(struct row_list){(arena), sizeof *(list)->v, NULL, &(list)->v, &(list)->n, (columns)})
CHECKED enum status db_list(struct db *db, int query, struct args args, const struct row_list *l,
                            struct err *e);

/* Within a transaction of a handle that writes: may it? What was tried is undone with it. */
CHECKED enum status db_try_write(struct db *db, struct err *e);

/* Read every table and index: *fault says what is damaged, NULL: nothing that can be seen. */
CHECKED enum status db_check(struct db *db, struct arena *a, const char **fault, struct err *e);

/* What takes how much room. Tables: with their indexes, largest first. Runs, the `most` largest:
 * the texts of what was asked, answered and judged. All of it is read. */
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
/* All of it, and how much of that db_vacuum() would give back; PostgreSQL does not tell: 0. */
CHECKED enum status db_space(struct db *db, int64_t *bytes, int64_t *unused, struct err *e);
/* SQLite: written anew without gaps, all or nothing; needs as much room again while it lasts.
 * PostgreSQL: room of deleted rows is used again, statistics are renewed. Others can go on. */
CHECKED enum status db_vacuum(struct db *db, struct err *e);
/* SQLite: the log is written back and emptied, unless somebody is reading from it. Until then it
 * holds what was deleted. PostgreSQL keeps house by itself. */
CHECKED enum status db_drain(struct db *db, struct err *e);

/* For `audition db`: a consistent copy of a SQLite database while others write to it. */
CHECKED enum status db_backup(struct db *db, const char *path, struct err *e);
/* Rows of one table: those for which `where` is true, with a number of the caller's as $1. Columns
 * are named as "id run sample": some are numbered anew, by adding to whatever is not 0 or NULL;
 * some hold the caller's second number instead; some become 0. */
struct db_part {
    const char *table, *where, *shift, *set, *zero;
};
/* So high no number becomes by itself: beyond it none is taken over, and none is added to. */
#define DB_NUMBER_MAX (INT64_C(1) << 53)
struct db_parts {
    const struct db_part *v;
    size_t n;
    int64_t arg, shift, set;
};
/* Copy them into a database that may hold others already, in the order given; inside a transaction
 * of that. */
CHECKED enum status db_copy_part(struct db *from, struct db *to, const struct db_parts *parts,
                                 int64_t *rows, struct err *e);
/* Copy every table into an empty, migrated database of either kind; *rows counts them. */
CHECKED enum status db_copy(struct db *from, struct db *to, int64_t *rows, struct err *e);

#endif
