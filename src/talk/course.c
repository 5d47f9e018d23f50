#include "talk/course.h"

#include <math.h>

#include "math/interval.h"
#include "reply/about.h"
#include "reply/claim.h"
#include "store/overall.h"
#include "store/store_exchange.h"
#include "store/store_flag.h"

#define LEVEL 0.95

enum { PER_TURNS = 10 };

/* The marks of one dialogue: by dimension and window, sums and counts over judges. */
struct talk_marks {
    int64_t sample;
    size_t model;
    double *sums;
    int64_t *counts;
};

struct course {
    struct arena *a;
    const struct suite *suite;
    struct party_list models;
    struct map left_out;
    size_t windows, dims;
    struct talk_marks *v;
    size_t n, cap;
    struct score_row *rows;
    size_t nrows, rows_cap;
};

/* ---- gathering ---- */

static size_t model_at(const struct course *d, int64_t id)
{
    size_t i = 0;

    while (i < d->models.n && d->models.v[i].id != id)
        i++;
    return i;
}

static enum status take_marks(struct course *d, struct store *s, int64_t run,
                              const struct jury *jury, struct err *e)
{
    const struct instrument *in = &d->suite->instrument;
    struct cursor c = store_windows(s, run, jury, e);
    struct window_fact f;

    while (store_window_next(&c, &f)) {
        int64_t first = turn_span_read(f.shown).first;
        size_t dim = 0, window = (size_t)(first - 1) / (size_t)in->window, at;
        struct talk_marks *t;
        while (dim < d->dims && strcmp(in->dimensions[dim].id, f.dimension) != 0)
            dim++;
        if (dim == d->dims || first < 1 || window >= d->windows ||
            map_get(&d->left_out, map_id(&f.sample)))
            continue;
        if (d->n == 0 || d->v[d->n - 1].sample != f.sample) {
            d->v = arena_grow(d->a, d->v, &d->cap, d->n + 1, sizeof *d->v);
            d->v[d->n++] =
                (struct talk_marks){.sample = f.sample,
                                    .model = model_at(d, f.model),
                                    .sums = NEW_N(d->a, double, d->dims * d->windows),
                                    .counts = NEW_N(d->a, int64_t, d->dims * d->windows)};
        }
        t = &d->v[d->n - 1];
        at = dim * d->windows + window;
        t->sums[at] += f.value;
        t->counts[at]++;
    }
    return cursor_end(&c);
}

/* The mark of a dialogue's window in one dimension; dim == dims: the weighted mean of all. */
static double mark_of(const struct course *d, const struct talk_marks *t, size_t dim, size_t window)
{
    const struct instrument *in = &d->suite->instrument;
    double sum = 0, weights = 0;

    if (dim < d->dims) {
        size_t at = dim * d->windows + window;
        return t->counts[at] ? t->sums[at] / (double)t->counts[at] : NAN;
    }
    for (size_t i = 0; i < d->dims; i++) {
        sum +=
            in->dimensions[i].weight * overall_part(&in->dimensions[i], mark_of(d, t, i, window));
        weights += in->dimensions[i].weight;
    }
    return sum / weights;
}

/* ---- rows ---- */

static void put(struct course *d, size_t model, const char *metric, struct interval i,
                const char *method)
{
    d->rows = arena_grow(d->a, d->rows, &d->rows_cap, d->nrows + 1, sizeof *d->rows);
    d->rows[d->nrows++] =
        (struct score_row){arena_printf(d->a, "model/%s", d->models.v[model].name),
                           metric,
                           method,
                           i.value,
                           i.low,
                           i.high,
                           (int64_t)i.n,
                           (int64_t)i.clusters,
                           interval_why_name(i.why)};
}

static struct interval_scale scale_of(const struct course *d, size_t dim)
{
    const struct instrument *in = &d->suite->instrument;
    struct interval_scale s = {0, 0};
    double weights = 0;

    if (dim < d->dims)
        return (struct interval_scale){in->dimensions[dim].min, in->dimensions[dim].max};
    for (size_t i = 0; i < d->dims; i++) {
        s.min += in->dimensions[i].weight * in->dimensions[i].min;
        s.max += in->dimensions[i].weight * in->dimensions[i].max;
        weights += in->dimensions[i].weight;
    }
    return (struct interval_scale){s.min / weights, s.max / weights};
}

static const char *metric_of(const struct course *d, const char *what, size_t dim)
{
    return dim < d->dims
               ? arena_printf(d->a, "%s:%s", what, d->suite->instrument.dimensions[dim].id)
               : what;
}

/* Dialogues of the model with a mark for this window, one unit each. */
static size_t units(const struct course *d, size_t model, size_t dim, size_t window,
                    struct interval_cluster *out)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n; i++) {
        double mark = d->v[i].model == model ? mark_of(d, &d->v[i], dim, window) : NAN;
        if (!isnan(mark))
            out[n++] = (struct interval_cluster){mark, 1};
    }
    return n;
}

static void put_drift(struct course *d, size_t model, size_t dim, struct interval_cluster *unit)
{
    int64_t width = d->suite->instrument.window;
    size_t used = 0;

    for (size_t w = 0; w < d->windows; w++)
        used += units(d, model, dim, w, unit) > 0;
    for (size_t w = 0; w < d->windows; w++) {
        size_t n = units(d, model, dim, w, unit);
        long long first = (long long)(w * (size_t)width) + 1;
        if (n)
            put(d, model,
                arena_printf(d->a, "%s:%lld-%lld", metric_of(d, "drift", dim), first,
                             first + width - 1),
                interval_of_means(unit, n, scale_of(d, dim), 1 - (1 - LEVEL) / (double)used),
                "M, dialogues, simultaneous");
    }
}

