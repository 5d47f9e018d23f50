#include "eval/rating.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/rng.h"
#include "math/bt_boot.h"
#include "math/describe.h"
#include "math/dist.h"
#include "math/elo.h"
#include "math/graph.h"

static const double level = 0.95;
static const double bt_centre = 1000;

/* The rating of one group in progress. Models are numbered inside the group, in the order of the
 * battle set, until the table is sorted. */
struct work {
    struct arena *arena;   /* of the table */
    struct arena *scratch; /* of the group */
    const struct battle_set *set;
    const struct rating_how *how;
    struct rating_table *table;

    size_t n;           /* models */
    uint32_t *model;    /* [n] in the set */
    struct duel *duels; /* [nduels] with the group's numbers */
    uint32_t *run;      /* [nduels] */
    size_t nduels, clusters;
    struct rating *ratings; /* [n] */

    struct bt_fit fit;      /* Bradley-Terry */
    double *cov;            /* [n][n] of theta; NULL: none */
    double *draws;          /* [bootstrap][n] theta; NULL: none */
    double df;              /* of the variance, for Student's t; 0: as good as known */
    double reach;           /* standard errors to each side of an interval */
    struct glicko *players; /* [n] Glicko-2 */
};

static void PRINTF(2, 3) note(struct work *w, const char *fmt, ...)
{
    char line[1024];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    for (size_t i = 0; i < w->table->nnotes; i++)
        if (strcmp(w->table->notes[i], line) == 0)
            return; /* true of several groups, said once */
    if (w->table->nnotes < RATING_NOTES)
        w->table->notes[w->table->nnotes++] = arena_text(w->arena, str_of(line));
}

/* ---- Bradley-Terry ---- */

static size_t count_clusters(const struct work *w, const struct bt_table *t)
{
    bool *seen = NEW_N(w->scratch, bool, w->set->clusters);
    size_t n = 0;

    for (size_t k = 0; w->set->cluster && k < w->nduels; k++) {
        bool *one = &seen[w->duels[k].cluster];
        n += t->pair_of[k] != UINT32_MAX && !*one;
        *one |= t->pair_of[k] != UINT32_MAX;
    }
    return n;
}

/* By prompt where that is possible, else by battle. */
static bool by_cluster(const struct work *w)
{
    return w->set->cluster && w->clusters > 1;
}

/* Where no finite ratings exist nothing that is drawn can contradict the winners: all rounds would
 * look alike, and the less is known the surer they would be. */
static bool bootstraps(const struct work *w)
{
    return w->how->bootstrap && w->fit.ridge == 0;
}

static void name_method(struct work *w)
{
    const char *unit = by_cluster(w) ? w->set->cluster : "battle";
    size_t n = by_cluster(w) ? w->clusters : w->nduels;
    const char *how = bootstraps(w) ? arena_printf(w->arena, "bootstrap by %s, %zu rounds", unit,
                                                   w->how->bootstrap)
                                    : arena_printf(w->arena, "sandwich by %s", unit);

    if (!w->table->method)
        w->table->method = arena_printf(w->arena, "%s (%zu)", how, n);
    if (w->how->bootstrap && !bootstraps(w))
        note(w, "resampling cannot contradict those who always won: intervals come from the "
                "sandwich, not from a bootstrap");
    if (w->set->cluster && w->clusters < 2)
        note(w, "only one %s: intervals take its battles as independent, which is too hopeful",
             w->set->cluster);
    else if (w->set->cluster && w->clusters < RATING_CLUSTERS_FEW)
        note(w, "only %zu different values of %s: intervals are rough below %d", w->clusters,
             w->set->cluster, RATING_CLUSTERS_FEW);
}

static enum status fit_covariance(struct work *w, const struct bt_table *t, struct err *e)
{
    struct bt_clusters c = {w->duels, w->nduels, w->set->clusters};

    if (!by_cluster(w))
        return bt_sandwich(w->scratch, t, &w->fit, &w->cov, e);
    w->df = (double)(w->clusters - 1); /* few clusters give a rough variance */
    w->reach = dist_t_quantile(0.5 + level / 2, w->df);
    return bt_sandwich_clustered(w->scratch, t, &w->fit, &c, &w->cov, e);
}

