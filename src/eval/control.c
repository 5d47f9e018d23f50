#include "eval/control.h"

#include <math.h>

#include "base/message.h"
#include "math/bt_style.h"
#include "math/describe.h"
#include "math/dist.h"

static const double level = 0.95, centre = 1000;

struct work {
    struct arena *scratch;
    const struct battle_set *set;
    const struct control_how *how;
    uint32_t *number; /* [models of the set] in the group; UINT32_MAX: not in it */
    struct bt_style_data data;
    size_t known[STYLE_FEATURES]; /* [data.k] which property each column is */
    size_t clusters;              /* that have battles */
    double df;                    /* as many of equal size that tell as much, less one */
};

static bool counts(const struct work *w, const struct duel *d)
{
    return !w->how->drop_ties || d->outcome != DUEL_TIED;
}

/* Number the models of the largest group; of equal ones the first. */
static void find_group(struct work *w)
{
    size_t models = w->set->models, groups, best = 0;
    uint32_t *group = NEW_N(w->scratch, uint32_t, models);
    size_t *size = NEW_N(w->scratch, size_t, models);

    groups = battle_groups(w->set, w->how->drop_ties, group);
    for (size_t m = 0; m < models; m++)
        size[group[m]]++;
    for (size_t g = 1; g < groups; g++)
        best = size[g] > size[best] ? g : best;
    w->number = NEW_N(w->scratch, uint32_t, models);
    for (size_t m = 0; m < models; m++)
        w->number[m] = group[m] == best ? (uint32_t)w->data.n++ : UINT32_MAX;
}

/* Battles of the group, with the properties that are known. */
static void select_battles(struct work *w)
{
    struct duel *duels = NEW_N(w->scratch, struct duel, w->set->n);
    double *size = NEW_N(w->scratch, double, w->set->clusters), *x;

    for (size_t f = 0; f < STYLE_FEATURES; f++)
        if (w->set->styled[f])
            w->known[w->data.k++] = f;
    x = NEW_N(w->scratch, double, w->set->n * w->data.k);
    for (size_t i = 0; i < w->set->n; i++) {
        struct duel d = w->set->v[i];
        double *row = x + w->data.nduels * w->data.k;
        if (!counts(w, &d) || w->number[d.a] == UINT32_MAX)
            continue;
        d.a = w->number[d.a];
        d.b = w->number[d.b];
        for (size_t k = 0; k < w->data.k; k++)
            row[k] = w->set->style[i][w->known[k]];
        w->clusters += size[d.cluster] == 0;
        size[d.cluster] += d.weight;
        duels[w->data.nduels++] = d;
    }
    w->df = describe_equals(size, w->set->clusters) - 1;
    w->data.duels = duels;
    w->data.x = x;
    w->data.clusters = w->set->cluster && w->clusters > 1 ? w->set->clusters : 0;
}

/* Prompts, or battles where there are none. */
static size_t units(const struct work *w)
{
    return w->set->cluster ? w->clusters : w->data.nduels;
}

static double reach(const struct work *w)
{
    return w->how->widen * dist_t_quantile(0.5 + level / 2, w->df);
}

/* A number with its bounds, or with the reason why it has none. */
static struct interval said(const struct work *w, const struct bt_style_fit *f, struct interval i)
{
    if (units(w) < INTERVAL_UNITS_MIN)
        return interval_refuse(i, INTERVAL_FEW_UNITS);
    if (w->df < 1)
        return interval_refuse(i, INTERVAL_ONE_UNIT);
    i.why = f->ridge > 0 ? INTERVAL_PRIOR : INTERVAL_FINE;
    return i;
}

static struct interval value_of(const struct work *w, const struct bt_style_fit *f, double value,
                                double error)
{
    double half = reach(w) * error;

    return said(w, f, (struct interval){.value = value, .low = value - half, .high = value + half});
}

/* What is added to all ratings. */
static double shift_of(const struct work *w, const struct bt_style_fit *f)
{
    for (size_t m = 0; m < w->set->models && w->how->anchor; m++)
        if (w->number[m] != UINT32_MAX && strcmp(w->set->names[m], w->how->anchor) == 0)
            return w->how->anchored - BT_ELO * f->theta[w->number[m]];
    return centre;
}

static void put(const struct work *w, struct arena *a, const struct bt_style_fit *f,
                struct control *out)
{
    double shift = shift_of(w, f);

