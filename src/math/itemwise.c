#include "math/itemwise.h"

#include <math.h>
#include <stdlib.h>

#include "math/correlate.h"
#include "math/describe.h"

static double at(const struct itemwise_table *t, size_t person, size_t item)
{
    return t->value[person * t->items + item];
}

/* ---- means and discrimination ---- */

/* Sum over a person's items of the value minus the item's mean. */
struct person {
    double sum;
    size_t n;
};

static void describe_items(const struct itemwise_table *t, struct itemwise *out)
{
    for (size_t i = 0; i < t->items; i++) {
        struct describe d = {0};
        for (size_t p = 0; p < t->persons; p++)
            if (!isnan(at(t, p, i)))
                describe_add(&d, at(t, p, i));
        out[i] = (struct itemwise){.n = d.n,
                                   .mean = describe_mean(&d),
                                   .sd = describe_sd(&d),
                                   .discrimination = (double)NAN,
                                   .worth = (double)NAN,
                                   .logit = (double)NAN,
                                   .fit = (double)NAN};
    }
}

static struct person *sum_persons(struct arena *a, const struct itemwise_table *t,
                                  const struct itemwise *items)
{
    struct person *persons = NEW_N(a, struct person, t->persons + 1);

    for (size_t p = 0; p < t->persons; p++)
        for (size_t i = 0; i < t->items; i++)
            if (!isnan(at(t, p, i))) {
                persons[p].sum += at(t, p, i) - items[i].mean;
                persons[p].n++;
            }
    return persons;
}

static void discriminate(const struct itemwise_table *t, const struct person *persons, size_t item,
                         double *x, double *y, struct itemwise *out)
{
    size_t n = 0;

    for (size_t p = 0; p < t->persons; p++) {
        double own = at(t, p, item) - out->mean;
        if (isnan(own) || persons[p].n < 2)
            continue;
        x[n] = own;
        y[n++] = (persons[p].sum - own) / (double)(persons[p].n - 1);
    }
    if (n >= 2) {
        double r = correlate_pearson(x, y, n);
        out->discrimination = n >= ITEMWISE_PERSONS ? r : (double)NAN;
        out->worth = isnan(r) ? 0 : r * out->sd;
    }
}

/* ---- Rasch ---- */

struct rasch {
    const struct itemwise_table *t;
    double *ability, *difficulty;
};

static double expected(const struct rasch *r, size_t person, size_t item)
{
    return 1 / (1 + exp(r->difficulty[item] - r->ability[person]));
}

enum { RASCH_ROUNDS = 200 };
static const double prior = 1.0 / 9; /* for a standard deviation of three logits */

/* One Newton step for a person's ability or an item's difficulty. Returns its length. */
static double step(const struct rasch *r, size_t who, bool is_item)
{
    double score = 0, information = prior, *where = is_item ? r->difficulty : r->ability, move;
    size_t n = is_item ? r->t->persons : r->t->items;

    for (size_t k = 0; k < n; k++) {
        size_t person = is_item ? k : who, item = is_item ? who : k;
        double x = at(r->t, person, item), e;
        if (isnan(x))
            continue;
        e = expected(r, person, item);
        score += is_item ? e - x : x - e;
        information += e * (1 - e);
    }
    move = (score - prior * where[who]) / information;
    move = fmax(-1, fmin(1, move));
    where[who] += move;
    return fabs(move);
}

static double outfit(const struct rasch *r, size_t item)
{
    double sum = 0;
    size_t n = 0;

    for (size_t p = 0; p < r->t->persons; p++) {
        double x = at(r->t, p, item), e = expected(r, p, item);
        if (isnan(x))
            continue;
        sum += (x - e) * (x - e) / fmax(e * (1 - e), 1e-9);
        n++;
    }
    return n ? sum / (double)n : (double)NAN;
}

