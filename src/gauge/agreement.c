#include "gauge/agreement.h"

#include <math.h>

#include "math/agree.h"

struct measure {
    const struct instrument *in;
    const struct party_list *judges;
    struct agree_interval *all;  /* [dimension] */
    struct agree_interval *each; /* [judge][dimension]: the judge and the mean of the others */
    int64_t sample;              /* current sample; 0: none */
    struct describe *marks;      /* marks of the current sample, [dimension][judge] */
    double *values;              /* values of one dimension, by judge */
};

/* Adds one judge's value and the mean of the others. */
static void add_each(struct measure *m, size_t dimension, size_t judge)
{
    struct describe others = {0};

    for (size_t j = 0; j < m->judges->n; j++)
        if (j != judge && !isnan(m->values[j]))
            describe_add(&others, m->values[j]);
    agree_interval_add(&m->each[judge * m->in->ndimensions + dimension],
                       (const double[]){m->values[judge], describe_mean(&others)}, 2);
}

static void close_sample(struct measure *m)
{
    size_t n = m->judges->n;

    for (size_t d = 0; d < m->in->ndimensions && m->sample; d++) {
        struct describe *marks = &m->marks[d * n];
        for (size_t j = 0; j < n; j++)
            m->values[j] = describe_mean(&marks[j]);
        agree_interval_add(&m->all[d], m->values, n);
        for (size_t j = 0; j < n; j++)
            add_each(m, d, j);
        memset(marks, 0, n * sizeof *marks);
    }
}

static enum status step(void *user, const struct mark_fact *f, struct err *e)
{
    struct measure *m = user;
    size_t d = 0, j = 0;

    (void)e;
    if (f->sample != m->sample)
        close_sample(m);
    m->sample = f->sample;
    if (!f->dimension)
        return OK;
    while (d < m->in->ndimensions && strcmp(m->in->dimensions[d].id, f->dimension) != 0)
        d++;
    while (j < m->judges->n && m->judges->v[j].id != f->judge)
        j++;
    if (d < m->in->ndimensions && j < m->judges->n) {
        const struct dimension *on = &m->in->dimensions[d];
        describe_add(&m->marks[d * m->judges->n + j],
                     (f->value - on->min) / (on->max > on->min ? on->max - on->min : 1));
    }
    return OK;
}

static int64_t units_of(const struct agree_interval *s, size_t n)
{
    int64_t units = 0;

    for (size_t i = 0; i < n; i++)
        units += (int64_t)s[i].units;
    return units;
}

enum status agreement_measure(struct arena *a, const struct facts *facts,
                              const struct instrument *in, const struct jury *jury,
                              struct agreement *out, struct err *e)
{
    const struct party_list *judges = &jury->members;
    size_t dims = in->ndimensions;
    struct measure m = {
        .in = in,
        .judges = judges,
        .all = NEW_N(a, struct agree_interval, dims),
        .each = NEW_N(a, struct agree_interval, dims * judges->n),
        .marks = NEW_N(a, struct describe, dims * judges->n),
        .values = NEW_N(a, double, judges->n),
    };

    if (judges->n >= 2 && facts_mark_each(facts, jury, step, &m, e) != OK)
        return e->code;
    close_sample(&m);
    *out = (struct agreement){
        .alpha = agree_interval_pooled(m.all, dims),
        .units = units_of(m.all, dims),
        .judges = NEW_N(a, struct agreement_judge, judges->n),
    };
    for (size_t j = 0; j < judges->n; j++) {
        const struct agree_interval *each = &m.each[j * dims];
        out->judges[j] =
            (struct agreement_judge){agree_interval_pooled(each, dims), units_of(each, dims)};
    }
    return OK;
}
