/* The raters of a campaign: their progress, what stands out, and how they practised. */
#include <math.h>

#include "base/map.h"
#include "eval/score.h"
#include "panel/outcome.h"
#include "panel/practice.h"
#include "report/campaign_table.h"
#include "report/show.h"
#include "web/campaign_frame.h"
#include "web/page_campaign.h"
#include "web/pages.h"
#include "web/widget.h"

enum { PAGE_ROWS = 100 };

static void sign_cell(struct page *p, const struct campaign *c, const struct score_row *r,
                      int decimals)
{
    if (!r || !isfinite(r->value))
        page_cell_fmt(p, "–");
    else
        page_cell_fmt(p, "%.*f%s", decimals, r->value, outcome_unusual(c, r) ? " !" : "");
}

/* Excluded by a person, by a rule of the file, or not. */
static void exclude_cell(struct page *p, const struct campaign *c, const struct rater *r,
                         const struct score_row *rule)
{
    const char *rest = page_printf(p, "/raters/%s", r->pseudonym);
    struct html *h = &p->h;

    page_cell_open(p, NULL);
    if (r->excluded_by) {
        html_text(h, page_two(p, WORD_LABELLED, page_phrase(p, PHRASE_EXCLUDED), r->excluded_why));
    } else if (rule) {
        html_text(h, page_two(p, WORD_LABELLED, page_phrase(p, PHRASE_EXCLUDED),
                              message_show(p->q->arena, p->q->language, rule->method)));
    } else if (session_may(p->q, ROLE_ADMIN) && c->state != CAMPAIGN_UNMASKED) {
        page_fold(p, PHRASE_EXCLUDE);
        page_form(p, campaign_frame_below(p->q, c, rest));
        html_open(h, "label", NULL);
        html_text(h, page_phrase(p, PHRASE_WHY));
        html_leaf(h, "input", "name", "why", "required", "");
        html_close(h);
        page_button(p, PHRASE_EXCLUDE, NULL, NULL);
        html_close_n(h, 2);
    }
    if (session_may(p->q, ROLE_ADMIN)) {
        page_fold(p, PHRASE_ERASE);
        page_say(p, "p", NULL, PHRASE_ERASE_LEAD);
        page_form(p, campaign_frame_path(p->q, c, "%s/erase", rest));
        widget_button(p, "danger", PHRASE_ERASE, NULL, NULL);
        html_close_n(h, 2);
    }
    html_close(h);
}

static const enum word rater_phrases[] = {
    [RATER_INVITED] = PHRASE_RATER_INVITED,       [RATER_CONSENTED] = PHRASE_RATER_CONSENTED,
    [RATER_PRACTISING] = PHRASE_RATER_PRACTISING, [RATER_RATING] = PHRASE_RATER_RATING,
    [RATER_FINISHED] = PHRASE_RATER_FINISHED,     [RATER_REJECTED] = PHRASE_RATER_REJECTED,
    [RATER_WITHDRAWN] = PHRASE_RATER_WITHDRAWN,
};

static void state_cell(struct page *p, const struct rater *r)
{
    static const char *const kinds[] = {
        [RATER_INVITED] = "",      [RATER_CONSENTED] = "",    [RATER_PRACTISING] = "warn",
        [RATER_RATING] = "info",   [RATER_FINISHED] = "good", [RATER_REJECTED] = "bad",
        [RATER_WITHDRAWN] = "bad",
    };

    page_cell_open(p, NULL);
    widget_state(p, kinds[r->state], page_phrase(p, rater_phrases[r->state]));
    html_close(&p->h);
}

/* ---- practice ---- */

static void share_cell(struct page *p, double share)
{
    if (isnan(share))
        page_cell(p, "");
    else
        page_cell_fmt(p, "%s", page_with(p, WORD_PERCENT, page_printf(p, "%.0f", 100 * share)));
}

