#include "report/campaign_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
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

/* Best first by the headline: the mean of the first dimension, or the rating of pairs. */
static struct outcome_order order(struct arena *a, const struct campaign_view *v)
{
    const struct instrument *in = &v->campaign->suite.instrument;
    const struct dimension *d = in->dimensions;

    if (in->kind == INSTRUMENT_PAIR)
        return outcome_order(a, v->campaign, v->rows, "rating", false);
    return outcome_order(a, v->campaign, v->rows, arena_printf(a, "mean:%s", d->id),
                         d->lower_is_better);
}

static struct str shown_name(struct arena *a, const struct campaign_view *v, const char *system)
{
    return grid_name(a, str_of(export_system(a, v->campaign, system)), NAME_COLUMNS, "…");
}

/* A column of a table of systems: a metric's total, its mean with the interval, its n, or its value
 * of n. */
enum shape { SHAPE_TOTAL, SHAPE_MEAN, SHAPE_N, SHAPE_OF };
struct facet {
    const char *head, *metric;
    enum shape shape;
};

static struct str facet_cell(struct arena *a, const struct score_row *r, enum shape shape)
{
    if (!r)
        return STR("-");
    if (shape == SHAPE_MEAN)
        return with_interval(a, r);
    if (shape == SHAPE_N)
        return number(a, (double)r->n, 0);
    if (shape == SHAPE_OF)
        return str_of(arena_printf(a, "%.0f of %lld", r->value, (long long)r->n));
    return number(a, r->value, r->value == floor(r->value) ? 0 : DECIMALS);
}

static void put_systems(struct arena *a, const struct campaign_view *v, const struct facet *facets,
                        size_t n, struct buf *out)
{
    struct outcome_order systems = order(a, v);
    struct grid_row *head;
    struct grid g;

    if (n > GRID_COLUMNS - 1)
        n = GRID_COLUMNS - 1;
    grid_init(&g, a);
    (void)grid_column(&g, true, false);
    for (size_t i = 0; i < n; i++)
        (void)grid_column(&g, facets[i].shape == SHAPE_MEAN, !*facets[i].head);
    head = grid_row(&g, GRID_HEAD);
    head->cells[0] = STR("system");
    for (size_t i = 0; i < n; i++)
        head->cells[i + 1] = str_of(facets[i].head);
    for (size_t i = 0; i < systems.n; i++) {
        const char *subject = arena_printf(a, "system/%s", systems.v[i]);
        struct grid_row *row = grid_row(&g, GRID_PLAIN);
        row->cells[0] = shown_name(a, v, systems.v[i]);
        for (size_t k = 0; k < n; k++)
            row->cells[k + 1] =
                facet_cell(a, find(v->rows, subject, facets[k].metric), facets[k].shape);
    }
    grid_print(&g, false, out);
    grid_done(&g);
}

/* Totals and means of every dimension, of those who count or ("all:") of everybody. */
static void put_marks(struct arena *a, const struct campaign_view *v, const char *prefix,
                      struct buf *out)
{
    const struct instrument *in = &v->campaign->suite.instrument;
    struct facet *facets = NEW_N(a, struct facet, 2 * in->ndimensions + 2);
    size_t n = 0;

    if (in->kind == INSTRUMENT_PAIR) {
        facets[n++] = (struct facet){"choices", "rating", SHAPE_N};
        facets[n++] = (struct facet){"rating", "rating", SHAPE_MEAN};
    }
    for (size_t d = 0; d < in->ndimensions && in->kind != INSTRUMENT_PAIR; d++) {
        const char *id = in->dimensions[d].id;
        facets[n++] = (struct facet){id, arena_printf(a, "%stotal:%s", prefix, id), SHAPE_TOTAL};
        facets[n++] = (struct facet){"", arena_printf(a, "%smean:%s", prefix, id), SHAPE_MEAN};
    }
    put_systems(a, v, facets, n, out);
}

