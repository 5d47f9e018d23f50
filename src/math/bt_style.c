#include "math/bt_style.h"

#include <math.h>

#include "math/cluster.h"
#include "math/dense.h"

enum { STEPS_MAX = 100 };
/* `enough` as in bt.c; a reciprocal condition number below `singular`
 * leaves no significant digits. */
static const double enough = 1e-6, singular = 1e-10;

double bt_style_contrast(double a, double b)
{
    return (a - b) / (a + b + 1);
}

/* The fit in progress. The m parameters are theta[n] and the coefficients of
 * the properties that vary. */
struct work {
    const struct bt_style_data *d;
    size_t m;
    size_t *used;     /* [m - n] property of each coefficient */
    double *scale;    /* [k] 1 / standard deviation; 0: does not vary */
    double *x;        /* [m] parameters */
    double *gradient; /* [m] gradient of the log likelihood; then the step */
    double *info;     /* [m][m] lower triangle; both once inverted */
    double ridge;
};

static struct work work_new(struct arena *a, const struct bt_style_data *d)
{
    struct work w = {
        .d = d,
        .m = d->n,
        .used = NEW_N(a, size_t, d->k),
        .scale = NEW_N(a, double, d->k),
    };

    for (size_t k = 0; k < d->k; k++) {
        double squares = 0, weight = 0;
        for (size_t i = 0; i < d->nduels; i++) {
            double x = d->x[i * d->k + k];
            squares += d->duels[i].weight * x * x;
            weight += d->duels[i].weight;
        }
        w.scale[k] = squares > 0 ? sqrt(weight / squares) : 0;
        if (w.scale[k] > 0)
            w.used[w.m++ - d->n] = k;
    }
    w.x = NEW_N(a, double, w.m);
    w.gradient = NEW_N(a, double, w.m);
    w.info = NEW_N(a, double, w.m *w.m);
    return w;
}

/* z of a battle for parameter p >= n. */
static double z_of(const struct work *w, size_t duel, size_t p)
{
    size_t k = w->used[p - w->d->n];

    return w->d->x[duel * w->d->k + k] * w->scale[k];
}

static double logit(const struct work *w, size_t i)
{
    const struct duel *d = &w->d->duels[i];
    double eta = w->x[d->a] - w->x[d->b];

    for (size_t p = w->d->n; p < w->m; p++)
        eta += w->x[p] * z_of(w, i, p);
    return eta;
}

/* ---- Newton's equations ---- */

static void add_info(struct work *w, size_t row, size_t column, double v)
{
    if (row < column)
        w->info[row * w->m + column] += v;
    else
        w->info[column * w->m + row] += v;
}

static void add_duel(struct work *w, size_t i)
{
    const struct duel *d = &w->d->duels[i];
    double p = 1 / (1 + exp(-logit(w, i)));
    double score = d->weight * (d->outcome / 2.0 - p), h = d->weight * p * (1 - p);

    w->gradient[d->a] += score;
    w->gradient[d->b] -= score;
    add_info(w, d->a, d->a, h);
    add_info(w, d->b, d->b, h);
    add_info(w, d->a, d->b, -h);
    for (size_t k = w->d->n; k < w->m; k++) {
        double z = z_of(w, i, k);
        w->gradient[k] += score * z;
        add_info(w, k, d->a, h * z);
        add_info(w, k, d->b, -h * z);
        for (size_t l = w->d->n; l <= k; l++)
            add_info(w, k, l, h * z * z_of(w, i, l));
    }
}

/* As in bt.c: theta is only determined up to a constant, which the ridge or c 1 1^T fixes. */
static void make_regular(struct work *w)
{
    size_t n = w->d->n;
    double c = 0;

    for (size_t i = 0; i < n; i++)
        c += w->info[i * w->m + i] / (double)n / (double)n;
    for (size_t i = 0; i < w->m; i++) {
        w->info[i * w->m + i] += w->ridge;
        w->gradient[i] -= w->ridge * w->x[i];
    }
    for (size_t i = 0; w->ridge == 0 && i < n; i++)
        for (size_t j = i; j < n; j++)
            w->info[i * w->m + j] += c;
}

static void set_up(struct work *w)
{
    memset(w->gradient, 0, w->m * sizeof *w->gradient);
    memset(w->info, 0, w->m * w->m * sizeof *w->info);
    for (size_t i = 0; i < w->d->nduels; i++)
        add_duel(w, i);
    make_regular(w);
}

/* Upper bound on the change of a logit by the step. */
static double length(const struct work *w)
{
    double low = w->gradient[0], high = low, r;

    for (size_t i = 0; i < w->d->n; i++) {
        low = fmin(low, w->gradient[i]);
        high = fmax(high, w->gradient[i]);
    }
    r = high - low;
    for (size_t p = w->d->n; p < w->m; p++) {
        size_t k = w->used[p - w->d->n];
        r += fabs(w->gradient[p]) * w->scale[k]; /* |x| <= 1 */
    }
    return r;
}

/* True if some outcome is predicted with more certainty than so many battles can show: the maximum
 * is barely finite, and as meaningless as an infinite one. */
static bool certain(const struct work *w)
{
    double far = 5 + log((double)w->d->nduels);

    for (size_t i = 0; i < w->d->nduels; i++)
        if (fabs(logit(w, i)) > far)
            return true;
    return false;
}

