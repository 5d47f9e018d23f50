#include "gauge/size.h"

#include <math.h>
#include <stdlib.h>

#include "math/dist.h"

enum { ITEMS_MOST = 1000000, OTHERS_MOST = 1000, MIXED_MOST = 8 };

/* An unknown component is part of another one. */
static double known(double variance)
{
    return isnan(variance) ? 0 : variance;
}

static double squared_t(int64_t n)
{
    double t = dist_t_quantile(0.975, (double)(n - 1));

    return t * t;
}

double size_half(const struct size_question *q, const struct size_design *d)
{
    const struct size_noise *v = &q->noise;
    double judges = (double)d->judges, each = judges * q->density, answers = (double)d->answers;
    double inside = known(v->items) + known(v->answers) / answers + known(v->cross) / each +
                    known(v->rest) / (answers * each * (double)d->readings);
    double h2;

    if (d->items < 2 || (v->drawn && d->judges < 2))
        return (double)INFINITY;
    h2 = squared_t(d->items) * inside / (double)d->items;
    if (v->drawn)
        h2 += squared_t(d->judges) * known(v->judges) / judges;
    return q->scale * sqrt(h2);
}

static int64_t *lever_of(struct size_design *d, enum size_lever lever)
{
    int64_t *const of[] = {[SIZE_ITEMS] = &d->items,
                           [SIZE_ANSWERS] = &d->answers,
                           [SIZE_JUDGES] = &d->judges,
                           [SIZE_READINGS] = &d->readings};

    return of[lever];
}

/* Finds the smallest sufficient number; widths decrease with it. False if
 * even `most` is not enough. */
static bool enough(const struct size_question *q, struct size_design *d, enum size_lever lever,
                   int64_t most)
{
    int64_t *n = lever_of(d, lever), low = *n, high = most;

    *n = most;
    if (size_half(q, d) > q->half)
        return false;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        *n = middle;
        if (size_half(q, d) <= q->half)
            high = middle;
        else
            low = middle + 1;
    }
    *n = high;
    return true;
}

static int64_t answers_of(const struct size_question *q, const struct size_design *d)
{
    return (int64_t)q->models * d->items * d->answers;
}

static int64_t readings_of(const struct size_question *q, const struct size_design *d)
{
    return llround((double)(answers_of(q, d) * d->judges * d->readings) * q->density);
}

static struct size_option option(const struct size_question *q, enum size_lever lever,
                                 const struct size_design *to, bool reached)
{
    struct size_option o = {.lever = lever, .reached = reached, .to = *to};

    o.half = size_half(q, to);
    o.answers = answers_of(q, to) - answers_of(q, &q->now);
    o.readings = readings_of(q, to) - readings_of(q, &q->now);
    o.usd = (o.answers ? (double)o.answers * q->answer_usd : 0) +
            (o.readings ? (double)o.readings * q->reading_usd : 0);
    return o;
}

static double price(const struct size_option *o)
{
    return isnan(o->usd) ? (double)(o->answers + o->readings) : o->usd;
}

/* Increasing something only helps if it was seen to vary. */
static bool can_vary(const struct size_question *q, enum size_lever lever)
{
    const bool may[] = {[SIZE_ITEMS] = true,
                        [SIZE_ANSWERS] = !isnan(q->noise.answers),
                        [SIZE_JUDGES] = !isnan(q->noise.judges),
                        [SIZE_READINGS] = q->now.readings > 1};

    return may[lever];
}

static int64_t most_of(const struct size_question *q, enum size_lever lever, int64_t now)
{
    return can_vary(q, lever) ? now + MIXED_MOST : now;
}

/* The cheapest design that has no less of anything than now. */
static bool mixed(const struct size_question *q, struct size_option *out)
{
    struct size_design most = {.answers = most_of(q, SIZE_ANSWERS, q->now.answers),
                               .judges = most_of(q, SIZE_JUDGES, q->now.judges),
                               .readings = most_of(q, SIZE_READINGS, q->now.readings)};
    struct size_design d = q->now;
    bool any = false;

    for (d.answers = q->now.answers; d.answers <= most.answers; d.answers++)
        for (d.judges = q->now.judges; d.judges <= most.judges; d.judges++)
            for (d.readings = q->now.readings; d.readings <= most.readings; d.readings++) {
                struct size_option o;
                d.items = q->now.items;
                if (!enough(q, &d, SIZE_ITEMS, ITEMS_MOST))
                    continue;
                o = option(q, SIZE_MIXED, &d, true);
                if (!any || price(&o) < price(out))
                    *out = o;
                any = true;
            }
    return any;
}

static int by_price(const void *x, const void *y)
{
    const struct size_option *a = x, *b = y;

    if (a->reached != b->reached)
        return a->reached ? -1 : 1;
    if (price(a) != price(b))
        return price(a) < price(b) ? -1 : 1;
    return a->lever < b->lever ? -1 : a->lever > b->lever;
}

static bool same_design(const struct size_design *a, const struct size_design *b)
{
    return a->items == b->items && a->answers == b->answers && a->judges == b->judges &&
           a->readings == b->readings;
}

size_t size_options(const struct size_question *q, struct size_option out[SIZE_LEVERS])
{
    struct size_option mix = {0};
    size_t n = 0;

    for (int k = SIZE_ITEMS; k < SIZE_MIXED; k++) {
        enum size_lever lever = (enum size_lever)k;
        struct size_design d = q->now;
        bool reached;
        if (!can_vary(q, lever))
            continue;
        reached = enough(q, &d, lever, lever == SIZE_ITEMS ? ITEMS_MOST : OTHERS_MOST);
        out[n++] = option(q, lever, &d, reached);
    }
    if (mixed(q, &mix)) {
        bool known_already = false;
        for (size_t i = 0; i < n; i++)
            known_already |= same_design(&out[i].to, &mix.to);
        if (!known_already)
            out[n++] = mix;
    }
    qsort(out, n, sizeof *out, by_price);
    return n;
}