static void widen(struct work *w)
{
    for (size_t i = 0; i < w->n * w->n && w->cov && w->how->widen > 0; i++)
        w->cov[i] *= w->how->widen * w->how->widen;
}

static enum status fit_bootstrap(struct work *w, const struct bt_table *t, struct err *e)
{
    struct bt_boot boot = {
        .duels = w->duels,
        .nduels = w->nduels,
        .clusters = by_cluster(w) ? w->set->clusters : 0,
        .rounds = w->how->bootstrap,
        .seed = w->how->seed,
        .threads = w->how->threads,
    };
    size_t ridged = 0;

    if (w->n > RATING_DRAWS_MAX / boot.rounds)
        return err_set(e, E_INPUT, "%zu bootstrap rounds of %zu models are more than %d ratings",
                       boot.rounds, w->n, RATING_DRAWS_MAX);
    w->draws = NEW_N(w->scratch, double, boot.rounds * w->n);
    if (bt_boot(t, &w->fit, &boot, w->draws, &ridged, e) != OK)
        return e->code;
    if (ridged)
        note(w, "%zu of %zu bootstrap rounds had models without a win or a loss: ridge used there",
             ridged, boot.rounds);
    return OK;
}

/* One model's interval from the rounds: its column of draws. */
static void bootstrap_interval(struct work *w, size_t i, double *column)
{
    size_t rounds = w->how->bootstrap;
    struct describe d = {0};
    struct rating *r = &w->ratings[i];

    for (size_t k = 0; k < rounds; k++) {
        column[k] = w->draws[k * w->n + i];
        describe_add(&d, column[k]);
    }
    describe_sort(column, rounds);
    r->rd = BT_ELO * describe_sd(&d);
    r->lo = bt_centre + BT_ELO * describe_quantile(column, rounds, (1 - level) / 2);
    r->hi = bt_centre + BT_ELO * describe_quantile(column, rounds, (1 + level) / 2);
}

static void bt_ratings(struct work *w)
{
    double *column = NEW_N(w->scratch, double, w->how->bootstrap);

    for (size_t i = 0; i < w->n; i++) {
        struct rating *r = &w->ratings[i];
        r->rating = bt_centre + BT_ELO * w->fit.theta[i];
        if (w->draws) {
            bootstrap_interval(w, i, column);
            continue;
        }
        r->rd = BT_ELO * sqrt(w->cov[i * w->n + i]);
        r->lo = r->rating - w->reach * r->rd;
        r->hi = r->rating + w->reach * r->rd;
    }
}

static enum status rate_bt(struct work *w, struct err *e)
{
    struct bt_table t;
    size_t parts;

    if (w->n == 1) {
        w->ratings[0].rating = bt_centre;
        return OK;
    }
    if (w->n > BT_MODELS_MAX)
        return err_set(e, E_INPUT,
                       "%zu models: Bradley-Terry is fitted for at most %d at once; take --system "
                       "glicko2 or elo, or a file with fewer models",
                       w->n, BT_MODELS_MAX);
    t = bt_gather(w->scratch, w->duels, w->nduels, w->n, w->how->ties);
    parts = bt_parts(&t, NEW_N(w->scratch, uint32_t, w->n));
    if (parts > 1)
        note(w,
             "some models won, or lost, every battle with the rest (%zu parts), so that no finite "
             "ratings exist: a ridge prior (RD 350) holds them together",
             parts);
    if (bt_fit(w->scratch, &t, w->how->ties, parts > 1 ? BT_RIDGE : 0, &w->fit, e) != OK)
        return e->code;
    if (w->table->nu == 0)
        w->table->nu = w->fit.nu;
    w->clusters = count_clusters(w, &t);
    name_method(w);
    if (bootstraps(w) ? fit_bootstrap(w, &t, e) != OK : fit_covariance(w, &t, e) != OK)
        return e->code;
    widen(w);
    bt_ratings(w);
    return OK;
}

/* ---- Glicko-2 and Elo, in the order of the file ---- */

/* Battles in the order of their runs, by counting; first[runs + 1] is zeroed. */
static size_t *by_run(const struct work *w, size_t *first)
{
    size_t *order = NEW_N(w->scratch, size_t, w->nduels);
    size_t *at = NEW_N(w->scratch, size_t, w->set->runs);

    for (size_t k = 0; k < w->nduels; k++)
        first[w->run[k] + 1]++;
    for (size_t i = 0; i < w->set->runs; i++) {
        first[i + 1] += first[i];
        at[i] = first[i];
    }
    for (size_t k = 0; k < w->nduels; k++)
        order[at[w->run[k]]++] = k;
    return order;
}