static void practice_line(struct page *p, const struct practice_row *r)
{
    char bias[SHOW_MAX];

    page_row_of(p, NULL, r->rater);
    page_cell_fmt(p, "%lld", (long long)r->round + 1);
    page_cell_time(p, r->at_ms);
    page_cell_fmt(p, "%lld", (long long)r->done);
    page_cell(p, r->dimension);
    share_cell(p, r->is.exact);
    share_cell(p, r->is.near);
    page_cell(p, show_signed(bias, r->is.bias, 2, ""));
    page_cell(p, page_phrase(p, r->passed ? PHRASE_PASSED : PHRASE_NOT_PASSED));
    html_close(&p->h);
}

/* The rounds of practice; nothing where there were none. */
static void practice_rounds(struct page *p, const struct practice_list *l)
{
    if (l->n == 0)
        return;
    page_fold(p, PHRASE_PRACTICE_ROUNDS);
    page_table(p, PHRASE_RATER, PHRASE_ROUND, PHRASE_WHEN, PHRASE_RATED, PHRASE_DIMENSION,
               PHRASE_EXACT, PHRASE_NEAR, PHRASE_BIAS, PHRASE_STATE);
    for (size_t i = 0; i < l->n; i++)
        practice_line(p, &l->v[i]);
    page_table_end(p);
    html_close(&p->h);
}

/* ---- drift ---- */

enum { WIDTH = 320, HEIGHT = 120, ALARM = 5, TOP = 7 }; /* TOP: the greatest sum that is drawn */

static double across(size_t i, size_t n)
{
    return n < 2 ? 0 : (double)i * WIDTH / (double)(n - 1);
}

static double up(double v)
{
    v = fmin(fmax(v, -TOP), TOP);
    return HEIGHT * (1 - (v + TOP) / (2 * TOP));
}

static void level_line(struct page *p, double v, const char *cls)
{
    const char *y = page_printf(p, "%.1f", up(v));

    html_leaf(&p->h, "line", "x1", "0", "x2", page_number(p, WIDTH), "y1", y, "y2", y, "class",
              cls);
}

/* n rows of one rater. */
static void drift_of(struct page *p, const struct score_row *v, size_t n)
{
    AUTO(buf_done) struct buf points = BUF_MAX(1 << 20);
    const char *name = strchr(v->subject, '/') + 1;
    struct html *h = &p->h;

    for (size_t i = 0; i < n; i++)
        buf_fmt(&points, "%s%.1f,%.1f", i ? " " : "", across(i, n), up(v[i].value));
    html_open(h, "figure", NULL);
    html_element(h, "figcaption", NULL, name);
    html_open(
        h, "svg", "viewBox", page_printf(p, "0 0 %d %d", WIDTH, HEIGHT), "class", "drift", "role",
        "img", "aria-label",
        page_printf(p, "%s %s: %.1f", page_phrase(p, PHRASE_SIGN_DRIFT), name, v[n - 1].value));
    level_line(p, 0, "axis");
    level_line(p, ALARM, "alarm-line");
    level_line(p, -ALARM, "alarm-line");
    html_leaf(h, "polyline", "points", arena_text(p->q->arena, buf_str(&points)), "class",
              "course");
    html_close_n(h, 2);
}

static bool is_point(const struct score_row *r)
{
    return str_starts(str_of(r->metric), STR("drift:"));
}

/* How errors on anchor texts add up: a chart for each rater who has rated such texts, with the
 * levels at which somebody should take a look. The points are stored rows (panel/outcome.h). */
static void drift_charts(struct page *p, const struct score_list *rows)
{
    bool any = false;

    for (size_t i = 0, n; i < rows->n; i += n) {
        n = 1;
        if (!is_point(&rows->v[i]))
            continue;
        while (i + n < rows->n && is_point(&rows->v[i + n]) &&
               strcmp(rows->v[i + n].subject, rows->v[i].subject) == 0)
            n++;
        if (!any)
            page_say(p, "h3", NULL, PHRASE_SIGN_DRIFT);
        any = true;
        drift_of(p, &rows->v[i], n);
    }
}

