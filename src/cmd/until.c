#include "cmd/until.h"

#include <math.h>

#include "base/message.h"
#include "base/rng.h"
#include "math/interval.h"
#include "store/store_work.h"

enum status until_read(const char *text, double *half, struct err *e)
{
    static const char name[] = "half-width=";
    struct str s = str_of(text);

    *half = 0;
    if (!text)
        return OK;
    if (str_starts(s, str_of(name)) &&
        str_double((struct str){s.p + strlen(name), s.n - strlen(name)}, half) && *half > 0 &&
        isfinite(*half))
        return OK;
    return err_set(e, E_USAGE, "--until: \"%s\" is not a goal; write half-width=0.3", text);
}

/* How many items shall be open: as many as the width suggests, at most twice as many as now, and at
 * least a tenth more. */
static int64_t wanted(const struct until *u)
{
    double ratio = u->widest / u->half, n = (double)u->open;
    double want = isnan(ratio) ? 1.5 * n : fmin(2 * n, n * ratio * ratio);

    if (!u->looked || u->open < INTERVAL_UNITS_FEW)
        return INTERVAL_UNITS_FEW;
    return (int64_t)fmax(ceil(want), n + ceil(n / 10));
}

static enum status plan(struct app *app, const struct run_row *run, int64_t position,
                        const struct party_list *models, struct err *e)
{
    for (size_t m = 0; m < models->n; m++)
        for (int64_t repeat = 0; repeat < run->repeats; repeat++)
            if (store_plan_item(app->store, run->id, models->v[m].id, repeat, position, e) != OK)
                return e->code;
    return OK;
}

/* Open the next items of the random order. */
static enum status open_some(struct app *app, const struct run_row *run, struct until *u,
                             const bool *open, const struct party_list *models, struct err *e)
{
    struct rng r = rng_keyed(run->seed, "until", NULL, 0);
    size_t *order = NEW_N(app->arena, size_t, (size_t)u->all);
    int64_t want = wanted(u);

    for (size_t i = 0; i < (size_t)u->all; i++)
        order[i] = i;
    rng_shuffle(&r, order, (size_t)u->all);
    for (size_t i = 0; i < (size_t)u->all && u->open < want; i++) {
        if (open[order[i]])
            continue;
        if (plan(app, run, (int64_t)order[i], models, e) != OK)
            return e->code;
        u->open++;
    }
    return OK;
}

static enum status count(struct app *app, const struct run_row *run, struct until *u,
                         struct party_list *models, bool **open, struct err *e)
{
    if (store_party_list(app->arena, app->store, PARTY_MODEL, run->id, models, e) != OK ||
        store_item_open(app->arena, app->store, run->id, models->n ? models->v[0].id : 0, open,
                        &u->all, e) != OK)
        return e->code;
    u->open = 0;
    for (int64_t i = 0; i < u->all; i++)
        u->open += (*open)[i];
    return OK;
}

enum status until_count(struct app *app, const struct run_row *run, struct until *u, struct err *e)
{
    struct party_list models;
    bool *open = NULL;

    return count(app, run, u, &models, &open, e);
}

enum status until_open(struct app *app, const struct run_row *run, struct until *u, struct err *e)
{
    struct party_list models;
    bool *open = NULL;

    if (count(app, run, u, &models, &open, e) != OK || !open)
        return e->code;
    return store_atomically(app->store, e, open_some(app, run, u, open, &models, e));
}

void until_look(const struct report *r, struct until *u)
{
    bool enough = r->nmodels > 0, whole = u->open >= u->all; /* then it was not stopped early */

    u->looked = true;
    u->widest = 0;
    u->model = NULL;
    for (size_t i = 0; i < r->nmodels; i++) {
        const struct report_model *m = &r->models[i];
        const struct score_row *s = m->unrounded ? m->unrounded : m->score;
        double half = s ? (s->hi - s->lo) / 2 : (double)NAN;
        enough &= s && (whole || s->clusters >= INTERVAL_UNITS_FEW);
        if (!(half <= u->widest)) {
            u->model = m->name;
            u->widest = half;
        }
        if (isnan(half))
            break;
    }
    u->reached = enough && u->widest <= u->half;
}

void until_tell(const struct app *app, const struct until *u)
{
    if (u->reached)
        fprintf(app->err,
                _("%lld of %lld item%s asked: no half-width exceeds %g (the widest is %.3g, of "
                  "%s)\n"),
                (long long)u->open, (long long)u->all, message_were(u->open, u->all), u->half,
                u->widest, u->model ? u->model : "");
    else if (u->open < u->all)
        fprintf(app->err, _("%lld of %lld item%s asked; the half-width of %g was not reached\n"),
                (long long)u->open, (long long)u->all, message_were(u->open, u->all), u->half);
    else
        fprintf(app->err,
                _("every item (%lld) was asked: a half-width of %g is not reached; `%s plan-size "
                  "--half-width %g%s` says what it takes\n"),
                (long long)u->all, u->half, app->self, u->half, app->where);
}
