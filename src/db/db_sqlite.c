#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/message.h"
#include "db/db_driver.h"
#include "db/db_expand.h"

enum { BUSY_MS = 5000, RETRY_MS = 20, SQL_MAX = 1 << 20 };

struct lite {
    struct db base;
    sqlite3 *handle;
};

struct lite_rows {
    struct rows base;
    sqlite3_stmt *stmt;
};

static struct lite *lite_of(struct db *db)
{
    return (struct lite *)db;
}

static sqlite3_stmt *stmt_of(const struct rows *r)
{
    return ((const struct lite_rows *)r)->stmt;
}

static bool disk_full(sqlite3 *handle, int rc)
{
    return (rc & 0xff) == SQLITE_FULL ||
           ((rc & 0xff) == SQLITE_IOERR && sqlite3_system_errno(handle) == ENOSPC);
}

/* What went wrong, in words for the user. `what` names the statement, or is NULL. */
static enum status fault(const struct db *db, sqlite3 *handle, int rc, const char *what,
                         struct err *e)
{
    const char *url = db->url;

    if (disk_full(handle, rc))
        return err_set(e, E_FULL, "%s: the disk is full; free some space", url);
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return err_set(e, E_BUSY, "%s: another process is writing to it; try again", url);
    case SQLITE_READONLY:
        return err_set(e, E_STORE, "%s: %s", url,
                       db->mode == DB_READ ? "was opened for reading only"
                                           : "cannot be written; make the file and its directory "
                                             "writable, or choose another with --db");
    case SQLITE_CANTOPEN:
        return err_set(e, E_STORE,
                       "%s: cannot open it; its directory must exist and be writable, or choose "
                       "another file with --db",
                       url);
    case SQLITE_NOTADB:
        return err_set(e, E_STORE, "%s is not an audition database; choose another file with --db",
                       url);
    case SQLITE_CORRUPT:
        return err_set(e, E_STORE, "%s is damaged (%s); restore a backup", url,
                       sqlite3_errmsg(handle));
    default:
        return err_set(e, E_STORE, "%s: %s%s%s", url, what ? what : "", what ? ": " : "",
                       sqlite3_errmsg(handle));
    }
}

/* The file was moved or deleted: what is written goes into a file that nobody can find again. */
static bool has_moved(sqlite3 *handle)
{
    int moved = 0;

    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK &&
           moved;
}

static enum status lite_script(struct db *db, const char *sql, struct err *e)
{
    sqlite3 *handle = lite_of(db)->handle;
    int rc;

    if (strcmp(sql, "COMMIT") == 0 && db->mode != DB_READ && !db->nameless && has_moved(handle))
        return err_set(e, E_STORE,
                       "%s was moved or deleted while in use; nothing more can be saved. Put it "
                       "back or restore a backup, then run the same command again",
                       db->url);
    rc = sqlite3_exec(handle, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? OK : fault(db, handle, rc, NULL, e);
}

/* Length of the quoted text or comment at s, which is left as it is; 0 if there is none. */
static size_t opaque_length(struct str s)
{
    const char *end;

    if (s.p[0] == '\'' || s.p[0] == '"')
        end = memchr(s.p + 1, s.p[0], s.n - 1);
    else if (str_starts(s, STR("--")))
        end = memchr(s.p, '\n', s.n);
    else
        return 0;
    return end ? (size_t)(end - s.p) + 1 : s.n;
}

/* Length of a row lock, which SQLite does not need; 0 if there is none. */
static size_t lock_length(struct str sql)
{
    static const struct str locks[] = {{"FOR NO KEY UPDATE SKIP LOCKED", 29},
                                       {"FOR UPDATE SKIP LOCKED", 22},
                                       {"FOR KEY SHARE", 13},
                                       {"FOR UPDATE", 10}};

    for (size_t i = 0; i < COUNT(locks); i++)
        if (str_starts(sql, locks[i]))
            return locks[i].n;
    return 0;
}

/* SQLite numbers $n by first appearance, ?n by n. */
static void translate(struct buf *out, struct str sql)
{
    while (sql.n) {
        size_t n = opaque_length(sql);
        if (n) {
            buf_add(out, (struct str){sql.p, n});
        } else if (!(n = lock_length(sql))) {
            bool parameter = sql.n > 1 && sql.p[0] == '$' && sql.p[1] >= '0' && sql.p[1] <= '9';
            n = 1;
            buf_add(out, parameter ? STR("?") : (struct str){sql.p, 1});
        }
        sql = str_from(sql, n);
    }
}

static enum status lite_prepare(struct db *db, const char *sql, struct rows **out, struct err *e)
{
    AUTO(buf_done) struct buf text = BUF_MAX(SQL_MAX);
    sqlite3 *handle = lite_of(db)->handle;
    struct lite_rows *r;
    sqlite3_stmt *stmt;
    int rc;

