#include "eval/score.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "gauge/agreement.h"
#include "gauge/noise.h"
#include "math/band.h"
#include "math/interval.h"
#include "store/overall.h"
#include "store/store_class.h"
#include "store/store_flag.h"

#define LEVEL 0.95

/* ---- the value of a sample ---- */

/* Which rule applies to which sample: of the flags that stand, the one with the hardest effect. */
struct rule_on {
    const char *kind;
    const struct rule *rule;
};

struct valuer {
    struct store *store;
    int64_t run;
    const struct suite *suite;
    const struct facts *facts;
    const struct jury *jury;
    score_fn *fn;
    void *user;
    struct map rules;            /* sample id, as bytes, to struct rule_on */
    struct readings_taker *also; /* gets the same marks; NULL: nobody */
    /* the sample under way; arrays by dimension */
    struct mark_fact now;
    bool open;
    double *sums;    /* of all marks */
    int64_t *counts; /* of all marks */
    double *means;   /* sum over judges of their means; at the end, the mean over judges */
    int64_t *judges; /* how many */
    /* the judge under way */
    int64_t judge;
    double *judge_sums;
    int64_t *judge_counts;
    struct spread {
        double least, greatest;
        int judges;
    } spread; /* of the judges' weighted means */
};

/* Weighted mean over dimensions. NaN when a dimension has no mark. */
static double weighted(const struct instrument *in, const double *means)
{
    double sum = 0, weights = 0;

    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct dimension *d = &in->dimensions[i];
        sum += d->weight * overall_part(d, means[i]);
        weights += d->weight;
    }
    return sum / weights;
}

static void widen(struct spread *s, double mean)
{
    if (isnan(mean))
        return;
    s->least = s->judges ? fmin(s->least, mean) : mean;
    s->greatest = s->judges ? fmax(s->greatest, mean) : mean;
    s->judges++;
}

static void close_judge(struct valuer *v)
{
    size_t n = v->suite->instrument.ndimensions;

    for (size_t i = 0; i < n; i++) {
        v->judge_sums[i] /= (double)v->judge_counts[i]; /* 0 / 0: NaN */
        if (v->judge_counts[i] == 0)
            continue;
        v->means[i] += v->judge_sums[i];
        v->judges[i]++;
    }
    widen(&v->spread, weighted(&v->suite->instrument, v->judge_sums));
    for (size_t i = 0; i < n; i++) {
        v->judge_sums[i] = 0;
        v->judge_counts[i] = 0;
    }
}

static double by_rule(const struct rule *r, double value)
{
    switch (r->effect) {
    case EFFECT_ZERO:
        return 0;
    case EFFECT_CAP:
        return value > r->cap ? r->cap : value;
    case EFFECT_LEAVE_OUT: /* it has no value at all: see close_sample() */
    case EFFECT_NOTE:
        break;
    }
    return value;
}

static enum status close_sample(struct valuer *v, struct err *e)
{
    const struct rule_on *on = map_get(&v->rules, map_id(&v->now.sample));
    struct score_value out = {
        .model = v->now.model,
        .item = v->now.item,
        .sample = v->now.sample,
        .repeat = v->now.repeat,
        .means = v->means,
        .sums = v->sums,
        .counts = v->counts,
    };

    if (!v->open)
        return OK;
    v->open = false;
    close_judge(v);
    for (size_t i = 0; i < v->suite->instrument.ndimensions; i++)
        v->means[i] /= (double)v->judges[i]; /* 0 / 0: NaN */
    out.unrounded = weighted(&v->suite->instrument, v->means);
    out.spread = v->spread.judges > 1 ? v->spread.greatest - v->spread.least : NAN;
    /* Rules act only on what was judged: if a duplicate were 0 before any judge has spoken, a run
     * that is half judged would show nothing but zeros. */
    if (isnan(out.unrounded) || (on && on->rule->effect == EFFECT_LEAVE_OUT))
        return OK;
    out.value = overall_round(out.unrounded, v->suite->score.round);
    if (on) {
        double ruled = by_rule(on->rule, out.value);
        out.rule = ruled == out.value ? NULL : on->kind;
        out.value = ruled;
        out.unrounded = by_rule(on->rule, out.unrounded);
    }
    return v->fn(v->user, &out, e);
}

