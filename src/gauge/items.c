#include "gauge/items.h"

#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "gauge/matches.h"
#include "math/interval.h"
#include "store/store_compare.h"
#include "suite/suite.h"

enum { DIFFICULTIES = 5 };

#define TWINS_FROM 0.8 /* correlation of residuals */

/* Sums by model and item, and by item. */
struct sheet {
    const struct readings *r;
    double min, span;               /* scale of a reading */
    struct interval_cluster *cells; /* [model * items + item]: sum over answers */
    struct interval_cluster *split; /* [item] difference between judges */
    bool *models, *judges;          /* which have readings */
};

/* Adds one answer: readings [from, to), sorted by judge. */
static void add_answer(struct sheet *x, size_t from, size_t to)
{
    const struct readings *r = x->r;
    struct interval_cluster *cell = &x->cells[r->model[from] * r->items + r->item[from]],
                            *split = &x->split[r->item[from]];
    double sum = 0, least = INFINITY, greatest = -INFINITY;
    size_t judges = 0;

    for (size_t i = from, end; i < to; i = end) {
        double all = 0, mean;
        for (end = i; end < to && r->judge[end] == r->judge[i]; end++)
            all += (r->value[end] - x->min) / x->span;
        mean = all / (double)(end - i);
        least = fmin(least, mean);
        greatest = fmax(greatest, mean);
        sum += mean;
        judges++;
        x->judges[r->judge[i]] = true;
    }
    x->models[r->model[from]] = true;
    cell->sum += sum / (double)judges;
    cell->n++;
    if (judges > 1) {
        split->sum += greatest - least;
        split->n++;
    }
}

static void gather(struct sheet *x)
{
    for (size_t from = 0, to; from < x->r->n; from = to) {
        for (to = from; to < x->r->n && x->r->answer[to] == x->r->answer[from];)
            to++;
        add_answer(x, from, to);
    }
}

static void find_scale(const struct instrument *in, struct sheet *x)
{
    double weights = 0, max = 0;

    x->min = 0;
    x->span = 1; /* battles: from lost to won */
    if (in->kind == INSTRUMENT_PAIR)
        return;
    for (size_t d = 0; d < in->ndimensions; d++) {
        x->min += in->dimensions[d].weight * in->dimensions[d].min;
        max += in->dimensions[d].weight * in->dimensions[d].max;
        weights += in->dimensions[d].weight;
    }
    x->min /= weights;
    x->span = max / weights > x->min ? max / weights - x->min : 1;
}

static double mean_of(const struct interval_cluster *m)
{
    return m->n ? m->sum / (double)m->n : (double)NAN;
}

/* Models without readings are left out. */
static struct itemwise_table table_of(struct arena *a, const struct sheet *x,
                                      struct items_analysis *out)
{
    size_t items = x->r->items;
    double *value = NEW_N(a, double, x->r->models *items + 1);

    for (size_t m = 0; m < x->r->models; m++) {
        if (!x->models[m])
            continue;
        for (size_t i = 0; i < items; i++)
            value[out->models * items + i] = mean_of(&x->cells[m * items + i]);
        out->models++;
    }
    return (struct itemwise_table){value, out->models, items};
}

static uint64_t asked_hash(const struct item *item)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();

    return hash_u64_of(str_of(item_asked(scratch, item)));
}

static enum status name_items(struct arena *a, struct store *s, int64_t run, int64_t first,
                              struct items_analysis *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(cursor_close) struct cursor c = store_items(s, run, e);
    struct item_fact f;

    while (store_item_next(&c, &f)) {
        size_t at = (size_t)(f.id - first);
        struct item item;
        if (at >= out->n)
            continue;
        arena_reset(scratch);
        if (item_thaw(scratch, f.body, &item, e) != OK)
            return err_wrap(e, "item %s", f.name);
        out->v[at].name = arena_text(a, str_of(f.name));
        out->v[at].asked = asked_hash(&item);
        if (item.card.difficulty && !out->battles)
            out->v[at].guess = item.card.difficulty;
    }
    return cursor_end(&c);
}

static bool is_measured(const struct items_one *one)
{
    return one->of.n >= ITEMWISE_PERSONS;
}

/* The measured value, else the estimate. */
static struct items_difficulty decide(double found, double guess)
{
    return isnan(found) ? (struct items_difficulty){guess, false}
                        : (struct items_difficulty){found, true};
}

/* The easiest fifth of the items gets 1, the hardest 5; equally hard items get the same. Undefined
 * with fewer than five items, or if all are equally hard. */
static void find_difficulty(struct items_analysis *out)
{
    double least = INFINITY, greatest = -INFINITY;
    size_t measured = 0;
    bool telling;

    for (size_t i = 0; i < out->n; i++)
        if (is_measured(&out->v[i])) {
            measured++;
            least = fmin(least, out->v[i].of.mean);
            greatest = fmax(greatest, out->v[i].of.mean);
        }
    telling = measured >= DIFFICULTIES && least < greatest;
    for (size_t i = 0; i < out->n; i++) {
        struct items_one *one = &out->v[i];
        size_t easier = 0, fifth;
        for (size_t k = 0; k < out->n; k++)
            easier += is_measured(&out->v[k]) && out->v[k].of.mean > one->of.mean;
        fifth = telling ? DIFFICULTIES * easier / measured : 0;
        if (telling && is_measured(one))
            one->found = 1 + (double)fifth;
        one->difficulty = decide(one->found, one->guess).value;
    }
}

