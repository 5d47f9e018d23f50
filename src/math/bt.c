#include "math/bt.h"

#include <math.h>
#include <stdlib.h>

#include "math/cluster.h"
#include "math/dense.h"
#include "math/graph.h"

enum { STEPS_MAX = 100 };
/* Stop after a step of at most this length; the remaining error is about its square. */
static const double fit_enough = 1e-6;

/* ---- aggregating battles by pair ---- */

/* A duel with its models in order: i < j. */
struct view {
    uint32_t i, j, outcome;
    bool counts; /* false: a dropped tie */
};

static struct view view_of(const struct duel *d, enum bt_ties ties)
{
    bool counts = ties != BT_DROP || d->outcome != DUEL_TIED;

    if (d->a < d->b)
        return (struct view){d->a, d->b, d->outcome, counts};
    return (struct view){d->b, d->a, DUEL_WON - d->outcome, counts};
}

struct bt_table bt_gather(struct arena *a, const struct duel *duels, size_t nduels, size_t n,
                          enum bt_ties ties)
{
    struct bt_table t = {.n = n, .pair_of = NEW_N(a, uint32_t, nduels)};
    uint32_t *index = mem_new(n * n * sizeof *index); /* [n][n]: the pair, from 1; 0: none yet */

    for (size_t k = 0; k < nduels; k++) {
        struct view v = view_of(&duels[k], ties);
        uint32_t *at = &index[v.i * n + v.j];
        if (v.counts && *at == 0)
            *at = (uint32_t)++t.npairs;
        t.pair_of[k] = v.counts ? *at - 1 : UINT32_MAX;
    }
    t.pairs = NEW_N(a, struct bt_pair, t.npairs);
    for (size_t k = 0; k < nduels; k++) {
        struct view v = view_of(&duels[k], ties);
        double w = duels[k].weight;
        struct bt_pair *p;
        if (!v.counts)
            continue;
        p = &t.pairs[t.pair_of[k]];
        p->i = v.i;
        p->j = v.j;
        p->sum[v.outcome] += w;
        p->squares[v.outcome] += w * w;
    }
    free(index);
    return t;
}

static double pair_total(const struct bt_pair *p)
{
    return p->sum[DUEL_LOST] + p->sum[DUEL_TIED] + p->sum[DUEL_WON];
}

size_t bt_parts(const struct bt_table *t, uint32_t *part)
{
    struct graph_arc *arcs = mem_new(2 * t->npairs * sizeof *arcs + 1);
    size_t n = 0, parts;

    for (size_t k = 0; k < t->npairs; k++) {
        const struct bt_pair *p = &t->pairs[k];
        if (p->sum[DUEL_WON] + p->sum[DUEL_TIED] > 0)
            arcs[n++] = (struct graph_arc){p->i, p->j};
        if (p->sum[DUEL_LOST] + p->sum[DUEL_TIED] > 0)
            arcs[n++] = (struct graph_arc){p->j, p->i};
    }
    parts = graph_parts(arcs, n, t->n, part);
    free(arcs);
    return parts;
}

/* ---- the distribution of one pair ---- */

/* Moments of the score y and of T = [tie] at d = theta_i - theta_j. Since d and ln nu are natural
 * parameters, the second moments are also the curvature. */
struct law {
    double y, tie;         /* means */
    double var_y, cov_y_t; /* var T is tie (1 - tie) */
};

static struct law law_at(double d, double nu)
{
    double far = exp(-fabs(d)), middle = nu > 0 ? nu * sqrt(far) : 0, z = 1 + far + middle;
    double win = (d >= 0 ? 1 : far) / z, tie = middle / z, y = win + tie / 2;

    /* var y is a sum of products, so nothing cancels if y is near 0 or 1. */
    return (struct law){
        .y = y,
        .tie = tie,
        .var_y = (far / z + tie / 4 * (1 + far)) / z,
        .cov_y_t = tie * (0.5 - y),
    };
}

double bt_expected(const struct bt_fit *f, size_t i, size_t j)
{
    return law_at(f->theta[i] - f->theta[j], f->nu).y;
}

/* ---- Newton's equations ---- */

/* The parameters are theta[n] and, with Davidson, delta = ln nu: m = n or n + 1 of them. The
 * information is symmetric; only its lower triangle is stored, by columns: element (row, column) is
 * info[column * m + row], row >= column. */
struct scratch {
    size_t n, m;
    double *x;        /* [n + 1] parameters */
    double *gradient; /* [n + 1] gradient of the log likelihood; then the step */
    double *info;     /* [(n + 1) * (n + 1)] */
};

