/* Which systems differ: every pair on every dimension, with Holm's correction over the pairs. */
#include <math.h>

#include "math/holm.h"
#include "panel/outcome_parts.h"

/* Beyond that, pairs are more than anybody reads. With fewer people or passages than that even a
 * difference that all agree on could be chance. */
enum { SYSTEMS_MAX = 40, UNITS_MIN = 6 };

struct pair {
    size_t better, worse;
};

/* What is known of the pairs of one dimension. */
struct differences {
    const struct crossed *means;
    const struct dimension *of;
    struct pair *pairs;
    double *p; /* after Holm */
    size_t n;
};

static bool is_better(const struct differences *d, size_t one, size_t other)
{
    double gap = d->means->mean[one] - d->means->mean[other];

    return d->of->lower_is_better ? gap < 0 : gap > 0;
}

static void find_pairs(struct differences *d, struct arena *a, size_t systems)
{
    d->pairs = NEW_N(a, struct pair, systems * systems + 1);
    d->p = NEW_N(a, double, systems *systems + 1);
    for (size_t i = 0; i < systems; i++)
        for (size_t k = i + 1; k < systems; k++) {
            bool turned = is_better(d, k, i);
            if (isnan(d->means->mean[i]) || isnan(d->means->mean[k]))
                continue;
            d->pairs[d->n] = (struct pair){turned ? k : i, turned ? i : k};
            d->p[d->n++] = crossed_p(d->means, i, k);
        }
    holm_adjust(d->p, d->n, d->p);
}

static const char *system_subject(const struct tally_sheet *t, size_t system)
{
    return arena_printf(t->a, "system/%s", t->l.systems[system]);
}

static void put_pair(struct tally_sheet *t, const struct differences *d, size_t i)
{
    const struct pair *pair = &d->pairs[i];
    const char *other = t->l.systems[pair->worse], *who = system_subject(t, pair->better);
    struct interval gap = crossed_difference(d->means, pair->better, pair->worse);

    outcome_put(t, (struct score_row){who, arena_printf(t->a, "over:%s\t%s", d->of->id, other),
                                      "bootstrap over raters and passages", gap.value, gap.low,
                                      gap.high, 0, 0});
    outcome_put(t, (struct score_row){who, arena_printf(t->a, "over-p:%s\t%s", d->of->id, other),
                                      "Student's t, Holm over all pairs", d->p[i], NAN, NAN,
                                      (int64_t)d->n, 0});
}

/* How many others each is better than beyond chance. */
static void put_above(struct tally_sheet *t, const struct differences *d, size_t system)
{
    int64_t met = 0, above = 0;

    for (size_t i = 0; i < d->n; i++) {
        met += d->pairs[i].better == system || d->pairs[i].worse == system;
        above += d->pairs[i].better == system && d->p[i] < OUTCOME_ALPHA;
    }
    if (met)
        outcome_put(t, (struct score_row){system_subject(t, system),
                                          arena_printf(t->a, "above:%s", d->of->id),
                                          "systems that it is better than: 5 %, Holm",
                                          (double)above, NAN, NAN, met, 0});
}

void outcome_differences(struct tally_sheet *t, const struct dimension *of,
                         const struct crossed *means)
{
    struct differences d = {.means = means, .of = of};

    if (means->systems > SYSTEMS_MAX || means->df < UNITS_MIN - 1)
        return;
    find_pairs(&d, t->a, means->systems);
    for (size_t i = 0; i < d.n; i++)
        put_pair(t, &d, i);
    for (size_t k = 0; k < means->systems; k++)
        put_above(t, &d, k);
}
