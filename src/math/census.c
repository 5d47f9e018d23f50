#include "math/census.h"

static struct census census_new(struct arena *a, size_t levels)
{
    return (struct census){
        .levels = levels,
        .share = NEW_N(a, double, levels + 1),
        .total = NEW_N(a, double, levels + 1),
        .paired = NEW_N(a, double, levels + 1),
        .pairs = levels <= CENSUS_LEVELS ? NEW_N(a, double, levels *levels + 1) : NULL,
    };
}

/* The values of one unit. */
struct unit {
    double *here;   /* [levels] counts; zero between units */
    uint32_t *seen; /* [levels] values that occur */
    size_t kinds;
    double m;
};

static struct unit unit_new(struct arena *a, size_t levels)
{
    return (struct unit){.here = NEW_N(a, double, levels + 1),
                         .seen = NEW_N(a, uint32_t, levels + 1)};
}

static void unit_fill(struct unit *u, const struct cell *v, size_t n)
{
    for (size_t i = 0; i < u->kinds; i++)
        u->here[u->seen[i]] = 0;
    u->kinds = 0;
    u->m = (double)n;
    for (size_t i = 0; i < n; i++)
        if (u->here[(size_t)v[i].value]++ == 0)
            u->seen[u->kinds++] = (uint32_t)v[i].value;
}

/* Adds the unit to the sums `times` times; -1 subtracts it. */
static void unit_add(const struct unit *u, double times, struct census *t)
{
    double same = 0, m = u->m;

    if (m < 1)
        return;
    for (size_t i = 0; i < u->kinds; i++) {
        size_t k = u->seen[i];
        double here = u->here[k], *row = t->pairs ? t->pairs + k * t->levels : NULL;
        same += here * (here - 1);
        t->share[k] += times * (here / m);
        t->total[k] += times * here;
        t->paired[k] += m < 2 ? 0 : times * here;
        if (m < 2 || !row)
            continue;
        row[k] -= times * (here / (m - 1)); /* a value is not paired with itself */
        for (size_t j = 0; j < u->kinds; j++)
            row[u->seen[j]] += times * (here * u->here[u->seen[j]] / (m - 1));
    }
    t->agreed += m < 2 ? 0 : times * (same / (m * (m - 1)));
    t->pairable += m < 2 ? 0 : times;
    t->units += times;
    t->values += times * m;
}

struct census census_of(struct arena *a, const struct cells *c, size_t levels)
{
    struct census t = census_new(a, levels);
    struct unit u = unit_new(a, levels);

    for (size_t from = 0, to = 0; cell_unit(c, &from, &to);) {
        unit_fill(&u, c->v + from, to - from);
        unit_add(&u, 1, &t);
    }
    return t;
}

/* ---- jackknife ---- */

/* Removes the values of one part's raters from the unit (by -1), or restores them (1). */
static void unit_move(struct unit *u, const struct cell *v, size_t n, const uint32_t *part,
                      uint32_t of, double by)
{
    for (size_t i = 0; i < n; i++)
        if (part[v[i].rater] == of) {
            u->here[(size_t)v[i].value] += by;
            u->m += by;
        }
}

static bool had_its_turn(const struct cell *v, size_t at, const uint32_t *part)
{
    for (size_t i = 0; i < at; i++)
        if (part[v[i].rater] == part[v[at].rater])
            return true;
    return false;
}

/* What leaving out each part removes: its units; or, for units rated by its raters, the unit with
 * them minus the unit without them. */
static void take(const struct cells *c, const struct jackknife_parts *by, struct unit *u,
                 struct census *gone)
{
    for (size_t from = 0, to = 0; cell_unit(c, &from, &to);) {
        const struct cell *v = c->v + from;
        size_t n = to - from;
        unit_fill(u, v, n);
        if (by->units)
            unit_add(u, 1, &gone[by->part[v->unit]]);
        for (size_t i = 0; i < n && !by->units; i++) {
            uint32_t p = by->part[v[i].rater];
            if (had_its_turn(v, i, by->part))
                continue;
            unit_add(u, 1, &gone[p]);
            unit_move(u, v, n, by->part, p, -1);
            unit_add(u, -1, &gone[p]);
            unit_move(u, v, n, by->part, p, 1);
        }
    }
}

/* Replaces gone by all - gone. */
static void rest(const struct census *all, struct census *gone)
{
    for (size_t k = 0; k < all->levels; k++) {
        gone->share[k] = all->share[k] - gone->share[k];
        gone->total[k] = all->total[k] - gone->total[k];
        gone->paired[k] = all->paired[k] - gone->paired[k];
    }
    for (size_t i = 0; i < all->levels * all->levels; i++)
        gone->pairs[i] = all->pairs[i] - gone->pairs[i];
    gone->agreed = all->agreed - gone->agreed;
    gone->units = all->units - gone->units;
    gone->pairable = all->pairable - gone->pairable;
    gone->values = all->values - gone->values;
}

static double leave_out(const struct cells *c, const struct census *all, bool units, census_fn *fn,
                        void *user, size_t *n)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct jackknife_parts by = jackknife_divide(a, c, units);
    struct census *gone = NEW_N(a, struct census, by.n + 1);
    double *value = NEW_N(a, double, by.n + 1);
    struct unit u = unit_new(a, all->levels);

    for (size_t i = 0; i < by.n; i++)
        gone[i] = census_new(a, all->levels);
    take(c, &by, &u, gone);
    for (size_t i = 0; i < by.n; i++) {
        rest(all, &gone[i]);
        value[i] = fn(&gone[i], user);
    }
    *n = by.n;
    return jackknife_variance(value, by.n);
}

struct jackknife census_jackknife(const struct cells *c, size_t levels, census_fn *fn, void *user)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct census all = census_of(a, c, levels);
    struct jackknife j = {.value = fn(&all, user)};

    j.by_unit = leave_out(c, &all, true, fn, user, &j.units);
    j.by_rater = leave_out(c, &all, false, fn, user, &j.raters);
    return j;
}