static struct scratch *scratch_new(struct arena *a, size_t n)
{
    struct scratch *s = NEW(a, struct scratch);

    *s = (struct scratch){
        .n = n,
        .m = n,
        .x = NEW_N(a, double, n + 1),
        .gradient = NEW_N(a, double, n + 1),
        .info = NEW_N(a, double, (n + 1) * (n + 1)),
    };
    return s;
}

static double nu_of(const struct scratch *s)
{
    return s->m > s->n ? exp(s->x[s->n]) : 0;
}

static void add_pair(struct scratch *s, const struct bt_pair *p, double nu)
{
    double total = pair_total(p), *row_i = s->info + p->i * s->m, *row_j = s->info + p->j * s->m;
    struct law law = law_at(s->x[p->i] - s->x[p->j], nu);
    double score = p->sum[DUEL_WON] + p->sum[DUEL_TIED] / 2 - total * law.y;

    s->gradient[p->i] += score;
    s->gradient[p->j] -= score;
    row_i[p->i] += total * law.var_y;
    row_j[p->j] += total * law.var_y;
    row_i[p->j] -= total * law.var_y;
    if (s->m == s->n)
        return;
    s->gradient[s->n] += p->sum[DUEL_TIED] - total * law.tie;
    row_i[s->n] += total * law.cov_y_t;
    row_j[s->n] -= total * law.cov_y_t;
    s->info[s->n * s->m + s->n] += total * law.tie * (1 - law.tie);
}

/* Adding a constant to all theta changes nothing, so the information is singular along the vector
 * 1. The ridge fixes that. Without a ridge, c 1 1^T is added, which changes no step because the
 * gradient has no component along 1. */
static void make_regular(struct scratch *s, double ridge)
{
    double c = 0;

    for (size_t i = 0; i < s->n; i++) {
        c += s->info[i * s->m + i] / (double)s->n / (double)s->n;
        s->info[i * s->m + i] += ridge;
        s->gradient[i] -= ridge * s->x[i];
    }
    for (size_t i = 0; ridge == 0 && i < s->n; i++)
        for (size_t j = i; j < s->n; j++)
            s->info[i * s->m + j] += c;
}

static void set_up(struct scratch *s, const struct bt_table *t, double ridge)
{
    double nu = nu_of(s);

    memset(s->gradient, 0, s->m * sizeof *s->gradient);
    memset(s->info, 0, s->m * s->m * sizeof *s->info);
    for (size_t k = 0; k < t->npairs; k++)
        add_pair(s, &t->pairs[k], nu);
    make_regular(s, ridge);
}

/* Applies the step. The third derivative along it is at most r times the second, where r is the
 * largest change of a natural parameter. So ln(1 + r) / r of the step never overshoots (Sun and
 * Tran-Dinh 2019, generalized self-concordance); for small r the full step is taken. Returns r. */
static double move(struct scratch *s)
{
    double low = s->gradient[0], high = low, r, part;

    for (size_t i = 0; i < s->n; i++) {
        low = fmin(low, s->gradient[i]);
        high = fmax(high, s->gradient[i]);
    }
    r = high - low + (s->m > s->n ? fabs(s->gradient[s->n]) : 0);
    part = r > 0.1 ? log1p(r) / r : 1;
    for (size_t i = 0; i < s->m; i++)
        s->x[i] += part * s->gradient[i];
    return r;
}

/* Iterates from s->x to the maximum. Returns the number of steps, or 0 if it does not converge. */
static int climb(struct scratch *s, const struct bt_table *t, double ridge)
{
    for (int step = 1; step <= STEPS_MAX; step++) {
        double r;
        set_up(s, t, ridge);
        if (!dense_solve(s->info, s->m, s->gradient))
            return 0;
        r = move(s);
        if (!isfinite(r))
            return 0;
        if (r <= fit_enough)
            return step;
    }
    return 0;
}

/* Davidson's nu has a finite maximum only with both ties and decided battles. */
static bool nu_exists(const struct bt_table *t)
{
    double tied = 0, decided = 0;

    for (size_t k = 0; k < t->npairs; k++) {
        tied += t->pairs[k].sum[DUEL_TIED];
        decided += t->pairs[k].sum[DUEL_WON] + t->pairs[k].sum[DUEL_LOST];
    }
    return tied > 0 && decided > 0;
}

static void centre(double *theta, size_t n)
{
    double mean = 0;

    for (size_t i = 0; i < n; i++)
        mean += theta[i] / (double)n;
    for (size_t i = 0; i < n; i++)
        theta[i] -= mean;
}