/* ---- the page ---- */

struct people {
    struct campaign c;
    struct rater_list raters;
    struct practice_list practice;
    struct score_list rows;
};

static void raters_part(struct page *p, const struct people *o)
{
    const struct campaign *c = &o->c;
    const struct rater_list *l = &o->raters;
    enum word heads[CAMPAIGN_SIGNS + 4] = {PHRASE_RATER, PHRASE_STATE, PHRASE_RATED};
    size_t nheads = 3, nsigns = 0;

    while (nsigns < CAMPAIGN_SIGNS && (c->spec.open || !campaign_signs[nsigns].arena))
        heads[nheads++] = campaign_signs[nsigns++].word;
    heads[nheads++] = PHRASE_WHAT;
    if (l->n == 0) {
        widget_empty_go(p, page_phrase(p, PHRASE_NO_RATERS),
                        session_may(p->q, ROLE_COORDINATOR | ROLE_ADMIN)
                            ? campaign_frame_path(p->q, c, "/invitations")
                            : NULL,
                        PHRASE_INVITES);
        return;
    }
    campaign_frame_compute(p, c, PHRASE_SIGNS_LEAD, "", "/raters");
    if (o->rows.n)
        campaign_frame_outdated(p, c);
    page_table_of(p, heads, nheads);
    for (size_t i = 0; i < l->n; i++) {
        const struct rater *r = &l->v[i];
        const char *subject = page_printf(p, "rater/%s", r->pseudonym);
        page_row_of(p, NULL, r->pseudonym);
        state_cell(p, r);
        page_cell_fmt(p, "%lld / %lld", (long long)r->done, (long long)c->spec.passages);
        for (size_t k = 0; k < nsigns; k++)
            sign_cell(p, c, score_find(&o->rows, subject, campaign_signs[k].metric),
                      campaign_signs[k].decimals);
        exclude_cell(p, c, r, score_find(&o->rows, subject, "excluded"));
        html_close(&p->h);
    }
    page_table_end(p);
    practice_rounds(p, &o->practice);
    drift_charts(p, &o->rows);
    if (l->n == PAGE_ROWS)
        page_way(p,
                 campaign_frame_path(p->q, c, "/raters?after=%lld", (long long)l->v[l->n - 1].id),
                 PHRASE_MORE);
}

/* Keep scores and practice of the raters on this page; scores of others than raters stay. */
static void keep_page(struct request *q, struct people *o)
{
    struct map here;
    size_t n = 0;

    map_init(&here, q->arena);
    for (size_t i = 0; i < o->raters.n; i++)
        (void)map_put(&here, str_of(o->raters.v[i].pseudonym), &o->raters.v[i]);
    for (size_t i = 0; i < o->rows.n; i++) {
        struct str subject = str_of(o->rows.v[i].subject);
        if (!str_starts(subject, STR("rater/")) ||
            map_get(&here, str_from(subject, strlen("rater/"))))
            o->rows.v[n++] = o->rows.v[i];
    }
    o->rows.n = n;
    n = 0;
    for (size_t i = 0; i < o->practice.n; i++)
        if (map_get(&here, str_of(o->practice.v[i].rater)))
            o->practice.v[n++] = o->practice.v[i];
    o->practice.n = n;
}

enum status page_campaign_raters(struct request *q, struct response *r, struct err *e)
{
    struct people o;
    struct page p;

    if (page_campaign_of(q, &o.c, e) != OK ||
        rater_page(q->arena, q->store, o.c.id, request_int(request_query(q, "after"), 0), PAGE_ROWS,
                   &o.raters, e) != OK ||
        practice_list(q->arena, q->store, o.c.id, &o.practice, e) != OK ||
        outcome_stored(q->arena, q->store, &o.c, &o.rows, e) != OK)
        return e->code;
    keep_page(q, &o);
    campaign_frame_open(&p, q, r, &o.c, TAB_RATERS);
    raters_part(&p, &o);
    return page_close(&p);
}
