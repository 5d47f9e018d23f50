#include "db/many.h"

#include <math.h>

unsigned many_type(enum val_kind kind)
{
    return kind == VAL_INT     ? PG_INT8
           : kind == VAL_REAL  ? PG_FLOAT8
           : kind == VAL_BYTES ? PG_BYTEA
                               : PG_TEXT;
}

/* ---- which ---- */

static size_t name_length(const char *name)
{
    return strspn(name, "abcdefghijklmnopqrstuvwxyz_");
}

static bool reads(const char *sql, const char *table)
{
    static const char *const words[] = {"FROM ", "JOIN "};
    struct str name = {table, name_length(table)};

    for (size_t i = 0; i < COUNT(words); i++)
        for (const char *at = strstr(sql, words[i]); at; at = strstr(at, words[i])) {
            at += strlen(words[i]);
            if (str_eq((struct str){at, name_length(at)}, name))
                return true;
        }
    return false;
}

/* Whether rows may be found in another way than by the id. */
static bool has_or(const char *where)
{
    int depth = 0;

    for (; *where; where++) {
        depth += (*where == '(') - (*where == ')');
        if (depth == 0 && strncmp(where, " OR ", strlen(" OR ")) == 0)
            return true;
    }
    return false;
}

/* Whether an INSERT ... SELECT adds rows made from one row, found by its id, and from nothing in
 * the table that it inserts into. */
static bool adds_by_id(const char *sql)
{
    static const char into[] = "INSERT INTO ", id[] = "id = $";
    static const char *const never[] = {"DO UPDATE", "LIMIT ", "GROUP BY ", "DISTINCT ", "UNION ",
                                        "COUNT(",    "SUM(",   "MAX(",      "MIN("};
    const char *from = strstr(sql, "FROM "), *where = strstr(sql, "WHERE ");

    if (strncmp(sql, into, strlen(into)) != 0 || !from || !where || has_or(where) ||
        strcspn(from, ",") < (size_t)(where - from) || reads(sql, sql + strlen(into)) ||
        str_holds((struct str){sql, (size_t)(where - sql)}, STR("(SELECT")))
        return false;
    for (size_t i = 0; i < COUNT(never); i++)
        if (strstr(sql, never[i]))
            return false;
    where += strlen("WHERE ");
    where += where[1] == '.' ? 2 : 0; /* the table has an alias */
    return strncmp(where, id, strlen(id)) == 0;
}

bool many_by_key(const char *sql)
{
    const char *key = strstr(sql, "WHERE id = $1");

    return str_starts(str_of(sql), STR("UPDATE")) && key && key == strstr(sql, "WHERE");
}

bool many_can(const char *sql)
{
    const char *values = strstr(sql, "VALUES (");
    size_t end;

    if (strstr(sql, "RETURNING"))
        return false;
    if (!values || !str_starts(str_of(sql), STR("INSERT")))
        return many_by_key(sql) || adds_by_id(sql);
    if (strstr(sql, "SELECT"))
        return false;
    values += strlen("VALUES (");
    end = strcspn(values, "()");
    return values[end] == ')' && values[end + 1] != ',' && !strstr(values, "DO UPDATE");
}

/* ---- the statement ---- */

static void put_array(struct buf *b, unsigned type, size_t k)
{
    buf_fmt(b, "CAST($%zu AS %s[])", k + 1,
            type == PG_INT8     ? "bigint"
            : type == PG_FLOAT8 ? "double precision"
                                : "text");
}

/* The arguments as a table n, one row for each set. */
static void put_table(struct buf *b, const unsigned *types, size_t n)
{
    buf_text(b, " unnest(");
    for (size_t k = 0; k < n; k++) {
        buf_text(b, k ? ", " : "");
        put_array(b, types[k], k);
    }
    buf_text(b, ") WITH ORDINALITY AS n(");
    for (size_t k = 0; k < n; k++)
        buf_fmt(b, "p%zu, ", k + 1);
    buf_text(b, "i)");
}

/* Copies SQL, with columns of n in place of its arguments. */
static void put_query(struct buf *b, const char *sql, size_t n)
{
    for (size_t i = 0; i < n; i++)
        buf_text(b, sql[i] == '$' ? "n.p" : (const char[]){sql[i], '\0'});
}

