/* People compared with the AI judges of the same run, and combined with them. */
#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/message.h"
#include "math/agree.h"
#include "math/correlate.h"
#include "math/jackknife.h"
#include "math/majority.h"
#include "math/ppi.h"
#include "panel/outcome_parts.h"
#include "store/store_pair.h"

enum { TAU_MOST = 1000 }; /* texts: it compares all pairs of them, many times */
enum { PAIRS_MOST = 40 }; /* systems */

/* Mean marks of the AI judges on one text of the run, by dimension. */
struct machine {
    int64_t sample, item;
    uint32_t system; /* in the ledger; UINT32_MAX: raters have not seen this model */
    uint32_t text;   /* in the ledger; UINT32_MAX: raters have not seen it */
    uint32_t cluster;
    double length; /* in characters */
    double *sum;
    int64_t *n;
};

struct gathering {
    struct tally_sheet *t;
    const struct party_list *models;
    struct map texts; /* texts of the ledger, by sample */
    struct machine *v;
    size_t n, cap;
    size_t clusters; /* number of items; each text has its item's index */
};

/* Marks come in the order of samples. */
static int by_machine(const void *x, const void *y)
{
    const struct machine *a = x, *b = y;

    return a->sample < b->sample ? -1 : a->sample > b->sample;
}

static uint32_t find_text(const struct gathering *g, int64_t sample)
{
    const int64_t *at = map_get(&g->texts, map_id(&sample));

    return at ? (uint32_t)(at - g->t->l.samples) : UINT32_MAX;
}

static uint32_t find_system(const struct gathering *g, int64_t model)
{
    for (size_t i = 0; i < g->models->n; i++)
        for (size_t k = 0; k < g->t->l.nsystems && g->models->v[i].id == model; k++)
            if (strcmp(g->t->l.systems[k], g->models->v[i].name) == 0)
                return (uint32_t)k;
    return UINT32_MAX;
}

/* Facts are ordered by sample. */
static enum status gather(void *user, const struct mark_fact *f, struct err *e)
{
    struct gathering *g = user;
    const struct instrument *in = &g->t->c->suite.instrument;
    struct machine *m;