/* Samples without an answer: no judge saw them, and they have a value because the suite says so. */
static enum status value_silent(const struct valuer *v, struct err *e)
{
    AUTO(cursor_close) struct cursor c = store_silent(v->store, v->run, v->jury, e);
    struct mark_fact f;

    while (store_fact_next(&c, &f)) {
        struct score_value out = {
            .model = f.model,
            .item = f.item,
            .sample = f.sample,
            .repeat = f.repeat,
            .spread = NAN,
            .rule = suite_rule_name(RULE_EMPTY),
        };
        if (v->fn(v->user, &out, e) != OK)
            return e->code;
    }
    return cursor_end(&c);
}

static void open_sample(struct valuer *v, const struct mark_fact *f)
{
    v->now = *f;
    v->open = true;
    v->spread = (struct spread){0};
    for (size_t i = 0; i < v->suite->instrument.ndimensions; i++) {
        v->sums[i] = v->means[i] = 0;
        v->counts[i] = v->judges[i] = 0;
    }
}

static size_t dimension_index(const struct instrument *in, const char *id)
{
    size_t i = 0;

    while (i < in->ndimensions && strcmp(in->dimensions[i].id, id) != 0)
        i++;
    return i;
}

static enum status value_step(void *user, const struct mark_fact *f, struct err *e)
{
    struct valuer *v = user;
    size_t at;

    if (v->also)
        readings_add(v->also, f);
    if (!v->open || f->sample != v->now.sample) {
        if (close_sample(v, e) != OK)
            return e->code;
        open_sample(v, f);
    }
    if (!f->dimension)
        return OK;
    at = dimension_index(&v->suite->instrument, f->dimension);
    if (at == v->suite->instrument.ndimensions)
        return err_set(e, E_STORE,
                       "a mark refers to the dimension '%s', which the suite does not have",
                       f->dimension);
    if (f->judge != v->judge)
        close_judge(v);
    v->judge = f->judge;
    v->judge_sums[at] += f->value;
    v->judge_counts[at]++;
    v->sums[at] += f->value;
    v->counts[at]++;
    return OK;
}

/* Zero before any cap, the lower cap before the higher, anything before a note. */
static bool is_harder(const struct rule *a, const struct rule *b)
{
    if (a->effect != b->effect)
        return a->effect > b->effect;
    return a->effect == EFFECT_CAP && a->cap < b->cap;
}

static enum status apply_flags(struct valuer *v, struct err *e)
{
    struct cursor c = store_flags(v->store, v->run, e);
    struct flag_fact flag;

    while (store_flag_next(&c, &flag)) {
        const struct rule *rule = &v->suite->rules.of[flag.kind];
        struct rule_on *on;
        if (flag.overruled || !rule->on || rule->effect == EFFECT_NOTE)
            continue;
        on = map_room(&v->rules, map_id(&flag.sample), sizeof *on);
        if (!on->rule || is_harder(rule, on->rule))
            *on = (struct rule_on){suite_rule_name(flag.kind), rule};
    }
    return cursor_end(&c);
}

static enum status value_each(struct valuer *v, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct rule *empty = &v->suite->rules.of[RULE_EMPTY];
    size_t n = v->suite->instrument.ndimensions;

    v->sums = NEW_N(a, double, n);
    v->counts = NEW_N(a, int64_t, n);
    v->means = NEW_N(a, double, n);
    v->judges = NEW_N(a, int64_t, n);
    v->judge_sums = NEW_N(a, double, n);
    v->judge_counts = NEW_N(a, int64_t, n);
    map_init(&v->rules, a);
    if (apply_flags(v, e) != OK || facts_mark_each(v->facts, v->jury, value_step, v, e) != OK ||
        close_sample(v, e) != OK)
        return e->code;
    if (empty->on && empty->effect == EFFECT_ZERO && v->suite->instrument.kind != INSTRUMENT_PAIR)
        return value_silent(v, e);
    return OK;
}