    translate(&text, str_of(sql));
    rc = sqlite3_prepare_v3(handle, text.p, (int)text.n, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);
    if (rc != SQLITE_OK)
        return fault(db, handle, rc, NULL, e);
    r = mem_new(sizeof *r);
    r->stmt = stmt;
    r->base.writes = !sqlite3_stmt_readonly(stmt);
    *out = &r->base;
    return OK;
}

static void lite_release(struct rows *r)
{
    (void)sqlite3_finalize(stmt_of(r));
    free(r);
}

static int bind(sqlite3_stmt *stmt, int at, const struct val *v, bool inside)
{
    switch (v->kind) {
    case VAL_INT:
        return sqlite3_bind_int64(stmt, at, v->i);
    case VAL_REAL:
        return sqlite3_bind_double(stmt, at, v->d); /* NaN becomes NULL there */
    case VAL_TEXT:
        /* A null pointer would bind NULL rather than the empty text. */
        return sqlite3_bind_text64(stmt, at, v->s.p ? v->s.p : "", v->s.n,
                                   inside ? SQLITE_STATIC : SQLITE_TRANSIENT, SQLITE_UTF8);
    case VAL_BYTES:
        return sqlite3_bind_blob64(stmt, at, v->s.p ? v->s.p : "", v->s.n,
                                   inside ? SQLITE_STATIC : SQLITE_TRANSIENT);
    case VAL_NULL:
        break;
    }
    return sqlite3_bind_null(stmt, at);
}

static enum status lite_start(struct rows *r, struct args args, bool inside, struct err *e)
{
    sqlite3_stmt *stmt = stmt_of(r);
    int want = sqlite3_bind_parameter_count(stmt);

    if ((size_t)want != args.n)
        return err_set(e, E_STORE, "%s: %s: takes %d parameters, not %zu", r->db->url, r->name,
                       want, args.n);
    for (int i = 0; i < want; i++) {
        int rc = bind(stmt, i + 1, &args.v[i], inside);
        if (rc != SQLITE_OK)
            return fault(r->db, sqlite3_db_handle(stmt), rc, r->name, e);
    }
    return OK;
}

static bool lite_step(struct rows *r)
{
    sqlite3_stmt *stmt = stmt_of(r);
    int rc = sqlite3_step(stmt);

    if (rc == SQLITE_ROW)
        return true;
    if (rc != SQLITE_DONE)
        (void)fault(r->db, sqlite3_db_handle(stmt), rc, r->name, &r->fault);
    else if (r->writes)
        r->changed = sqlite3_changes64(sqlite3_db_handle(stmt));
    return false;
}

static int64_t lite_added(struct db *db)
{
    return sqlite3_last_insert_rowid(lite_of(db)->handle);
}

static void lite_finish(struct rows *r)
{
    (void)sqlite3_reset(stmt_of(r));
}

static bool lite_null(const struct rows *r, int column)
{
    return sqlite3_column_type(stmt_of(r), column) == SQLITE_NULL;
}

static int64_t lite_integer(const struct rows *r, int column)
{
    return sqlite3_column_int64(stmt_of(r), column);
}

static double lite_real(const struct rows *r, int column)
{
    return sqlite3_column_double(stmt_of(r), column);
}

static struct str lite_text(const struct rows *r, int column)
{
    const unsigned char *text = sqlite3_column_text(stmt_of(r), column);