/* A model that a run leaves out only grows less certain. */
static void play_runs(const struct work *w, struct glicko *players)
{
    size_t *first = NEW_N(w->scratch, size_t, w->set->runs + 1), *order = by_run(w, first);

    for (size_t i = 0; i < w->set->runs; i++) {
        struct glicko_duels duels = {w->duels, first[i + 1] - first[i], order + first[i]};
        glicko_play(players, w->n, &duels, &w->how->glicko);
    }
}

static void play_glicko(const struct work *w, const size_t *order, struct glicko *players)
{
    struct glicko_duels duels = {w->duels, w->nduels, order};

    for (size_t i = 0; i < w->n; i++)
        players[i] = glicko_start();
    if (w->how->by_run) {
        play_runs(w, players);
        return;
    }
    glicko_play(players, w->n, &duels, &w->how->glicko);
}

static void play(const struct work *w, const size_t *order, double *ratings)
{
    for (size_t i = 0; i < w->n; i++)
        ratings[i] = ELO_START;
    if (w->how->system == RATING_ELO) {
        elo_play(ratings, w->duels, w->nduels, order, ELO_K);
        return;
    }
    play_glicko(w, order, w->players);
    for (size_t i = 0; i < w->n; i++)
        ratings[i] = glicko_rating(&w->players[i]);
}

static size_t shuffles_for(const struct work *w)
{
    size_t n = RATING_REPLAYED_MAX / w->set->n;

    return n > RATING_SHUFFLES       ? RATING_SHUFFLES
           : n < RATING_SHUFFLES_MIN ? RATING_SHUFFLES_MIN
                                     : n;
}

/* How far the ratings move when the same battles come in another order. */
static void measure_order(struct work *w)
{
    size_t shuffles = shuffles_for(w), *order = NEW_N(w->scratch, size_t, w->nduels);
    double *moved = NEW_N(w->scratch, double, shuffles * w->n); /* [shuffles][n] */
    double *column = NEW_N(w->scratch, double, shuffles);

    for (size_t s = 0; s < shuffles; s++) {
        struct rng rng = rng_keyed(w->how->seed, "order", (const int64_t[]){(int64_t)s}, 1);
        for (size_t k = 0; k < w->nduels; k++)
            order[k] = k;
        rng_shuffle(&rng, order, w->nduels);
        play(w, order, moved + s * w->n);
    }
    for (size_t i = 0; i < w->n; i++) {
        for (size_t s = 0; s < shuffles; s++)
            column[s] = moved[s * w->n + i];
        describe_sort(column, shuffles);
        w->ratings[i].order_lo = describe_quantile(column, shuffles, (1 - level) / 2);
        w->ratings[i].order_hi = describe_quantile(column, shuffles, (1 + level) / 2);
    }
    w->table->shuffles = shuffles;
}

static void rate_glicko(struct work *w)
{
    play_glicko(w, NULL, w->players);
    for (size_t i = 0; i < w->n; i++) {
        struct rating *r = &w->ratings[i];
        r->rating = glicko_rating(&w->players[i]);
        r->rd = glicko_rd(&w->players[i]);
        r->volatility = w->players[i].sigma;
        r->lo = r->rating - w->reach * r->rd;
        r->hi = r->rating + w->reach * r->rd;
    }
    w->table->method = "rating deviation: 1.96 RD to each side; battles taken as independent";
    note(w, "Glicko-2 lets skill drift with time, which a frozen model does not do; Bradley-Terry "
            "is the better headline");
}

static void rate_elo(struct work *w)
{
    double *ratings = NEW_N(w->scratch, double, w->n);

    play(w, NULL, ratings);
    for (size_t i = 0; i < w->n; i++)
        w->ratings[i].rating = ratings[i];
    note(w, "Elo (K = %g) depends on the order of the battles and has no interval", ELO_K);
}

static enum status rate(struct work *w, struct err *e)
{
    bool ordered = w->how->system == RATING_ELO ||
                   (w->how->system == RATING_GLICKO && w->how->glicko.period != GLICKO_ALL);
    struct glicko *players;

