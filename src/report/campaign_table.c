#include "report/campaign_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/message.h"
#include "panel/export.h"
#include "report/noise_table.h"
#include "report/table.h"

enum { DECIMALS = 2, COLUMNS = 120 };

static const struct score_row *find(const struct score_list *l, const char *subject,
                                    const char *metric)
{
    return score_find(l, subject, metric);
}

static void print(const struct table *t, struct buf *out)
{
    (void)table_terminal(t, &(struct render_terminal){.columns = COLUMNS, .unicode = true}, out);
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

/* A column of a table of systems: a metric's total, its mean with the interval, its n, or its value
 * of n. */
enum shape { SHAPE_TOTAL, SHAPE_MEAN, SHAPE_N, SHAPE_OF };
struct facet {
    const char *head, *metric;
    enum shape shape;
    enum word word; /* instead of the head */
};

static struct table_column facet_column(const struct facet *f)
{
    static const enum table_kind kinds[] = {TABLE_SCORE, TABLE_INTERVAL, TABLE_COUNT, TABLE_SHARE};

    return (struct table_column){
        .head = f->head, .word = f->word, .kind = kinds[f->shape], .decimals = DECIMALS};
}

static struct table_cell facet_cell(const struct score_row *r, enum shape shape)
{
    struct table_cell c = table_score(r);

    if (r && shape == SHAPE_N)
        c = table_count(r->n);
    c.whole = shape == SHAPE_TOTAL && c.value == floor(c.value);
    return c;
}

static void put_systems(struct arena *a, const struct campaign_view *v, const struct facet *facets,
                        size_t n, struct buf *out)
{
    struct outcome_order systems = order(a, v);
    struct table *t = table_new(a, NULL, systems.n);
    struct table_cell *cells =
        table_column(t, &(struct table_column){.word = COLUMN_SYSTEM, .kind = TABLE_LINK});

    for (size_t i = 0; i < systems.n; i++)
        cells[i] = table_text(export_system(a, v->campaign, systems.v[i]));
    for (size_t k = 0; k < n; k++) {
        const struct table_column c = facet_column(&facets[k]);
        cells = table_column(t, &c);
        for (size_t i = 0; i < systems.n; i++)
            cells[i] = facet_cell(
                find(v->rows, arena_printf(a, "system/%s", systems.v[i]), facets[k].metric),
                facets[k].shape);
    }
    print(t, out);
}

/* Totals and means of every dimension, of those who count or ("all:") of everybody. */
static void put_marks(struct arena *a, const struct campaign_view *v, const char *prefix,
                      struct buf *out)
{
    const struct instrument *in = &v->campaign->suite.instrument;
    struct facet *facets = NEW_N(a, struct facet, 2 * in->ndimensions + 2);
    size_t n = 0;

    if (in->kind == INSTRUMENT_PAIR) {
        facets[n++] = (struct facet){NULL, "rating", SHAPE_N, COLUMN_CHOICES};
        facets[n++] = (struct facet){NULL, "rating", SHAPE_MEAN, WORD_RATING};
    }
    for (size_t d = 0; d < in->ndimensions && in->kind != INSTRUMENT_PAIR; d++) {
        const char *id = in->dimensions[d].id;
        facets[n++] = (struct facet){id, arena_printf(a, "%stotal:%s", prefix, id), SHAPE_TOTAL, 0};
        facets[n++] = (struct facet){"", arena_printf(a, "%smean:%s", prefix, id), SHAPE_MEAN, 0};
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
        facets[d] = (struct facet){id, name, shape, 0};
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
    struct table *t = table_new(a, NULL, in->ndimensions);
    struct table_cell *cells =
        table_column(t, &(struct table_column){.word = COLUMN_DIMENSION, .kind = TABLE_LINK});

    for (size_t d = 0; d < in->ndimensions; d++)
        cells[d] = table_text(in->dimensions[d].id);
    for (size_t i = 0; i < COUNT(metrics); i++) {
        cells =
            table_column(t, &(struct table_column){
                                .head = metrics[i], .kind = TABLE_INTERVAL, .decimals = DECIMALS});
        for (size_t d = 0; d < in->ndimensions; d++)
            cells[d] = table_score(
                find(v->rows, arena_printf(a, "dimension/%s", in->dimensions[d].id), metrics[i]));
    }
    buf_text(out, _("\nagreement of raters (alpha: .80 and above can be relied on, .67 to .80 "
                    "allows tentative conclusions)\n"));
    print(t, out);
}

/* A line a dimension; the numbers themselves are in JSON. */
static void put_noise(struct arena *a, const struct campaign_view *v, struct buf *out)
{
    const struct instrument *in = &v->campaign->suite.instrument;

    for (size_t d = 0; d < in->ndimensions; d++) {
        const char *id = in->dimensions[d].id;
        struct noise x = noise_of(a, v->rows, arena_printf(a, "dimension/%s", id));
        const char *sentence = noise_table_line(a, &x, true, message_language());
        if (sentence)
            buf_fmt(out, "\n%s: %s\n", id, sentence);
    }
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
            c->spec.completers ? _("raters who finished and are not excluded")
                               : _("all raters who are not excluded"),
            c->suite.instrument.kind == INSTRUMENT_PAIR
                ? _("Bradley-Terry ratings with 95 % intervals over passages")
                : _("totals, then means with 95 % intervals over raters and passages"));
    put_marks(a, v, "", out);
    if (c->suite.instrument.kind == INSTRUMENT_PAIR)
        return;
    if (count_of(v, "ratings") > count_of(v, "ratings:counted")) {
        buf_text(out, _("\neverybody, also those who did not finish or were excluded\n"));
        put_marks(a, v, "all:", out);
    }
    put_variant(a, v, "above", SHAPE_OF,
                "how many of the others each is better than (5 %, Holm over all pairs)", out);
    put_variant(a, v, "adjusted", SHAPE_MEAN, _("means as if all raters were equally severe"), out);
    put_variant(a, v, "ppi", SHAPE_MEAN,
                "means from people and AI judges together (PPI++; what people rated "
                "must be a random part of all)",
                out);
    put_agreement(a, v, out);
    put_noise(a, v, out);
}

/* ---- how it stands ---- */

static const char *const signs[] = {"sign:fast",  "sign:same", "sign:agree", "sign:anchor",
                                    "sign:drift", "sign:self", "sign:infit", "sign:outfit"};

/* Raters with their signs; one that is unusual has a "!". */
static struct table *raters_of(struct arena *a, const struct campaign_view *v)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "rater", .word = COLUMN_RATER, .kind = TABLE_LINK}, TABLE_OF(struct rater, pseudonym)},
        {{.key = "handed_in", .word = COLUMN_DONE, .kind = TABLE_COUNT}, TABLE_OF(struct rater, done)},
        {{.key = "excluded"}, TABLE_OF(struct rater, excluded_why)},
    };
    /* clang-format on */
    struct table *t = table_new(a, NULL, v->raters->n);
    struct table_cell *states, *cells;

    table_fields(t, fields, COUNT(fields), v->raters->v, sizeof *v->raters->v);
    cells = table_column(t, &(struct table_column){.word = COLUMN_STATE});
    states = table_column(t, &(struct table_column){.key = "state"});
    for (size_t i = 0; i < t->nrows; i++) {
        const struct rater *r = &v->raters->v[i];
        states[i] = table_text(rater_state_name(r->state));
        cells[i] = r->excluded_by ? table_text(words_of(t->language, COLUMN_EXCLUDED)) : states[i];
        t->dim[i] = r->excluded_by != NULL;
    }
    for (size_t k = 0; k < COUNT(signs); k++) {
        const char *name = signs[k] + strlen("sign:");
        cells = table_column(
            t, &(struct table_column){
                   .key = name, .head = name, .kind = TABLE_SCORE, .decimals = DECIMALS});
        for (size_t i = 0; i < t->nrows; i++) {
            const struct score_row *r =
                find(v->rows, arena_printf(a, "rater/%s", v->raters->v[i].pseudonym), signs[k]);
            cells[i] = table_number(r ? r->value : (double)NAN);
            cells[i].text = r && outcome_unusual(v->campaign, r) ? "!" : NULL;
        }
    }
    return t;
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
    print(raters_of(a, v), out);
}

