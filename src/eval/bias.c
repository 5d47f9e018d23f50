#include "eval/bias.h"

#include <math.h>

#include "eval/rating.h"

static const double level = 0.95;

struct work {
    struct arena *scratch;
    const struct bouts *b;
    size_t judge;
    const char *family;
    struct interval_cluster *clusters; /* [set.clusters] own score less the expected one */
};

static bool model_is_own(const struct work *w, uint32_t number)
{
    return bouts_kin(w->b->models[w->b->model[number]].family, w->family);
}

static bool judge_is_own(const struct work *w, size_t i)
{
    return bouts_kin(w->b->judges[w->b->fought[i].judge].family, w->family);
}

/* Exactly one of the two is of the family. */
static bool concerns_own(const struct work *w, size_t i)
{
    const struct duel *d = &w->b->set.v[i];

    return model_is_own(w, d->a) != model_is_own(w, d->b);
}

/* A battle in question: this judge on its own family. */
static bool is_asked(const struct work *w, size_t i)
{
    return w->b->fought[i].judge == w->judge && concerns_own(w, i);
}

/* The score of the own side. */
static double own_score(const struct work *w, size_t i)
{
    const struct duel *d = &w->b->set.v[i];
    double score = d->outcome / 2.0;

    return model_is_own(w, d->a) ? score : 1 - score;
}

static void add(struct work *w, size_t i, double expected)
{
    struct interval_cluster *c = &w->clusters[w->b->set.v[i].cluster];

    c->sum += own_score(w, i) - expected;
    c->n++;
}

/* ---- other judges on the same answers ---- */

static bool of_match(const struct work *w, size_t i, uint32_t match)
{
    return i < w->b->set.n && w->b->fought[i].match == match;
}

/* The mean score that judges of other families gave the own side of battle i; NaN: none did. The
 * battles of a match stand together, from `first` on. */
static double others_say(const struct work *w, size_t first, size_t i)
{
    double sum = 0, n = 0;

    for (size_t k = first; of_match(w, k, w->b->fought[i].match); k++)
        if (!judge_is_own(w, k)) {
            sum += own_score(w, k);
            n++;
        }
    return n > 0 ? sum / n : (double)NAN;
}

static size_t compare_judges(struct work *w)
{
    size_t first = 0, n = 0;

    for (size_t i = 0; i < w->b->set.n; i++) {
        double expected;
        if (w->b->fought[i].match != w->b->fought[first].match)
            first = i;
        expected = is_asked(w, i) ? others_say(w, first, i) : (double)NAN;
        if (isnan(expected))
            continue;
        add(w, i, expected);
        n++;
    }
    return n;
}

/* ---- ratings without the battles in question ---- */

static struct battle_set select_battles(const struct work *w,
                                        bool (*take)(const struct work *, size_t))
{
    struct battle_set set = w->b->set;
    struct duel *v = NEW_N(w->scratch, struct duel, set.n);
    double(*style)[STYLE_FEATURES] = arena_array(w->scratch, set.n, sizeof *style);
    size_t n = 0;

    for (size_t i = 0; i < set.n; i++) {
        if (!take(w, i))
            continue;
        if (set.style)
            memcpy(style[n], set.style[i], sizeof *style);
        v[n++] = set.v[i];
    }
    set.v = v;
    set.n = n;
    set.style = set.style ? style : NULL;
    return set;
}

/* Not in question. Other judges of the family are in question on it as much as this one. */
static bool is_beside(const struct work *w, size_t i)
{
    return !(judge_is_own(w, i) && concerns_own(w, i));
}

static bool is_of_judge(const struct work *w, size_t i)
{
    return w->b->fought[i].judge == w->judge;
}

static size_t place_in(const struct rating_group *g, uint32_t model)
{
    for (size_t i = 0; i < g->n; i++)
        if (g->v[i].model == model)
            return i;
    return SIZE_MAX;
}

/* The score that a may expect against b; NaN: the ratings do not say. */
static double expected_of(const struct rating_table *t, const struct duel *d)
{
    for (size_t g = 0; g < t->ngroups; g++) {
        const struct rating_group *group = &t->groups[g];
        size_t a = place_in(group, d->a), b = place_in(group, d->b);
        if (a != SIZE_MAX && b != SIZE_MAX && group->pairs)
            return group->pairs[a * group->n + b].expected;
    }
    return NAN;
}

/* The score that the own side of battle i may expect; NaN: the ratings do not say. */
static double own_expected(const struct work *w, const struct rating_table *t, size_t i)
{
    const struct duel *d = &w->b->set.v[i];
    double expected = expected_of(t, d);

    return model_is_own(w, d->a) ? expected : 1 - expected;
}

/* How the sum of what was expected moves when the ratings of one item's battles are left out: by
 * the derivative of the ratings. out[clusters] is zeroed. */
