#include "eval/overall.h"

#include <math.h>

struct comparison {
    struct arena *arena;
    const struct instrument *in;
    struct overall_count *first, *now;
    int64_t verdict;
    double overall, sum, weights;
};

static void close_verdict(struct comparison *c)
{
    if (c->verdict == 0)
        return;
    c->now->compared++;
    c->now->differs += floor(c->sum / c->weights + 0.5) != floor(c->overall + 0.5);
    c->sum = c->weights = 0;
}

static double weight_of(const struct instrument *in, const char *dimension)
{
    for (size_t i = 0; i < in->ndimensions; i++)
        if (strcmp(in->dimensions[i].id, dimension) == 0)
            return in->dimensions[i].weight;
    return 0;
}

static enum status step(void *user, const struct overall_fact *f, struct err *e)
{
    struct comparison *c = user;
    double weight = weight_of(c->in, f->dimension);

    (void)e;
    if (f->verdict != c->verdict)
        close_verdict(c);
    if (!c->now || strcmp(c->now->judge, f->judge) != 0) {
        struct overall_count *count = NEW(c->arena, struct overall_count);
        count->judge = arena_text(c->arena, str_of(f->judge));
        count->next = c->first;
        c->first = c->now = count;
    }
    c->verdict = f->verdict;
    c->overall = f->overall;
    c->sum += weight * f->value;
    c->weights += weight;
    return OK;
}

enum status overall_compare(struct arena *a, struct store *s, int64_t run,
                            const struct suite *suite, struct overall_count **out, struct err *e)
{
    struct comparison c = {.arena = a, .in = &suite->instrument};

    if (store_overall_each(s, run, step, &c, e) != OK)
        return e->code;
    close_verdict(&c);
    *out = c.first;
    return OK;
}
