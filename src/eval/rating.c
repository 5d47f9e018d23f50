#include "eval/rating.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/message.h"
#include "base/rng.h"
#include "math/crossed.h"
#include "math/describe.h"
#include "math/dist.h"
#include "math/elo.h"
#include "math/holm.h"

enum {
    REFITS_MOST = 1000,
    REFITS_WORK = 10000000, /* refits times models squared; a few seconds */
};

static const double level = 0.95;
static const double bt_centre = 1000;
static const double spread_least = 1e-6; /* points; below it every prompt says the same */

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
    uint32_t *rater;    /* [nduels] */
    size_t nduels;
    struct rating *ratings; /* [n] */
    double *better;         /* [n][n]: how probably the row is stronger; NULL: too many */

    struct bt_fit fit;          /* Bradley-Terry */
    double *cov;                /* [n][n] of theta; NULL: none */
    double *by_unit, *by_rater; /* its parts, where other people could have been asked; or NULL */
    size_t raters;
    struct bt_fit weak;  /* the same with a weak prior; theta NULL: not needed */
    const double *about; /* theta that intervals are about; NULL: the fit's */
    size_t units;        /* prompts or battles that were drawn */
    enum interval_why why;
    double df;              /* of the variance, for Student's t; 0: as good as known */
    double reach;           /* standard errors to each side of an interval */
    struct glicko *players; /* [n] Glicko-2 */
};

void rating_note(struct arena *a, struct rating_table *t, const char *text)
{
    t->notes = arena_grow(a, t->notes, &t->notes_cap, t->nnotes + 1, sizeof *t->notes);
    t->notes[t->nnotes++] = text;
}

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
    rating_note(w->arena, w->table, arena_text(w->arena, str_of(line)));
}

/* ---- Bradley-Terry ---- */

/* Units are prompts, since battles on one prompt say nothing about others; or battles, where there
 * are no prompts. A dropped tie counts as neither. */
static size_t count_units(const struct work *w, const struct bt_table *t)
{
    bool *seen = w->set->cluster ? NEW_N(w->scratch, bool, w->set->clusters) : NULL;
    size_t n = 0;

    for (size_t k = 0; k < w->nduels; k++) {
        if (t->pair_of[k] == UINT32_MAX)
            continue;
        n += !seen || !seen[w->duels[k].cluster];
        if (seen)
            seen[w->duels[k].cluster] = true;
    }
    return n;
}

/* By prompt where that is possible, else by battle. */
static bool by_cluster(const struct work *w)
{
    return w->set->cluster && w->units > 1;
}

/* Battles by prompt, or each by itself. */
static struct bt_groups groups_of(const struct work *w)
{
    uint32_t *of = NEW_N(w->scratch, uint32_t, w->nduels);

    for (uint32_t k = 0; k < w->nduels; k++)
        of[k] = by_cluster(w) ? w->duels[k].cluster : k;
    return (struct bt_groups){w->duels, of, w->nduels,
                              by_cluster(w) ? w->set->clusters : w->nduels};
}

/* Units of equal size. Below two there is nothing to compare. */
static double equal_units(const struct work *w, const struct bt_table *t)
{
    struct bt_groups g = groups_of(w);
    double *size = NEW_N(w->scratch, double, g.groups + 1);

    for (size_t k = 0; k < w->nduels; k++)
        if (t->pair_of[k] != UINT32_MAX)
            size[g.of[k]] += w->duels[k].weight;
    return describe_equals(size, g.groups);
}

/* With few units, fit again without each of them. From 30 on the sandwich is as good, and quick. */
static bool jackknifes(const struct work *w)
{
    if (w->fit.ridge > 0 || !(w->df + 1 < RATING_CLUSTERS_FEW))
        return false;
    return w->units < RATING_CLUSTERS_FEW ||
           (w->units <= REFITS_MOST && w->units * w->n * w->n <= REFITS_WORK);
}