/* ---- JSON ---- */

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

    json_put_text(j, "subject", r->subject);
    json_put(j, "metric", json_stringn(r->metric, strcspn(r->metric, "\t")));
    if (other) /* the system that this one is compared with */
        json_put_text(j, "other", other + 1);
    json_put_real(j, "value", r->value);
    json_put_real(j, "lo", r->lo);
    json_put_real(j, "hi", r->hi);
    if (r->why)
        json_put_text(j, "why", r->why);
    json_put_int(j, "n", r->n);
    json_put_int(j, "clusters", r->clusters);
    json_put_text(j, "method", r->method);
    return j;
}

static json_t *head_json(const struct campaign *c)
{
    json_t *j = json_object();

    json_put_text(j, "campaign", c->name);
    json_put_text(j, "run", c->run.name);
    json_put_text(j, "state", campaign_state_name(c->state));
    return j;
}

static void set_coverage(json_t *j, const struct coverage_list *l)
{
    json_put_int(j, "passages", (int64_t)l->n);
    json_put_int(j, "wanted", l->short_of);
    json_put_int(j, "more_raters", l->top_up);
    json_put_bool(j, "connected", l->connected);
}

json_t *campaign_table_list(const struct campaign_list *l)
{
    json_t *list = json_array();

    for (size_t i = 0; i < l->n; i++) {
        json_t *j = head_json(&l->v[i]);
        char made[CLOCK_TEXT];
        clock_text(l->v[i].created_ms, made);
        json_put_text(j, "created", made);
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
        json_put_real(j, "exact", r->is.exact);
        json_put_real(j, "within", r->is.near);
        json_put_real(j, "bias", r->is.bias);
        json_put_real(j, "kappa", r->is.kappa);
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
    json_put(j, "coverage", list);
    table_json(raters_of(a, v), raters);
    for (size_t i = 0; i < v->raters->n && v->campaign->spec.practice.on; i++)
        json_put(json_array_get(raters, i), "practice",
                 practice_json(v->practice, v->raters->v[i].pseudonym));
    json_put(j, "raters", raters);
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
    json_put(j, "outcomes", rows);
    return j;
}