/* One thing about every dimension: "above", "adjusted" or "ppi". Nothing where there is none. */
static void put_variant(struct arena *a, const struct campaign_view *v, const char *metric,
                        enum shape shape, const char *title, struct buf *out)
{
    const struct instrument *in = &v->campaign->suite.instrument;
    struct facet *facets = NEW_N(a, struct facet, in->ndimensions + 1);
    bool any = false;

    for (size_t d = 0; d < in->ndimensions; d++) {
        const char *id = in->dimensions[d].id, *name = arena_printf(a, "%s:%s", metric, id);
        facets[d] = (struct facet){id, name, shape};
        for (size_t i = 0; i < v->rows->n && !any; i++)
            any = strcmp(v->rows->v[i].metric, name) == 0;
    }
    if (!any)
        return;
    buf_fmt(out, "\n%s\n", title);
    put_systems(a, v, facets, in->ndimensions, out);
}

/* ---- agreement ---- */

static void put_agreement(struct arena *a, const struct campaign_view *v, struct buf *out)
{
    static const char *const metrics[] = {"alpha",   "agreement", "ac1",    "icc:1,1",
                                          "icc:1,k", "ai:alpha",  "ai:bias"};
    const struct instrument *in = &v->campaign->suite.instrument;
    struct grid_row *head;
    struct grid g;

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
    buf_fmt(out, "%s; %s\n\n",
            c->spec.completers ? "raters who finished and are not excluded"
                               : "all raters who are not excluded",
            c->suite.instrument.kind == INSTRUMENT_PAIR
                ? "Bradley-Terry ratings with 95 % intervals over passages"
                : "totals, then means with 95 % intervals over raters and passages");
    put_marks(a, v, "", out);
    if (c->suite.instrument.kind == INSTRUMENT_PAIR)
        return;
    if (count_of(v, "ratings") > count_of(v, "ratings:counted")) {
        buf_text(out, "\neverybody, also those who did not finish or were excluded\n");
        put_marks(a, v, "all:", out);
    }
    put_variant(a, v, "above", SHAPE_OF,
                "how many of the others each is better than (5 %, Holm over all pairs)", out);
    put_variant(a, v, "adjusted", SHAPE_MEAN, "means as if all raters were equally severe", out);
    put_variant(a, v, "ppi", SHAPE_MEAN,
                "means from people and AI judges together (PPI++; what people rated "
                "must be a random part of all)",
                out);
    put_agreement(a, v, out);
}

/* ---- how it stands ---- */

static const char *const signs[] = {"sign:fast",  "sign:same", "sign:agree", "sign:anchor",
                                    "sign:drift", "sign:self", "sign:infit", "sign:outfit"};

static struct str sign_cell(struct arena *a, const struct campaign *c, const struct score_row *r)
{
    if (!r)
        return STR("-");
    return str_of(arena_printf(a, "%.*s%s", STR_ARG(number(a, r->value, DECIMALS)),
                               outcome_unusual(c, r) ? "!" : ""));
}

static void put_raters(struct arena *a, const struct campaign_view *v, struct buf *out)
{
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
            row->cells[3 + k] = sign_cell(a, v->campaign, find(v->rows, subject, signs[k]));
    }
    grid_print(&g, false, out);
    grid_done(&g);
}