    w->reach = dist_normal_quantile(0.5 + level / 2);
    if (w->how->system == RATING_BT)
        return rate_bt(w, e);
    if (w->set->weighted)
        note(w, "weights are used by Bradley-Terry alone; here every battle counts once");
    players = w->players = NEW_N(w->scratch, struct glicko, w->n);
    if (w->how->system == RATING_GLICKO)
        rate_glicko(w);
    else
        rate_elo(w);
    if (ordered) {
        w->players =
            NEW_N(w->scratch, struct glicko, w->n); /* shuffles must not touch the result */
        measure_order(w);
        w->players = players;
    }
    return OK;
}

/* ---- comparing models of a group ---- */

/* Standard error of the difference of two ratings; NaN when it is not known. */
static double difference_se(const struct work *w, size_t i, size_t j)
{
    size_t n = w->n;

    if (w->cov)
        return BT_ELO *
               sqrt(fmax(0, w->cov[i * n + i] + w->cov[j * n + j] - 2 * w->cov[i * n + j]));
    return hypot(w->ratings[i].rd, w->ratings[j].rd);
}

/* The share of rounds in which i is above j. */
static double bootstrap_better(const struct work *w, size_t i, size_t j)
{
    double above = 0;

    for (size_t k = 0; k < w->how->bootstrap; k++) {
        double a = w->draws[k * w->n + i], b = w->draws[k * w->n + j];
        above += a > b ? 1 : a == b ? 0.5 : 0;
    }
    return above / (double)w->how->bootstrap;
}

/* The probability that i is stronger than j; NaN when it is not known. */
static double better(const struct work *w, size_t i, size_t j)
{
    double z;

    if (w->draws)
        return bootstrap_better(w, i, j);
    if (isnan(w->ratings[i].rd) || isnan(w->ratings[j].rd))
        return NAN;
    z = (w->ratings[i].rating - w->ratings[j].rating) / difference_se(w, i, j);
    return w->df > 0 ? dist_t_cdf(z, w->df) : dist_normal_cdf(z);
}

static double expected(const struct work *w, size_t i, size_t j)
{
    switch (w->how->system) {
    case RATING_BT:
        return w->n > 1 ? bt_expected(&w->fit, i, j) : NAN;
    case RATING_GLICKO:
        return glicko_expected(&w->players[i], &w->players[j]);
    case RATING_ELO:
        break;
    }
    return elo_expected(w->ratings[i].rating, w->ratings[j].rating);
}

/* i is above j beyond what the level leaves open. */
static bool clearly_above(const struct work *w, size_t i, size_t j)
{
    return w->ratings[i].rating - w->ratings[j].rating > w->reach * difference_se(w, i, j);
}

/* A place is lost to each model that is clearly above, and won from each that is clearly below. */
static void rank_by_difference(struct work *w)
{
    for (size_t i = 0; i < w->n; i++) {
        w->ratings[i].rank_best = 1;
        w->ratings[i].rank_worst = w->n;
    }
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->n; j++)
            if (i != j && clearly_above(w, i, j)) {
                w->ratings[j].rank_best++;
                w->ratings[i].rank_worst--;
            }
}

struct placed {
    double theta;
    size_t model;
};

static int highest_first(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->theta != y->theta)
        return x->theta > y->theta ? -1 : 1;
    return x->model < y->model ? -1 : 1;
}

/* The places that a model takes in the middle 95 % of the rounds. */
static void rank_by_rounds(struct work *w)
{
    size_t n = w->n, rounds = w->how->bootstrap;
    double *places = NEW_N(w->scratch, double, rounds *n); /* [n][rounds] */
    struct placed *one = NEW_N(w->scratch, struct placed, n);

    for (size_t k = 0; k < rounds; k++) {
        for (size_t i = 0; i < n; i++)
            one[i] = (struct placed){w->draws[k * n + i], i};
        qsort(one, n, sizeof *one, highest_first);
        for (size_t place = 0; place < n; place++)
            places[one[place].model * rounds + k] = (double)place + 1;
    }
    for (size_t i = 0; i < n; i++) {
        double *column = places + i * rounds;
        describe_sort(column, rounds);
        w->ratings[i].rank_best = (size_t)floor(describe_quantile(column, rounds, (1 - level) / 2));
        w->ratings[i].rank_worst = (size_t)ceil(describe_quantile(column, rounds, (1 + level) / 2));
    }
}