    for (size_t m = 0; m < w->set->models; m++) {
        size_t i = w->number[m];
        if (i == UINT32_MAX)
            continue;
        out->ratings[m] =
            value_of(w, f, shift + BT_ELO * f->theta[i], BT_ELO * sqrt(f->cov[i * w->data.n + i]));
    }
    for (size_t k = 0; k < w->data.k; k++) {
        struct interval *effect = &out->effects[w->known[k]];
        *effect = value_of(w, f, f->c[k], f->c_error[k]);
        if (effect->why == INTERVAL_FINE && units(w) < INTERVAL_UNITS_SHORT)
            effect->why = INTERVAL_SHORT;
        out->any |= isfinite(f->c[k]);
    }
    out->rated = w->data.n;
    out->battles = w->data.nduels;
    out->ridged = f->ridge > 0;
    out->method = arena_printf(a,
                               w->data.clusters
                                   ? N_("Bradley-Terry with style, sandwich by %s (%zu)")
                                   : N_("Bradley-Terry with style, sandwich by battle%.0s (%zu)"),
                               w->data.clusters ? w->set->cluster : "battle",
                               w->data.clusters ? w->clusters : w->data.nduels);
}

/* ---- win rates at equal length ---- */

/* How much the difference in length varies. It is taken as the model with
 * the lower number sees it, so that it does not matter which of the two is called a. */
static double length_sd(const struct work *w, const double *longer)
{
    double weight = 0, sum = 0, squares = 0;

    for (size_t i = 0; i < w->data.nduels; i++) {
        const struct duel *d = &w->data.duels[i];
        double x = d->a < d->b ? longer[i] : -longer[i];
        weight += d->weight;
        sum += d->weight * x;
        squares += d->weight * x * x;
    }
    return sqrt((squares - sum * sum / weight) / (weight - 1));
}

/* tanh(d / sd(d)), as model a sees it. */
static double *length_terms(const struct work *w)
{
    double *x = NEW_N(w->scratch, double, w->set->n), sd;
    size_t n = 0;

    for (size_t i = 0; i < w->set->n; i++)
        if (counts(w, &w->set->v[i]) && w->number[w->set->v[i].a] != UINT32_MAX)
            x[n++] = w->set->longer[i];
    sd = length_sd(w, x);
    for (size_t i = 0; i < n; i++)
        x[i] = sd > 0 ? tanh(x[i] / sd) : 0;
    return x;
}

/* On the logit scale, so that it stays between 0 and 1; `slope` says how the rate moves with each
 * theta. */
static struct interval rate_of(const struct work *w, const struct bt_style_fit *f, double rate,
                               const double *slope)
{
    double variance = 0, half, at = log(rate / (1 - rate));

    for (size_t i = 0; i < w->data.n; i++)
        for (size_t j = 0; j < w->data.n && slope[i] != 0; j++)
            variance += slope[i] * f->cov[i * w->data.n + j] * slope[j];
    half = reach(w) * sqrt(variance) / (rate * (1 - rate));
    return said(w, f,
                (struct interval){.value = rate,
                                  .low = 1 / (1 + exp(half - at)),
                                  .high = 1 / (1 + exp(-half - at))});
}

static struct interval length_controlled(const struct work *w, const struct bt_style_fit *f,
                                         uint32_t model)
{
    double *slope = NEW_N(w->scratch, double, w->data.n), sum = 0, weight = 0;

    for (size_t i = 0; i < w->data.nduels; i++) {
        const struct duel *d = &w->data.duels[i];
        uint32_t other = d->a == model ? d->b : d->a;
        double p;
        if (d->a != model && d->b != model)
            continue;
        p = 1 / (1 + exp(f->theta[other] - f->theta[model]));
        sum += d->weight * p;
        weight += d->weight;
        slope[model] += d->weight * p * (1 - p);
        slope[other] -= d->weight * p * (1 - p);
    }
    for (size_t i = 0; i < w->data.n; i++)
        slope[i] /= weight;
    return rate_of(w, f, sum / weight, slope);
}

static enum status control_length(struct work *w, struct arena *a, struct control *out,
                                  struct err *e)
{
    struct bt_style_fit fit;

    w->data.x = length_terms(w);
    w->data.k = 1;
    if (bt_style_fit(w->scratch, &w->data, &fit, e) != OK)
        return e->code;
    out->won = NEW_N(a, struct interval, w->set->models);
    for (size_t m = 0; m < w->set->models; m++)
        out->won[m] = w->number[m] == UINT32_MAX ? interval_unknown
                                                 : length_controlled(w, &fit, w->number[m]);
    return OK;
}

enum status control_compute(struct arena *a, const struct battle_set *set,
                            const struct control_how *how, struct control *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct work w = {.scratch = scratch, .set = set, .how = how};
    struct control c = {.ratings = NEW_N(a, struct interval, set->models)};
    struct bt_style_fit fit;

    for (size_t m = 0; m < set->models; m++)
        c.ratings[m] = interval_unknown;
    for (size_t f = 0; f < STYLE_FEATURES; f++)
        c.effects[f] = interval_unknown;
    find_group(&w);
    select_battles(&w);
    if (w.data.n > 1) { /* else nobody met */
        if (bt_style_fit(scratch, &w.data, &fit, e) != OK)
            return e->code;
        put(&w, a, &fit, &c);
        if (set->longer && control_length(&w, a, &c, e) != OK)
            return e->code;
    }
    *out = c;
    return OK;
}
