#include "report/campaign_table.h"

#include <math.h>
#include <stdlib.h>

#include "panel/export.h"
#include "report/grid.h"
#include "report/show.h"

enum { NAME_COLUMNS = 32, DECIMALS = 2 };

static const struct score_row *find(const struct score_list *l, const char *subject,
                                    const char *metric)
{
    return score_find(l, subject, metric);
}

static struct str number(struct arena *a, double v, int decimals)
{
    char text[SHOW_MAX];

    return str_of(arena_text(a, str_of(show_number(text, v, decimals, "-"))));
}

static struct str with_interval(struct arena *a, const struct score_row *r)
{
    char v[SHOW_MAX], lo[SHOW_MAX], hi[SHOW_MAX];

    if (!r)
        return STR("-");
    if (isnan(r->lo))
        return number(a, r->value, DECIMALS);
    return str_of(arena_printf(a, "%s [%s, %s]", show_number(v, r->value, DECIMALS, "-"),
                               show_number(lo, r->lo, DECIMALS, "-"),
                               show_number(hi, r->hi, DECIMALS, "-")));
}

/* ---- systems ---- */

/* Names behind "system/", each once, in the order of the rows. */
struct names {
    const char **v;
    size_t n;
};

static struct names subjects(struct arena *a, const struct score_list *l, const char *kind)
{
    struct names out = {NEW_N(a, const char *, l->n + 1), 0};

    for (size_t i = 0; i < l->n; i++) {
        const char *s = l->v[i].subject;
        bool known = out.n && strcmp(out.v[out.n - 1], s + strlen(kind)) == 0;
        if (str_starts(str_of(s), str_of(kind)) && !known)
            out.v[out.n++] = s + strlen(kind);
    }
    return out;
}

static const char *headline_metric(struct arena *a, const struct campaign *c)
{
    const struct instrument *in = &c->suite.instrument;

    return in->kind == INSTRUMENT_PAIR ? "rating"
                                       : arena_printf(a, "mean:%s", in->dimensions[0].id);
}

/* Best first by the headline; those without it last. */
static void sort_systems(struct arena *a, const struct campaign_view *v, struct names *names)
{
    const char *metric = headline_metric(a, v->campaign);

    for (size_t i = 1; i < names->n; i++)
        for (size_t k = i; k > 0; k--) {
            const struct score_row *x = find(v->rows, arena_printf(a, "system/%s", names->v[k]),
                                             metric),
                                   *y = find(v->rows, arena_printf(a, "system/%s", names->v[k - 1]),
                                             metric);
            const char *swap = names->v[k];
            if (!x || (y && y->value >= x->value))
                break;
            names->v[k] = names->v[k - 1];
            names->v[k - 1] = swap;
        }
}

static struct str shown_name(struct arena *a, const struct campaign_view *v, const char *system)
{
    return grid_text(a, str_of(export_system(a, v->campaign, system)), NAME_COLUMNS, "…");
}

static void put_systems(struct arena *a, const struct campaign_view *v, struct buf *out)
{
    const struct instrument *in = &v->campaign->suite.instrument;
    struct names names = subjects(a, v->rows, "system/");
    struct grid_row *head;
    struct grid g;
    size_t dims = in->kind == INSTRUMENT_PAIR ? 1 : in->ndimensions;

    sort_systems(a, v, &names);
    grid_init(&g, a);
    (void)grid_column(&g, true, false);
    for (size_t d = 0; d < dims && 2 * d + 3 < GRID_COLUMNS; d++) {
        (void)grid_column(&g, false, false);
        (void)grid_column(&g, true, true);
    }
    head = grid_row(&g, GRID_HEAD);
    head->cells[0] = STR("system");
    for (size_t d = 0; d < dims && 2 * d + 2 < g.columns; d++)
        head->cells[2 * d + 1] =
            in->kind == INSTRUMENT_PAIR ? STR("games") : str_of(in->dimensions[d].id);
    for (size_t i = 0; i < names.n; i++) {
        const char *subject = arena_printf(a, "system/%s", names.v[i]);
        struct grid_row *row = grid_row(&g, GRID_PLAIN);
        row->cells[0] = shown_name(a, v, names.v[i]);
        for (size_t d = 0; d < dims && 2 * d + 2 < g.columns; d++) {
            const char *id = in->kind == INSTRUMENT_PAIR ? "" : in->dimensions[d].id;
            const struct score_row *total = find(v->rows, subject, arena_printf(a, "total:%s", id));
            const struct score_row *mean =
                find(v->rows, subject, *id ? arena_printf(a, "mean:%s", id) : "rating");
            if (*id)
                row->cells[2 * d + 1] = total ? number(a, total->value, 0) : STR("-");
            else
                row->cells[1] = mean ? number(a, (double)mean->n, 0) : STR("-");
            row->cells[2 * d + 2] = with_interval(a, mean);
        }
    }
    grid_print(&g, false, out);
    grid_done(&g);
}

