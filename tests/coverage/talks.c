/* Marks over the turns of dialogues, and contradictions in them. */
#include "cover.h"

enum { STRETCHES = 4, TURNS_OF_STRETCH = 6, WORLD_TALKS = 200000 };

/* Marks of one dialogue, from one to five, of the judge who hears each stretch; how many of them
 * there are before the user leaves. */
static int talk(const struct regime *c, struct rng *r, double *mark)
{
    double own = 0.5 * cover_normal(r), bend = 0.4 * cover_normal(r);

    for (int w = 0; w < STRETCHES; w++) {
        double at = (double)w / (STRETCHES - 1);
        if (w && rng_unit(r) < c->b)
            return w;
        mark[w] =
            floor(fmin(5, fmax(1, 4.2 + own + (c->a + bend) * at + 0.5 * cover_normal(r) + 0.5)));
    }
    return STRETCHES;
}

/* Per ten turns. */
static double slope(const double *mark, int n)
{
    double x = 0, y = 0, xx = 0, xy = 0;

    for (int w = 0; w < n; w++) {
        double at = (w + 0.5) * TURNS_OF_STRETCH;
        x += at;
        y += mark[w];
        xx += at * at;
        xy += at * mark[w];
    }
    return 10 * (n * xy - x * y) / (n * xx - x * x);
}

/* The means of very many dialogues; kept for the cell that a thread is drawing. */
static const double *true_drift(const struct regime *c)
{
    static _Thread_local const struct regime *known;
    static _Thread_local double mean[STRETCHES];
    struct rng r = rng_keyed(31, c->regime, NULL, 0);
    double sum[STRETCHES] = {0}, n[STRETCHES] = {0};

    for (size_t i = 0; i < cover_world(WORLD_TALKS) && known != c; i++) {
        double mark[STRETCHES];
        int stretches = talk(c, &r, mark);
        for (int w = 0; w < stretches; w++, n[w - 1]++)
            sum[w] += mark[w];
    }
    for (int w = 0; w < STRETCHES && known != c; w++)
        mean[w] = sum[w] / n[w];
    known = c;
    return mean;
}

/* The band holds where it holds in every stretch that has one. */
void draw_drift(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct interval_cluster v[STRETCHES][ITEMS_MOST] = {0};
    const double *world = true_drift(c);
    struct interval band = {.low = 0, .high = 0};
    int bands = 0, out = 0, cautions = 0;

    (void)truth;
    for (int i = 0; i < c->n; i++) {
        double mark[STRETCHES];
        int stretches = talk(c, r, mark);
        for (int w = 0; w < stretches; w++)
            v[w][i] = (struct interval_cluster){mark[w], 1};
    }
    for (int w = 0; w < STRETCHES; w++) {
        struct interval one = interval_of_means(v[w], (size_t)c->n, (struct interval_scale){1, 5},
                                                1 - (1 - LEVEL) / STRETCHES);
        if (isnan(one.low))
            continue;
        bands++;
        cautions += one.why != INTERVAL_FINE;
        out += world[w] < one.low || world[w] > one.high;
        band.high += one.high - one.low;
    }
    band.high /= bands;
    band.why = 2 * cautions > bands ? INTERVAL_WIDE : INTERVAL_FINE;
    cover_count(t, band, out ? -1 : 0);
}

void draw_slope(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct interval_cluster v[ITEMS_MOST] = {0};

    for (int i = 0; i < c->n; i++) {
        double mark[STRETCHES];
        int stretches = talk(c, r, mark);
        if (stretches > 1)
            v[i] = (struct interval_cluster){slope(mark, stretches), 1};
    }
    cover_count(t, interval_of_means(v, (size_t)c->n, interval_unbounded, LEVEL), truth);
}

/* Of dialogues with two stretches or more, as they are counted. */
double true_slope(const struct regime *c)
{
    struct rng r = rng_keyed(37, c->regime, NULL, 0);
    double sum = 0, n = 0;

    for (size_t i = 0; i < cover_world(WORLD_TALKS); i++) {
        double mark[STRETCHES];
        int stretches = talk(c, &r, mark);
        sum += stretches > 1 ? slope(mark, stretches) : 0;
        n += stretches > 1;
    }
    return sum / n;
}

/* Some dialogues have more of them than others: the mean is a, of a gamma variable of shape b, or
 * the same in all where b is 0. */
void draw_contradictions(const struct regime *c, struct rng *r, double truth, struct tally *t)
{
    struct interval_cluster v[ITEMS_MOST];

    for (int i = 0; i < c->n; i++) {
        double mean = c->b > 0 ? -c->a * log(fmax(rng_unit(r), 1e-16)) : c->a;
        double left = exp(-mean), u = rng_unit(r);
        v[i] = (struct interval_cluster){0, 1};
        for (; u > left && v[i].sum < 50; v[i].sum++)
            u *= rng_unit(r);
    }
    cover_count(t, interval_of_means(v, (size_t)c->n, interval_counts, LEVEL), truth);
}