    (void)e;
    if (!f->dimension)
        return OK;
    if (g->n == 0 || g->v[g->n - 1].sample != f->sample) {
        g->v = arena_grow(g->t->a, g->v, &g->cap, g->n + 1, sizeof *g->v);
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

/* Texts of one item are not independent, so items are the clusters. */
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

/* Texts that have marks by both. */
struct both {
    double *human, *ai, *length;
    uint32_t *passage;
    size_t n;
};

static double spearman(const double *x, const double *y, size_t n)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();

    return correlate_spearman(scratch, x, y, n);
}

static double alpha(const double *x, const double *y, size_t n)
{
    struct agree_interval s = {0};

    for (size_t i = 0; i < n; i++)
        agree_interval_add(&s, (double[]){x[i], y[i]}, 2);
    return agree_interval_alpha(&s);
}

/* Residuals of v after a linear regression on z. */
static double *without(struct arena *a, const double *v, const double *z, size_t n)
{
    double *rest = NEW_N(a, double, n + 1), mean_v = 0, mean_z = 0, shared = 0, own = 0;

    for (size_t i = 0; i < n; i++) {
        mean_v += v[i] / (double)n;
        mean_z += z[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        shared += (v[i] - mean_v) * (z[i] - mean_z);
        own += (z[i] - mean_z) * (z[i] - mean_z);
    }
    for (size_t i = 0; i < n; i++)
        rest[i] = v[i] - mean_v - (own > 0 ? shared / own * (z[i] - mean_z) : 0);
    return rest;
}

/* Agreement in order; passages are the clusters. */
static void put_order(struct tally_sheet *t, const char *who, const struct both *b)
{
    static const struct {
        const char *metric, *method;
        jackknife_pair_fn *fn;
        bool slow; /* it compares all pairs of texts */
    } of[] = {
        {"ai:alpha", N_("Krippendorff, interval; means of texts"), alpha, false},
        {"ai:pearson", N_("means of texts"), correlate_pearson, false},
        {"ai:spearman", N_("means of texts"), spearman, false},
        {"ai:tau", N_("Kendall, tau-b; means of texts"), correlate_tau, true},
    };
    struct jackknife_lists l = {b->human, b->ai, b->passage, b->n, t->l.npassages};

    for (size_t i = 0; i < COUNT(of); i++)
        if (!of[i].slow || b->n <= TAU_MOST)
            outcome_put_interval(t, who, of[i].metric, of[i].method,
                                 jackknife_lists(&l, of[i].fn, OUTCOME_LEVEL));
    l.x = without(t->a, b->human, b->length, b->n);
    l.y = without(t->a, b->ai, b->length, b->n);
    outcome_put_interval(t, who, "ai:pearson-length",
                         N_("means of texts, log of length taken out of both"),
                         jackknife_lists(&l, correlate_pearson, OUTCOME_LEVEL));
}

/* How much higher the judges' marks are, by passage. */
static void put_bias(struct tally_sheet *t, const char *who, const struct dimension *d,
                     const struct both *b)
{
    struct interval_cluster *ai = NEW_N(t->a, struct interval_cluster, t->l.npassages + 1),
                            *human = NEW_N(t->a, struct interval_cluster, t->l.npassages + 1);

    for (size_t i = 0; i < b->n; i++) {
        ai[b->passage[i]].sum += b->ai[i];
        ai[b->passage[i]].n++;
        human[b->passage[i]].sum += b->human[i];
        human[b->passage[i]].n++;
    }
    outcome_put_interval(t, who, "ai:bias", "AI judges less people; passages",
                         interval_of_difference(ai, human, t->l.npassages,
                                                (struct interval_scale){d->min, d->max},
                                                OUTCOME_LEVEL));
}

static void put_accuracy(struct tally_sheet *t, const char *who, size_t dimension, const double *ai)
{
    struct interval_cluster *right = NEW_N(t->a, struct interval_cluster, t->l.npassages + 1),
                            *person = NEW_N(t->a, struct interval_cluster, t->l.npassages + 1);
    struct cells c = ledger_cells(t->a, &t->l, dimension, true);

    majority_count(&c, ai, t->l.text_of, right, person);
    outcome_put_interval(t, who, "ai:accuracy",
                         N_("judges, rounded, against the majority of people; M, by passage"),
                         interval_of_ratio(right, t->l.npassages, interval_share, OUTCOME_LEVEL));
    outcome_put_interval(t, who, "ai:ceiling",
                         N_("one person against the majority of the others; M, by passage"),
                         interval_of_ratio(person, t->l.npassages, interval_share, OUTCOME_LEVEL));
}

/* The mark of the scale nearest to a mean; of two the higher. */
static double nearest(const struct dimension *d, double mean)
{
    double best = floor(mean + 0.5);

    for (size_t i = 0; i < d->nlevels; i++)
        if (i == 0 || fabs(d->levels[i].value - mean) <= fabs(best - mean))
            best = d->levels[i].value;
    return best;
}

static void put_comparison(struct tally_sheet *t, const struct gathering *g, size_t dimension,
                           const double *human)
{
    const struct dimension *d = &t->c->suite.instrument.dimensions[dimension];
    const char *who = outcome_subject(t, "dimension", d->id);
    struct both both = {NEW_N(t->a, double, g->n + 1), NEW_N(t->a, double, g->n + 1),
                        NEW_N(t->a, double, g->n + 1), NEW_N(t->a, uint32_t, g->n + 1), 0};
    double *by_text = NEW_N(t->a, double, t->l.ntexts + 1);

    for (size_t i = 0; i < t->l.ntexts; i++)
        by_text[i] = (double)NAN;
    for (size_t i = 0; i < g->n; i++) {
        double ai = machine_mean(&g->v[i], dimension);
        uint32_t text = g->v[i].text;
        if (text == UINT32_MAX || isnan(human[text]) || isnan(ai))
            continue;
        by_text[text] = nearest(d, ai);
        both.human[both.n] = human[text];
        both.ai[both.n] = ai;
        both.length[both.n] = log1p(g->v[i].length);
        both.passage[both.n++] = t->l.text_of[text];
    }
    if (both.n == 0)
        return;
    put_order(t, who, &both);
    put_bias(t, who, d, &both);
    put_accuracy(t, who, dimension, by_text);
}

/* ---- few marks by people and many by judges ---- */

/* Data of one system in one dimension: people's marks, and the judges' mean for each item; for
 * items that people rated, over the texts they rated. */
static struct ppi_data ppi_of(const struct gathering *g, size_t dimension, size_t system,
                              const double *human)
{
    const struct ledger *l = &g->t->l;
    struct cell *v = NEW_N(g->t->a, struct cell, l->n + 1);
    double *sum[2] = {NEW_N(g->t->a, double, g->clusters + 1),
                      NEW_N(g->t->a, double, g->clusters + 1)},
           *n[2] = {NEW_N(g->t->a, double, g->clusters + 1),
                    NEW_N(g->t->a, double, g->clusters + 1)};
    uint32_t *item = NEW_N(g->t->a, uint32_t, l->ntexts + 1);
    size_t cells = 0;

    memset(item, 0xff, l->ntexts * sizeof *item);
    for (size_t i = 0; i < g->n; i++) {
        const struct machine *m = &g->v[i];
        double ai = machine_mean(m, dimension);
        bool rated = m->text != UINT32_MAX && !isnan(human[m->text]);
        if (m->system != system || isnan(ai))
            continue;
        if (rated)
            item[m->text] = m->cluster;
        sum[rated][m->cluster] += ai;
        n[rated][m->cluster]++;
    }
    for (size_t c = 0; c < g->clusters; c++) {
        size_t of = n[1][c] > 0;
        sum[0][c] = sum[of][c] / n[of][c]; /* 0 / 0: NaN */
    }
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].dimension == dimension && l->v[i].counts && item[l->v[i].text] != UINT32_MAX)
            v[cells++] = (struct cell){item[l->v[i].text], l->v[i].rater, l->v[i].value};
    cell_sort(v, cells);
    return (struct ppi_data){{v, cells, g->clusters, l->nraters}, sum[0]};
}

