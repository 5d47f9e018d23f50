#include "math/severity.h"

#include <math.h>

#include "math/describe.h"
#include "math/graph.h"

/* The normal equations of the severities with units eliminated: each rater's rows, centred by unit.
 * Ratings are stored by unit. */
struct equations {
    const struct cells *c;
    uint32_t *rater;  /* [c->n] */
    size_t *first;    /* [units + 1] offset of each unit */
    double *rated;    /* [raters] number of values */
    double *diagonal; /* [raters]; 0: rated nothing that anyone else did */
};

/* out = A s: each severity minus the mean of its unit, summed over the rater's values. */
static void apply(const struct equations *q, const double *s, double *out)
{
    for (size_t r = 0; r < q->c->raters; r++)
        out[r] = q->rated[r] * s[r];
    for (size_t u = 0; u < q->c->units; u++) {
        double mean = 0;
        for (size_t i = q->first[u]; i < q->first[u + 1]; i++)
            mean += s[q->rater[i]];
        mean /= (double)(q->first[u + 1] - q->first[u]);
        for (size_t i = q->first[u]; i < q->first[u + 1]; i++)
            out[q->rater[i]] -= mean;
    }
}

static double in_unit(const struct equations *q, size_t u)
{
    return (double)(q->first[u + 1] - q->first[u]);
}

static struct equations equations_of(struct arena *a, const struct cells *c)
{
    struct equations q = {
        .c = c,
        .rater = NEW_N(a, uint32_t, c->n + 1),
        .first = NEW_N(a, size_t, c->units + 2),
        .rated = NEW_N(a, double, c->raters + 1),
        .diagonal = NEW_N(a, double, c->raters + 1),
    };

    for (size_t i = 0; i < c->n; i++)
        q.first[c->v[i].unit + 2]++;
    for (size_t u = 0; u < c->units; u++)
        q.first[u + 2] += q.first[u + 1];
    for (size_t i = 0; i < c->n; i++) /* moves each offset up to the start of its unit */
        q.rater[q.first[c->v[i].unit + 1]++] = c->v[i].rater;
    for (size_t i = 0; i < c->n; i++) {
        q.rated[c->v[i].rater]++;
        q.diagonal[c->v[i].rater] += 1 - 1 / in_unit(&q, c->v[i].unit);
    }
    return q;
}

static void right_side(struct arena *a, const struct equations *q, double *out)
{
    const struct cells *c = q->c;
    double *mean = NEW_N(a, double, c->units + 1);

    for (size_t i = 0; i < c->n; i++)
        mean[c->v[i].unit] += c->v[i].value / in_unit(q, c->v[i].unit);
    for (size_t i = 0; i < c->n; i++)
        out[c->v[i].rater] += mean[c->v[i].unit] - c->v[i].value;
}

static double dot(const double *x, const double *y, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* z = r divided by the diagonal. Returns the dot product of r and z. */
static double precondition(const struct equations *q, const double *r, double *z)
{
    for (size_t i = 0; i < q->c->raters; i++)
        z[i] = q->diagonal[i] > 0 ? r[i] / q->diagonal[i] : 0;
    return dot(r, z, q->c->raters);
}

/* A is singular (a constant per group changes nothing), but the system is consistent, so the steps
 * stay where A is positive. A direction with no curvature is rounding: stop there. */
static void conjugate_gradients(struct arena *a, const struct equations *q, double *s)
{
    size_t n = q->c->raters;
    double *r = NEW_N(a, double, n), *z = NEW_N(a, double, n), *p = NEW_N(a, double, n);
    double *ap = NEW_N(a, double, n), now, enough;

    right_side(a, q, r);
    now = precondition(q, r, z);
    enough = now * 1e-26;
    memcpy(p, z, n * sizeof *p);
    for (size_t step = 0; step < 10 * n + 100 && now > enough; step++) {
        double curve, by, before = now, length = 0;
        apply(q, p, ap);
        curve = dot(p, ap, n);
        for (size_t i = 0; i < n; i++)
            length += q->diagonal[i] * p[i] * p[i];
        if (!(curve > 1e-13 * length))
            return;
        by = now / curve;
        for (size_t i = 0; i < n; i++) {
            s[i] += by * p[i];
            r[i] -= by * ap[i];
        }
        now = precondition(q, r, z);
        for (size_t i = 0; i < n; i++)
            p[i] = z[i] + now / before * p[i];
    }
}

/* Numbers the groups of raters from 0, among those who rated something. */
static size_t group_raters(struct arena *a, const struct cells *c, uint32_t *group)
{
    size_t nodes = c->units + c->raters, groups, n = 0;
    struct graph_arc *arcs = NEW_N(a, struct graph_arc, c->n);
    uint32_t *of = NEW_N(a, uint32_t, nodes), *number = NEW_N(a, uint32_t, nodes + 1);

    for (size_t i = 0; i < c->n; i++)
        arcs[i] = (struct graph_arc){c->v[i].unit, (uint32_t)c->units + c->v[i].rater};
    groups = graph_groups(arcs, c->n, nodes, of);
    for (size_t g = 0; g < groups; g++)
        number[g] = UINT32_MAX;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t *seen = &number[of[c->v[i].unit]];
        if (*seen == UINT32_MAX)
            *seen = (uint32_t)n++;
        group[c->v[i].rater] = *seen;
    }
    return n;
}

/* Makes severities sum to 0 in each group; NaN for raters without ratings. */
static void centre(struct arena *a, const struct equations *q, struct severity *s)
{
    struct describe *groups = NEW_N(a, struct describe, s->groups + 1);

    for (size_t r = 0; r < q->c->raters; r++)
        if (q->rated[r] > 0)
            describe_add(&groups[s->group[r]], s->rater[r]);
    for (size_t r = 0; r < q->c->raters; r++)
        s->rater[r] = q->rated[r] > 0 ? s->rater[r] - groups[s->group[r]].mean : (double)NAN;
}

static void unit_values(const struct equations *q, struct severity *s)
{
    const struct cells *c = q->c;

    for (size_t i = 0; i < c->n; i++)
        s->unit[c->v[i].unit] += c->v[i].value + s->rater[c->v[i].rater];
    for (size_t u = 0; u < c->units; u++)
        s->unit[u] /= in_unit(q, u); /* 0 / 0 gives the NaN for unrated units */
    for (size_t i = 0; i < c->n; i++) {
        double off = c->v[i].value - s->unit[c->v[i].unit] + s->rater[c->v[i].rater];
        s->residual += off * off;
    }
}

void severity_solve(struct arena *a, const struct cells *c, struct severity *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct equations q = equations_of(scratch, c);

    *out = (struct severity){
        .unit = NEW_N(a, double, c->units + 1),
        .rater = NEW_N(a, double, c->raters + 1),
        .group = NEW_N(a, uint32_t, c->raters + 1),
    };
    out->groups = group_raters(scratch, c, out->group);
    conjugate_gradients(scratch, &q, out->rater);
    centre(scratch, &q, out);
    unit_values(&q, out);
}

void severity_means(const struct severity *s, const uint32_t *system, size_t units, double *means,
                    size_t systems)
{
    for (size_t k = 0; k < systems; k++) {
        struct describe d = {0};
        for (size_t u = 0; u < units; u++)
            if (system[u] == k && !isnan(s->unit[u]))
                describe_add(&d, s->unit[u]);
        means[k] = describe_mean(&d);
    }
}
