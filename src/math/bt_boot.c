#include "math/bt_boot.h"

#include <pthread.h>

#include "math/resample.h"

enum { THREADS_MAX = 64 };

/* A unit that is drawn whole: the members [first, first[1]) of `cell` and `weight`. */
struct units {
    size_t n;
    size_t *first;  /* [n + 1] */
    uint32_t *cell; /* [duels]: 3 * pair + outcome as the pair's i sees it */
    double *weight; /* [duels] */
};

/* What all threads read. */
struct job {
    const struct bt_table *table;
    const struct bt_fit *fit;
    const struct bt_boot *how;
    struct resample *kinds; /* battles as units, all of weight 1 */
    uint32_t *kind_cell;    /* [nkinds] */
    size_t nkinds;
    struct units units; /* else */
    double *theta;      /* [rounds][n]; each round is written by one thread */
};

struct worker {
    const struct job *job;
    pthread_t thread;
    size_t first, end; /* its rounds */
    size_t ridged;
    bool failed;
};

/* ---- preparing ---- */

static uint32_t cell_of(const struct bt_table *t, const struct bt_boot *how, size_t k)
{
    const struct duel *d = &how->duels[k];

    return 3 * t->pair_of[k] + (d->a > d->b ? DUEL_WON - d->outcome : d->outcome);
}

static bool all_of_weight_one(const struct bt_boot *how)
{
    for (size_t k = 0; k < how->nduels; k++)
        if (how->duels[k].weight != 1)
            return false;
    return true;
}

/* Kinds of battle: pair and outcome, with how often each was seen. */
static void prepare_kinds(struct job *j, struct arena *a)
{
    const struct bt_table *t = j->table;
    double *counts = NEW_N(a, double, 3 * t->npairs);

    j->kind_cell = NEW_N(a, uint32_t, 3 * t->npairs);
    for (uint32_t cell = 0; cell < 3 * t->npairs; cell++) {
        double seen = t->pairs[cell / 3].sum[cell % 3];
        if (seen > 0) {
            counts[j->nkinds] = seen;
            j->kind_cell[j->nkinds++] = cell;
        }
    }
    j->kinds = resample_new(a, counts, j->nkinds);
}

/* Duels by unit, by counting; a dropped tie is nowhere. */
static void prepare_units(struct job *j, struct arena *a)
{
    const struct bt_boot *how = j->how;
    size_t ids = how->clusters ? how->clusters : how->nduels;
    size_t *count = NEW_N(a, size_t, ids), at = 0;
    struct units *u = &j->units;

    *u = (struct units){0, NEW_N(a, size_t, ids + 1), NEW_N(a, uint32_t, how->nduels),
                        NEW_N(a, double, how->nduels)};
    for (size_t k = 0; k < how->nduels; k++)
        if (j->table->pair_of[k] != UINT32_MAX)
            count[how->clusters ? how->duels[k].cluster : k]++;
    for (size_t id = 0; id < ids; id++) {
        size_t n = count[id];
        count[id] = at; /* from now on: where its next member goes */
        at += n;
        if (n)
            u->first[++u->n] = at;
    }
    for (size_t k = 0; k < how->nduels; k++) {
        size_t *to = &count[how->clusters ? how->duels[k].cluster : k];
        if (j->table->pair_of[k] == UINT32_MAX)
            continue;
        u->cell[*to] = cell_of(j->table, how, k);
        u->weight[(*to)++] = how->duels[k].weight;
    }
}

/* ---- one round ---- */

/* What a worker draws into. */
struct draw {
    struct bt_table table; /* pairs are the worker's own */
    double *counts;        /* [nkinds] or [units] */
};

static void clear_pairs(struct bt_table *t)
{
    for (size_t k = 0; k < t->npairs; k++)
        memset(t->pairs[k].sum, 0, sizeof t->pairs[k].sum);
}

static void draw_kinds(const struct job *j, struct rng *rng, struct draw *d)
{
    resample_draw(j->kinds, rng, d->counts);
    for (size_t k = 0; k < j->nkinds; k++)
        d->table.pairs[j->kind_cell[k] / 3].sum[j->kind_cell[k] % 3] = d->counts[k];
}

static void draw_units(const struct job *j, struct rng *rng, struct draw *d)
{
    const struct units *u = &j->units;

    memset(d->counts, 0, u->n * sizeof *d->counts);
    for (size_t i = 0; i < u->n; i++)
        d->counts[rng_below(rng, u->n)]++;
    for (size_t i = 0; i < u->n; i++) {
        if (d->counts[i] == 0)
            continue;
        for (size_t k = u->first[i]; k < u->first[i + 1]; k++)
            d->table.pairs[u->cell[k] / 3].sum[u->cell[k] % 3] += d->counts[i] * u->weight[k];
    }
}

static void *work(void *arg)
{
    struct worker *w = arg;
    const struct job *j = w->job;
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t n = j->table->n;
    struct bt_scratch *s = bt_scratch_new(a, n);
    struct draw d = {*j->table, NEW_N(a, double, j->kinds ? j->nkinds : j->units.n)};

    d.table.pairs = arena_copy(a, j->table->pairs, j->table->npairs, sizeof *d.table.pairs);
    for (size_t r = w->first; r < w->end && !w->failed; r++) {
        struct rng rng = rng_keyed(j->how->seed, "bootstrap", (const int64_t[]){(int64_t)r}, 1);
        bool ridged = false;
        clear_pairs(&d.table);
        if (j->kinds)
            draw_kinds(j, &rng, &d);
        else
            draw_units(j, &rng, &d);
        w->failed = !bt_refit(s, &d.table, j->fit, j->theta + r * n, &ridged);
        w->ridged += ridged;
    }
    return NULL;
}

/* ---- all rounds ---- */

/* Every worker but the first gets a thread, or, where the system has none left, its turn. */
static void work_together(struct worker *workers, size_t n)
{
    bool threaded[THREADS_MAX] = {false};

    for (size_t i = 1; i < n; i++)
        threaded[i] = pthread_create(&workers[i].thread, NULL, work, &workers[i]) == 0;
    for (size_t i = 0; i < n; i++) {
        if (threaded[i])
            (void)pthread_join(workers[i].thread, NULL);
        else
            (void)work(&workers[i]);
    }
}

enum status bt_boot(const struct bt_table *t, const struct bt_fit *f, const struct bt_boot *how,
                    double *theta, size_t *ridged, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct job job = {.table = t, .fit = f, .how = how, .theta = theta};
    struct worker workers[THREADS_MAX];
    size_t n = how->threads < THREADS_MAX ? how->threads : THREADS_MAX, sum = 0;

    if (how->clusters == 0 && all_of_weight_one(how))
        prepare_kinds(&job, a);
    else
        prepare_units(&job, a);
    for (size_t i = 0; i < n; i++)
        workers[i] = (struct worker){
            .job = &job, .first = how->rounds * i / n, .end = how->rounds * (i + 1) / n};
    work_together(workers, n);
    for (size_t i = 0; i < n; i++) {
        if (workers[i].failed)
            return err_set(e, E_INPUT, "a bootstrap round could not be fitted");
        sum += workers[i].ridged;
    }
    *ridged = sum;
    return OK;
}