/* ---- agreement ---- */

static void put_agreement(struct arena *a, const struct campaign_view *v, struct buf *out)
{
    static const char *const metrics[] = {"alpha",   "agreement", "ac1",    "icc:1,1",
                                          "icc:1,k", "ai:alpha",  "ai:bias"};
    const struct instrument *in = &v->campaign->suite.instrument;
    struct grid_row *head;
    struct grid g;

    if (in->kind == INSTRUMENT_PAIR)
        return;
    grid_init(&g, a);
    (void)grid_column(&g, true, false);
    head = grid_row(&g, GRID_HEAD);
    head->cells[0] = STR("dimension");
    for (size_t i = 0; i < COUNT(metrics); i++)
        head->cells[grid_column(&g, true, false)] = str_of(metrics[i]);
    for (size_t d = 0; d < in->ndimensions; d++) {
        const char *subject = arena_printf(a, "dimension/%s", in->dimensions[d].id);
        struct grid_row *row = grid_row(&g, GRID_PLAIN);
        row->cells[0] = str_of(in->dimensions[d].id);
        for (size_t i = 0; i < COUNT(metrics); i++)
            row->cells[i + 1] = with_interval(a, find(v->rows, subject, metrics[i]));
    }
    buf_text(out, "\nagreement of raters (alpha: .80 and above can be relied on, .67 to .80 "
                  "allows tentative conclusions)\n");
    grid_print(&g, false, out);
    grid_done(&g);
}

static double count_of(const struct campaign_view *v, const char *metric)
{
    const struct score_row *r = find(v->rows, "campaign", metric);

    return r ? r->value : 0;
}

void campaign_table_results(struct arena *a, const struct campaign_view *v, struct buf *out)
{
    const struct campaign *c = v->campaign;

    buf_fmt(out, "campaign %s · run %s · %s · %.0f raters, %.0f began, %.0f finished\n", c->name,
            c->run.name, campaign_state_name(c->state), count_of(v, "raters"), count_of(v, "began"),
            count_of(v, "finished"));
    buf_fmt(out, "%s; totals, then means with 95 %% intervals over raters and passages\n\n",
            c->spec.completers ? "raters who finished" : "all raters");
    put_systems(a, v, out);
    put_agreement(a, v, out);
}

/* ---- how it stands ---- */

