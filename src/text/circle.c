#include "text/circle.h"

#include "text/gram.h"
#include "text/similar.h"

#define SHARE_LEAST 0.5

enum { TIMES_LEAST = 4, ROUND_MAX = 80 /* runes */ };

/* Thresholds for one kind of script, in runes. */
struct measure {
    size_t least;   /* shorter texts are never judged */
    size_t stretch; /* the stretches that are counted: two or three words */
    size_t stammer; /* a stretch that repeats after so few is stammering */
};
static const struct measure cjk = {25, 4, 2}, other = {48, 12, 3};

/* True if the stretch repeats itself with a short period. */
static bool is_stammer(struct runes t, size_t at, const struct measure *m)
{
    for (size_t period = 1; period <= m->stammer; period++) {
        size_t i = at + period;
        while (i < at + m->stretch && t.p[i] == t.p[i - period])
            i++;
        if (i == at + m->stretch)
            return true;
    }
    return false;
}

/* Shows one round: from the first occurrence of the stretch to the second. */
static void show_round(const uint32_t *name, size_t total, uint32_t which, struct circle *c)
{
    size_t second;

    for (c->first = 0; name[c->first] != which;)
        c->first++;
    for (second = c->first + 1; second < total && name[second] != which;)
        second++;
    c->n = second - c->first < ROUND_MAX ? second - c->first : ROUND_MAX;
}

struct circle circle_find(struct arena *scratch, struct runes t)
{
    const struct measure *m = similar_is_cjk(t) ? &cjk : &other;
    size_t total = t.n < m->least ? 0 : t.n - m->stretch + 1, again = 0;
    uint32_t *times, most = 0;
    struct circle c = {0};
    struct gram_pair g;

    if (total == 0)
        return c;
    gram_pair_init(&g, scratch, t, (struct runes){0});
    while (g.order < m->stretch)
        gram_pair_raise(&g);
    times = NEW_N(scratch, uint32_t, g.kinds);
    for (size_t i = 0; i < total; i++) {
        uint32_t name = g.name[0][i];
        if (is_stammer(t, i, m))
            continue;
        again += times[name]++ > 0;
        most = times[name] > times[most] ? name : most;
    }
    if (times[most] < TIMES_LEAST || (double)again < SHARE_LEAST * (double)total)
        return c;
    c.share = (double)again / (double)total;
    show_round(g.name[0], total, most, &c);
    return c;
}
