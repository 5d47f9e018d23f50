#include <math.h>

#include "report/table.h"

void table_json_why(json_t *o, double value, double lo, const char *why)
{
    if (why || (isfinite(value) && isnan(lo)))
        json_put_text(o, "why", why ? why : "not-computed");
}

static json_t *object(const struct table_cell *c)
{
    json_t *o = json_object();

    json_put_real(o, "value", c->value);
    json_put_real(o, "lo", c->lo);
    json_put_real(o, "hi", c->hi);
    json_put_int(o, "n", c->n);
    if (c->method) {
        json_put_int(o, "clusters", c->clusters);
        json_put_text(o, "method", c->method);
    }
    table_json_why(o, c->value, c->lo, c->why);
    return o;
}

static void ends(const struct table_cell *cell, json_t *o)
{
    json_put_real(o, "lo", cell->there ? cell->lo : (double)NAN);
    json_put_real(o, "hi", cell->there ? cell->hi : (double)NAN);
    table_json_why(o, cell->there ? cell->value : (double)NAN, cell->lo, cell->why);
}

static void beside(const struct table *t, const struct table_column *c,
                   const struct table_cell *cell, json_t *o)
{
    json_put_real(o, c->key, cell->there ? cell->value : (double)NAN);
    ends(cell, c->ends == TABLE_ENDS_ROW
                   ? o
                   : json_put_object(o, arena_printf(t->a, "%s_interval", c->key)));
}

static json_t *value(const struct table_column *c, const struct table_cell *cell)
{
    if (!cell->there)
        return json_null();
    if (table_is_words(c))
        return json_from_str(str_of(cell->text));
    if (cell->method || c->kind == TABLE_INTERVAL)
        return object(cell);
    if (c->kind == TABLE_COUNT || c->kind == TABLE_SHARE)
        return json_integer((json_int_t)cell->value);
    return isfinite(cell->value) ? json_real(cell->value) : json_null();
}

static void put(const struct table *t, size_t column, size_t row, json_t *o)
{
    const struct table_column *c = &t->columns[column];
    const struct table_cell *cell = &t->cells[column][row];

    if (c->in) {
        json_t *in = json_object_get(o, c->in);
        o = in ? in : json_put_object(o, c->in);
    }
    if (!c->key)
        return;
    if (c->ends)
        beside(t, c, cell, o);
    else
        json_put(o, c->key, value(c, cell));
}

void table_json(const struct table *t, json_t *list)
{
    for (size_t row = 0; row < t->nrows; row++) {
        json_t *o = json_array_get(list, row);
        if (!o)
            o = json_add_object(list);
        for (size_t c = 0; c < t->ncolumns; c++)
            if (t->columns[c].key || t->columns[c].in)
                put(t, c, row, o);
    }
}

json_t *table_json_score(const struct score_row *row)
{
    const struct table_cell cell = table_score(row);

    return row ? object(&cell) : json_null();
}
