/* schema - run the migrations into an empty SQLite database, at build time, and write the schema
 * that they lead to.
 *
 *     schema OUT.c FILE.sql...    OUT.c: db_sqlite_schema[], one script
 *
 * Rows that a migration would leave in an empty database are not in it: test_db.c finds them. */
#include <sqlite3.h>
#include <stdlib.h>

#include "db/db_expand.h"

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "schema: %s: %s\n", what, why);
    exit(1);
}

static void apply(sqlite3 *db, const char *path)
{
    struct buf text = BUF_MAX(1 << 20), sql = BUF_MAX(1 << 20);
    FILE *in = fopen(path, "r");
    char part[4096];
    size_t n;

    if (!in)
        fail(path, "cannot read");
    while ((n = fread(part, 1, sizeof part, in)) > 0)
        buf_add(&text, (struct str){part, n});
    fclose(in);
    db_expand(&sql, buf_str(&text), "sqlite", DB_SQLITE_ID);
    if (text.full || sql.full)
        fail(path, "too long");
    if (sql.n && sqlite3_exec(db, sql.p, NULL, NULL, NULL) != SQLITE_OK)
        fail(path, sqlite3_errmsg(db));
    buf_done(&text);
    buf_done(&sql);
}

static void put_statement(FILE *out, const char *s)
{
    fputs("    \"", out);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fputc('\\', out);
        if (*s == '\n')
            fputs("\\n\"\n    \"", out);
        else
            fputc(*s, out);
    }
    fputs(";\\n\"\n", out);
}

/* In the order in which they came about. What a virtual table keeps itself in, it makes itself. */
static void put_schema(FILE *out, sqlite3 *db)
{
    static const char sql[] =
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT IN"
        " (SELECT name FROM pragma_table_list WHERE type = 'shadow') ORDER BY rowid";
    sqlite3_stmt *stmt;

    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        fail("the schema", sqlite3_errmsg(db));
    fputs("/* Made from sql/migrate by tools/schema.c. */\n#include \"db/db_expand.h\"\n\n"
          "const char db_sqlite_schema[] =\n",
          out);
    while (sqlite3_step(stmt) == SQLITE_ROW)
        put_statement(out, (const char *)sqlite3_column_text(stmt, 0));
    fputs("    \"\";\n", out);
    sqlite3_finalize(stmt);
}

int main(int argc, char **argv)
{
    FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
    sqlite3 *db;

    if (!out || sqlite3_open(":memory:", &db) != SQLITE_OK)
        fail("usage", "schema OUT.c FILE.sql...");
    for (int i = 2; i < argc; i++)
        apply(db, argv[i]);
    put_schema(out, db);
    sqlite3_close(db);
    if (fclose(out) != 0)
        fail(argv[1], "cannot write");
    return 0;
}