/* Damped as in bt.c. False if there is no meaningful finite maximum, or it is not found. */
static bool climb(struct work *w)
{
    memset(w->x, 0, w->m * sizeof *w->x);
    for (int step = 0; step < STEPS_MAX; step++) {
        double r, part;
        set_up(w);
        if (!dense_solve(w->info, w->m, w->gradient))
            return false;
        r = length(w);
        part = r > 0.1 ? log1p(r) / r : 1;
        if (!isfinite(r))
            return false;
        for (size_t i = 0; i < w->m; i++)
            w->x[i] += part * w->gradient[i];
        if (r <= enough)
            return w->ridge > 0 || !certain(w);
    }
    return false;
}

/* Inverts the information at the current parameters; false if singular. */
static bool invert(struct work *w)
{
    double norm;

    set_up(w);
    for (size_t i = 0; i < w->m; i++)
        for (size_t j = i + 1; j < w->m; j++)
            w->info[j * w->m + i] = w->info[i * w->m + j];
    norm = dense_norm(w->info, w->m);
    return dense_invert(w->info, w->m) && norm * dense_norm(w->info, w->m) < 1 / singular;
}

/* ---- the sandwich ---- */

static void score_duel(const struct work *w, size_t i, struct cluster_score *c)
{
    const struct duel *d = &w->d->duels[i];
    double score = d->weight * (d->outcome / 2.0 - 1 / (1 + exp(-logit(w, i))));

    cluster_add(c, d->a, score);
    cluster_add(c, d->b, -score);
    for (size_t k = w->d->n; k < w->m; k++)
        cluster_add(c, k, score * z_of(w, i, k));
}

static void meat_of_duels(const struct work *w, struct arena *a, double *meat)
{
    struct cluster_score one = cluster_score_new(a, w->m);

    for (size_t i = 0; i < w->d->nduels; i++) {
        score_duel(w, i, &one);
        cluster_end(&one, 1, meat);
    }
}

static void meat_of_clusters(const struct work *w, struct arena *a, double *meat)
{
    struct cluster_score one = cluster_score_new(a, w->m);
    size_t *first = NEW_N(a, size_t, w->d->clusters + 1);
    uint32_t *order = cluster_order(a, w->d->duels, NULL, w->d->nduels, w->d->clusters, first);
    double all = 0, used = 0;

    for (size_t i = 0; i < w->d->nduels; i++)
        all += w->d->duels[i].weight;
    for (size_t c = 0; c < w->d->clusters; c++)
        used += first[c + 1] > first[c];
    for (size_t c = 0; c < w->d->clusters; c++) {
        double own = 0;
        for (size_t i = first[c]; i < first[c + 1]; i++) {
            score_duel(w, order[i], &one);
            own += w->d->duels[order[i]].weight;
        }
        /* As if each were left out in turn (CV3: Bell and McCaffrey 2002), its leverage taken to be
         * its share of the battles. */
        cluster_end(&one, (1 - own / all) * (1 - own / all) * used / (used - 1), meat);
    }
}

/* info^-1 J info^-1, [m][m]; the prior is one more observation. */
static double *covariance(const struct work *w, struct arena *a)
{
    double *meat = NEW_N(a, double, w->m * w->m);

    if (w->d->clusters)
        meat_of_clusters(w, a, meat);
    else
        meat_of_duels(w, a, meat);
    for (size_t i = 0; i < w->m; i++)
        meat[i * w->m + i] += w->ridge;
    dense_sandwich(meat, w->info, w->m);
    return meat;
}

static void put_coefficients(const struct work *w, struct arena *a, const double *v,
                             struct bt_style_fit *out)
{
    out->c = NEW_N(a, double, w->d->k);
    out->c_error = NEW_N(a, double, w->d->k);
    for (size_t k = 0; k < w->d->k; k++)
        out->c[k] = out->c_error[k] = NAN;
    for (size_t p = w->d->n; p < w->m; p++) {
        double variance = v[p * w->m + p];
        if (w->ridge > 0)
            variance = fmax(variance, w->info[p * w->m + p]);
        out->c[w->used[p - w->d->n]] = w->x[p];
        out->c_error[w->used[p - w->d->n]] = sqrt(variance);
    }
}

static void put_ratings(const struct work *w, struct arena *a, const double *v,
                        struct bt_style_fit *out)
{
    size_t n = w->d->n;
    double mean = 0;

    out->theta = arena_copy(a, w->x, n, sizeof *w->x);
    for (size_t i = 0; i < n; i++)
        mean += w->x[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        out->theta[i] -= mean;
    out->cov = dense_contrasts(a, v, w->m, n);
    if (w->ridge > 0)
        dense_raise(out->cov, dense_contrasts(a, w->info, w->m, n), n);
}

static bool connected(struct arena *a, const struct bt_style_data *d)
{
    struct bt_table t = bt_gather(a, d->duels, d->nduels, d->n, BT_HALF);

    return bt_parts(&t, NEW_N(a, uint32_t, d->n)) == 1;
}

enum status bt_style_fit(struct arena *a, const struct bt_style_data *d, struct bt_style_fit *out,
                         struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct bt_style_fit fit;
    struct work w;
    double *v;

    if (d->n > BT_MODELS_MAX)
        return err_set(e, E_INPUT, "%zu models: style control handles at most %d at once", d->n,
                       BT_MODELS_MAX);
    w = work_new(scratch, d);
    w.ridge = connected(scratch, d) ? 0 : BT_RIDGE;
    if (!climb(&w) || !invert(&w)) {
        w.ridge = BT_RIDGE;
        if (!climb(&w) || !invert(&w))
            return err_set(e, E_INPUT, "the Bradley-Terry fit with style does not converge");
    }
    v = covariance(&w, scratch);
    fit = (struct bt_style_fit){.ridge = w.ridge};
    put_ratings(&w, a, v, &fit);
    put_coefficients(&w, a, v, &fit);
    *out = fit;
    return OK;
}