static void fit_rasch(struct arena *a, const struct itemwise_table *t, struct itemwise *out)
{
    struct rasch r = {t, NEW_N(a, double, t->persons + 1), NEW_N(a, double, t->items + 1)};
    double centre = 0, moved = 1;

    if (t->persons < ITEMWISE_RASCH_PERSONS || t->items < ITEMWISE_RASCH_ITEMS)
        return;
    for (int round = 0; round < RASCH_ROUNDS && moved > 1e-8; round++) {
        moved = 0;
        for (size_t p = 0; p < t->persons; p++)
            moved = fmax(moved, step(&r, p, false));
        for (size_t i = 0; i < t->items; i++)
            moved = fmax(moved, step(&r, i, true));
    }
    for (size_t i = 0; i < t->items; i++)
        centre += r.difficulty[i] / (double)t->items;
    for (size_t i = 0; i < t->items; i++) {
        out[i].fit = outfit(&r, i);
        out[i].logit = out[i].n ? r.difficulty[i] - centre : (double)NAN;
    }
}

void itemwise_of(const struct itemwise_table *t, struct itemwise *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    double *x = NEW_N(a, double, t->persons + 1), *y = NEW_N(a, double, t->persons + 1);
    const struct person *persons;

    describe_items(t, out);
    persons = sum_persons(a, t, out);
    for (size_t i = 0; i < t->items; i++)
        discriminate(t, persons, i, x, y, &out[i]);
    fit_rasch(a, t, out);
}

/* ---- redundant items ---- */

static int stronger(const void *x, const void *y)
{
    const struct itemwise_twins *a = x, *b = y;

    if (a->correlation != b->correlation)
        return a->correlation > b->correlation ? -1 : 1;
    return a->one != b->one ? (a->one < b->one ? -1 : 1)
                            : (a->other > b->other) - (a->other < b->other);
}

/* Residuals after removing the means of person and item, normalized by
 * item; 0 if nothing is left. */
static double *residuals(struct arena *a, const struct itemwise_table *t)
{
    struct itemwise *items = NEW_N(a, struct itemwise, t->items + 1);
    double *r = NEW_N(a, double, t->persons * t->items + 1);
    const struct person *persons;

    describe_items(t, items);
    persons = sum_persons(a, t, items);
    for (size_t i = 0; i < t->items; i++) {
        double squares = 0;
        for (size_t p = 0; p < t->persons; p++) {
            double x = at(t, p, i) - items[i].mean;
            double left = isnan(x) ? 0 : x - persons[p].sum / (double)persons[p].n;
            r[i * t->persons + p] = left;
            squares += left * left;
        }
        for (size_t p = 0; p < t->persons; p++)
            r[i * t->persons + p] = squares > 1e-12 ? r[i * t->persons + p] / sqrt(squares) : 0;
    }
    return r;
}

size_t itemwise_twins(const struct itemwise_table *t, double least, size_t most,
                      struct itemwise_twins *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const double *r = t->persons < ITEMWISE_TWIN_PERSONS ? NULL : residuals(a, t);
    struct itemwise_twins *all = NULL;
    size_t n = 0, cap = 0;

    for (size_t i = 0; r && i < t->items; i++)
        for (size_t k = i + 1; k < t->items; k++) {
            double sum = 0;
            for (size_t p = 0; p < t->persons; p++)
                sum += r[i * t->persons + p] * r[k * t->persons + p];
            if (sum < least)
                continue;
            all = mem_grow(all, &cap, n + 1, sizeof *all);
            all[n++] = (struct itemwise_twins){(uint32_t)i, (uint32_t)k, sum};
        }
    if (n)
        qsort(all, n, sizeof *all, stronger);
    n = n < most ? n : most;
    if (n)
        memcpy(out, all, n * sizeof *out);
    free(all);
    return n;
}

/* ---- best items ---- */

struct choice {
    double worth;
    size_t item;
};

static int better(const void *x, const void *y)
{
    const struct choice *a = x, *b = y;

    if (a->worth != b->worth)
        return a->worth > b->worth ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static int ascending(const void *x, const void *y)
{
    size_t a = *(const size_t *)x, b = *(const size_t *)y;

    return (a > b) - (a < b);
}

void itemwise_best(const struct itemwise *items, size_t all, size_t n, size_t *out)
{
    struct choice *c = mem_new((all + 1) * sizeof *c);

    for (size_t i = 0; i < all; i++)
        c[i] = (struct choice){isnan(items[i].worth) ? -1 : items[i].worth, i};
    qsort(c, all, sizeof *c, better);
    for (size_t i = 0; i < n && i < all; i++)
        out[i] = c[i].item;
    qsort(out, n < all ? n : all, sizeof *out, ascending);
    free(c);
}