void campaign_table_state(struct arena *a, const struct campaign_view *v, struct buf *out)
{
    const struct coverage_list *l = v->coverage;
    int64_t least = l->n ? INT64_MAX : 0, most = 0, waits = 0, counted = least;

    for (size_t i = 0; i < l->n; i++) {
        least = l->v[i].done < least ? l->v[i].done : least;
        most = l->v[i].done > most ? l->v[i].done : most;
        counted = l->v[i].counted < counted ? l->v[i].counted : counted;
        waits += l->v[i].waits;
    }
    buf_fmt(out, "campaign %s · run %s · %s\n", v->campaign->name, v->campaign->run.name,
            campaign_state_name(v->campaign->state));
    if (most)
        buf_fmt(out,
                "%zu passages, each rated %lld to %lld times; of each %lld ratings that count are "
                "wanted, the least has %lld\n",
                l->n, (long long)least, (long long)most, (long long)v->campaign->spec.overlap,
                (long long)counted);
    else
        buf_fmt(out, "%zu passages, none rated yet; of each %lld ratings that count are wanted\n",
                l->n, (long long)v->campaign->spec.overlap);
    if (waits)
        buf_fmt(out, "%lld wait for a decision on a text that may give its author away\n",
                (long long)waits);
    if (l->short_of)
        buf_fmt(out, "%lld ratings of passages are still wanted: about %lld more raters\n",
                (long long)l->short_of, (long long)l->top_up);
    if (most)
        buf_text(out, l->connected ? "raters and passages hang together\n"
                                   : "raters and passages do not hang together yet: severities "
                                     "cannot be compared\n");
    if (v->raters->n == 0)
        return;
    buf_char(out, '\n');
    put_raters(a, v, out);
}

/* ---- JSON ---- */

static void set_number(json_t *j, const char *key, double v)
{
    (void)json_object_set_new(j, key, isfinite(v) ? json_real(v) : json_null());
}

static const char *shown_subject(struct arena *a, const struct campaign_view *v,
                                 const char *subject)
{
    if (!str_starts(str_of(subject), STR("system/")))
        return subject;
    return arena_printf(a, "system/%s", export_system(a, v->campaign, subject + strlen("system/")));
}

/* A metric of two systems names the other one behind a tab. */
static const char *shown_metric(struct arena *a, const struct campaign_view *v, const char *metric)
{
    const char *other = strchr(metric, '\t');

    if (!other)
        return metric;
    return arena_printf(a, "%.*s\t%s", (int)(other - metric), metric,
                        export_system(a, v->campaign, other + 1));
}

static json_t *row_json(const struct score_row *r)
{
    json_t *j = json_object();
    const char *other = strchr(r->metric, '\t');

    (void)json_object_set_new(j, "subject", json_string(r->subject));
    (void)json_object_set_new(j, "metric", json_stringn(r->metric, strcspn(r->metric, "\t")));
    if (other) /* the system that this one is compared with */
        (void)json_object_set_new(j, "other", json_string(other + 1));
    set_number(j, "value", r->value);
    if (!isnan(r->lo)) {
        set_number(j, "lo", r->lo);
        set_number(j, "hi", r->hi);
    }
    (void)json_object_set_new(j, "n", json_integer(r->n));
    (void)json_object_set_new(j, "clusters", json_integer(r->clusters));
    (void)json_object_set_new(j, "method", json_string(r->method));
    return j;
}

static json_t *head_json(const struct campaign *c)
{
    json_t *j = json_object();

    (void)json_object_set_new(j, "campaign", json_string(c->name));
    (void)json_object_set_new(j, "run", json_string(c->run.name));
    (void)json_object_set_new(j, "state", json_string(campaign_state_name(c->state)));
    return j;
}

static void set_coverage(json_t *j, const struct coverage_list *l)
{
    (void)json_object_set_new(j, "passages", json_integer((json_int_t)l->n));
    (void)json_object_set_new(j, "wanted", json_integer(l->short_of));
    (void)json_object_set_new(j, "more_raters", json_integer(l->top_up));
    (void)json_object_set_new(j, "connected", json_boolean(l->connected));
}

json_t *campaign_table_list(const struct campaign_list *l)
{
    json_t *list = json_array();

    for (size_t i = 0; i < l->n; i++) {
        json_t *j = head_json(&l->v[i]);
        char made[CLOCK_TEXT];
        clock_text(l->v[i].created_ms, made);
        (void)json_object_set_new(j, "created", json_string(made));
        (void)json_array_append_new(list, j);
    }
    return list;
}