enum status bt_fit(struct arena *a, const struct bt_table *t, enum bt_ties ties, double ridge,
                   struct bt_fit *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct scratch *s;
    int steps;

    if (t->n > BT_MODELS_MAX)
        return err_set(e, E_INPUT,
                       "%zu models: Bradley-Terry handles at most %d at once; Glicko-2 and Elo "
                       "take any number",
                       t->n, BT_MODELS_MAX);
    s = scratch_new(scratch, t->n);
    s->m += ties == BT_DAVIDSON && nu_exists(t);
    steps = climb(s, t, ridge);
    if (steps == 0)
        return err_set(e, E_INPUT, "the Bradley-Terry fit of %zu models does not converge", t->n);
    centre(s->x, t->n);
    *out = (struct bt_fit){arena_copy(a, s->x, t->n, sizeof *s->x), nu_of(s), ridge, steps};
    return OK;
}

/* ---- covariance ---- */

/* Starts from the parameters of a fit; without `ties` its nu is not fitted again. */
static void start_at(struct scratch *s, const struct bt_fit *f, bool ties)
{
    s->m = s->n + (f->nu > 0 && ties);
    memcpy(s->x, f->theta, s->n * sizeof *s->x);
    s->x[s->n] = f->nu > 0 ? log(f->nu) : 0;
}

/* Inverts the information at the fit, [m][m], both triangles. */
static bool invert(struct scratch *s, const struct bt_table *t, const struct bt_fit *f)
{
    start_at(s, f, true);
    set_up(s, t, f->ridge);
    return dense_invert(s->info, s->m);
}

static enum status singular(size_t n, struct err *e)
{
    return err_set(e, E_INPUT, "the information matrix of %zu models cannot be inverted", n);
}

enum status bt_inverse(struct arena *a, const struct bt_table *t, const struct bt_fit *f,
                       double **out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct scratch *s = scratch_new(scratch, t->n);

    if (!invert(s, t, f))
        return singular(t->n, e);
    *out = dense_contrasts(a, s->info, s->m, s->n);
    return OK;
}

/* info^-1 J info^-1; s holds the inverse. With a ridge, the prior is one more observation, whose
 * score has variance `ridge` in each direction. */
static double *bread_and_meat(struct arena *a, struct scratch *s, double *meat, double ridge)
{
    for (size_t i = 0; i < s->n; i++)
        meat[i * s->m + i] += ridge;
    dense_sandwich(meat, s->info, s->m);
    return dense_contrasts(a, meat, s->m, s->n);
}

/* The score of one battle with this outcome: residuals for d and delta. */
struct score {
    double d, delta;
};

static struct score score_of(const struct law *law, uint32_t outcome)
{
    return (struct score){outcome / 2.0 - law->y, (outcome == DUEL_TIED) - law->tie};
}

static void meat_of_pair(double *meat, const struct scratch *s, const struct bt_pair *p, double nu)
{
    struct law law = law_at(s->x[p->i] - s->x[p->j], nu);
    size_t i = p->i, j = p->j, n = s->n, m = s->m;

    for (uint32_t o = DUEL_LOST; o <= DUEL_WON; o++) {
        struct score u = score_of(&law, o);
        double dd = p->squares[o] * u.d * u.d, dt = p->squares[o] * u.d * u.delta;
        meat[i * m + i] += dd;
        meat[j * m + j] += dd;
        meat[i * m + j] -= dd;
        meat[j * m + i] -= dd;
        if (m == n)
            continue;
        meat[i * m + n] += dt;
        meat[n * m + i] += dt;
        meat[j * m + n] -= dt;
        meat[n * m + j] -= dt;
        meat[n * m + n] += p->squares[o] * u.delta * u.delta;
    }
}

static void score_duel(struct cluster_score *c, const struct scratch *s, const struct duel *d,
                       double nu)
{
    struct law law = law_at(s->x[d->a] - s->x[d->b], nu);
    struct score u = score_of(&law, d->outcome);

    cluster_add(c, d->a, d->weight * u.d);
    cluster_add(c, d->b, -d->weight * u.d);
    if (s->m > s->n)
        cluster_add(c, s->n, d->weight * u.delta);
}

static void meat_of_clusters(double *meat, const struct scratch *s, const struct bt_table *t,
                             const struct bt_fit *f, const struct bt_clusters *c)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t *first = NEW_N(a, size_t, c->clusters + 1);
    uint32_t *order = cluster_order(a, c->duels, NULL, c->nduels, c->clusters, first);
    struct cluster_score one = cluster_score_new(a, s->m);
    double all = 0;

    for (size_t k = 0; k < t->npairs; k++)
        all += pair_total(&t->pairs[k]);
    for (size_t i = 0; i < c->clusters; i++) {
        double own = 0;
        for (size_t k = first[i]; k < first[i + 1]; k++) {
            if (t->pair_of[order[k]] == UINT32_MAX)
                continue;
            score_duel(&one, s, &c->duels[order[k]], f->nu);
            own += c->duels[order[k]].weight;
        }
        cluster_end(&one, 1 - own / all, meat);
    }
}