struct items_difficulty items_difficulty(const struct items_analysis *x, const struct item *item)
{
    double guess = item->card.difficulty ? item->card.difficulty : (double)NAN;

    for (size_t i = 0; i < x->n; i++)
        if (strcmp(x->v[i].name, item->id) == 0 && x->v[i].asked == asked_hash(item))
            return decide(x->v[i].found, guess);
    return decide(NAN, guess);
}

/* Removes the gaps: item ids between the first and the last may belong to other runs. */
static void close_ranks(struct items_analysis *out)
{
    uint32_t *moved = mem_new((out->n + 1) * sizeof *moved);
    size_t n = 0;

    for (size_t i = 0; i < out->n; i++)
        if (out->v[i].name) {
            moved[i] = (uint32_t)n;
            out->v[n++] = out->v[i];
        }
    for (size_t i = 0; i < out->ntwins; i++) {
        out->twins[i].one = moved[out->twins[i].one];
        out->twins[i].other = moved[out->twins[i].other];
    }
    out->n = n;
    free(moved);
}

static void analyse(struct arena *a, const struct instrument *in, const struct readings *r,
                    struct items_analysis *out)
{
    struct sheet x = {.r = r,
                      .cells = NEW_N(a, struct interval_cluster, r->models * r->items + 1),
                      .split = NEW_N(a, struct interval_cluster, r->items + 1),
                      .models = NEW_N(a, bool, r->models + 1),
                      .judges = NEW_N(a, bool, r->judges + 1)};
    struct itemwise *of = NEW_N(a, struct itemwise, r->items + 1);
    struct itemwise_table t;

    find_scale(in, &x);
    gather(&x);
    t = table_of(a, &x, out);
    itemwise_of(&t, of);
    out->ntwins = itemwise_twins(&t, TWINS_FROM, ITEMS_TWINS, out->twins);
    out->n = r->items;
    out->v = NEW_N(a, struct items_one, r->items + 1);
    for (size_t i = 0; i < r->items; i++)
        out->v[i] = (struct items_one){.of = of[i],
                                       .split = mean_of(&x.split[i]),
                                       .turned = NAN,
                                       .guess = NAN,
                                       .found = NAN,
                                       .difficulty = NAN};
    for (size_t j = 0; j < r->judges; j++)
        out->judges += x.judges[j];
}

/* In battles the mean is always one half, and says nothing about the item or about models
 * that met different opponents. */
static void as_battles(const struct matches *m, struct items_analysis *out)
{
    out->battles = true;
    for (size_t i = 0; i < out->n; i++) {
        struct items_one *one = &out->v[i];
        one->of.mean = one->of.logit = one->of.fit = (double)NAN;
        if (m->both[i])
            one->turned = (double)m->turned[i] / (double)m->both[i];
    }
}

static enum status read_run(struct arena *a, struct store *s, const struct run_row *run,
                            const struct suite *suite, const struct jury *jury,
                            struct items_analysis *out, int64_t *first, struct err *e)
{
    bool battles = suite->instrument.kind == INSTRUMENT_PAIR;
    struct matches m = {0};

    if ((battles ? matches_take(a, s, run->id, jury, &m, e)
                 : readings_take(a, s, run->id, suite, jury, &m.r, e)) != OK)
        return e->code;
    *first = m.r.first_item;
    analyse(a, &suite->instrument, &m.r, out);
    if (battles)
        as_battles(&m, out);
    readings_done(&m.r);
    return OK;
}

enum status items_analyse(struct arena *a, struct store *s, const struct run_row *run,
                          const struct suite *suite, const struct jury *jury,
                          struct items_analysis *out, struct err *e)
{
    int64_t first = 0;

    *out = (struct items_analysis){0};
    if (read_run(a, s, run, suite, jury, out, &first, e) != OK ||
        name_items(a, s, run->id, first, out, e) != OK)
        return e->code;
    close_ranks(out);
    if (!out->battles)
        find_difficulty(out);
    return OK;
}

const char **items_best(struct arena *a, const struct items_analysis *x, size_t n)
{
    struct itemwise *of = NEW_N(a, struct itemwise, x->n + 1);
    size_t *which = NEW_N(a, size_t, x->n + 1);
    const char **names = NEW_N(a, const char *, x->n + 1);

    for (size_t i = 0; i < x->n; i++)
        of[i] = x->v[i].of;
    itemwise_best(of, x->n, n, which);
    for (size_t i = 0; i < n && i < x->n; i++)
        names[i] = x->v[which[i]].name;
    return names;
}
