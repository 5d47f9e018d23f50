/* Which systems differ: all pairs on each dimension, with Holm's correction over the pairs. */

#include "math/holm.h"
#include "panel/outcome_parts.h"

/* With more systems there are more pairs than anybody reads. */
enum { SYSTEMS_MAX = 40, RATERS_MIN = 3 };

struct pair {
    size_t better, worse;
    struct interval gap;
};

/* The pairs of one dimension. */
struct differences {
    const struct dimension *of;
    struct pair *pairs;
    double *p; /* after Holm */
    size_t n;
};

/* One system minus another, over passages rated for both; false: too few of them. */
static bool differ(const struct differences *d, const struct cells *one, const struct cells *other,
                   struct crossed *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct cells less = crossed_less(scratch, one, other);

    *out = crossed_of_differences(&less, (struct interval_scale){d->of->min, d->of->max},
                                  OUTCOME_LEVEL);
    return out->raters >= RATERS_MIN && out->units >= INTERVAL_UNITS_MIN;
}

static void find_pairs(struct differences *d, struct arena *a, const struct cells *cells,
                       size_t systems)
{
    d->pairs = NEW_N(a, struct pair, systems * systems + 1);
    d->p = NEW_N(a, double, systems *systems + 1);
    for (size_t i = 0; i < systems; i++)
        for (size_t k = i + 1; k < systems; k++) {
            struct crossed x;
            bool turned;
            if (!differ(d, &cells[i], &cells[k], &x))
                continue;
            turned = d->of->lower_is_better ? x.mean > 0 : x.mean < 0;
            d->pairs[d->n] =
                (struct pair){turned ? k : i, turned ? i : k,
                              interval_times(crossed_interval(&x, OUTCOME_LEVEL), turned ? -1 : 1)};
            d->p[d->n++] = crossed_p(&x);
        }
    holm_adjust(d->p, d->n, d->p);
}

static void put_pair(struct tally_sheet *t, const struct differences *d, size_t i)
{
    const struct pair *pair = &d->pairs[i];
    const char *other = t->l.systems[pair->worse];
    const char *who = outcome_subject(t, "system", t->l.systems[pair->better]);

    score_put_interval(&t->rows, who, arena_printf(t->a, "over:%s\t%s", d->of->id, other),
                       "jackknife over raters and passages", pair->gap);
    score_put_value(&t->rows, who, arena_printf(t->a, "over-p:%s\t%s", d->of->id, other),
                    "Student's t, Holm over all pairs", d->p[i], (int64_t)d->n);
}

/* Number of systems that each is significantly better than. */
static void put_above(struct tally_sheet *t, const struct differences *d, size_t system)
{
    int64_t met = 0, above = 0;

    for (size_t i = 0; i < d->n; i++) {
        met += d->pairs[i].better == system || d->pairs[i].worse == system;
        above += d->pairs[i].better == system && d->p[i] < OUTCOME_ALPHA;
    }
    if (met)
        score_put_value(&t->rows, outcome_subject(t, "system", t->l.systems[system]),
                        arena_printf(t->a, "above:%s", d->of->id),
                        "systems that it is better than: 5 %, Holm", (double)above, met);
}

void outcome_differences(struct tally_sheet *t, const struct dimension *of,
                         const struct cells *cells)
{
    struct differences d = {.of = of};

    if (t->l.nsystems > SYSTEMS_MAX)
        return;
    find_pairs(&d, t->a, cells, t->l.nsystems);
    for (size_t i = 0; i < d.n; i++)
        put_pair(t, &d, i);
    for (size_t k = 0; k < t->l.nsystems; k++)
        put_above(t, &d, k);
}