enum status bt_sandwich(struct arena *a, const struct bt_table *t, const struct bt_fit *f,
                        const struct bt_clusters *c, double **out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct scratch *s = scratch_new(scratch, t->n);
    double *meat, *least = NULL, *v;

    if (!invert(s, t, f))
        return singular(t->n, e);
    meat = NEW_N(scratch, double, s->m * s->m);
    if (c)
        meat_of_clusters(meat, s, t, f, c);
    else
        for (size_t k = 0; k < t->npairs; k++)
            meat_of_pair(meat, s, &t->pairs[k], f->nu);
    if (f->ridge > 0)
        least = dense_contrasts(scratch, s->info, s->m, s->n);
    v = bread_and_meat(a, s, meat, f->ridge);
    /* If wins are nearly separated, residuals vanish and a sandwich is too small. So with a ridge
     * the variance of a model is at least the one implied by the prior. */
    if (least)
        dense_raise(v, least, s->n);
    *out = v;
    return OK;
}

/* ---- jackknife over groups of battles ---- */

/* Copies t without the battles of one group to `less`, which has the same pairs;
 * false if the group is empty. */
static bool take_out(struct bt_table *less, const struct bt_table *t, const struct bt_groups *g,
                     const uint32_t *order, size_t from, size_t to)
{
    bool some = false;

    memcpy(less->pairs, t->pairs, t->npairs * sizeof *t->pairs);
    for (size_t k = from; k < to; k++) {
        const struct duel *d = &g->duels[order[k]];
        uint32_t pair = t->pair_of[order[k]];
        double *sum;
        if (pair == UINT32_MAX)
            continue;
        /* Subtracts the weight that was added; fmax() discards rounding errors. */
        sum = &less->pairs[pair].sum[view_of(d, BT_HALF).outcome];
        *sum = fmax(0, *sum - d->weight);
        some = true;
    }
    return some;
}

static void refit(struct scratch *s, const struct bt_table *t, const struct bt_fit *f)
{
    start_at(s, f, nu_exists(t));
    if (climb(s, t, f->ridge) == 0)
        s->x[0] = (double)NAN;
    centre(s->x, s->n);
}

/* (K - 1) / K sum (x - mean)(x - mean)^T over K rows. */
static double *spread_of(struct arena *a, const double *rows, size_t k, size_t n)
{
    double *mean = NEW_N(a, double, n), *v = NEW_N(a, double, n *n);

    for (size_t r = 0; r < k; r++)
        for (size_t i = 0; i < n; i++)
            mean[i] += rows[r * n + i] / (double)k;
    for (size_t r = 0; r < k; r++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                v[i * n + j] += (rows[r * n + i] - mean[i]) * (rows[r * n + j] - mean[j]) *
                                (double)(k - 1) / (double)k;
    return v;
}

enum status bt_jackknife(struct arena *a, const struct bt_table *t, const struct bt_fit *f,
                         const struct bt_groups *g, struct bt_spread *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    size_t *first = NEW_N(scratch, size_t, g->groups + 1), n = t->n;
    const uint32_t *order = cluster_order(scratch, g->duels, g->of, g->nduels, g->groups, first);
    struct scratch *s = scratch_new(scratch, n);
    struct bt_table less = *t;
    double *rows = NEW_N(scratch, double, g->groups *n + 1);

    less.pairs = NEW_N(scratch, struct bt_pair, t->npairs + 1);
    out->groups = 0;
    for (size_t i = 0; i < g->groups; i++) {
        if (!take_out(&less, t, g, order, first[i], first[i + 1]))
            continue;
        refit(s, &less, f);
        if (isnan(s->x[0]))
            return err_set(e, E_INPUT, "the Bradley-Terry fit of %zu models does not converge", n);
        memcpy(rows + out->groups++ * n, s->x, n * sizeof *rows);
    }
    out->cov = spread_of(a, rows, out->groups, n);
    return OK;
}

double bt_weak_ridge(size_t models)
{
    return models == 2 ? 0.5 : 0.1;
}

bool bt_is_wide(size_t models, size_t units)
{
    return (models == 2 && units < 25) || (models == 3 && units < 7);
}
