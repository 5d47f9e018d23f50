#include "exchange/classifier.h"

#include <math.h>

#include "base/message.h"
#include "base/rng.h"
#include "text/hashed.h"

/* Rows have length 1, so that the likelihood of a few hundred lines needs weight against |w|^2. */
static const double cost = 128;
static const double level = 0.95;

/* ---- training ---- */

enum status classifier_train(struct arena *a, const struct labels *l, struct classifier *out,
                             struct err *e)
{
    const struct linear_problem p = {l->v, l->n, HASHED_SIZE, cost};
    struct classifier c = {.labels = {l->name[0], l->name[1]}, .lines = (int64_t)l->n};

    if (linear_train(a, &p, &c.model, e) != OK)
        return e->code;
    classifier_seal(&c, c.hash);
    *out = c;
    return OK;
}

double classifier_logit(const struct classifier *c, struct str text)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct hashed h = hashed_text(a, text);
    double sum = c->model.constant;

    for (size_t i = 0; i < h.n; i++)
        sum += c->model.weights[h.cells[i].place] * h.cells[i].value;
    return sum;
}

/* ---- cross-validation ---- */

/* Lines of each label are shuffled and dealt out in turn; the second label goes on where the first
 * one ended, so that folds differ by a line at most. */
static int *deal_folds(struct arena *a, const struct labels *l, int folds, uint64_t seed)
{
    int *fold = NEW_N(a, int, l->n);
    size_t *index = NEW_N(a, size_t, l->n), dealt = 0;

    for (int label = 0; label < 2; label++) {
        struct rng r = rng_keyed(seed, "classifier folds", (const int64_t[]){label}, 1);
        size_t n = 0;
        for (size_t i = 0; i < l->n; i++)
            if (l->v[i].positive == (label == 1))
                index[n++] = i;
        rng_shuffle(&r, index, n);
        for (size_t i = 0; i < n; i++)
            fold[index[i]] = (int)(dealt++ % (size_t)folds);
    }
    return fold;
}

static enum status test_fold(const struct labels *l, const int *fold, int which, double *logits,
                             struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct linear_row *train = NEW_N(a, struct linear_row, l->n);
    struct linear_problem p = {train, 0, HASHED_SIZE, cost};
    struct linear_model m;

    for (size_t i = 0; i < l->n; i++)
        if (fold[i] != which)
            train[p.n++] = l->v[i];
    if (linear_train(a, &p, &m, e) != OK)
        return e->code;
    for (size_t i = 0; i < l->n; i++)
        if (fold[i] == which)
            logits[i] = linear_logit(&m, &l->v[i]);
    return OK;
}

enum status classifier_cross(const struct labels *l, int folds, uint64_t seed, double *logits,
                             struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const int *fold = deal_folds(a, l, folds, seed);

    for (int label = 0; label < 2; label++) {
        size_t have = label ? l->positive : l->n - l->positive;
        if (have < (size_t)folds)
            return err_set(e, E_INPUT, "label \"%s\" has only %zu line%s, too few for %d folds",
                           l->name[label], have, message_s(have), folds);
    }
    for (int f = 0; f < folds; f++)
        if (test_fold(l, fold, f, logits, e) != OK)
            return e->code;
    return OK;
}

/* ---- measures ---- */

static double probability(double logit)
{
    return 1 / (1 + exp(-logit));
}

/* -log of the probability that the right label was given, without overflow. */
static double loss(double logit, bool positive)
{
    double margin = positive ? logit : -logit;

    return margin > 0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin;
}

static void bin_add(struct classifier_measures *m, double p, bool positive)
{
    size_t at = (size_t)(p * CLASSIFIER_BINS);
    struct classifier_bin *b = &m->bins[at < CLASSIFIER_BINS ? at : CLASSIFIER_BINS - 1];

    b->n++;
    b->positive += positive;
    b->predicted += p; /* a sum until bins_close() */
}

static void bins_close(struct classifier_measures *m)
{
    for (size_t i = 0; i < CLASSIFIER_BINS; i++) {
        struct classifier_bin *b = &m->bins[i];
        m->calibration_error += fabs(b->predicted - (double)b->positive) / (double)m->n;
        b->predicted = b->n ? b->predicted / (double)b->n : NAN;
    }
}

struct classifier_measures classifier_measure(const struct labels *l, const double *logits)
{
    struct classifier_measures m = {.n = l->n, .positive = l->positive};
    size_t right = 0;

    for (size_t i = 0; i < l->n; i++) {
        bool says = logits[i] > 0, is = l->v[i].positive;
        m.hits += says && is;
        m.false_alarms += says && !is;
        m.misses += !says && is;
        right += says == is;
        m.log_loss += loss(logits[i], is) / (double)l->n;
        bin_add(&m, probability(logits[i]), is);
    }
    bins_close(&m);
    m.accuracy = interval_of_share(right, l->n, level);
    m.precision = interval_of_share(m.hits, m.hits + m.false_alarms, level);
    m.recall = interval_of_share(m.hits, m.hits + m.misses, level);
    return m;
}

struct interval classifier_rate(const double *logits, size_t n, double threshold)
{
    size_t above = 0;

    for (size_t i = 0; i < n; i++)
        above += logits[i] > threshold;
    return interval_of_share(above, n, level);
}

void classifier_curve(const double *logits, size_t n, struct classifier_point *out)
{
    static const double at[CLASSIFIER_CURVE] = {-4, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4};

    for (size_t i = 0; i < CLASSIFIER_CURVE; i++)
        out[i] = (struct classifier_point){at[i], classifier_rate(logits, n, at[i])};
}