/* Finds rows by any of the first arguments; the others are taken from the first set. No join with
 * n: PostgreSQL might scan a whole table that was small when it last looked, and the remains of
 * deleted rows. */
static void put_delete(struct buf *b, const char *sql, const char *end, const unsigned *types)
{
    for (; sql < end; sql++) {
        size_t k;
        if (*sql != '$') {
            buf_char(b, *sql);
            continue;
        }
        k = (size_t)(*++sql - '1');
        buf_text(b, k ? "(" : "ANY(");
        put_array(b, types[k], k);
        buf_text(b, k ? ")[1]" : ")");
    }
}

/* Inserted rows are those of n, changed rows are found by them. A query is joined laterally with n;
 * OFFSET keeps PostgreSQL from merging it with n, which might scan all rows of a table that was
 * small when the plan was made. */
void many_sql(struct buf *b, const char *sql, const unsigned *types, size_t n, bool adds)
{
    const char *values = strstr(sql, "VALUES ("), *where = strstr(sql, "WHERE");
    const char *end = sql + strlen(sql);
    bool changes = str_starts(str_of(sql), STR("UPDATE"));

    while (end > sql && strchr("; \n", end[-1]))
        end--;
    if (str_starts(str_of(sql), STR("DELETE"))) {
        put_delete(b, sql, end, types);
    } else if (changes || adds_by_id(sql)) {
        put_query(b, sql, (size_t)(where - sql));
        buf_text(b, changes ? "FROM" : ",");
        put_table(b, types, n);
        buf_char(b, ' ');
        put_query(b, where, (size_t)(end - where));
    } else if (values) {
        const char *from = values + strlen("VALUES ("), *to = from + strcspn(from, ")");
        const char *unless = adds ? strstr(to, " ON CONFLICT") : NULL;
        buf_add(b, (struct str){sql, (size_t)(values - sql)});
        buf_text(b, "SELECT ");
        put_query(b, from, (size_t)(to - from));
        buf_text(b, " FROM");
        put_table(b, types, n);
        buf_add(b, (struct str){to + 1, (size_t)((unless ? unless : end) - to - 1)});
        buf_text(b, adds ? " RETURNING id" : "");
    } else {
        buf_text(b, "SELECT q.*, n.i - 1 FROM");
        put_table(b, types, n);
        buf_text(b, ", LATERAL (");
        put_query(b, sql, (size_t)(end - sql));
        buf_text(b, " OFFSET 0) AS q");
    }
}

/* ---- its arguments ---- */

static void put_number(struct buf *b, uint64_t number, unsigned bytes)
{
    char text[sizeof number];

    for (unsigned i = 0; i < bytes; i++)
        text[i] = (char)(number >> (8 * (bytes - 1 - i)));
    buf_add(b, (struct str){text, bytes});
}

static void put_element(struct buf *b, unsigned type, const struct val *v)
{
    uint64_t bits = (uint64_t)v->i;

    if (v->kind == VAL_NULL || (v->kind == VAL_REAL && isnan(v->d))) {
        put_number(b, UINT32_MAX, 4);
    } else if (v->kind == VAL_TEXT) {
        put_number(b, v->s.n, 4);
        buf_add(b, v->s);
    } else {
        if (type == PG_FLOAT8)
            memcpy(&bits, &v->d, sizeof bits);
        put_number(b, sizeof bits, 4);
        put_number(b, bits, sizeof bits);
    }
}

/* PostgreSQL's binary form of an array: dimensions, whether there are NULLs, the type, the length,
 * the first index. */
bool many_array(struct arena *a, unsigned type, struct args all, size_t n, size_t k,
                struct val *out)
{
    AUTO(buf_done) struct buf b = BUF_MAX(MANY_ARGS_MAX);
    const uint64_t head[] = {1, 1, type, n, 1};

    for (size_t i = 0; i < COUNT(head); i++)
        put_number(&b, head[i], 4);
    for (size_t i = 0; i < n; i++)
        put_element(&b, type, &all.v[i * (all.n / n) + k]);
    if (b.full)
        return false;
    *out = V_BYTES(arena_str(a, buf_str(&b)));
    return true;
}