    if (!text)
        return STR("");
    return (struct str){(const char *)text, (size_t)sqlite3_column_bytes(stmt_of(r), column)};
}

static struct str lite_bytes(struct arena *a, const struct rows *r, int column)
{
    const void *bytes = sqlite3_column_blob(stmt_of(r), column);

    return arena_str(a, (struct str){bytes, (size_t)sqlite3_column_bytes(stmt_of(r), column)});
}

static struct val lite_value(const struct rows *r, int column)
{
    switch (sqlite3_column_type(stmt_of(r), column)) {
    case SQLITE_NULL:
        return V_NULL;
    case SQLITE_INTEGER:
        return V_INT(lite_integer(r, column));
    case SQLITE_FLOAT:
        return V_REAL(lite_real(r, column));
    case SQLITE_BLOB:
        return V_BYTES(STR(""));
    default:
        return V_STR(lite_text(r, column));
    }
}

static const char *directory_of(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');

    if (!slash)
        return ".";
    return slash == path ? "/" : arena_printf(a, "%.*s", (int)(slash - path), path);
}

/* What keeps the file from being written, with the reason in errno; NULL: nothing. WAL needs two
 * more files beside the database, so the directory must be writable too. */
static const char *unwritable(struct arena *a, const char *path)
{
    const char *dir = directory_of(a, path);

    if (access(dir, W_OK | X_OK) != 0)
        return dir;
    return access(path, W_OK) != 0 && errno != ENOENT ? path : NULL;
}

static const char *remedy(void)
{
    return errno == ENOENT ? N_("create it") : N_("make it writable");
}

static enum status check_writable(const char *path, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *bad = unwritable(a, path);

    return bad ? err_set(e, E_STORE,
                         "%s: cannot write the database: %s: %s; %s, or choose another file with "
                         "--db",
                         path, bad, strerror(errno), remedy())
               : OK;
}

static void nap(void)
{
    struct timespec t = {.tv_nsec = RETRY_MS * 1000000L};

    (void)nanosleep(&t, NULL);
}

/* Whether this is another program's file. It is left as it is; even its journal does not become a
 * WAL. */
static bool is_foreign(sqlite3 *handle)
{
    sqlite3_stmt *s = NULL;
    bool foreign =
        sqlite3_prepare_v2(
            handle,
            "SELECT count(*) > 0 AND count(*) FILTER (WHERE name = 'schema_migration') = 0 "
            "FROM sqlite_schema WHERE type = 'table'",
            -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0);

    (void)sqlite3_finalize(s);
    return foreign;
}

/* Sets up the connection. The switch to WAL does not always wait for its lock when several
 * processes create the same file, so we wait here. A page of 8 kB (only new files get it) holds
 * several requests with their replies, while one of 4 kB holds one and a gap. A run of 100,000
 * items needs more memory than one of 1,000 mainly for this cache; a larger one is hardly
 * faster. */
static enum status settle(struct db *db, struct err *e)
{
    static const char common[] =
        "PRAGMA foreign_keys=ON; PRAGMA mmap_size=0;"
        "PRAGMA cache_size=-6000; PRAGMA synchronous=FULL;"
        "PRAGMA wal_autocheckpoint=2000;"
        "PRAGMA journal_size_limit=67108864;"
        "PRAGMA secure_delete=ON;"; /* so that what a person withdraws is gone */
    sqlite3 *handle = lite_of(db)->handle;
    int64_t until = clock_mono_ms() + BUSY_MS;
    const char *first;
    enum status st;

