#include "eval/concord.h"

#include "base/map.h"
#include "math/agree.h"

struct values {
    struct map first; /* sample id, as bytes, to its value */
    struct agree_interval alpha;
};

static enum status remember(void *user, const struct score_value *v, struct err *e)
{
    struct values *x = user;
    double *value = map_room(&x->first, map_id(&v->sample), sizeof *value);

    (void)e;
    *value = v->value;
    return OK;
}

static enum status meet(void *user, const struct score_value *v, struct err *e)
{
    struct values *x = user;
    const double *value = map_get(&x->first, map_id(&v->sample));

    (void)e;
    if (value)
        agree_interval_add(&x->alpha, (const double[]){*value, v->value}, 2);
    return OK;
}

enum status concord_compute(struct arena *a, struct store *s, const struct run_row *run,
                            const struct suite *suite, const struct facts *facts,
                            const struct jury *jury, struct score_list *out, struct err *e)
{
    struct score_sheet rows = {.arena = a};
    struct values x = {0};
    struct jury_list all;

    *out = (struct score_list){0};
    if (suite->instrument.kind == INSTRUMENT_PAIR || *jury->key == '\0')
        return OK;
    map_init(&x.first, a);
    if (jury_list(a, s, run->id, &all, e) != OK ||
        score_value_of(s, run, suite, facts, &all.v[0], remember, &x, e) != OK ||
        score_value_of(s, run, suite, facts, jury, meet, &x, e) != OK)
        return e->code;
    if (x.alpha.units > 0)
        score_put_value(&rows, "run/juries", "agreement", "alpha, interval",
                        agree_interval_pooled(&x.alpha, 1), (int64_t)x.alpha.units);
    *out = (struct score_list){.v = rows.v, .n = rows.n};
    return OK;
}