enum status score_value_each(struct store *s, const struct run_row *run, const struct suite *suite,
                             const struct jury *jury, score_fn *fn, void *user, struct err *e)
{
    AUTO(facts_freep) struct facts *facts = NULL;

    if (facts_read(s, run->id, &facts, e) != OK)
        return e->code;
    return score_value_of(s, run, suite, facts, jury, fn, user, e);
}

enum status score_value_of(struct store *s, const struct run_row *run, const struct suite *suite,
                           const struct facts *facts, const struct jury *jury, score_fn *fn,
                           void *user, struct err *e)
{
    struct valuer v = {s, run->id, suite, facts, jury, .fn = fn, .user = user};

    return value_each(&v, e);
}

/* ---- rows ---- */

/* Values of one model, by item: the place of an item is its id less the run's first. */
struct series {
    struct interval_cluster *v;
    double total; /* of all marks, for a dimension */
    int64_t marks;
};

void score_put(struct score_sheet *o, struct score_row row)
{
    o->v = arena_grow(o->arena, o->v, &o->cap, o->n + 1, sizeof *o->v);
    o->v[o->n++] = row;
}

void score_put_value(struct score_sheet *o, const char *subject, const char *metric,
                     const char *method, double value, int64_t n)
{
    score_put(o, (struct score_row){subject, metric, method, value, NAN, NAN, n, 0, NULL});
}

void score_put_interval(struct score_sheet *o, const char *subject, const char *metric,
                        const char *method, struct interval i)
{
    score_put(o, (struct score_row){subject, metric, method, i.value, i.low, i.high, (int64_t)i.n,
                                    (int64_t)i.clusters, interval_why_name(i.why)});
}

static void put_count(struct score_sheet *o, const char *subject, const char *metric, double value,
                      int64_t n)
{
    score_put_value(o, subject, metric, "count", value, n);
}

/* Some rule may make 0 of a sample, or cap it. */
static bool is_ruled(const struct suite *s)
{
    for (int k = 0; k < RULE_KINDS; k++)
        if (s->rules.of[k].on &&
            (s->rules.of[k].effect == EFFECT_CAP || s->rules.of[k].effect == EFFECT_ZERO))
            return true;
    return false;
}

struct score_bounds score_sample_bounds(const struct suite *s)
{
    const struct instrument *in = &s->instrument;
    struct score_bounds b = {0, 0};
    double weights = 0;

    for (size_t i = 0; i < in->ndimensions; i++) {
        b.min += in->dimensions[i].weight * in->dimensions[i].min;
        b.max += in->dimensions[i].weight * in->dimensions[i].max;
        weights += in->dimensions[i].weight;
    }
    b.min = is_ruled(s) ? fmin(0, b.min / weights) : b.min / weights;
    b.max = b.max / weights;
    return b;
}

double score_factor(const struct suite *suite, int64_t n, int64_t items)
{
    const struct score_spec *k = &suite->score;

    switch (k->kind) {
    case SCORE_SUM:
        return (double)items / k->divide;
    case SCORE_TOTALS:
        return (double)n;
    case SCORE_MEAN_OF_ITEMS:
    case SCORE_WEIGHTED_MEAN:
    case SCORE_BAND:
    case SCORE_RATING: /* battles have no marks; see rank.c */
        break;
    }
    return k->times;
}

struct score_bounds score_bounds(const struct suite *suite, const struct score_row *row,
                                 int64_t items)
{
    struct score_bounds b = score_sample_bounds(suite);
    double factor = score_factor(suite, row->n, items);

    return (struct score_bounds){b.min * factor, b.max * factor};
}

/* A sum stands for all items: those without a value count as the others do on average, not as 0. */
static struct interval headline(const struct interval_cluster *c, size_t n,
                                const struct suite *suite, int64_t items)
{
    const struct score_spec *k = &suite->score;
    struct score_bounds b = score_sample_bounds(suite);
    struct interval_scale scale = {b.min, b.max};
    struct interval i = k->kind == SCORE_TOTALS ? interval_of_ratio(c, n, scale, LEVEL)
                                                : interval_of_means(c, n, scale, LEVEL);

    return interval_times(i, score_factor(suite, (int64_t)i.n, items));
}

