/* The stored results of a campaign, and exports, which are streamed. */
#include "eval/score.h"
#include "panel/export.h"
#include "panel/outcome.h"
#include "report/campaign_table.h"
#include "report/chart.h"
#include "web/account.h"
#include "web/campaign_frame.h"
#include "web/page_campaign.h"
#include "web/pages.h"
#include "web/widget.h"

/* ---- what was found ---- */

/* The systems by a dimension (NULL: by pairs), best first: points with whiskers, and the table. */
static void systems_part(struct page *p, const struct campaign_view *v, const struct dimension *d)
{
    struct arena *a = p->q->arena;
    const char *metric = d ? arena_printf(a, "mean:%s", d->id) : "rating";
    struct outcome_order o =
        outcome_order(a, v->campaign, v->rows, metric, d && d->lower_is_better);
    struct chart_row *rows = NEW_N(a, struct chart_row, o.n + 1);
    struct chart_rows chart = {
        .v = rows, .n = o.n, .label = page_phrase(p, d ? PHRASE_MEAN : PHRASE_RATING_NUMBER)};

    for (size_t i = 0; i < o.n; i++)
        rows[i] = (struct chart_row){
            export_system(a, v->campaign, o.v[i]),
            score_find(v->rows, arena_printf(a, "system/%s", o.v[i]), metric), NULL};
    html_open(&p->h, "section", NULL);
    if (d) {
        chart.range = (struct show_range){d->min, d->max};
        chart.decimals = 2;
        html_open(&p->h, "h2", NULL);
        html_foreign(&p->h, v->campaign->suite.language, d->title);
        html_close(&p->h);
    }
    chart_rows(&p->h, &chart);
    table_html(campaign_table_systems(a, p->q->language, v, d), &p->h);
    html_close(&p->h);
}

static void table_part(struct page *p, enum word title, enum word lead, const struct table *t)
{
    if (!t)
        return;
    html_open(&p->h, "section", NULL);
    page_say(p, "h2", NULL, title);
    page_say(p, "p", "note", lead);
    table_html(t, &p->h);
    html_close(&p->h);
}

/* Whoever may read the run as well can tell systems apart in spite of the mask: say so. */
static void masked_part(struct page *p)
{
    widget_notice(p, "", page_phrase(p, PHRASE_RESULTS_MASKED));
    if (p->q->session->own & (ROLE_ANALYST | ROLE_ADMIN))
        page_say(p, "p", "note", PHRASE_RESULTS_BLIND);
}

static void exports(struct page *p, const struct campaign *c)
{
    static const char *const files[] = {"ratings.csv", "ratings.jsonl", "codebook.md"};

    page_say(p, "h2", NULL, PHRASE_EXPORTS);
    html_open(&p->h, "ul", NULL);
    for (size_t i = 0; i < COUNT(files); i++) {
        html_open(&p->h, "li", NULL);
        page_link(p, page_printf(p, "/campaigns/%s/%s", c->name, files[i]), files[i]);
        html_close(&p->h);
    }
    html_close(&p->h);
    if (c->state != CAMPAIGN_UNMASKED && !session_may(p->q, ROLE_ADMIN))
        page_say(p, "p", "note", PHRASE_EXPORTS_BLIND);
}

static bool any_system(const struct score_list *rows)
{
    for (size_t i = 0; i < rows->n; i++)
        if (str_starts(str_of(rows->v[i].subject), STR("system/")))
            return true;
    return false;
}

static void count_tile(struct page *p, enum word label, int64_t n, const struct score_row *of)
{
    widget_tile(p, label, page_number(p, n), of ? page_printf(p, "/ %lld", (long long)of->n) : NULL,
                page_phrase(p, PHRASE_BEHIND_ALL));
}

