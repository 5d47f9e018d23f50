#include "report/noise_table.h"
#include "report/tables.h"

void render_csv(const struct report *r, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *const lead[] = {r->run.name, r->run.suite, NULL};
    const struct table **about;
    struct table *style = table_new(a, NULL, STYLE_FEATURES); /* belongs to the run: no model */
    struct table_cell *names = table_add(style, .key = "name");
    struct table_cell *worth = table_add(style, .key = "style", .kind = TABLE_INTERVAL);
    struct table *noise = noise_table(a, &r->noise, false, NULL);
    struct tables beside;
    size_t n = 0;

    tables_beside(a, r, &(struct tables_how){.dash = "-"}, &beside);
    about = NEW_N(a, const struct table *, beside.n + 1);
    about[n++] = tables_board(a, r, &(struct tables_how){0}, 0);
    for (size_t i = 0; i < beside.n; i++)
        if (beside.v[i].about == ABOUT_MODELS)
            about[n++] = beside.v[i].table;
    for (size_t f = 0; f < STYLE_FEATURES; f++) {
        names[f] = table_text("");
        worth[f] = table_score(r->style[f]);
    }
    for (size_t i = 0; i < noise->nrows; i++)
        noise->cells[0][i] = table_text("");
    buf_text(out, "run,suite,model,metric,value,lo,hi,n,clusters,method\r\n");
    table_csv(about, n, lead, out);
    table_csv((const struct table *const[]){style}, 1, lead, out);
    table_csv((const struct table *const[]){noise}, 1, lead, out);
}