/* The rule never falls, so that a band's interval is that of the mean, each end by the rule. */
static struct interval banded(struct interval i)
{
    i.value = band_of_mean(i.value);
    i.low = band_of_mean(i.low);
    i.high = band_of_mean(i.high);
    return i;
}

/* What is gathered for one model: its score, the same unrounded, the spread between judges, then
 * each dimension. */
enum { SERIES_SCORE, SERIES_UNROUNDED, SERIES_SPREAD, SERIES_DIMENSIONS };

struct scorer {
    struct store *store;
    int64_t run;
    const struct suite *suite;
    const struct facts *facts;
    const struct jury *jury;
    struct party_list models;
    struct score_sheet *out;
    int64_t first_item;
    size_t items;          /* places in a series */
    int64_t planned;       /* items of the run */
    struct series *series; /* [model][SERIES_...], made when the model's first value comes */
};

static const char *subject_of(struct arena *a, const char *kind, const char *name)
{
    return arena_printf(a, "%s/%s", kind, name);
}

static size_t series_per_model(const struct scorer *s)
{
    return SERIES_DIMENSIONS + s->suite->instrument.ndimensions;
}

static struct series *series_of(const struct scorer *s, int64_t model)
{
    size_t at = readings_place(&s->models, model), n = series_per_model(s);
    struct series *all;

    if (at >= s->models.n)
        return NULL;
    all = &s->series[at * n];
    for (size_t i = 0; i < n && !all[i].v; i++)
        all[i].v = mem_new(s->items * sizeof *all[i].v);
    return all;
}

static void series_add(struct series *s, size_t item, double value)
{
    s->v[item].sum += value;
    s->v[item].n++;
}

static enum status score_step(void *user, const struct score_value *v, struct err *e)
{
    struct scorer *s = user;
    struct series *all = series_of(s, v->model);
    size_t item = (size_t)(v->item - s->first_item);

    if (!all || item >= s->items)
        return err_set(e, E_STORE, "sample %lld refers to a model or item of another run",
                       (long long)v->sample);
    series_add(&all[SERIES_SCORE], item, v->value);
    series_add(&all[SERIES_UNROUNDED], item, v->unrounded);
    if (isfinite(v->spread))
        series_add(&all[SERIES_SPREAD], item, v->spread);
    for (size_t i = 0; v->means && i < s->suite->instrument.ndimensions; i++) {
        struct series *one = &all[SERIES_DIMENSIONS + i];
        series_add(one, item, v->means[i]);
        one->total += v->sums[i];
        one->marks += v->counts[i];
    }
    return OK;
}

/* The items of an interview are its sittings. */
static const char *method_of(const struct suite *s)
{
    return vocab_is_talk(s) ? "M, sittings" : "M, items";
}

static void put_headline(struct scorer *s, const char *subject, const struct series *all)
{
    const struct score_spec *k = &s->suite->score;
    const char *method = k->kind == SCORE_TOTALS ? "M, by item" : method_of(s->suite);
    struct interval i = headline(all[SERIES_SCORE].v, s->items, s->suite, s->planned);

    score_put_interval(s->out, subject, "score", method, k->kind == SCORE_BAND ? banded(i) : i);
    if (k->round != ROUND_NONE || k->kind == SCORE_BAND)
        score_put_interval(s->out, subject, "score-unrounded", method,
                           headline(all[SERIES_UNROUNDED].v, s->items, s->suite, s->planned));
}