/* How many people and marks the results below are based on. */
static void behind(struct page *p, const struct score_list *rows)
{
    const struct score_row *marks = score_find(rows, "campaign", "ratings:counted");
    int64_t raters = 0;

    for (size_t i = 0; i < rows->n; i++)
        raters += strcmp(rows->v[i].metric, "counts") == 0 && rows->v[i].value > 0;
    html_open(&p->h, "div", "class", "tiles");
    count_tile(p, PHRASE_BEHIND_RATERS, raters, score_find(rows, "campaign", "began"));
    count_tile(p, PHRASE_BEHIND_MARKS, marks ? marks->n : 0,
               score_find(rows, "campaign", "ratings"));
    html_close(&p->h);
}

static void found_part(struct page *p, const struct campaign *c, const struct score_list *rows)
{
    const struct campaign_view v = {.campaign = c, .rows = rows};
    const struct instrument *in = &c->suite.instrument;

    if (!any_system(rows)) {
        widget_empty(p, PHRASE_NOT_COMPUTED);
        return;
    }
    campaign_frame_outdated(p, c);
    behind(p, rows);
    if (in->kind == INSTRUMENT_PAIR)
        systems_part(p, &v, NULL);
    for (size_t i = 0; i < in->ndimensions && in->kind != INSTRUMENT_PAIR; i++)
        systems_part(p, &v, &in->dimensions[i]);
    table_part(p, PHRASE_AGREEMENT, PHRASE_AGREEMENT_LEAD,
               campaign_table_agreement(p->q->arena, p->q->language, &v));
    table_part(p, PHRASE_SEVERITY, PHRASE_SEVERITY_LEAD,
               campaign_table_severity(p->q->arena, p->q->language, &v));
}

enum status page_campaign_results(struct request *q, struct response *r, struct err *e)
{
    struct score_list rows;
    struct campaign c;
    struct page p;

    if (page_campaign_of(q, &c, e) != OK || outcome_stored(q->arena, q->store, &c, &rows, e) != OK)
        return e->code;
    campaign_frame_open(&p, q, r, &c, TAB_RESULTS);
    campaign_frame_compute(&p, &c, PHRASE_RESULTS_LEAD, "filled", "/results");
    if (c.state != CAMPAIGN_UNMASKED)
        masked_part(&p);
    found_part(&p, &c, &rows);
    exports(&p, &c);
    return page_close(&p);
}

/* ---- exports ---- */

struct exporting {
    struct campaign c;
    struct export_how how;
};

static enum status pass_on(void *user, struct str bytes, struct err *e)
{
    return stream_write(user, bytes, e);
}

static enum status produce(struct stream *out, struct store *store, void *user, struct err *e)
{
    struct exporting *x = user;

    return export_ratings(store, &x->c, &x->how, pass_on, out, e);
}

enum status page_campaign_ratings(struct request *q, struct response *r, struct err *e)
{
    struct exporting *x = NEW(q->arena, struct exporting);
    bool csv = str_ends(q->path, STR(".csv"));
    const char *file = csv ? "ratings.csv" : "ratings.jsonl";

    if (page_campaign_of(q, &x->c, e) != OK)
        return e->code;
    if (site_throttle(q, r, THROTTLE_EXPORT, str_of(q->session->name)))
        return OK;
    if (account_audit(q, "campaign.export", x->c.name, file, e) != OK)
        return e->code;
    x->how = (struct export_how){csv ? EXPORT_CSV : EXPORT_JSONL, session_may(q, ROLE_ADMIN)};
    response_header(r, "Content-Disposition",
                    arena_printf(q->arena, "attachment; filename=\"%s-%s\"", x->c.name, file));
    response_stream(r, csv ? "text/csv; charset=utf-8" : "application/x-ndjson", produce, x);
    return OK;
}

enum status page_campaign_codebook(struct request *q, struct response *r, struct err *e)
{
    struct campaign c;

    if (page_campaign_of(q, &c, e) != OK)
        return e->code;
    r->type = "text/markdown; charset=utf-8";
    buf_add(&r->body, export_codebook(q->arena, &c));
    return OK;
}
