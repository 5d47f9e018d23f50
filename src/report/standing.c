#include "report/standing.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/words.h"
#include "math/combine.h"
#include "store/store_compare.h"

enum { MODELS_MAX = 10000, NOTES_MAX = 1000, RATING_SPREAD = 400 };

#define GROUP_LEVEL 0.95

struct building {
    struct arena *a;
    struct store *s;
    struct standing *out;
    const char *language;
};

/* ---- one score on the common scale ---- */

/* Range of a score; ratings have an average instead. */
struct ends {
    double min, max;
    bool rating;
    double average; /* of all ratings */
};

static double place_of(const struct ends *b, double v, double scale)
{
    if (b->rating)
        return scale / (1 + pow(10, (b->average - v) / RATING_SPREAD));
    return scale * (v - b->min) / (b->max - b->min);
}

static struct ends ends_of(const struct report *r, const struct score_row *row)
{
    struct ends b = {.rating = r->suite.score.kind == SCORE_RATING};
    struct score_bounds bounds;
    size_t n = 0;

    if (!b.rating) {
        bounds = score_bounds(&r->suite, row, r->items);
        b.min = bounds.min;
        b.max = bounds.max;
    }
    for (size_t i = 0; b.rating && i < r->nmodels; i++)
        if (r->models[i].score && isfinite(r->models[i].score->value)) {
            b.average += r->models[i].score->value;
            n++;
        }
    b.average /= n ? (double)n : 1;
    return b;
}

static struct interval on_scale(const struct report *r, const struct report_model *m, double scale)
{
    const struct score_row *row = m->unrounded ? m->unrounded : m->score;
    struct ends b = ends_of(r, row);

    return (struct interval){
        .value = place_of(&b, row->value, scale),
        .se = NAN,
        .low = place_of(&b, row->lo, scale),
        .high = place_of(&b, row->hi, scale),
        .n = (size_t)row->n,
        .clusters = (size_t)row->clusters,
        .why = interval_why_named(row->why),
    };
}

/* ---- models ---- */

static struct standing_model *model(struct building *b, const char *name)
{
    struct standing *st = b->out;
    struct standing_model *m;

    for (size_t i = 0; i < st->nmodels; i++)
        if (strcmp(st->models[i].name, name) == 0)
            return &st->models[i];
    if (st->nmodels == MODELS_MAX)
        return NULL;
    m = &st->models[st->nmodels++];
    *m = (struct standing_model){.name = name,
                                 .overall = {.value = NAN, .low = NAN, .high = NAN},
                                 .places = NEW_N(b->a, struct interval, st->nsuites),
                                 .scores = NEW_N(b->a, const struct score_row *, st->nsuites)};
    return m;
}

static void note(struct building *b, enum word w, const char *first, const char *second)
{
    const char *text = words_with(b->a, b->language, w, first);

    if (b->out->nnotes < NOTES_MAX)
        b->out->notes[b->out->nnotes++] = words_fill(b->a, text, second);
}

static const char *joined(struct arena *a, const char *list, const char *more)
{
    return *list ? arena_printf(a, "%s, %s", list, more) : more;
}

/* Is it in a list made by joined()? */
static bool among(const char *list, const char *name)
{
    struct str rest = str_of(list), one;

    while (str_part(&rest, ',', &one))
        if (str_is(str_trim(one), name))
            return true;
    return false;
}

/* If a model is in two runs, the first run counts. */
static void take_models(struct building *b, size_t suite, const struct report *r)
{
    struct standing_suite *of = &b->out->suites[suite];

    of->runs = joined(b->a, of->runs, r->run.name);
    of->items = r->items;
    if (!among(of->judges, r->jury.name))
        of->judges = joined(b->a, of->judges, r->jury.name);
    for (size_t i = 0; i < r->nmodels; i++) {
        struct standing_model *m = model(b, r->models[i].name);
        const struct score_row *score = r->models[i].score;
        if (!m || m->scores[suite] || !score || !isfinite(score->value))
            continue;
        m->scores[suite] = score;
        m->places[suite] = on_scale(r, &r->models[i], b->out->of.scale);
    }
}

/* ---- runs that asked the same ---- */

/* A hash of the suite and its items: runs with the same hash asked the same. */
static enum status edition(struct building *b, const struct run_row *run, char hex[HASH_HEX],
                           struct err *e)
{
    struct cursor c = store_items(b->s, run->id, e);
    struct item_fact f;
    struct hash h;

    hash_init(&h);
    hash_str(&h, run->frozen);
    while (store_item_next(&c, &f))
        hash_str(&h, f.body);
    if (cursor_end(&c) != OK)
        return e->code;
    hash_hex(&h, hex);
    return OK;
}

static enum status take_part(struct building *b, size_t suite, struct err *e)
{
    const struct standing_part *p = &b->out->of.parts[suite];
    char first[HASH_HEX], other[HASH_HEX];