static void put_model(struct scorer *s, const char *subject, const struct series *all)
{
    const struct instrument *in = &s->suite->instrument;
    struct score_bounds b = score_sample_bounds(s->suite);
    struct interval spread = interval_of_means(all[SERIES_SPREAD].v, s->items,
                                               (struct interval_scale){0, b.max - b.min}, LEVEL);
    struct arena *a = s->out->arena;

    put_headline(s, subject, all);
    if (s->suite->score.kind == SCORE_BAND && spread.n)
        score_put_interval(s->out, subject, "spread", method_of(s->suite), spread);
    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct dimension *d = &in->dimensions[i];
        const struct series *one = &all[SERIES_DIMENSIONS + i];
        score_put_interval(
            s->out, subject, arena_printf(a, "mark:%s", d->id), method_of(s->suite),
            interval_of_means(one->v, s->items, (struct interval_scale){d->min, d->max}, LEVEL));
        put_count(s->out, subject, arena_printf(a, "total:%s", d->id), one->total, one->marks);
    }
}

/* Where the noise comes from follows from the same marks. */
static void put_noise(struct scorer *s, struct readings *r)
{
    struct score_list rows;

    noise_rows(s->out->arena, "run/noise", r, &rows);
    for (size_t i = 0; i < rows.n; i++)
        score_put(s->out, rows.v[i]);
}

static enum status walk_marks(struct scorer *s, struct err *e)
{
    struct valuer v = {s->store, s->run, s->suite, s->facts, s->jury, .fn = score_step, .user = s};
    struct readings r;
    enum status rc;

    if (readings_begin(s->out->arena, s->store, s->run, s->suite, s->jury, &r, &v.also, e) != OK)
        return e->code;
    rc = value_each(&v, e);
    readings_end(v.also);
    if (rc == OK && s->suite->instrument.kind != INSTRUMENT_PAIR)
        put_noise(s, &r);
    readings_done(&r);
    return rc;
}

static enum status score_models(struct scorer *s, struct err *e)
{
    size_t n = series_per_model(s);
    enum status rc;

    s->series = mem_new(s->models.n * n * sizeof *s->series);
    rc = walk_marks(s, e);
    for (size_t m = 0; m < s->models.n; m++) {
        struct series *all = &s->series[m * n];
        if (rc == OK && all[0].v)
            put_model(s, subject_of(s->out->arena, "model", s->models.v[m].name), all);
        for (size_t i = 0; i < n; i++)
            free(all[i].v);
    }
    free(s->series);
    return rc;
}

/* ---- counts ---- */

/* How many samples have marks. Samples with a value but no mark are not answers. */
static int64_t marked_of(const struct scorer *s, const char *subject)
{
    const struct score_sheet *o = s->out;
    const char *metric = arena_printf(o->arena, "mark:%s", s->suite->instrument.dimensions[0].id);
    const struct score_row *row =
        score_find(&(struct score_list){.v = o->v, .n = o->n}, subject, metric);

    return row ? row->n : 0;
}

/* Flags that stand, by model (as in `models`) and kind. */
struct flag_counts {
    const struct party_list *models;
    int64_t (*n)[RULE_KINDS];
    struct map left_out; /* samples that rules leave out */
    int64_t *judged_out; /* those of them that were judged, by model */
    int64_t sample;      /* that was looked at last */
};

/* Marks come by sample; a sample that nobody has judged comes once, without a judge. */
static enum status count_left_out(void *user, const struct mark_fact *f, struct err *e)
{
    struct flag_counts *c = user;
    size_t i = readings_place(c->models, f->model);

    (void)e;
    if (f->judge && f->sample != c->sample && i < c->models->n &&
        map_get(&c->left_out, map_id(&f->sample)))
        c->judged_out[i]++;
    c->sample = f->sample;
    return OK;
}

static enum status count_flags(const struct scorer *sc, struct flag_counts *c, struct err *e)
{
    struct cursor flags = store_flags(sc->store, sc->run, e);
    struct arena *a = sc->out->arena;
    struct flag_fact f;