    (void)sqlite3_busy_timeout(handle, BUSY_MS);
    first = db->mode == DB_READ  ? "PRAGMA query_only=ON; SELECT count(*) FROM sqlite_schema;"
            : is_foreign(handle) ? "SELECT count(*) FROM sqlite_schema;"
                                 : "PRAGMA page_size=8192; PRAGMA journal_mode=WAL;";
    while ((st = lite_script(db, first, e)) == E_BUSY && clock_mono_ms() < until)
        nap();
    return st == OK ? lite_script(db, common, e) : st;
}

/* PostgreSQL has this function, SQLite only from 3.43 on. */
static void octet_length(sqlite3_context *context, int n, sqlite3_value **v)
{
    (void)n;
    if (sqlite3_value_type(v[0]) != SQLITE_NULL)
        sqlite3_result_int(context, sqlite3_value_bytes(v[0]));
}

static void lite_close(struct db *db)
{
    (void)sqlite3_close(lite_of(db)->handle);
    free(db);
}

/* The URI for a database in a directory that we cannot write to. The WAL index cannot be created
 * there, but without a -wal file nobody has the database open, and the file can be read as it is.
 * NULL: open it as usual. */
static const char *still_uri(struct arena *a, const char *path)
{
    AUTO(buf_done) struct buf uri = BUF_MAX(16 << 10);

    if (access(directory_of(a, path), W_OK) == 0 || file_exists(arena_printf(a, "%s-wal", path)))
        return NULL;
    buf_text(&uri, "file:");
    for (; *path; path++) {
        if (strchr("?#%", *path))
            buf_fmt(&uri, "%%%02X", (unsigned)*path);
        else
            buf_char(&uri, *path);
    }
    buf_text(&uri, "?immutable=1");
    return arena_text(a, buf_str(&uri));
}

/* The database will hold hashes of passwords, the secrets of campaigns and what people said about
 * themselves. So a new file is readable by its owner only, and so are the files that SQLite makes
 * beside it. Sharing it is a deliberate act (chmod). */
static void make_private(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd >= 0)
        (void)close(fd);
}

static enum status lite_open(struct db **out, const char *path, enum db_mode mode, struct err *e)
{
    /* Readers open it for writing too: the WAL index must be written, and the last one to close
     * cleans up. query_only keeps them from changing anything. */
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE |
                (mode == DB_WRITE ? SQLITE_OPEN_CREATE : 0);
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *still = mode == DB_READ ? still_uri(a, path) : NULL;
    struct lite *db;
    int rc;

    if (mode != DB_WRITE && !file_exists(path))
        return err_set(e, E_ABSENT,
                       "no database at %s yet; `audition run` creates one, --db selects another",
                       path);
    if (folder_is(path))
        return err_set(e, E_STORE, "%s is a directory; name the file in it with --db", path);
    if (access(path, R_OK) != 0 && errno != ENOENT)
        return err_set(e, E_STORE, "%s: cannot read it: %s; choose another file with --db", path,
                       strerror(errno));
    if (mode != DB_READ && check_writable(path, e) != OK)
        return e->code;
    if (mode == DB_WRITE)
        make_private(path);
    db = mem_new(sizeof *db);
    db->base.mode = mode;
    db->base.url = db_text(path);
    if (still)
        flags =
            SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    /* Memory statistics, which nobody reads, take a lock at every allocation. Only the first call
     * has an effect. */
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    rc = sqlite3_open_v2(still ? still : path, &db->handle, flags, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_create_function(db->handle, "octet_length", 1,
                                     SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL,
                                     octet_length, NULL, NULL);
    if (rc != SQLITE_OK)
        (void)fault(&db->base, db->handle, rc, NULL, e);
    else if (settle(&db->base, e) == OK) {
        *out = &db->base;
        return OK;
    }
    free(db->base.url);
    lite_close(&db->base);
    return e->code;
}

/* A writer is back when it can take the lock; readers never wait. */
static enum status lite_revive(struct db *db, struct err *e)
{
    return db->mode == DB_READ ? OK : lite_script(db, "BEGIN IMMEDIATE; ROLLBACK;", e);
}

/* Copies all pages in one step, which reads a single snapshot and in WAL mode blocks nobody. A
 * backup in several steps starts over whenever somebody else writes. */
static enum status copy_pages(struct db *db, const char *path, struct err *e)
{
    struct db there = {.mode = DB_WRITE};
    sqlite3_backup *job;
    sqlite3 *to;
    enum status st = OK;
    int rc;