/* Of one dialogue, by least squares over the middles of its windows; NaN: fewer than two. */
static double slope_of(const struct course *d, const struct talk_marks *t, size_t dim)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;

    for (size_t w = 0; w < d->windows; w++) {
        double x = ((double)w + 0.5) * (double)d->suite->instrument.window;
        double y = mark_of(d, t, dim, w);
        if (isnan(y))
            continue;
        n++;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return n < 2 ? NAN : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void put_slope(struct course *d, size_t model, size_t dim, struct interval_cluster *unit)
{
    size_t n = 0;

    for (size_t i = 0; i < d->n; i++) {
        double slope = d->v[i].model == model ? slope_of(d, &d->v[i], dim) : NAN;
        if (!isnan(slope))
            unit[n++] = (struct interval_cluster){PER_TURNS * slope, 1};
    }
    if (n)
        put(d, model, metric_of(d, "slope", dim),
            interval_of_means(unit, n, interval_unbounded, LEVEL), "t, dialogues");
}

/* ---- contradictions ---- */

/* Of one dialogue, summed over the verdicts on it. */
struct claimed {
    const char *model;
    double sum;
    int64_t passes; /* how often it was heard from end to end */
    struct claimed *next;
};

struct claims {
    struct course *d;
    const struct jury *jury;
    struct map of; /* sample to struct claimed */
    struct claimed *first;
};

static enum status take_claims(void *user, const struct judgement *j, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct claims *c = user;
    struct arena *a = c->d->a;
    struct claimed *one;
    struct claim_list l;

    (void)e;
    if (j->state != STATE_DONE || *about_is(str_of(j->shown)) || !jury_has(c->jury, j->judge) ||
        map_get(&c->d->left_out, map_id(&j->sample)))
        return OK;
    l = claim_read(scratch, c->d->suite, j->reply, j->answer);
    if (!l.listed) /* nobody has looked for them: that is no zero */
        return OK;
    one = map_room(&c->of, map_id(&j->sample), sizeof *one);
    if (!one->model) {
        *one = (struct claimed){.model = arena_text(a, str_of(j->model)), .next = c->first};
        c->first = one;
    }
    one->sum += (double)claim_count(&l);
    /* A judge of stretches hears the dialogue once: count it with the first stretch. */
    one->passes += !*j->shown || turn_span_read(str_of(j->shown)).first == 1;
    return OK;
}

/* True claims in a dialogue, the mean over verdicts on it; those on its stretches count as one. */
static enum status put_claims(struct course *d, struct store *s, const struct run_row *run,
                              const struct jury *jury, struct err *e)
{
    struct claims c = {.d = d, .jury = jury};

    map_init(&c.of, d->a);
    if (store_judgement_each(s, run->id, take_claims, &c, e) != OK)
        return e->code;
    for (size_t m = 0; m < d->models.n; m++) {
        struct interval_cluster *unit;
        size_t n = 0;
        for (const struct claimed *one = c.first; one; one = one->next)
            n += strcmp(one->model, d->models.v[m].name) == 0;
        unit = NEW_N(d->a, struct interval_cluster, n + 1);
        n = 0;
        for (const struct claimed *one = c.first; one; one = one->next)
            if (strcmp(one->model, d->models.v[m].name) == 0)
                unit[n++] = (struct interval_cluster){one->sum / fmax((double)one->passes, 1), 1};
        if (n)
            put(d, m, "contradictions", interval_of_means(unit, n, interval_counts, LEVEL),
                "score interval of counts, dialogues");
    }
    return OK;
}

static enum status compute(struct course *d, struct store *s, const struct run_row *run,
                           const struct jury *jury, struct err *e)
{
    struct interval_cluster *unit;

    if (store_party_list(d->a, s, PARTY_MODEL, run->id, &d->models, e) != OK ||
        store_flag_left_out(d->a, s, run->id, &d->suite->rules, &d->left_out, e) != OK)
        return e->code;
    if (d->suite->instrument.contradictions && put_claims(d, s, run, jury, e) != OK)
        return e->code;
    if (!d->suite->instrument.window)
        return OK;
    if (take_marks(d, s, run->id, jury, e) != OK)
        return e->code;
    unit = NEW_N(d->a, struct interval_cluster, d->n + 1);
    for (size_t m = 0; m < d->models.n; m++)
        for (size_t dim = 0; dim <= d->dims; dim++) {
            put_drift(d, m, dim, unit);
            put_slope(d, m, dim, unit);
        }
    return OK;
}

enum status course_compute(struct arena *a, struct store *s, const struct run_row *run,
                           const struct suite *suite, const struct jury *jury,
                           struct score_list *out, struct err *e)
{
    const struct instrument *in = &suite->instrument;
    struct course d = {.a = a, .suite = suite, .dims = in->ndimensions};

    *out = (struct score_list){0};
    if ((!in->window && !in->contradictions) || jury->campaign)
        return OK;
    if (in->window)
        d.windows =
            ((size_t)suite->elicit.dialogue.turns + (size_t)in->window - 1) / (size_t)in->window;
    if (compute(&d, s, run, jury, e) != OK)
        return e->code;
    *out = (struct score_list){.v = d.rows, .n = d.nrows};
    return OK;
}