static void put_raters(struct arena *a, const struct campaign_view *v, struct buf *out)
{
    static const char *const signs[] = {"sign:fast", "sign:same", "sign:agree", "sign:anchor",
                                        "sign:drift"};
    struct grid_row *head;
    struct grid g;

    grid_init(&g, a);
    for (size_t i = 0; i < 3; i++)
        (void)grid_column(&g, i != 2, false);
    head = grid_row(&g, GRID_HEAD);
    head->cells[0] = STR("rater");
    head->cells[1] = STR("state");
    head->cells[2] = STR("done");
    for (size_t i = 0; i < COUNT(signs); i++)
        head->cells[grid_column(&g, false, false)] = str_of(signs[i] + strlen("sign:"));
    for (size_t i = 0; i < v->raters->n; i++) {
        const struct rater *r = &v->raters->v[i];
        const char *subject = arena_printf(a, "rater/%s", r->pseudonym);
        struct grid_row *row = grid_row(&g, r->excluded_by ? GRID_DIM : GRID_PLAIN);
        row->cells[0] = str_of(r->pseudonym);
        row->cells[1] = str_of(r->excluded_by ? "excluded" : rater_state_name(r->state));
        row->cells[2] = number(a, (double)r->done, 0);
        for (size_t k = 0; k < COUNT(signs); k++)
            row->cells[3 + k] = with_interval(a, find(v->rows, subject, signs[k]));
    }
    grid_print(&g, false, out);
    grid_done(&g);
}

void campaign_table_state(struct arena *a, const struct campaign_view *v, struct buf *out)
{
    const struct coverage_list *l = v->coverage;
    int64_t least = l->n ? INT64_MAX : 0, most = 0, waits = 0;

    for (size_t i = 0; i < l->n; i++) {
        least = l->v[i].done < least ? l->v[i].done : least;
        most = l->v[i].done > most ? l->v[i].done : most;
        waits += l->v[i].waits;
    }
    buf_fmt(out, "campaign %s · run %s · %s\n", v->campaign->name, v->campaign->run.name,
            campaign_state_name(v->campaign->state));
    buf_fmt(out, "%zu passages, each rated %lld to %lld times; %lld wanted of each\n", l->n,
            (long long)least, (long long)most, (long long)v->campaign->spec.overlap);
    if (waits)
        buf_fmt(out, "%lld wait for a decision on a text that may give its author away\n",
                (long long)waits);
    if (l->short_of)
        buf_fmt(out, "%lld ratings are still wanted: about %lld more raters\n",
                (long long)l->short_of, (long long)l->top_up);
    if (most)
        buf_text(out, l->connected ? "raters and passages hang together\n"
                                   : "raters and passages do not hang together yet: severities "
                                     "cannot be compared\n");
    buf_char(out, '\n');
    put_raters(a, v, out);
}

/* ---- JSON ---- */

static void set_number(json_t *j, const char *key, double v)
{
    (void)json_object_set_new(j, key, isfinite(v) ? json_real(v) : json_null());
}

static json_t *row_json(struct arena *a, const struct campaign_view *v, const struct score_row *r)
{
    json_t *j = json_object();
    const char *subject = r->subject;

    if (str_starts(str_of(subject), STR("system/")))
        subject = arena_printf(a, "system/%s",
                               export_system(a, v->campaign, subject + strlen("system/")));
    (void)json_object_set_new(j, "subject", json_string(subject));
    (void)json_object_set_new(j, "metric", json_string(r->metric));
    set_number(j, "value", r->value);
    if (!isnan(r->lo)) {
        set_number(j, "lo", r->lo);
        set_number(j, "hi", r->hi);
    }
    (void)json_object_set_new(j, "n", json_integer(r->n));
    (void)json_object_set_new(j, "method", json_string(r->method));
    return j;
}

json_t *campaign_table_json(struct arena *a, const struct campaign_view *v)
{
    json_t *j = json_object(), *rows = json_array();

    (void)json_object_set_new(j, "campaign", json_string(v->campaign->name));
    (void)json_object_set_new(j, "run", json_string(v->campaign->run.name));
    (void)json_object_set_new(j, "state", json_string(campaign_state_name(v->campaign->state)));
    if (v->coverage) {
        (void)json_object_set_new(j, "passages", json_integer((json_int_t)v->coverage->n));
        (void)json_object_set_new(j, "wanted", json_integer(v->coverage->short_of));
        (void)json_object_set_new(j, "connected", json_boolean(v->coverage->connected));
    }
    for (size_t i = 0; i < v->rows->n; i++)
        (void)json_array_append_new(rows, row_json(a, v, &v->rows->v[i]));
    (void)json_object_set_new(j, "outcomes", rows);
    return j;
}
