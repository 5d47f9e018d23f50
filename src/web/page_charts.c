#include "web/page_charts.h"

#include "web/widget.h"

static void one(struct page *p, const struct report *r, enum charts_kind k, const struct table *t)
{
    widget_section(p, charts_name(k), charts_title(r, k), NULL);
    html_open(&p->h, "div", "class", "card");
    (void)charts_draw(&p->h, r, k, t);
    html_open(&p->h, "details", NULL);
    page_say(p, "summary", NULL, PHRASE_AS_TABLE);
    table_html(t, &p->h);
    html_close_n(&p->h, 3);
}

enum status page_charts(struct page *p, const struct report *r, const enum charts_kind *kinds,
                        size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        struct err none = {0};
        struct table *t;
        enum status st = charts_table(p->q->arena, p->q->store, r, kinds[i], &t, &none);
        if (st == OK && kinds[i] == CHARTS_HISTORY && t->nrows < 2)
            continue; /* this run alone */
        if (st == OK)
            one(p, r, kinds[i], t);
        else if (st != E_INPUT) /* there is nothing of the kind */
            return err_set(e, st, "%s", none.msg);
    }
    return OK;
}