    *c = (struct flag_counts){.models = &sc->models,
                              .n = arena_array(a, sc->models.n, sizeof *c->n),
                              .judged_out = NEW_N(a, int64_t, sc->models.n + 1)};
    while (store_flag_next(&flags, &f)) {
        size_t i = readings_place(c->models, f.model);
        if (i < c->models->n && !f.overruled)
            c->n[i][f.kind]++;
    }
    if (cursor_end(&flags) != OK ||
        store_flag_left_out(a, sc->store, sc->run, &sc->suite->rules, &c->left_out, e) != OK)
        return e->code;
    return c->left_out.n ? facts_mark_each(sc->facts, sc->jury, count_left_out, c, e) : OK;
}

/* Kinds that are not looked for have no row. */
static void put_flags(struct scorer *sc, const struct flag_counts *c, const struct tally *t,
                      size_t i, const char *subject)
{
    struct score_sheet *o = sc->out;

    for (int k = 0; k < RULE_KINDS && i < c->models->n; k++)
        if (sc->suite->rules.of[k].on)
            put_count(o, subject,
                      arena_printf(o->arena, "flag:%s", suite_rule_name((enum rule_kind)k)),
                      (double)c->n[i][k], k == RULE_EMPTY ? t->done + t->failed : t->done);
}

/* Of battles, rank.c counts which are unscored and unjudged. */
static enum status count_models(struct scorer *sc, struct err *e)
{
    bool pair = sc->suite->instrument.kind == INSTRUMENT_PAIR;
    struct score_sheet *o = sc->out;
    struct flag_counts flags;
    struct tally_list tallies;

    if (facts_tally(o->arena, sc->facts, PARTY_MODEL, sc->jury, &tallies, e) != OK ||
        count_flags(sc, &flags, e) != OK)
        return e->code;
    for (size_t i = 0; i < tallies.n; i++) {
        const struct tally *t = &tallies.v[i];
        const char *subject = subject_of(o->arena, "model", t->name);
        size_t at = 0;
        while (at < sc->models.n && strcmp(sc->models.v[at].name, t->name) != 0)
            at++;
        put_count(o, subject, "samples", (double)t->total, t->done);
        put_count(o, subject, "failed", (double)t->failed, t->total);
        if (!pair) {
            int64_t out = at < sc->models.n ? flags.judged_out[at] : 0;
            int64_t unjudged = t->done - t->unscored - marked_of(sc, subject) - out;
            put_count(o, subject, "unscored", (double)t->unscored, t->done);
            put_count(o, subject, "unjudged", (double)unjudged, t->done);
            if (flags.left_out.n)
                put_count(o, subject, "left-out", (double)out, t->done);
        }
        put_flags(sc, &flags, t, at, subject);
        put_count(o, subject, "tokens", (double)t->tokens, t->done);
        put_count(o, subject, "cost", t->cost, t->done);
    }
    return OK;
}

static enum status count_judges(struct scorer *sc, struct err *e)
{
    struct score_sheet *o = sc->out;
    struct tally_list tallies;

    if (facts_tally(o->arena, sc->facts, PARTY_JUDGE, sc->jury, &tallies, e) != OK)
        return e->code;
    for (size_t i = 0; i < tallies.n; i++) {
        const struct tally *t = &tallies.v[i];
        const char *subject = subject_of(o->arena, "judge", t->name);
        put_count(o, subject, "verdicts", (double)t->total, t->done);
        put_count(o, subject, "unscored", (double)t->unscored, t->total);
        put_count(o, subject, "failed", (double)t->failed, t->total);
        put_count(o, subject, "repaired", (double)t->repaired, t->total);
        put_count(o, subject, "tokens", (double)t->tokens, t->total);
        put_count(o, subject, "cost", t->cost, t->total);
    }
    return OK;
}

static enum status count_overalls(struct scorer *sc, struct err *e)
{
    struct arena *a = sc->out->arena;
    struct overall_count *counts;

    if (!facts_overalls(sc->facts))
        return OK;
    if (overall_compare(a, sc->store, sc->run, sc->suite, &counts, e) != OK)
        return e->code;
    for (; counts; counts = counts->next)
        if (jury_has(sc->jury, counts->judge))
            put_count(sc->out, subject_of(a, "judge", counts->judge), "overall-differs",
                      (double)counts->differs, counts->compared);
    return OK;
}