static void name_method(struct work *w)
{
    /* Of these two the catalogue knows the names; others are columns of a file. */
    const char *unit = w->set->cluster ? w->set->cluster : "battle";
    bool battles = !w->set->cluster, items = strcmp(unit, "item") == 0;
    const char *s = message_s(w->units);
    bool intervals = w->units >= INTERVAL_UNITS_MIN && w->df >= 1;

    if (!w->table->method && intervals)
        w->table->method =
            arena_printf(w->arena,
                         jackknifes(w) ? (battles ? N_("jackknife by battle%.0s (%zu)")
                                          : items ? N_("jackknife by item%.0s (%zu)")
                                                  : N_("jackknife by %s (%zu)"))
                         : battles     ? N_("sandwich by battle%.0s (%zu)")
                         : items       ? N_("sandwich by item%.0s (%zu)")
                                       : N_("sandwich by %s (%zu)"),
                         unit, w->units);
    if (w->units < INTERVAL_UNITS_MIN)
        note(w,
             battles ? N_("no intervals: %zu battle%.0s%s, and %d are the least")
             : items ? N_("no intervals: %zu item%.0s%s, and %d are the least")
                     : N_("no intervals: %zu %s%s, and %d are the least"),
             w->units, unit, s, INTERVAL_UNITS_MIN);
    else if (intervals && w->set->cluster && w->units < RATING_CLUSTERS_FEW)
        note(w,
             items ? N_("only %zu different values of item%.0s: intervals are wide below %d")
                   : N_("only %zu different values of %s: intervals are wide below %d"),
             w->units, unit, RATING_CLUSTERS_FEW);
}

/* A weak prior keeps the fits without a unit finite; the interval is about the fit with it. */
static enum status fit_weakly(struct work *w, const struct bt_table *t, struct err *e)
{
    if (w->weak.theta)
        return OK;
    return bt_fit(w->scratch, t, w->how->ties, bt_weak_ridge(w->n), &w->weak, e);
}

static enum status fit_jackknife(struct work *w, const struct bt_table *t, struct err *e)
{
    struct bt_groups g = groups_of(w);
    struct bt_spread spread;

    if (fit_weakly(w, t, e) != OK || bt_jackknife(w->scratch, t, &w->weak, &g, &spread, e) != OK)
        return e->code;
    w->cov = spread.cov;
    w->about = w->weak.theta;
    return OK;
}

/* Other people could have been asked. From three on, add their part of the variance, in terms of
 * the degrees of freedom of the units. */
static enum status add_raters(struct work *w, const struct bt_table *t, struct err *e)
{
    struct bt_groups g = {w->duels, w->rater, w->nduels, w->set->raters};
    struct bt_spread spread;
    double more;

    if (!w->set->rater)
        return OK;
    if (fit_weakly(w, t, e) != OK || bt_jackknife(w->scratch, t, &w->weak, &g, &spread, e) != OK)
        return e->code;
    if (spread.groups < 3) {
        w->why = spread.groups == 1 ? INTERVAL_ONE_RATER : INTERVAL_TWO_RATERS;
        return OK;
    }
    w->by_unit = arena_copy(w->scratch, w->cov, w->n * w->n, sizeof *w->cov);
    w->by_rater = spread.cov;
    w->raters = spread.groups;
    more = dist_t_quantile(0.5 + level / 2, (double)spread.groups - 1) / w->reach;
    for (size_t i = 0; i < w->n * w->n; i++)
        w->cov[i] += more * more * spread.cov[i];
    return OK;
}

static enum status fit_covariance(struct work *w, const struct bt_table *t, struct err *e)
{
    struct bt_clusters c = {w->duels, w->nduels, w->set->clusters};
    enum status st;

    if (w->units < INTERVAL_UNITS_MIN || w->df < 1) {
        w->why = w->units < INTERVAL_UNITS_MIN ? INTERVAL_FEW_UNITS : INTERVAL_ONE_UNIT;
        return OK;
    }
    w->why = w->fit.ridge > 0             ? INTERVAL_PRIOR
             : bt_is_wide(w->n, w->units) ? INTERVAL_WIDE
                                          : INTERVAL_FINE;
    w->reach = dist_t_quantile(0.5 + level / 2, w->df);
    if (jackknifes(w))
        st = fit_jackknife(w, t, e);
    else
        st = bt_sandwich(w->scratch, t, &w->fit, by_cluster(w) ? &c : NULL, &w->cov, e);
    return st == OK ? add_raters(w, t, e) : st;
}

