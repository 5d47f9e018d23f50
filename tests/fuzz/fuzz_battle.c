/* Any bytes as a battle file: what is read is sound, and every system rates it or says why not. */
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "eval/control.h"
#include "eval/rating.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct bytes {
    const uint8_t *data;
    size_t size;
};

static enum status read_bytes(struct arena *a, struct bytes b, const struct battle_want *want,
                              struct battle_set *out, struct err *e)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    enum status st;

    if (fd < 0 || write(fd, b.data, b.size) != (ssize_t)b.size)
        abort();
    st = battle_read(a, arena_printf(a, "/proc/self/fd/%d", fd), want, out, e);
    (void)close(fd);
    return st;
}

static void check_set(const struct battle_set *s)
{
    if (s->n == 0 || s->models < 2)
        abort();
    for (size_t i = 0; i < s->n; i++) {
        const struct duel *d = &s->v[i];
        if (d->a >= s->models || d->b >= s->models || d->a == d->b || d->cluster >= s->clusters ||
            d->outcome > DUEL_WON || !(d->weight > 0) || !isfinite(d->weight))
            abort();
    }
}

static void check_rating(struct arena *a, const struct battle_set *s, enum rating_system system,
                         enum bt_ties ties)
{
    struct rating_how how = {.system = system, .ties = ties, .glicko.tau = GLICKO_TAU};
    struct rating_table t;
    struct err e = {0};
    size_t models = 0;

    if (rating_compute(a, s, &how, &t, &e) != OK) {
        if (!e.msg[0])
            abort();
        return;
    }
    for (size_t g = 0; g < t.ngroups; g++) {
        models += t.groups[g].n;
        for (size_t i = 0; i < t.groups[g].n; i++)
            if (!isfinite(t.groups[g].v[i].rating))
                abort();
    }
    if (models != s->models)
        abort();
}

/* Finite and within its interval, if it has one, or said not to be known. */
static void check_value(const struct interval *v)
{
    bool bounded = !isnan(v->low) || !isnan(v->high);

    if (isfinite(v->value) ? bounded && !(v->low <= v->value && v->value <= v->high)
                           : !isnan(v->value))
        abort();
}

static void check_style(struct arena *a, const struct battle_set *s)
{
    struct control c;
    struct err e = {0};

    for (size_t i = 0; i < s->n; i++)
        for (size_t f = 0; f < STYLE_FEATURES; f++)
            if (!(fabs(s->style[i][f]) <= 1))
                abort();
    if (control_compute(a, s, &(struct control_how){.widen = 1}, &c, &e) != OK) {
        if (!e.msg[0])
            abort();
        return;
    }
    for (size_t m = 0; m < s->models; m++)
        check_value(&c.ratings[m]);
    for (size_t f = 0; f < STYLE_FEATURES; f++)
        check_value(&c.effects[f]);
}

/* The same bytes when more is wanted of them. */
static void check_more(struct arena *a, struct bytes b)
{
    AUTO(battle_done) struct battle_set styled = {0};
    AUTO(battle_done) struct battle_set runs = {0};
    struct err e = {0};

    if (read_bytes(a, b, &(struct battle_want){.style = true}, &styled, &e) == OK)
        check_style(a, &styled);
    if (read_bytes(a, b, &(struct battle_want){.run = true}, &runs, &e) != OK)
        return;
    for (size_t i = 0; i < runs.n; i++)
        if (runs.run[i] >= runs.runs)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done) struct battle_set s = {0};
    const struct bytes b = {data, size};
    struct err e = {0};

    if (read_bytes(a, b, &(struct battle_want){0}, &s, &e) != OK) {
        if (!e.msg[0] || s.n)
            abort();
        return 0;
    }
    check_more(a, b);
    check_set(&s);
    check_rating(a, &s, RATING_BT, BT_HALF);
    check_rating(a, &s, RATING_BT, BT_DAVIDSON);
    check_rating(a, &s, RATING_GLICKO, BT_HALF);
    return 0;
}