static enum status measure_agreement(struct scorer *sc, struct err *e)
{
    static const char method[] = "alpha, interval";
    struct arena *a = sc->out->arena;
    const struct party_list *judges = &sc->jury->members;
    struct agreement g;

    if (judges->n < 2 || sc->suite->instrument.kind == INSTRUMENT_PAIR)
        return OK;
    if (agreement_measure(a, sc->facts, &sc->suite->instrument, sc->jury, &g, e) != OK)
        return e->code;
    score_put_value(sc->out, "run/judges", "agreement", method, g.alpha, g.units);
    for (size_t i = 0; i < judges->n && !sc->jury->campaign; i++)
        score_put_value(sc->out, subject_of(a, "judge", judges->v[i].name), "agreement", method,
                        g.judges[i].alpha, g.judges[i].units);
    return OK;
}

/* Shares of answers above a classifier's threshold; they take no part in any score. */
static enum status rate_models(struct scorer *sc, struct err *e)
{
    struct score_sheet *o = sc->out;
    struct interval_cluster *items;
    struct class_tally_list l;

    if (store_class_tally(o->arena, sc->store, sc->run, &l, e) != OK)
        return e->code;
    items = NEW_N(o->arena, struct interval_cluster, l.n + 1);
    for (size_t i = 0; i < l.n; i++)
        items[i] = (struct interval_cluster){(double)l.v[i].above, (size_t)l.v[i].n};
    for (size_t from = 0, to; from < l.n; from = to) {
        const struct class_tally *t = &l.v[from];
        for (to = from; to < l.n && strcmp(l.v[to].model, t->model) == 0 &&
                        strcmp(l.v[to].classifier, t->classifier) == 0;)
            to++;
        score_put_interval(o, subject_of(o->arena, "model", t->model),
                           arena_printf(o->arena, "rate:%s", t->classifier), "M, by item",
                           interval_of_ratio(items + from, to - from, interval_share, LEVEL));
    }
    return OK;
}

static enum status compute(struct scorer *sc, struct err *e)
{
    int64_t last;

    if (store_party_list(sc->out->arena, sc->store, PARTY_MODEL, sc->run, &sc->models, e) != OK ||
        store_item_span(sc->store, sc->run, &sc->first_item, &last, e) != OK ||
        store_item_count(sc->store, sc->run, &sc->planned, e) != OK)
        return e->code;
    sc->items = (size_t)(last - sc->first_item + 1);
    if (score_models(sc, e) != OK || count_models(sc, e) != OK || count_judges(sc, e) != OK ||
        count_overalls(sc, e) != OK || rate_models(sc, e) != OK)
        return e->code;
    return measure_agreement(sc, e);
}

enum status score_compute(struct arena *a, struct store *s, const struct run_row *run,
                          const struct suite *suite, const struct facts *facts,
                          const struct jury *jury, struct score_list *out, struct err *e)
{
    struct score_sheet rows = {.arena = a};
    struct scorer sc = {
        .store = s, .run = run->id, .suite = suite, .facts = facts, .jury = jury, .out = &rows};

    if (compute(&sc, e) != OK)
        return e->code;
    *out = score_sorted(&rows);
    return OK;
}

static int by_name(const void *one, const void *other)
{
    const struct score_row *a = one, *b = other;
    int order = strcmp(a->subject, b->subject);

    return order ? order : strcmp(a->metric, b->metric);
}

struct score_list score_sorted(const struct score_sheet *o)
{
    if (o->n)
        qsort(o->v, o->n, sizeof *o->v, by_name);
    return (struct score_list){.v = o->v, .n = o->n, .sorted = true};
}

const struct score_row *score_find(const struct score_list *l, const char *subject,
                                   const char *metric)
{
    const struct score_row key = {.subject = subject, .metric = metric};

    if (l->sorted && l->n)
        return bsearch(&key, l->v, l->n, sizeof key, by_name);
    for (size_t i = 0; i < l->n; i++)
        if (by_name(&key, &l->v[i]) == 0)
            return &l->v[i];
    return NULL;
}