static void widen(struct work *w)
{
    for (size_t i = 0; i < w->n * w->n && w->cov && w->how->widen > 0; i++)
        w->cov[i] *= w->how->widen * w->how->widen;
}

static void bt_ratings(struct work *w)
{
    for (size_t i = 0; i < w->n; i++) {
        struct rating *r = &w->ratings[i];
        double about = bt_centre + BT_ELO * (w->about ? w->about : w->fit.theta)[i];
        r->rating = bt_centre + BT_ELO * w->fit.theta[i];
        r->why = w->why;
        if (!w->cov)
            continue;
        r->rd = BT_ELO * sqrt(w->cov[i * w->n + i]);
        if (!(r->rd > spread_least)) { /* nothing tells how far it may be off */
            r->rd = (double)NAN;
            r->why = INTERVAL_NO_SPREAD;
            continue;
        }
        r->lo = fmin(r->rating, about - w->reach * r->rd);
        r->hi = fmax(r->rating, about + w->reach * r->rd);
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
                       "%zu models: Bradley-Terry handles at most %d at once; use --system glicko2 "
                       "or elo, or a file with fewer models",
                       w->n, BT_MODELS_MAX);
    t = bt_gather(w->scratch, w->duels, w->nduels, w->n, w->how->ties);
    parts = bt_parts(&t, NEW_N(w->scratch, uint32_t, w->n));
    if (parts > 1)
        note(w,
             N_("some models won, or lost, every battle with the rest (%zu parts), so no finite "
                "ratings exist: a ridge prior (RD 350) stabilises them"),
             parts);
    if (bt_fit(w->scratch, &t, w->how->ties, parts > 1 ? BT_RIDGE : 0, &w->fit, e) != OK)
        return e->code;
    if (w->table->nu == 0)
        w->table->nu = w->fit.nu;
    w->units = count_units(w, &t);
    w->df = equal_units(w, &t) - 1;
    name_method(w);
    if (fit_covariance(w, &t, e) != OK)
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

    for (size_t i = 0; i < w->n; i++) {
        const struct start *s =
            w->how->start ? start_find(w->how->start, w->set->names[w->model[i]]) : NULL;
        players[i] = s ? s->from : glicko_start();
    }
    if (w->how->by_run) {
        play_runs(w, players);
        return;
    }
    glicko_play(players, w->n, &duels, &w->how->glicko);
}

static double elo_k(const struct work *w)
{
    return w->how->elo_k > 0 ? w->how->elo_k : ELO_K;
}

