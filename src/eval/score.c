#include "eval/score.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "math/interval.h"

#define LEVEL 0.95

/* ---- the value of a sample ---- */

/* Which rule applies to which sample: flags that stand and have an effect. */
struct rule_on {
    const char *kind;
    struct rule rule;
};

struct valuer {
    const struct suite *suite;
    struct arena *arena;
    struct map rules; /* sample id, as bytes, to struct rule_on */
    score_fn *fn;
    void *user;
    /* the sample under way */
    struct mark_fact now;
    bool open;
    double *sums;    /* by dimension: sum over judges of their means */
    int64_t *judges; /* by dimension: how many */
    /* the judge under way, in one dimension */
    size_t dimension;
    int64_t judge;
    double judge_sum;
    int64_t judge_n;
};

static struct str id_key(const int64_t *id)
{
    return (struct str){(const char *)id, sizeof *id};
}

static double rounded(double x, enum rounding how)
{
    switch (how) {
    case ROUND_NEAREST:
        return floor(x + 0.5);
    case ROUND_DOWN:
        return floor(x);
    case ROUND_UP:
        return ceil(x);
    case ROUND_NONE:
        break;
    }
    return x;
}

static void close_judge(struct valuer *v)
{
    if (v->judge_n) {
        v->sums[v->dimension] += v->judge_sum / (double)v->judge_n;
        v->judges[v->dimension]++;
    }
    v->judge_n = 0;
    v->judge_sum = 0;
}

/* Weighted mean over dimensions; a dimension where less is better is turned round. NaN when
 * a dimension has no mark. */
static double weighted(const struct valuer *v)
{
    const struct instrument *in = &v->suite->instrument;
    double sum = 0, weights = 0;

    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct dimension *d = &in->dimensions[i];
        double x = v->sums[i] / (double)v->judges[i]; /* 0 / 0: NaN */
        sum += d->weight * (d->lower_is_better ? d->min + d->max - x : x);
        weights += d->weight;
    }
    return rounded(sum / weights, v->suite->score.round);
}

static double by_rule(const struct rule *r, double value)
{
    switch (r->effect) {
    case EFFECT_ZERO:
        return 0;
    case EFFECT_CAP:
        return value > r->cap ? r->cap : value;
    case EFFECT_NOTE:
        break;
    }
    return value;
}

static enum status close_sample(struct valuer *v, struct err *e)
{
    const struct rule_on *on = map_get(&v->rules, id_key(&v->now.sample));
    struct score_value out = {
        .model = v->now.model,
        .item = v->now.item,
        .sample = v->now.sample,
        .repeat = v->now.repeat,
    };

    if (!v->open)
        return OK;
    close_judge(v);
    out.value = weighted(v);
    v->open = false;
    /* Rules act on what was judged: were a duplicate 0 before any judge has spoken, a run that is
     * half judged would show zeros alone. */
    if (isnan(out.value))
        return OK;
    if (on) {
        double ruled = by_rule(&on->rule, out.value);
        out.rule = ruled == out.value ? NULL : on->kind;
        out.value = ruled;
    }
    return v->fn(v->user, &out, e);
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
    size_t n = v->suite->instrument.ndimensions, at;

    if (!v->open || f->sample != v->now.sample) {
        if (close_sample(v, e) != OK)
            return e->code;
        v->now = *f;
        v->open = true;
        memset(v->sums, 0, n * sizeof *v->sums);
        memset(v->judges, 0, n * sizeof *v->judges);
    }
    if (!f->dimension)
        return OK;
    at = dimension_index(&v->suite->instrument, f->dimension);
    if (at == n)
        return err_set(e, E_STORE, "a mark names the dimension '%s', which the suite does not have",
                       f->dimension);
    if (at != v->dimension || f->judge != v->judge)
        close_judge(v);
    v->dimension = at;
    v->judge = f->judge;
    v->judge_sum += f->value;
    v->judge_n++;
    return OK;
}

static enum status load_rules(struct valuer *v, struct store *s, int64_t run, struct err *e)
{
    struct flag_list flags;

    map_init(&v->rules, v->arena);
    if (store_flag_list(v->arena, s, run, &flags, e) != OK)
        return e->code;
    for (size_t i = 0; i < flags.n; i++) {
        struct rule_on *on = NEW(v->arena, struct rule_on);
        if (flags.v[i].overruled_by || strcmp(flags.v[i].kind, "duplicate") != 0)
            continue;
        *on = (struct rule_on){flags.v[i].kind, v->suite->rules.duplicate};
        (void)map_put(&v->rules, id_key(&flags.v[i].sample), on);
    }
    return OK;
}