static void put_ppi(struct tally_sheet *t, const struct dimension *d, size_t system,
                    const struct ppi_data *data)
{
    struct ppi p = ppi_mean(data, (struct interval_scale){d->min, d->max}, OUTCOME_LEVEL);

    if (p.rated > 1)
        outcome_put_interval(t, outcome_subject(t, "system", t->l.systems[system]),
                             arena_printf(t->a, "ppi:%s", d->id),
                             arena_printf(t->a, "PPI++, weight of the judges %.2f", p.lambda),
                             p.mean);
}

static void put_ppi_pair(struct tally_sheet *t, const struct dimension *d, size_t one, size_t other,
                         const struct ppi_data *data)
{
    struct ppi p = ppi_difference(&data[one], &data[other], (struct interval_scale){d->min, d->max},
                                  OUTCOME_LEVEL);

    if (p.rated > 1 && p.rest)
        outcome_put_interval(t, outcome_subject(t, "system", t->l.systems[one]),
                             arena_printf(t->a, "ppi-over:%s\t%s", d->id, t->l.systems[other]),
                             "PPI++, difference on the same items", p.mean);
}

static void put_together(struct tally_sheet *t, const struct gathering *g, size_t dimension,
                         const double *human)
{
    const struct dimension *d = &t->c->suite.instrument.dimensions[dimension];
    struct ppi_data *data = NEW_N(t->a, struct ppi_data, t->l.nsystems + 1);

    for (size_t k = 0; k < t->l.nsystems; k++) {
        data[k] = ppi_of(g, dimension, k, human);
        put_ppi(t, d, k, &data[k]);
    }
    for (size_t k = 0; k < t->l.nsystems && t->l.nsystems <= PAIRS_MOST; k++)
        for (size_t i = k + 1; i < t->l.nsystems; i++)
            put_ppi_pair(t, d, k, i, data);
}

static enum status take_lengths(struct gathering *g, struct err *e)
{
    struct cursor c = store_answers(g->t->s, g->t->c->run.id, e);
    struct answer_row row;

    while (store_answer_next(&c, &row)) {
        struct machine key = {.sample = row.sample}, *m;
        m = bsearch(&key, g->v, g->n, sizeof key, by_machine);
        if (m)
            m->length = (double)utf8_count(row.answer);
    }
    return cursor_end(&c);
}

enum status outcome_machines(struct tally_sheet *t, struct err *e)
{
    struct party_list models;
    struct jury jury;
    struct gathering g = {.t = t, .models = &models};

    map_init(&g.texts, t->a);
    for (size_t i = 0; i < t->l.ntexts; i++)
        (void)map_put(&g.texts, map_id(&t->l.samples[i]), &t->l.samples[i]);
    if (store_party_list(t->a, t->s, PARTY_MODEL, t->c->run.id, &models, e) != OK ||
        jury_find(t->a, t->s, t->c->run.id, NULL, &jury, e) != OK)
        return e->code;
    if (jury.campaign) /* the run was judged by people only */
        return OK;
    if (store_mark_each(t->s, t->c->run.id, &jury, gather, &g, e) != OK ||
        (g.n && take_lengths(&g, e) != OK))
        return e->code;
    number_items(&g);
    for (size_t d = 0; g.n && d < t->c->suite.instrument.ndimensions; d++) {
        const double *human = human_means(t, d);
        put_comparison(t, &g, d, human);
        put_together(t, &g, d, human);
    }
    return OK;
}