/* All battles in this order (NULL: that of the file); players[n] is for Glicko-2. */
static void play(const struct work *w, const size_t *order, struct glicko *players, double *ratings)
{
    for (size_t i = 0; i < w->n; i++)
        ratings[i] = ELO_START;
    if (w->how->system == RATING_ELO) {
        elo_play(ratings, w->duels, w->nduels, order, elo_k(w));
        return;
    }
    play_glicko(w, order, players);
    for (size_t i = 0; i < w->n; i++)
        ratings[i] = glicko_rating(&players[i]);
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
    struct glicko *players = NEW_N(w->scratch, struct glicko, w->n);

    for (size_t s = 0; s < shuffles; s++) {
        struct rng rng = rng_keyed(w->how->seed, "order", (const int64_t[]){(int64_t)s}, 1);
        for (size_t k = 0; k < w->nduels; k++)
            order[k] = k;
        rng_shuffle(&rng, order, w->nduels);
        play(w, order, players, moved + s * w->n);
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
    w->table->method = N_("rating deviation: 1.96 RD to each side; battles taken as independent");
    note(w, N_("Glicko-2 assumes that skill drifts over time, but a frozen model does not change; "
               "Bradley-Terry is the better main table"));
}

static void rate_elo(struct work *w)
{
    double *ratings = NEW_N(w->scratch, double, w->n);

    play(w, NULL, NULL, ratings);
    for (size_t i = 0; i < w->n; i++)
        w->ratings[i].rating = ratings[i];
    note(w, N_("Elo (K = %g) depends on the order of the battles and has no interval"), elo_k(w));
}

static enum status rate(struct work *w, struct err *e)
{
    w->reach = dist_normal_quantile(0.5 + level / 2);
    if (w->how->system == RATING_BT)
        return rate_bt(w, e);
    if (w->set->weighted)
        note(w, N_("only Bradley-Terry uses weights; here every battle counts once"));
    w->players = NEW_N(w->scratch, struct glicko, w->n);
    if (w->how->system == RATING_GLICKO)
        rate_glicko(w);
    else
        rate_elo(w);
    if (w->how->system == RATING_ELO || w->how->glicko.period != GLICKO_ALL)
        measure_order(w);
    return OK;
}

/* ---- comparing models of a group ---- */

static double difference_variance(const struct work *w, const double *cov, size_t i, size_t j)
{
    size_t n = w->n;

    return BT_ELO * BT_ELO * fmax(0, cov[i * n + i] + cov[j * n + j] - 2 * cov[i * n + j]);
}

/* Standard error of the difference of two ratings; NaN when it is not known. */
static double difference_se(const struct work *w, size_t i, size_t j)
{
    return w->cov ? sqrt(difference_variance(w, w->cov, i, j))
                  : hypot(w->ratings[i].rd, w->ratings[j].rd);
}

/* What few people say is far less certain at the levels of many tests than at that of one. */
static double better_by_people(const struct work *w, size_t weak, size_t strong)
{
    struct crossed x = {.mean = w->ratings[weak].rating - w->ratings[strong].rating,
                        .by_unit = difference_variance(w, w->by_unit, weak, strong),
                        .by_rater = difference_variance(w, w->by_rater, weak, strong),
                        .units = (size_t)llround(w->df) + 1,
                        .raters = w->raters};

    return crossed_p(&x) / 2;
}

/* The probability that the one with the lower rating is stronger; NaN when it is not known. */
static double better(const struct work *w, size_t weak, size_t strong)
{
    double se = difference_se(w, weak, strong), z;

    if (isnan(w->ratings[weak].rd) || isnan(w->ratings[strong].rd) || !(se > spread_least))
        return NAN;
    if (w->by_rater)
        return better_by_people(w, weak, strong);
    z = (w->ratings[weak].rating - w->ratings[strong].rating) / se;
    return w->df > 0 ? dist_t_cdf(z, w->df) : dist_normal_cdf(z);
}

/* Each pair once: where people judged, that takes half a millisecond. */
static void compare_all(struct work *w)
{
    w->better = NEW_N(w->scratch, double, w->n * w->n);
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = 0; j < i; j++) {
            bool first = w->ratings[i].rating > w->ratings[j].rating;
            size_t weak = first ? j : i, strong = first ? i : j;
            double p = better(w, weak, strong);
            w->better[weak * w->n + strong] = p;
            w->better[strong * w->n + weak] = 1 - p;
        }
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

/* All pairs are told apart together: with 5 % for even one false word about the order (Holm 1979).
 * A place is lost to each model that is clearly above, and won from each that is clearly below. */
static void rank_models(struct work *w)
{
    size_t at = 0;
    double *p;

    if (w->n < 2 || !w->better || (!w->cov && isnan(w->ratings[0].rd)))
        return;
    p = NEW_N(w->scratch, double, w->n * w->n);
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = i + 1; j < w->n; j++)
            p[at++] = 2 * fmin(w->better[i * w->n + j], w->better[j * w->n + i]);
    holm_adjust(p, at, p);
    for (size_t i = 0; i < w->n; i++) {
        w->ratings[i].rank_best = 1;
        w->ratings[i].rank_worst = w->n;
    }
    at = 0;
    for (size_t i = 0; i < w->n; i++)
        for (size_t j = i + 1; j < w->n; j++)
            if (p[at++] < 1 - level) {
                bool first = w->ratings[i].rating > w->ratings[j].rating;
                w->ratings[first ? j : i].rank_best++;
                w->ratings[first ? i : j].rank_worst--;
            }
}