    b->out->suites[suite] = (struct standing_suite){p->suite, p->title, p->weight, 0, "", ""};
    for (size_t i = 0; i < p->nruns; i++) {
        struct report *r = &b->out->sources[b->out->nsources];
        if (p->nruns > 1 && edition(b, &p->runs[i], i ? other : first, e) != OK)
            return e->code;
        if (i > 0 && strcmp(first, other) != 0) {
            note(b, STANDING_LEFT_OUT, p->runs[i].name, p->runs[0].name);
            continue;
        }
        if (report_build(b->a, b->s, &p->runs[i], (struct report_take){.judge = b->out->of.judge},
                         r, e) != OK)
            return err_wrap(e, "run %s", p->runs[i].name);
        b->out->nsources++;
        take_models(b, suite, r);
    }
    if (strchr(b->out->suites[suite].judges, ','))
        note(b, STANDING_MIXED, p->title, b->out->suites[suite].judges);
    return OK;
}

/* ---- the overall ---- */

/* A suite as a cluster: its weight in thousandths is the number of answers. */
static struct interval_cluster unit_of(const struct interval *place, double weight)
{
    size_t n = (size_t)fmax(1, round(1000 * weight));

    return (struct interval_cluster){place->value * (double)n, n};
}

/* Suites of a group count as one, in place of the first of them: they are units of one sample,
 * like the items of a suite, so the interval is over suites. */
static void pool(struct building *b, struct interval *places, double *weights)
{
    const struct standing *st = b->out;
    struct interval_cluster *units = NEW_N(b->a, struct interval_cluster, st->nsuites);

    for (size_t i = 0; i < st->nsuites; i++) {
        const char *group = st->of.parts[i].group;
        size_t n = 0;
        if (!group || !*group || !(weights[i] > 0))
            continue;
        units[n++] = unit_of(&places[i], st->suites[i].weight);
        for (size_t k = i + 1; k < st->nsuites; k++) {
            if (!st->of.parts[k].group || strcmp(st->of.parts[k].group, group) != 0 ||
                !(weights[k] > 0))
                continue;
            units[n++] = unit_of(&places[k], st->suites[k].weight);
            weights[i] += weights[k];
            weights[k] = 0;
            places[k] = (struct interval){0};
        }
        places[i] =
            interval_of_ratio(units, n, (struct interval_scale){0, st->of.scale}, GROUP_LEVEL);
        places[i].n = n;
    }
}

static void find_overall(struct building *b, struct standing_model *m)
{
    const struct standing *st = b->out;
    double *weights = NEW_N(b->a, double, st->nsuites), sum = 0;
    struct interval *places = NEW_N(b->a, struct interval, st->nsuites);
    const char *missing = "";

    for (size_t i = 0; i < st->nsuites; i++) {
        weights[i] = st->suites[i].weight;
        sum += weights[i];
        if (!m->scores[i] && weights[i] > 0)
            missing = joined(b->a, missing, st->suites[i].title);
    }
    m->missing = *missing ? missing : NULL;
    if (!st->of.overall || m->missing || !(sum > 0))
        return;
    for (size_t i = 0; i < st->nsuites; i++) {
        weights[i] /= sum;
        if (!m->scores[i])
            m->places[i] = (struct interval){0};
        places[i] = m->places[i];
    }
    pool(b, places, weights);
    m->overall = combine_sum(places, weights, st->nsuites);
}

static int best_first(const void *x, const void *y)
{
    const struct standing_model *a = x, *b = y;
    double va = a->overall.value, vb = b->overall.value;

    if (isnan(va) || isnan(vb))
        return isnan(va) != isnan(vb) ? (isnan(va) ? 1 : -1) : strcmp(a->name, b->name);
    return va != vb ? (va > vb ? -1 : 1) : strcmp(a->name, b->name);
}

enum status standing_build(struct arena *a, struct store *s, const struct standing_of *of,
                           struct standing *out, struct err *e)
{
    struct standing st = {
        .of = *of,
        .suites = NEW_N(a, struct standing_suite, of->nparts),
        .nsuites = of->nparts,
        .models = NEW_N(a, struct standing_model, MODELS_MAX),
        .notes = NEW_N(a, const char *, NOTES_MAX),
    };
    struct building b = {a, s, &st, of->language};
    size_t runs = 1;

    for (size_t i = 0; i < of->nparts; i++)
        runs += of->parts[i].nruns;
    st.sources = NEW_N(a, struct report, runs);
    for (size_t i = 0; i < of->nparts; i++)
        if (take_part(&b, i, e) != OK)
            return e->code;
    for (size_t i = 0; i < st.nmodels; i++)
        find_overall(&b, &st.models[i]);
    qsort(st.models, st.nmodels, sizeof *st.models, best_first);
    *out = st;
    return OK;
}
