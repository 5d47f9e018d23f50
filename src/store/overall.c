#include "store/overall.h"

#include <math.h>

#include "gen/queries.h"
#include "suite/mark.h"

double overall_part(const struct dimension *d, double mark)
{
    return d->lower_is_better ? d->min + d->max - mark : mark;
}

double overall_mean(const struct instrument *in, const struct mark_list *marks)
{
    double sum = 0, weights = 0;

    for (size_t i = 0; i < in->ndimensions; i++) {
        const struct dimension *d = &in->dimensions[i];
        const struct mark *m = store_mark_find(marks, d->id);
        sum += m ? d->weight * overall_part(d, m->value) : NAN;
        weights += d->weight;
    }
    return sum / weights;
}

double overall_round(double mean, enum rounding how)
{
    switch (how) {
    case ROUND_NEAREST:
        return floor(mean + 0.5);
    case ROUND_DOWN:
        return floor(mean);
    case ROUND_UP:
        return ceil(mean);
    case ROUND_NONE:
        break;
    }
    return mean;
}

/* ---- the judge's own ---- */

/* A mark of a verdict with an overall of the judge's own. */
struct overall_fact {
    const char *judge, *dimension;
    int64_t verdict;
    double overall, value;
};

struct comparison {
    struct arena *arena;
    const struct suite *suite;
    struct overall_count *first, *now;
    int64_t verdict;
    double overall, sum, weights;
};

/* If the suite does not round, how the judge made a whole number is unknown: take the nearest. */
static enum rounding whole(const struct suite *s)
{
    return s->score.round == ROUND_NONE ? ROUND_NEAREST : s->score.round;
}

static void close_verdict(struct comparison *c)
{
    double ours = overall_round(c->sum / c->weights, whole(c->suite));

    if (c->verdict == 0)
        return;
    c->now->compared++;
    c->now->differs += ours != overall_round(c->overall, ROUND_NEAREST);
    c->sum = c->weights = 0;
}

static void add_mark(struct comparison *c, const struct overall_fact *f)
{
    const struct dimension *d = vocab_dimension(&c->suite->instrument, f->dimension);

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
    if (d) {
        c->sum += d->weight * overall_part(d, f->value);
        c->weights += d->weight;
    }
}

enum status overall_compare(struct arena *a, struct store *s, int64_t run,
                            const struct suite *suite, struct overall_count **out, struct err *e)
{
    struct cursor r = cursor_open(s, Q_OVERALL_EACH, ARGS(V_INT(run)), e);
    struct comparison c = {.arena = a, .suite = suite};
    struct overall_fact f;

    while (cursor_next(&r, COLUMNS_OVERALL(struct overall_fact), &f))
        add_mark(&c, &f);
    if (cursor_end(&r) != OK)
        return e->code;
    close_verdict(&c);
    *out = c.first;
    return OK;
}