/* ---- the finished group ---- */

/* A battle that was won with some probability is stored as a win and a loss, one after the other.
 * The second of them is no battle of its own. */
static bool is_second(const struct battle_set *set, const struct duel *v, size_t k)
{
    return set->split && k > 0 && v[k].outcome == DUEL_LOST && v[k - 1].outcome == DUEL_WON &&
           v[k].weight < 1 && v[k].a == v[k - 1].a && v[k].b == v[k - 1].b &&
           v[k].cluster == v[k - 1].cluster;
}

/* A battle counts for whoever more probably won it. *won: the share of the first model. */
static uint32_t counted(const struct work *w, size_t k, double *won)
{
    bool split = k + 1 < w->nduels && is_second(w->set, w->duels, k + 1);

    *won = split ? w->duels[k].weight / (w->duels[k].weight + w->duels[k + 1].weight)
                 : w->duels[k].outcome / 2.0;
    return *won > 0.5 ? DUEL_WON : *won < 0.5 ? DUEL_LOST : DUEL_TIED;
}

/* The battles of each model, in their order: of model i those at [first[i], first[i + 1]). */
static size_t *battles_by_model(const struct work *w, size_t **first)
{
    size_t *at = NEW_N(w->scratch, size_t, w->n + 2),
           *all = NEW_N(w->scratch, size_t, 2 * w->nduels);

    for (size_t k = 0; k < w->nduels; k++) {
        at[w->duels[k].a + 2]++;
        at[w->duels[k].b + 2]++;
    }
    for (size_t i = 0; i < w->n; i++)
        at[i + 2] += at[i + 1];
    for (size_t k = 0; k < w->nduels; k++) { /* afterwards each has moved up to its own beginning */
        all[at[w->duels[k].a + 1]++] = k;
        all[at[w->duels[k].b + 1]++] = k;
    }
    *first = at;
    return all;
}

/* What each model won on each prompt; battles on one prompt are alike. */
static void count_wins(struct work *w)
{
    bool prompts = w->set->cluster;
    size_t clusters = prompts ? w->set->clusters : w->nduels, *first;
    struct interval_cluster *c = NEW_N(w->scratch, struct interval_cluster, clusters + 1);
    const size_t *battles = battles_by_model(w, &first);

    for (size_t i = 0; i < w->n; i++) {
        size_t own = 0;
        memset(c, 0, (prompts ? clusters : first[i + 1] - first[i]) * sizeof *c);
        for (size_t at = first[i]; at < first[i + 1]; at++) {
            const struct duel *d = &w->duels[battles[at]];
            struct interval_cluster *of;
            double won;
            if (is_second(w->set, w->duels, battles[at]))
                continue;
            (void)counted(w, battles[at], &won);
            of = &c[prompts ? d->cluster : own++];
            of->n++;
            of->sum += d->a == i ? won : 1 - won;
        }
        w->ratings[i].won = interval_of_ratio(c, prompts ? clusters : own, interval_share, level);
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
            p->better = i == j ? (double)NAN : w->better[i * w->n + j];
        }
}

/* A battle as one of the two sees it, who stands at x. */
static void count_battle(struct rating_group *g, size_t x, size_t y, bool won, bool lost)
{
    struct rating *r = &g->v[x];

    r->games++;
    r->wins += won;
    r->losses += lost;
    r->ties += !won && !lost;
    if (g->pairs) {
        struct rating_pair *p = &g->pairs[x * g->n + y];
        p->wins += won;
        p->losses += lost;
        p->ties += !won && !lost;
    }
}