enum status score_value_each(struct store *s, const struct run_row *run, const struct suite *suite,
                             score_fn *fn, void *user, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct valuer v = {.suite = suite, .arena = a, .fn = fn, .user = user};

    v.sums = NEW_N(a, double, suite->instrument.ndimensions);
    v.judges = NEW_N(a, int64_t, suite->instrument.ndimensions);
    if (load_rules(&v, s, run->id, e) != OK || store_mark_each(s, run->id, value_step, &v, e) != OK)
        return e->code;
    return close_sample(&v, e);
}

/* ---- rows ---- */

/* Values of one model, item by item. */
struct series {
    struct interval_cluster *v;
    size_t n, cap;
    int64_t item;
    double total;
};

static void series_add(struct series *s, int64_t item, double value)
{
    if (s->n == 0 || s->item != item) {
        s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
        s->v[s->n++] = (struct interval_cluster){0};
        s->item = item;
    }
    s->v[s->n - 1].sum += value;
    s->v[s->n - 1].n++;
    s->total += value;
}

static void series_clear(struct series *s)
{
    s->n = 0;
    s->total = 0;
}

struct rows_out {
    struct arena *arena;
    struct score_row *v;
    size_t n, cap;
};

static void put_row(struct rows_out *o, struct score_row row)
{
    o->v = mem_grow(o->v, &o->cap, o->n + 1, sizeof *o->v);
    o->v[o->n++] = row;
}

static void put_count(struct rows_out *o, const char *subject, const char *metric, double value,
                      int64_t n)
{
    put_row(o, (struct score_row){subject, metric, "count", value, NAN, NAN, n, 0});
}

static void put_interval(struct rows_out *o, const char *subject, const char *metric,
                         struct interval i, const char *method)
{
    put_row(o, (struct score_row){subject, metric, method, i.value, i.low, i.high, (int64_t)i.n,
                                  (int64_t)i.clusters});
}

/* An interval of a mean cannot leave the scale that the mean lives on. */
static struct interval clipped(struct interval i, double min, double max)
{
    i.low = isnan(i.low) ? i.low : fmax(i.low, min);
    i.high = isnan(i.high) ? i.high : fmin(i.high, max);
    return i;
}

struct bounds {
    double min, max;
};

/* Least and greatest value that a sample can have. */
static struct bounds sample_bounds(const struct instrument *in)
{
    struct bounds b = {0, 0};
    double weights = 0;

    for (size_t i = 0; i < in->ndimensions; i++) {
        b.min += in->dimensions[i].weight * in->dimensions[i].min;
        b.max += in->dimensions[i].weight * in->dimensions[i].max;
        weights += in->dimensions[i].weight;
    }
    b.min = fmin(0, b.min / weights); /* a rule may set 0 */
    b.max = b.max / weights;
    return b;
}

static struct interval headline(const struct series *s, const struct suite *suite)
{
    const struct score_spec *k = &suite->score;
    struct bounds b = sample_bounds(&suite->instrument);
    struct interval i;

    switch (k->kind) {
    case SCORE_SUM:
        i = clipped(interval_of_means(s->v, s->n, LEVEL), b.min, b.max);
        return interval_scale(i, (double)s->n / k->divide);
    case SCORE_TOTALS:
        i = interval_of_ratio(s->v, s->n, LEVEL);
        return interval_scale(clipped(i, b.min, b.max), (double)i.n);
    case SCORE_MEAN_OF_ITEMS:
    case SCORE_WEIGHTED_MEAN:
        break;
    }
    i = clipped(interval_of_means(s->v, s->n, LEVEL), b.min, b.max);
    return interval_scale(i, k->times);
}

struct scorer {
    const struct suite *suite;
    struct party_list models;
    struct rows_out *out;
    int64_t model;
    struct series score;
};

static const char *subject_of(struct arena *a, const char *kind, const char *name)
{
    return arena_printf(a, "%s/%s", kind, name);
}

static const char *model_subject(const struct scorer *s)
{
    for (size_t i = 0; i < s->models.n; i++)
        if (s->models.v[i].id == s->model)
            return subject_of(s->out->arena, "model", s->models.v[i].name);
    return "model/";
}

static void close_model(struct scorer *s)
{
    if (s->score.n)
        put_interval(s->out, model_subject(s), "score", headline(&s->score, s->suite), "t, items");
    series_clear(&s->score);
}

static enum status score_step(void *user, const struct score_value *v, struct err *e)
{
    struct scorer *s = user;

    (void)e;
    if (v->model != s->model)
        close_model(s);
    s->model = v->model;
    series_add(&s->score, v->item, v->value);
    return OK;
}

/* ---- single dimensions: as judged, no rules ---- */

struct dimension_scorer {
    struct scorer base;
    struct series *series; /* by dimension */
    int64_t sample, judge;
};