    make_private(path);
    rc = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    there.url = db_text(path);
    job = rc == SQLITE_OK ? sqlite3_backup_init(to, "main", lite_of(db)->handle, "main") : NULL;
    if (job) {
        int done = sqlite3_backup_step(job, -1);
        rc = sqlite3_backup_finish(job); /* does not report a busy step */
        if (done != SQLITE_DONE)
            rc = done;
    } else {
        rc = sqlite3_extended_errcode(to);
    }
    if (rc != SQLITE_OK)
        st = fault(&there, to, rc, NULL, e);
    (void)sqlite3_close(to);
    free(there.url);
    return st;
}

static enum status lite_backup(struct db *db, const char *path, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *part = arena_printf(a, "%s.part", path), *bad;

    if (file_exists(path))
        return err_set(e, E_USAGE, "%s already exists; name a new file", path);
    (void)unlink(part); /* left behind by an interrupted backup */
    bad = unwritable(a, part);
    if (bad)
        return err_set(e, E_STORE, "%s: cannot write the backup: %s: %s; %s, or name another file",
                       path, bad, strerror(errno), remedy());
    if (copy_pages(db, part, e) == OK) {
        if (rename(part, path) == 0)
            return OK;
        (void)err_system(e, path);
    }
    (void)unlink(part);
    return e->code;
}

const struct db_driver db_sqlite_driver = {
    .name = "sqlite",
    .id = DB_SQLITE_ID,
    .schema = db_sqlite_schema,
    .check = "SELECT integrity_check FROM pragma_integrity_check UNION ALL SELECT 'a row of '"
             " || \"table\" || ' misses the row of ' || parent || ' that it belongs to'"
             " FROM pragma_foreign_key_check",
    .begin_write = "BEGIN IMMEDIATE",
    .begin_snapshot = "BEGIN",
    .tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
              " AND name NOT GLOB 'word_*'"
              " ORDER BY rowid",
    .references = "SELECT m.name, f.\"table\" FROM sqlite_schema AS m"
                  " JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table'",
    .columns = "SELECT name FROM pragma_table_info($1) ORDER BY cid",
    .sizes = "SELECT s.tbl_name, SUM(d.pgsize) AS bytes FROM dbstat('main', 1) AS d"
             " JOIN sqlite_schema AS s ON s.name = d.name WHERE s.tbl_name NOT GLOB 'sqlite_*'"
             " GROUP BY s.tbl_name ORDER BY bytes DESC, s.tbl_name",
    .space = "SELECT c.page_count * s.page_size, f.freelist_count * s.page_size"
             " FROM pragma_page_count AS c, pragma_page_size AS s, pragma_freelist_count AS f",
    /* The file shrinks when the WAL is written back. */
    .vacuum = "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)",
    /* Waiting for readers would make all writers wait. */
    .drain = "PRAGMA busy_timeout=0; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout=5000",
    .before_copy = "PRAGMA defer_foreign_keys = ON",
    .open = lite_open,
    .close = lite_close,
    .revive = lite_revive,
    .script = lite_script,
    .backup = lite_backup,
    .prepare = lite_prepare,
    .release = lite_release,
    .start = lite_start,
    .step = lite_step,
    .finish = lite_finish,
    .added = lite_added,
    .null = lite_null,
    .integer = lite_integer,
    .real = lite_real,
    .text = lite_text,
    .bytes = lite_bytes,
    .value = lite_value,
};
