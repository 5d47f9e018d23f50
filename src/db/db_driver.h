/* db_driver.h - what the database drivers give to db.c; private to this directory and its tests.
 *
 * A driver makes a struct db and, for every statement, a struct rows: the prepared statement and
 * the cursor over it in one, so that running a statement allocates nothing. Each driver embeds
 * these as the first member of its own. SQL that must differ is data in struct db_driver.
 *
 * The rows_* functions work on a statement made from text, for SQL that the program composes
 * itself (table copies, tests); db.h's functions are the same by query number. */
#ifndef DB_DRIVER_H
#define DB_DRIVER_H

#include "base/asset.h"
#include "db/db.h"

struct db {
    const struct db_driver *driver;
    enum db_mode mode;
    bool nameless; /* its file was deleted on purpose: see db_nameless() */
    bool in_transaction;
    bool in_group;         /* transactions are parts of one */
    bool in_part;          /* a savepoint is set */
    bool changed;          /* something was written since that savepoint */
    bool in_inner;         /* the transaction in the part has a savepoint of its own */
    char *url;             /* for messages; owned */
    struct rows **queries; /* by query number, NULL until first used; owned by db.c */
};

struct rows {
    const struct db_driver *driver;
    struct db *db;
    const char *name; /* for messages */
    bool open, done;
    bool reads;       /* certainly changes nothing */
    bool few;         /* at most one row is read: no need to stream */
    bool writes;      /* must be stepped to its end for its effect to be complete */
    int64_t changed;  /* rows touched; valid once done */
    struct err fault; /* what went wrong while stepping */
};

struct db_driver {
    const char *name;   /* also the section name in migrations: "sqlite", "postgres" */
    const char *id;     /* what {{id}} stands for in migrations */
    const char *schema; /* all migrations of this program in one script; or NULL */
    const char *begin_write, *begin_snapshot;
    const char *take_turns; /* see db_take_turns(); or NULL, if only one can write anyway */
    const char *tables;     /* -> name, oldest first */
    const char *references; /* -> table, the table that its foreign key needs */
    const char *columns;    /* $1 table -> name */
    const char *check;      /* reads everything -> one line for each fault, or "ok" */
    const char *sizes;      /* -> table, bytes with its indexes; largest first */
    const char *space;      /* -> bytes in total, bytes unused */
    const char *vacuum;
    const char *drain;     /* see db_drain(); or NULL */
    const char *survey;    /* see db_survey(); or NULL */
    const char *try_write; /* see db_try_write(); or NULL, if beginning a write transaction tells */
    const char *compute;   /* see db_compute(); or NULL */
    const char *by_key;    /* see db_by_key(); or NULL */
    const char *before_copy, *after_copy; /* in the target's transaction; or NULL */

    enum status (*open)(struct db **out, const char *where, enum db_mode mode, struct err *e);
    void (*close)(struct db *db);
    enum status (*revive)(struct db *db, struct err *e);
    /* Any number of statements, without parameters or rows. */
    enum status (*script)(struct db *db, const char *sql, struct err *e);
    enum status (*backup)(struct db *db, const char *path, struct err *e);

    enum status (*prepare)(struct db *db, const char *sql, struct rows **out, struct err *e);
    void (*release)(struct rows *r);
    /* `inside`: the handle is not used for anything else before the cursor ends, so the values in
     * args may be borrowed and rows may be streamed. On failure nothing is left to finish. */
    enum status (*start)(struct rows *r, struct args args, bool inside, struct err *e);
    bool (*step)(struct rows *r);   /* false at the end or after setting r->fault */
    void (*finish)(struct rows *r); /* may still set r->fault */
    /* A statement without rows and COMMIT in one message; NULL if that makes no difference. */
    enum status (*commit_after)(struct rows *r, struct args args, struct err *e);

    /* For drivers where waiting for each statement costs more than the statement itself; implement
     * all of these or none. post() and post_script() send without waiting; settle() receives the
     * outstanding results and reports the first failure. Everything else that uses the connection
     * settles first, or reports such a failure itself. many() is rows_each_of() as one statement,
     * and add_all() is db_add_all(). A driver without add_all() has added(), the id of the row
     * inserted last. */
    enum status (*post)(struct rows *r, struct args args, struct err *e);
    enum status (*post_script)(struct db *db, const char *sql, struct err *e); /* one statement */
    enum status (*settle)(struct db *db, struct err *e);
    enum status (*many)(struct rows *r, struct args all, size_t n, row_of_fn *fn, void *user,
                        struct err *e);
    enum status (*add_all)(struct rows *r, struct args all, size_t n, int64_t *ids, struct err *e);
    int64_t (*added)(struct db *db);

    bool (*null)(const struct rows *r, int column);
    int64_t (*integer)(const struct rows *r, int column);
    double (*real)(const struct rows *r, int column);
    struct str (*text)(const struct rows *r, int column);
    struct str (*bytes)(struct arena *a, const struct rows *r, int column);
    struct val (*value)(const struct rows *r, int column); /* text is borrowed, bytes are missing */
};

extern const struct db_driver db_sqlite_driver, db_pg_driver;

char *db_text(const char *cstr); /* a copy; release with free() */
CHECKED enum status db_script(struct db *db, const char *sql, struct err *e); /* NULL: nothing */
/* As db_begin(), but write or snapshot whatever the handle was opened for. */
CHECKED enum status db_begin_as(struct db *db, enum db_mode mode, struct err *e);

/* A statement from text. It must not outlive the handle. */
CHECKED enum status rows_new(struct db *db, const char *sql, struct rows **out, struct err *e);
void rows_freep(struct rows **r);
CHECKED enum status rows_open(struct rows *r, struct args args, struct err *e);
CHECKED enum status rows_run(struct rows *r, struct args args, int64_t *changed, struct err *e);
CHECKED enum status rows_int(struct rows *r, struct args args, int64_t *out, bool *found,
                             struct err *e);
/* Call fn for every row, in constant memory on both databases. fn must not use the handle.
 * Stops at the first status that is not OK and returns it. */
typedef enum status row_fn(void *user, const struct rows *row, struct err *e);
CHECKED enum status rows_each(struct rows *r, struct args args, row_fn *fn, void *user,
                              struct err *e);
CHECKED enum status rows_each_of(struct rows *r, struct args all, size_t n, row_of_fn *fn,
                                 void *user, struct err *e);
CHECKED enum status rows_list(struct rows *r, struct args args, const struct row_list *l,
                              struct err *e);

/* db_migrate() and db_schema_check() with the migrations among `assets` (ends with a NULL name). */
CHECKED enum status db_migrate_with(struct db *db, const struct asset *assets, int *applied,
                                    struct err *e);
CHECKED enum status db_schema_check_with(struct db *db, const struct asset *assets, struct err *e);

#endif