static void rank_models(struct work *w)
{
    if (w->n < 2 || w->n > BT_MODELS_MAX || w->how->system == RATING_ELO)
        return;
    if (w->draws)
        rank_by_rounds(w);
    else
        rank_by_difference(w);
}

/* ---- the finished group ---- */

static void count_games(struct work *w)
{
    for (size_t k = 0; k < w->nduels; k++) {
        const struct duel *d = &w->duels[k];
        struct rating *a = &w->ratings[d->a], *b = &w->ratings[d->b];
        a->games++;
        b->games++;
        a->wins += d->outcome == DUEL_WON;
        b->losses += d->outcome == DUEL_WON;
        a->losses += d->outcome == DUEL_LOST;
        b->wins += d->outcome == DUEL_LOST;
        a->ties += d->outcome == DUEL_TIED;
        b->ties += d->outcome == DUEL_TIED;
    }
}

static int by_rating(const void *a, const void *b)
{
    const struct rating *x = a, *y = b;

    if (x->rating != y->rating)
        return x->rating > y->rating ? -1 : 1;
    return x->model < y->model ? -1 : x->model > y->model;
}

/* Pairs in the order of the sorted table; place[n]: where each model stands in it. */
static void fill_pairs(const struct work *w, struct rating_group *g, const size_t *place)
{
    g->pairs = NEW_N(w->arena, struct rating_pair, w->n * w->n);
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < w->n; j++) {
            struct rating_pair *p = &g->pairs[place[i] * w->n + place[j]];
            p->expected = i == j ? (double)NAN : expected(w, i, j);
            p->better = i == j ? (double)NAN : better(w, i, j);
        }
    for (size_t k = 0; k < w->nduels; k++) {
        const struct duel *d = &w->duels[k];
        struct rating_pair *a = &g->pairs[place[d->a] * w->n + place[d->b]],
                           *b = &g->pairs[place[d->b] * w->n + place[d->a]];
        a->wins += d->outcome == DUEL_WON;
        b->losses += d->outcome == DUEL_WON;
        a->losses += d->outcome == DUEL_LOST;
        b->wins += d->outcome == DUEL_LOST;
        a->ties += d->outcome == DUEL_TIED;
        b->ties += d->outcome == DUEL_TIED;
    }
}

static struct rating_group finish(struct work *w)
{
    struct rating_group g = {NEW_N(w->arena, struct rating, w->n), w->n, NULL};
    size_t *place = NEW_N(w->scratch, size_t, w->n);
    uint32_t *number = NEW_N(w->scratch, uint32_t, w->set->models); /* in the group */

    count_games(w);
    rank_models(w);
    memcpy(g.v, w->ratings, w->n * sizeof *g.v);
    qsort(g.v, g.n, sizeof *g.v, by_rating);
    for (uint32_t i = 0; i < w->n; i++)
        number[w->model[i]] = i;
    for (size_t i = 0; i < w->n; i++)
        place[number[g.v[i].model]] = i;
    if (w->n <= RATING_PAIRS_MAX)
        fill_pairs(w, &g, place);
    return g;
}

/* ---- groups ---- */

/* group[models], by battles; a dropped tie joins nobody. */
static size_t find_groups(const struct battle_set *set, bool drop, uint32_t *group)
{
    struct graph_arc *arcs = mem_new(set->n * sizeof *arcs);
    size_t n = 0, groups;

    for (size_t k = 0; k < set->n; k++)
        if (!drop || set->v[k].outcome != DUEL_TIED)
            arcs[n++] = (struct graph_arc){set->v[k].a, set->v[k].b};
    groups = graph_groups(arcs, n, set->models, group);
    free(arcs);
    return groups;
}

