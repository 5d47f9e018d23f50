#include <math.h>

#include "base/csv.h"
#include "report/table.h"

static void number(struct buf *out, double v)
{
    char text[SHOW_MAX];

    csv_put(out, str_of(str_exact(text, v)), false);
}

static void line(const struct table *t, size_t column, size_t row, const char *const *lead,
                 struct buf *out)
{
    const struct table_column *c = &t->columns[column];
    const struct table_cell *cell = &t->cells[column][row];

    for (size_t i = 0; lead[i]; i++)
        csv_put(out, str_of(lead[i]), i == 0);
    csv_put(out, str_of(t->cells[0][row].text), !lead[0]);
    csv_put(out, str_of(cell->metric ? cell->metric : c->key), false);
    if (table_is_words(c))
        csv_put(out, str_of(cell->there ? cell->text : ""), false);
    else
        number(out, cell->there ? cell->value : (double)NAN);
    if (c->kind != TABLE_INTERVAL) {
        buf_text(out, ",,,,,\r\n");
        return;
    }
    number(out, cell->lo);
    number(out, cell->hi);
    buf_fmt(out, ",%lld,%lld", (long long)cell->n, (long long)cell->clusters);
    csv_put(out, str_of(cell->method ? cell->method : ""), false);
    buf_text(out, "\r\n");
}

void table_csv(const struct table *const *v, size_t n, const char *const *lead, struct buf *out)
{
    for (size_t row = 0; n && row < v[0]->nrows; row++)
        for (size_t i = 0; i < n; i++)
            for (size_t c = 1; c < v[i]->ncolumns; c++)
                if (v[i]->columns[c].key &&
                    (v[i]->cells[c][row].there || v[i]->columns[c].kind != TABLE_INTERVAL))
                    line(v[i], c, row, lead, out);
}