/* Every attempt of this rater at practice texts. */
static json_t *practice_json(const struct practice_list *l, const char *rater)
{
    json_t *list = json_array();

    for (size_t i = 0; i < l->n; i++) {
        const struct practice_row *r = &l->v[i];
        char when[CLOCK_TEXT];
        json_t *j;
        if (strcmp(r->rater, rater) != 0)
            continue;
        clock_text(r->at_ms, when);
        j = json_pack("{s:I, s:I, s:s, s:I, s:b, s:s, s:I}", "round", (json_int_t)r->round + 1,
                      "attempt", (json_int_t)r->attempt + 1, "at", when, "handed_in",
                      (json_int_t)r->done, "passed", r->passed, "dimension", r->dimension, "marks",
                      (json_int_t)r->is.n);
        set_number(j, "exact", r->is.exact);
        set_number(j, "within", r->is.near);
        set_number(j, "bias", r->is.bias);
        set_number(j, "kappa", r->is.kappa);
        (void)json_array_append_new(list, j);
    }
    return list;
}

json_t *campaign_table_state_json(struct arena *a, const struct campaign_view *v)
{
    json_t *j = head_json(v->campaign), *list = json_array(), *raters = json_array();

    set_coverage(j, v->coverage);
    for (size_t i = 0; i < v->coverage->n; i++) {
        const struct coverage *c = &v->coverage->v[i];
        (void)json_array_append_new(
            list, json_pack("{s:s, s:I, s:I, s:I, s:b}", "passage", c->item_name, "handed_in",
                            (json_int_t)c->done, "counted", (json_int_t)c->counted, "being_rated",
                            (json_int_t)c->live, "waits", c->waits));
    }
    (void)json_object_set_new(j, "coverage", list);
    for (size_t i = 0; i < v->raters->n; i++) {
        const struct rater *r = &v->raters->v[i];
        json_t *one = json_pack("{s:s, s:s, s:I}", "rater", r->pseudonym, "state",
                                rater_state_name(r->state), "handed_in", (json_int_t)r->done);
        if (r->excluded_why)
            (void)json_object_set_new(one, "excluded", json_string(r->excluded_why));
        for (size_t k = 0; k < COUNT(signs); k++) {
            const struct score_row *sign =
                find(v->rows, arena_printf(a, "rater/%s", r->pseudonym), signs[k]);
            if (sign)
                set_number(one, signs[k] + strlen("sign:"), sign->value);
        }
        if (v->campaign->spec.practice.on)
            (void)json_object_set_new(one, "practice", practice_json(v->practice, r->pseudonym));
        (void)json_array_append_new(raters, one);
    }
    (void)json_object_set_new(j, "raters", raters);
    return j;
}

/* By what is shown: systems behind masks must not come in the order of their names. */
static int by_shown(const void *x, const void *y)
{
    const struct score_row *a = x, *b = y;
    int order = strcmp(a->subject, b->subject);

    return order ? order : strcmp(a->metric, b->metric);
}

json_t *campaign_table_json(struct arena *a, const struct campaign_view *v)
{
    json_t *j = head_json(v->campaign), *rows = json_array();
    struct score_row *shown = arena_copy(a, v->rows->v, v->rows->n, sizeof *shown);

    if (v->coverage)
        set_coverage(j, v->coverage);
    for (size_t i = 0; i < v->rows->n; i++) {
        shown[i].subject = shown_subject(a, v, shown[i].subject);
        shown[i].metric = shown_metric(a, v, shown[i].metric);
    }
    if (v->rows->n)
        qsort(shown, v->rows->n, sizeof *shown, by_shown);
    for (size_t i = 0; i < v->rows->n; i++)
        (void)json_array_append_new(rows, row_json(&shown[i]));
    (void)json_object_set_new(j, "outcomes", rows);
    return j;
}