static enum status moves(const struct work *w, const struct battle_set *set,
                         const struct rating_table *ratings, double *out, struct err *e)
{
    struct bt_table t = bt_gather(w->scratch, set->v, set->n, set->models, BT_HALF);
    bool parts = bt_parts(&t, NEW_N(w->scratch, uint32_t, set->models)) > 1;
    double *slope = NEW_N(w->scratch, double, set->models), *worth, *inverse;
    struct bt_fit fit;

    if (bt_fit(w->scratch, &t, BT_HALF, parts ? BT_RIDGE : 0, &fit, e) != OK ||
        bt_inverse(w->scratch, &t, &fit, &inverse, e) != OK)
        return e->code;
    for (size_t i = 0; i < w->b->set.n; i++) {
        const struct duel *d = &w->b->set.v[i];
        double p = is_asked(w, i) ? own_expected(w, ratings, i) : (double)NAN;
        if (isnan(p))
            continue;
        slope[d->a] += model_is_own(w, d->a) ? p * (1 - p) : -p * (1 - p);
        slope[d->b] -= model_is_own(w, d->a) ? p * (1 - p) : -p * (1 - p);
    }
    worth = NEW_N(w->scratch, double, set->models);
    for (size_t i = 0; i < set->models; i++)
        for (size_t j = 0; j < set->models; j++)
            worth[i] += inverse[i * set->models + j] * slope[j];
    for (size_t i = 0; i < set->n; i++) {
        const struct duel *d = &set->v[i];
        double off = d->outcome / 2.0 - bt_expected(&fit, d->a, d->b);
        out[d->cluster] += d->weight * off * (worth[d->a] - worth[d->b]);
    }
    return OK;
}

/* The expectation is an estimate from the same items. Stretch the sums of items until they lie as
 * far from their mean as score and expectation together. */
static void spread(struct work *w, const double *moved)
{
    struct interval_cluster *c = w->clusters;
    double sum = 0, n = 0, alone = 0, both = 0, times;

    for (size_t k = 0; k < w->b->set.clusters; k++) {
        sum += c[k].sum;
        n += (double)c[k].n;
    }
    for (size_t k = 0; k < w->b->set.clusters; k++) {
        double off = c[k].sum - sum / n * (double)c[k].n;
        alone += off * off;
        both += (off - moved[k]) * (off - moved[k]);
    }
    times = alone > 0 ? fmax(1, sqrt(both / alone)) : 1;
    for (size_t k = 0; k < w->b->set.clusters; k++) {
        double mean = sum / n * (double)c[k].n;
        c[k].sum = mean + times * (c[k].sum - mean);
    }
}

static enum status compare_ratings(struct work *w, size_t *n, struct err *e)
{
    double *moved = NEW_N(w->scratch, double, w->b->set.clusters);
    struct battle_set set = select_battles(w, is_beside);
    struct rating_how how = {.system = RATING_BT, .ties = BT_HALF};
    struct rating_table t;

    *n = 0;
    if (set.n == 0)
        return OK;
    if (rating_compute(w->scratch, &set, &how, &t, e) != OK)
        return e->code;
    for (size_t i = 0; i < w->b->set.n; i++) {
        double expected = is_asked(w, i) ? own_expected(w, &t, i) : (double)NAN;
        if (isnan(expected))
            continue;
        add(w, i, expected);
        (*n)++;
    }
    if (*n == 0)
        return OK;
    if (moves(w, &set, &t, moved, e) != OK)
        return e->code;
    spread(w, moved);
    return OK;
}

/* ---- */

static enum status measure_family(struct work *w, struct bias *out, struct err *e)
{
    size_t n = 0;

    for (size_t m = 0; m < w->b->nmodels; m++)
        out->has_family |= bouts_kin(w->b->models[m].family, w->family);
    for (size_t i = 0; i < w->b->set.n; i++)
        n += is_asked(w, i);
    if (n == 0)
        return OK;
    n = compare_judges(w);
    out->against = "other judges on the same answers";
    if (n == 0) {
        if (compare_ratings(w, &n, e) != OK)
            return e->code;
        out->against = n ? "ratings without these battles" : NULL;
    }
    out->family =
        interval_of_ratio(w->clusters, w->b->set.clusters, (struct interval_scale){-1, 1}, level);
    return OK;
}

static enum status measure_length(struct work *w, struct bias *out, struct err *e)
{
    struct battle_set set = select_battles(w, is_of_judge);
    const struct control_how how = {.widen = 1};
    struct control control;

    out->length = interval_unknown;
    if (set.n == 0 || !set.style)
        return OK;
    if (control_compute(w->scratch, &set, &how, &control, e) != OK)
        return e->code;
    out->length = control.effects[STYLE_LENGTH];
    out->length.n = control.battles;
    return OK;
}

enum status bias_compute(const struct bouts *b, size_t judge, struct bias *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct work w = {
        .scratch = scratch,
        .b = b,
        .judge = judge,
        .family = b->judges[judge].family,
        .clusters = NEW_N(scratch, struct interval_cluster, b->set.clusters),
    };
    struct bias bias = {0};

    if (measure_family(&w, &bias, e) != OK || measure_length(&w, &bias, e) != OK)
        return e->code;
    *out = bias;
    return OK;
}
