#include "web/practice_table.h"

#include <math.h>

static void share_cell(struct page *p, double share)
{
    if (isnan(share))
        page_cell(p, "");
    else
        page_cell_fmt(p, "%.0f %%", 100 * share);
}

static void row(struct page *p, const struct practice_row *r)
{
    page_row(p);
    page_row_head(p);
    html_text(&p->h, r->rater);
    html_close(&p->h);
    page_cell_fmt(p, "%lld", (long long)r->round + 1);
    page_cell_time(p, r->at_ms);
    page_cell_fmt(p, "%lld", (long long)r->done);
    page_cell(p, r->dimension);
    share_cell(p, r->is.exact);
    share_cell(p, r->is.near);
    if (isnan(r->is.bias))
        page_cell(p, "");
    else
        page_cell_fmt(p, "%+.2f", r->is.bias);
    page_cell(p, page_phrase(p, r->passed ? PHRASE_PASSED : PHRASE_NOT_PASSED));
    html_close(&p->h);
}

void practice_table(struct page *p, const struct practice_list *l)
{
    if (l->n == 0)
        return;
    html_open(&p->h, "details", NULL);
    page_say(p, "summary", NULL, PHRASE_PRACTICE_ROUNDS);
    page_table(p, PHRASE_RATER, PHRASE_ROUND, PHRASE_WHEN, PHRASE_RATED, PHRASE_DIMENSION,
               PHRASE_EXACT, PHRASE_NEAR, PHRASE_BIAS, PHRASE_STATE);
    for (size_t i = 0; i < l->n; i++)
        row(p, &l->v[i]);
    page_table_end(p);
    html_close(&p->h);
}
