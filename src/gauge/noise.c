#include "gauge/noise.h"

#include <math.h>
#include <stdlib.h>

#include "math/components.h"

static const char method[] = "variance components, moments";

const char *noise_name(enum noise_source s)
{
    static const char *const names[] = {
        [NOISE_ITEMS] = "items",           [NOISE_JUDGES] = "judges", [NOISE_ANSWERS] = "answers",
        [NOISE_CROSS] = "items-by-judges", [NOISE_REST] = "rest",
    };

    return names[s];
}

struct noise noise_of(struct arena *a, const struct score_list *rows, const char *subject)
{
    struct noise x = {0};

    for (size_t i = 0; i < rows->n; i++) {
        const struct score_row *row = &rows->v[i];
        if (strcmp(row->subject, subject) != 0)
            continue;
        for (int k = 0; k < NOISE_SOURCES; k++) {
            const char *name = noise_name((enum noise_source)k);
            if (strcmp(row->metric, arena_printf(a, "variance:%s", name)) == 0)
                x.variance[k] = row;
            else if (strcmp(row->metric, arena_printf(a, "noise:%s", name)) == 0)
                x.share[k] = row;
        }
    }
    for (int k = 0; k < NOISE_SOURCES; k++)
        x.n += x.variance[k] && x.share[k];
    return x;
}

static void put(struct arena *a, struct score_list *out, const char *subject, const char *what,
                enum noise_source source, double value, double each)
{
    out->v[out->n++] =
        (struct score_row){.subject = subject,
                           .metric = arena_printf(a, "%s:%s", what, noise_name(source)),
                           .method = method,
                           .value = value,
                           .lo = NAN,
                           .hi = NAN,
                           .n = (int64_t)llround(each)};
}

/* If each answer was read once, the residual is reported as answers; if each item was, as items. */
static enum noise_source called(const struct components *c, enum noise_source source)
{
    if (source == NOISE_REST && c->of[NOISE_ITEMS].same == NOISE_REST)
        return NOISE_ITEMS;
    return source == NOISE_REST && c->of[NOISE_ANSWERS].same == NOISE_REST ? NOISE_ANSWERS : source;
}

void noise_rows(struct arena *a, const char *subject, const struct readings *r,
                struct score_list *out)
{
    struct components_data d = {
        .value = r->value, .n = r->n, .strata = {r->model, r->models}, .nfactors = NOISE_REST};
    const uint32_t *by[NOISE_REST] = {r->item, r->judge, r->answer, r->judge};
    uint32_t *level = mem_new((NOISE_REST * r->n + 1) * sizeof *level);
    struct components c;

    for (size_t f = 0; f < NOISE_REST; f++) {
        uint32_t *to = level + f * r->n;
        d.factors[f].levels = components_join(f == NOISE_CROSS ? level : r->model, by[f], r->n, to);
        d.factors[f].level = to;
    }
    *out = (struct score_list){.v = NEW_N(a, struct score_row, 2 * NOISE_SOURCES)};
    if (components_estimate(&d, &c) && c.noise > 0)
        for (int k = 0; k < NOISE_SOURCES; k++) {
            const struct component *one = &c.of[k];
            enum noise_source source = called(&c, (enum noise_source)k);
            double each = (double)one->levels / (double)c.strata;
            if (isnan(one->variance))
                continue;
            put(a, out, subject, "variance", source, one->variance, each);
            put(a, out, subject, "noise", source, one->variance * one->reach / c.noise, each);
        }
    free(level);
}
