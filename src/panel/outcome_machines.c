/* People against the AI judges of the same run, and both together. */
#include <math.h>
#include <stdlib.h>

#include "math/agree.h"
#include "math/correlate.h"
#include "math/ppi.h"
#include "panel/outcome_parts.h"

enum { TAU_MOST = 5000 }; /* texts: it looks at all pairs of them */

/* Mean mark of the AI judges on each text of the run, by dimension. */
struct machine {
    int64_t sample, item;
    uint32_t system; /* in the ledger; UINT32_MAX: raters have seen nothing of this model */
    uint32_t text;   /* in the ledger; UINT32_MAX: no rater has seen it */
    uint32_t cluster;
    double *sum;
    int64_t *n;
};

struct gathering {
    struct tally_sheet *t;
    const struct party_list *models;
    struct place_of *texts; /* of the ledger, by sample */
    struct machine *v;
    size_t n, cap;
    size_t clusters; /* items; every machine has its number among them */
};

struct place_of {
    int64_t sample;
    uint32_t text;
};

static int by_sample(const void *x, const void *y)
{
    const struct place_of *a = x, *b = y;

    return a->sample < b->sample ? -1 : a->sample > b->sample;
}

static struct place_of *index_texts(struct arena *a, const struct ledger *l)
{
    struct place_of *v = NEW_N(a, struct place_of, l->ntexts + 1);

    for (size_t i = 0; i < l->ntexts; i++)
        v[i] = (struct place_of){l->samples[i], (uint32_t)i};
    qsort(v, l->ntexts, sizeof *v, by_sample);
    return v;
}

static uint32_t find_text(const struct gathering *g, int64_t sample)
{
    struct place_of key = {sample, 0}, *at;

    at = bsearch(&key, g->texts, g->t->l.ntexts, sizeof key, by_sample);
    return at ? at->text : UINT32_MAX;
}

static uint32_t find_system(const struct gathering *g, int64_t model)
{
    for (size_t i = 0; i < g->models->n; i++)
        for (size_t k = 0; k < g->t->l.nsystems && g->models->v[i].id == model; k++)
            if (strcmp(g->t->l.systems[k], g->models->v[i].name) == 0)
                return (uint32_t)k;
    return UINT32_MAX;
}

/* Facts come sample by sample. */
static enum status gather(void *user, const struct mark_fact *f, struct err *e)
{
    struct gathering *g = user;
    const struct instrument *in = &g->t->c->suite.instrument;
    struct machine *m;

    (void)e;
    if (!f->dimension)
        return OK;
    if (g->n == 0 || g->v[g->n - 1].sample != f->sample) {
        g->v = mem_grow(g->v, &g->cap, g->n + 1, sizeof *g->v);
        g->v[g->n++] = (struct machine){
            .sample = f->sample,
            .item = f->item,
            .system = find_system(g, f->model),
            .text = find_text(g, f->sample),
            .sum = NEW_N(g->t->a, double, in->ndimensions),
            .n = NEW_N(g->t->a, int64_t, in->ndimensions),
        };
    }
    m = &g->v[g->n - 1];
    for (size_t i = 0; i < in->ndimensions; i++)
        if (strcmp(in->dimensions[i].id, f->dimension) == 0) {
            m->sum[i] += f->value;
            m->n[i]++;
        }
    return OK;
}

static int by_number(const void *x, const void *y)
{
    const int64_t *a = x, *b = y;

    return *a < *b ? -1 : *a > *b;
}

/* Several texts of one item resemble each other: the item is what was drawn. */
static void number_items(struct gathering *g)
{
    int64_t *items = NEW_N(g->t->a, int64_t, g->n + 1);
    size_t n = 0;

    for (size_t i = 0; i < g->n; i++)
        items[i] = g->v[i].item;
    qsort(items, g->n, sizeof *items, by_number);
    for (size_t i = 0; i < g->n; i++)
        if (n == 0 || items[i] != items[n - 1])
            items[n++] = items[i];
    for (size_t i = 0; i < g->n; i++) {
        const int64_t *at = bsearch(&g->v[i].item, items, n, sizeof *items, by_number);
        g->v[i].cluster = (uint32_t)(at - items);
    }
    g->clusters = n;
}

/* Mean human mark of every text in one dimension; NaN: none. */
static double *human_means(const struct tally_sheet *t, size_t dimension)
{
    double *sum = NEW_N(t->a, double, t->l.ntexts + 1);
    size_t *n = NEW_N(t->a, size_t, t->l.ntexts + 1);

    for (size_t i = 0; i < t->l.n; i++)
        if (t->l.v[i].dimension == dimension && t->l.v[i].counts) {
            sum[t->l.v[i].text] += t->l.v[i].value;
            n[t->l.v[i].text]++;
        }
    for (size_t i = 0; i < t->l.ntexts; i++)
        sum[i] = n[i] ? sum[i] / (double)n[i] : NAN;
    return sum;
}

static double machine_mean(const struct machine *m, size_t dimension)
{
    return m->n[dimension] ? m->sum[dimension] / (double)m->n[dimension] : NAN;
}

/* Texts that both have marked. */
struct both {
    double *human, *ai;
    size_t n;
};