/* The models and battles of group g. Battles between groups are dropped ties. */
static void select_group(struct work *w, const uint32_t *group, uint32_t g)
{
    uint32_t *number = NEW_N(w->scratch, uint32_t, w->set->models);

    w->model = NEW_N(w->scratch, uint32_t, w->set->models);
    for (uint32_t m = 0; m < w->set->models; m++)
        if (group[m] == g) {
            number[m] = (uint32_t)w->n;
            w->model[w->n++] = m;
        }
    for (size_t k = 0; k < w->set->n; k++)
        w->nduels += group[w->set->v[k].a] == g && group[w->set->v[k].b] == g;
    w->duels = NEW_N(w->scratch, struct duel, w->nduels);
    w->run = NEW_N(w->scratch, uint32_t, w->nduels);
    w->nduels = 0;
    for (size_t k = 0; k < w->set->n; k++) {
        struct duel d = w->set->v[k];
        if (group[d.a] != g || group[d.b] != g)
            continue;
        d.a = number[d.a];
        d.b = number[d.b];
        if (w->set->run)
            w->run[w->nduels] = w->set->run[k];
        w->duels[w->nduels++] = d;
    }
    w->ratings = NEW_N(w->scratch, struct rating, w->n);
    for (size_t i = 0; i < w->n; i++)
        w->ratings[i] = (struct rating){.model = w->model[i],
                                        .rating = NAN,
                                        .rd = NAN,
                                        .volatility = NAN,
                                        .lo = NAN,
                                        .hi = NAN,
                                        .order_lo = NAN,
                                        .order_hi = NAN};
}

/* The anchor moves its group; widths and differences stay. */
static void anchor_group(const struct work *w, struct rating_group *g)
{
    double shift = NAN;

    for (size_t i = 0; i < g->n; i++)
        if (w->how->anchor && strcmp(w->set->names[g->v[i].model], w->how->anchor) == 0)
            shift = w->how->anchored - g->v[i].rating;
    for (size_t i = 0; i < g->n && !isnan(shift); i++) {
        struct rating *r = &g->v[i];
        r->rating += shift;
        r->lo += shift;
        r->hi += shift;
        r->order_lo += shift;
        r->order_hi += shift;
    }
}

/* `all` says what is common to the groups. */
static enum status rate_group(const struct work *all, const uint32_t *group, uint32_t g,
                              struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct work w = *all;

    w.scratch = scratch;
    select_group(&w, group, g);
    if (rate(&w, e) != OK)
        return e->code;
    w.table->groups[g] = finish(&w);
    anchor_group(&w, &w.table->groups[g]);
    return OK;
}

static int by_size(const void *a, const void *b)
{
    const struct rating_group *x = a, *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return x->v[0].model < y->v[0].model ? -1 : 1;
}

static enum status check_anchor(const struct battle_set *set, const struct rating_how *how,
                                struct err *e)
{
    for (size_t i = 0; how->anchor && i < set->models; i++)
        if (strcmp(set->names[i], how->anchor) == 0)
            return OK;
    return how->anchor ? err_set(e, E_USAGE, "the anchor \"%s\" has no battle", how->anchor) : OK;
}

enum status rating_compute(struct arena *a, const struct battle_set *set,
                           const struct rating_how *how, struct rating_table *out, struct err *e)
{
    uint32_t *group = NEW_N(a, uint32_t, set->models);
    struct rating_table t = {0};
    struct work all = {.arena = a, .set = set, .how = how, .table = &t};

    if (check_anchor(set, how, e) != OK)
        return e->code;
    if (set->unjudged)
        note(&all, "%zu line%s no verdict and %s left out", set->unjudged,
             set->unjudged == 1 ? " holds" : "s hold", set->unjudged == 1 ? "is" : "are");
    t.ngroups = find_groups(set, how->system == RATING_BT && how->ties == BT_DROP, group);
    if (t.ngroups > RATING_GROUPS_MAX)
        return err_set(e, E_INPUT, "the models fall into %zu groups that never met; at most %d",
                       t.ngroups, RATING_GROUPS_MAX);
    if (t.ngroups > 1)
        note(&all, "%zu groups of models never met each other: ratings compare inside a group only",
             t.ngroups);
    if (t.ngroups > 1 && how->anchor)
        note(&all, "the anchor moves its own group only");
    t.groups = NEW_N(a, struct rating_group, t.ngroups);
    for (uint32_t g = 0; g < t.ngroups; g++)
        if (rate_group(&all, group, g, e) != OK)
            return e->code;
    qsort(t.groups, t.ngroups, sizeof *t.groups, by_size);
    *out = t;
    return OK;
}