static void close_dimensions(struct dimension_scorer *d)
{
    const struct instrument *in = &d->base.suite->instrument;
    struct arena *a = d->base.out->arena;

    for (size_t i = 0; i < in->ndimensions; i++) {
        struct series *s = &d->series[i];
        const struct dimension *dim = &in->dimensions[i];
        const char *subject = model_subject(&d->base);
        if (s->n == 0)
            continue;
        put_interval(d->base.out, subject, arena_printf(a, "mark:%s", dim->id),
                     clipped(interval_of_means(s->v, s->n, LEVEL), dim->min, dim->max), "t, items");
        put_count(d->base.out, subject, arena_printf(a, "total:%s", dim->id), s->total,
                  (int64_t)s->n);
        series_clear(s);
    }
}

static enum status dimension_step(void *user, const struct mark_fact *f, struct err *e)
{
    struct dimension_scorer *d = user;
    size_t at;

    (void)e;
    if (!f->dimension)
        return OK;
    if (f->model != d->base.model)
        close_dimensions(d);
    d->base.model = f->model;
    at = dimension_index(&d->base.suite->instrument, f->dimension);
    if (at < d->base.suite->instrument.ndimensions)
        series_add(&d->series[at], f->item, f->value);
    return OK;
}

static enum status score_dimensions(struct scorer *base, struct store *s, int64_t run,
                                    struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t n = base->suite->instrument.ndimensions;
    struct dimension_scorer d = {.base = *base, .series = NEW_N(a, struct series, n)};
    enum status st = store_mark_each(s, run, dimension_step, &d, e);

    if (st == OK)
        close_dimensions(&d);
    for (size_t i = 0; i < n; i++)
        free(d.series[i].v);
    return st;
}

/* ---- counts ---- */

static int64_t scored_of(const struct rows_out *o, const char *subject)
{
    for (size_t i = 0; i < o->n; i++)
        if (strcmp(o->v[i].subject, subject) == 0 && strcmp(o->v[i].metric, "score") == 0)
            return o->v[i].n;
    return 0;
}

static int64_t flags_of(const struct flag_list *flags, const char *model, const char *kind)
{
    int64_t n = 0;

    for (size_t i = 0; i < flags->n; i++)
        n += !flags->v[i].overruled_by && strcmp(flags->v[i].model_name, model) == 0 &&
             strcmp(flags->v[i].kind, kind) == 0;
    return n;
}

static enum status count_models(struct rows_out *o, struct store *s, int64_t run, struct err *e)
{
    struct tally_list tallies;
    struct flag_list flags;

    if (store_tally_list(o->arena, s, PARTY_MODEL, run, &tallies, e) != OK ||
        store_flag_list(o->arena, s, run, &flags, e) != OK)
        return e->code;
    for (size_t i = 0; i < tallies.n; i++) {
        const struct tally *t = &tallies.v[i];
        const char *subject = subject_of(o->arena, "model", t->name);
        int64_t duplicates = flags_of(&flags, t->name, "duplicate");
        put_count(o, subject, "samples", (double)t->total, t->done);
        put_count(o, subject, "failed", (double)t->failed, t->total);
        put_count(o, subject, "unscored", (double)(t->done - scored_of(o, subject)), t->done);
        put_count(o, subject, "flag:duplicate", (double)duplicates, t->done);
        put_count(o, subject, "tokens", (double)t->tokens, t->done);
        put_count(o, subject, "cost", t->cost, t->done);
    }
    return OK;
}

static enum status count_judges(struct rows_out *o, struct store *s, int64_t run, struct err *e)
{
    struct tally_list tallies;

    if (store_tally_list(o->arena, s, PARTY_JUDGE, run, &tallies, e) != OK)
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

static enum status compute(struct scorer *sc, struct store *s, const struct run_row *run,
                           struct err *e)
{
    if (store_party_list(sc->out->arena, s, PARTY_MODEL, run->id, &sc->models, e) != OK ||
        score_value_each(s, run, sc->suite, score_step, sc, e) != OK)
        return e->code;
    close_model(sc);
    if (score_dimensions(sc, s, run->id, e) != OK || count_models(sc->out, s, run->id, e) != OK)
        return e->code;
    return count_judges(sc->out, s, run->id, e);
}

enum status score_compute(struct arena *a, struct store *s, const struct run_row *run,
                          const struct suite *suite, struct score_list *out, struct err *e)
{
    struct rows_out rows = {.arena = a};
    struct scorer sc = {.suite = suite, .out = &rows};
    enum status st = compute(&sc, s, run, e);

    if (st == OK)
        *out = (struct score_list){arena_copy(a, rows.v, rows.n, sizeof *rows.v), rows.n};
    free(sc.score.v);
    free(rows.v);
    return st;
}

const struct score_row *score_find(const struct score_list *l, const char *subject,
                                   const char *metric)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].subject, subject) == 0 && strcmp(l->v[i].metric, metric) == 0)
            return &l->v[i];
    return NULL;
}