/* Whether they put texts in the same order, whatever they think of the scale. */
static void put_order(struct tally_sheet *t, const char *who, const struct both *b)
{
    double tau = b->n > TAU_MOST ? NAN : correlate_tau(b->human, b->ai, b->n);

    outcome_put(t, (struct score_row){who, "ai:spearman", "means of texts",
                                      correlate_spearman(t->a, b->human, b->ai, b->n), NAN, NAN,
                                      (int64_t)b->n, 0});
    if (!isnan(tau))
        outcome_put(t, (struct score_row){who, "ai:tau", "Kendall, tau-b; means of texts", tau, NAN,
                                          NAN, (int64_t)b->n, 0});
}

/* Alpha of the two means, the order, and how much higher the judges mark, by passage. */
static void put_comparison(struct tally_sheet *t, const struct gathering *g, size_t dimension,
                           const double *human)
{
    const char *who =
        arena_printf(t->a, "dimension/%s", t->c->suite.instrument.dimensions[dimension].id);
    struct interval_cluster *bias = NEW_N(t->a, struct interval_cluster, t->l.npassages + 1);
    struct both both = {NEW_N(t->a, double, g->n + 1), NEW_N(t->a, double, g->n + 1), 0};
    struct agree_interval alpha = {0};
    struct interval mean;

    for (size_t i = 0; i < g->n; i++) {
        double ai = machine_mean(&g->v[i], dimension);
        uint32_t text = g->v[i].text;
        if (text == UINT32_MAX || isnan(human[text]) || isnan(ai))
            continue;
        agree_interval_add(&alpha, (double[]){human[text], ai}, 2);
        both.human[both.n] = human[text];
        both.ai[both.n++] = ai;
        bias[t->l.text_of[text]].sum += ai - human[text];
        bias[t->l.text_of[text]].n++;
    }
    if (both.n == 0)
        return;
    mean = interval_of_means(bias, t->l.npassages, 0.95);
    outcome_put(t, (struct score_row){who, "ai:alpha", "Krippendorff, interval; means of texts",
                                      agree_interval_alpha(&alpha), NAN, NAN, (int64_t)both.n, 0});
    put_order(t, who, &both);
    outcome_put(t,
                (struct score_row){who, "ai:bias", "AI judges less people; t, passages", mean.value,
                                   mean.low, mean.high, (int64_t)mean.n, (int64_t)mean.clusters});
}

/* What the judges said, with the item of each. */
struct values {
    double *v;
    uint32_t *cluster;
    size_t n;
};

static struct values new_values(const struct gathering *g)
{
    return (struct values){NEW_N(g->t->a, double, g->n + 1), NEW_N(g->t->a, uint32_t, g->n + 1), 0};
}

static void add_value(struct values *to, double v, uint32_t cluster)
{
    to->v[to->n] = v;
    to->cluster[to->n++] = cluster;
}

/* Few marks by people and many by judges, for one system; items are the clusters. */
static void put_ppi(struct tally_sheet *t, const struct gathering *g, size_t dimension,
                    size_t system, const double *human)
{
    struct values both = new_values(g), rest = new_values(g);
    double *h = NEW_N(t->a, double, g->n + 1);
    struct ppi p;

    for (size_t i = 0; i < g->n; i++) {
        const struct machine *m = &g->v[i];
        double ai = machine_mean(m, dimension);
        if (m->system != system || isnan(ai))
            continue;
        if (m->text == UINT32_MAX || isnan(human[m->text])) {
            add_value(&rest, ai, m->cluster);
        } else {
            h[both.n] = human[m->text];
            add_value(&both, ai, m->cluster);
        }
    }
    if (both.n < 2)
        return;
    p = ppi_mean(&(struct ppi_data){.human = h,
                                    .both = {both.v, both.cluster, both.n},
                                    .machine = {rest.v, rest.cluster, rest.n},
                                    .clusters = g->clusters},
                 0.95);
    if (isnan(p.mean.value))
        return;
    outcome_put(t,
                (struct score_row){
                    arena_printf(t->a, "system/%s", t->l.systems[system]),
                    arena_printf(t->a, "ppi:%s", t->c->suite.instrument.dimensions[dimension].id),
                    arena_printf(t->a, "PPI++, weight of the judges %.2f", p.lambda), p.mean.value,
                    p.mean.low, p.mean.high, (int64_t)(both.n + rest.n), (int64_t)both.n});
}

enum status outcome_machines(struct tally_sheet *t, struct err *e)
{
    struct party_list models;
    struct gathering g = {.t = t, .models = &models, .texts = index_texts(t->a, &t->l)};
    enum status st;

    if (store_party_list(t->a, t->s, PARTY_MODEL, t->c->run.id, &models, e) != OK)
        return e->code;
    st = store_mark_each(t->s, t->c->run.id, gather, &g, e);
    number_items(&g);
    for (size_t d = 0; st == OK && g.n && d < t->c->suite.instrument.ndimensions; d++) {
        const double *human = human_means(t, d);
        put_comparison(t, &g, d, human);
        for (size_t k = 0; k < t->l.nsystems; k++)
            put_ppi(t, &g, d, k, human);
    }
    free(g.v);
    return st;
}