static void count_battles(const struct work *w, struct rating_group *g, const size_t *place)
{
    for (size_t k = 0; k < w->nduels; k++) {
        size_t a = place[w->duels[k].a], b = place[w->duels[k].b];
        double won;
        uint32_t outcome = counted(w, k, &won);
        if (is_second(w->set, w->duels, k))
            continue;
        count_battle(g, a, b, outcome == DUEL_WON, outcome == DUEL_LOST);
        count_battle(g, b, a, outcome == DUEL_LOST, outcome == DUEL_WON);
    }
}

static struct rating_group finish(struct work *w)
{
    struct rating_group g = {NEW_N(w->arena, struct rating, w->n), w->n, NULL};
    size_t *place = NEW_N(w->scratch, size_t, w->n);
    uint32_t *number = NEW_N(w->scratch, uint32_t, w->set->models); /* in the group */

    if (w->n <= RATING_PAIRS_MAX)
        count_wins(w);
    if (w->n <= BT_MODELS_MAX)
        compare_all(w);
    rank_models(w);
    memcpy(g.v, w->ratings, w->n * sizeof *g.v);
    qsort(g.v, g.n, sizeof *g.v, by_rating);
    for (uint32_t i = 0; i < w->n; i++)
        number[w->model[i]] = i;
    for (size_t i = 0; i < w->n; i++)
        place[number[g.v[i].model]] = i;
    if (w->n <= RATING_PAIRS_MAX)
        fill_pairs(w, &g, place);
    count_battles(w, &g, place);
    return g;
}

/* ---- groups ---- */

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
    w->rater = NEW_N(w->scratch, uint32_t, w->nduels);
    w->nduels = 0;
    for (size_t k = 0; k < w->set->n; k++) {
        struct duel d = w->set->v[k];
        if (group[d.a] != g || group[d.b] != g)
            continue;
        if (w->how->system != RATING_BT && is_second(w->set, w->set->v, k)) {
            /* these know no weights: whoever more probably won */
            struct duel *first = &w->duels[w->nduels - 1];
            first->outcome = d.weight > first->weight   ? DUEL_LOST
                             : d.weight < first->weight ? DUEL_WON
                                                        : DUEL_TIED;
            first->weight = 1;
            continue;
        }
        d.a = number[d.a];
        d.b = number[d.b];
        if (w->set->run)
            w->run[w->nduels] = w->set->run[k];
        if (w->set->rater)
            w->rater[w->nduels] = w->set->rater[k];
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
    bool drop = how->system == RATING_BT && how->ties == BT_DROP;
    uint32_t *group = NEW_N(a, uint32_t, set->models);
    struct rating_table t = {0};
    struct work all = {.arena = a, .set = set, .how = how, .table = &t};

    if (check_anchor(set, how, e) != OK)
        return e->code;
    if (set->unjudged)
        note(&all, N_("%zu line%s no verdict and %s left out"), set->unjudged,
             set->unjudged == 1 ? " holds" : "s hold", set->unjudged == 1 ? "is" : "are");
    t.ngroups = battle_groups(set, drop, group);
    if (t.ngroups > RATING_GROUPS_MAX)
        return err_set(e, E_INPUT,
                       "the models form %zu groups with no battle between them that counts; at "
                       "most %d are allowed",
                       t.ngroups, RATING_GROUPS_MAX);
    if (t.ngroups > 1)
        note(&all,
             drop ? N_("%zu groups of models have no battle between them but ties, which are "
                       "dropped: "
                       "ratings compare inside a group only")
                  : N_("%zu groups of models never met each other: ratings compare inside a group "
                       "only"),
             t.ngroups);
    if (t.ngroups > 1 && how->anchor)
        note(&all, N_("the anchor moves its own group only"));
    t.groups = NEW_N(a, struct rating_group, t.ngroups);
    for (uint32_t g = 0; g < t.ngroups; g++)
        if (rate_group(&all, group, g, e) != OK)
            return e->code;
    qsort(t.groups, t.ngroups, sizeof *t.groups, by_size);
    *out = t;
    return OK;
}
