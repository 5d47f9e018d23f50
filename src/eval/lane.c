#include <math.h>

#include "base/clock.h"
#include "eval/elicit.h"
#include "eval/judge.h"
#include "eval/models.h"
#include "eval/work.h"

enum { LEASE_MAX = 512, LOCAL_WINDOW = 256 };

/* ---- channels ---- */

static enum status channel_open(struct work *w, struct channel *c, struct err *e)
{
    struct limit_config limits = c->ep.limits;

    if (c->ep.kind == ENDPOINT_RECORDED)
        return recorded_open(&c->recorded, c->ep.file, e);
    if (c->ep.kind == ENDPOINT_OBJECTIVE)
        return OK;
    if (limits.concurrency > w->o->jobs || limits.concurrency <= 0)
        limits.concurrency = w->o->jobs;
    limit_init(&c->limit, limits, clock_mono_ms());
    c->absence = arena_printf(w->arena, "%s does not answer", c->ep.name);
    return models_headers(w->arena, &c->ep, &c->headers, e);
}

/* The channel of this endpoint: a model that also judges is one endpoint with one limit. */
static enum status channel_for(struct work *w, const struct endpoint *ep, struct channel **out,
                               struct err *e)
{
    struct channel *c;

    for (size_t i = 0; i < w->nchannels; i++) {
        c = &w->channels[i];
        if (c->ep.kind == ep->kind && strcmp(c->ep.name, ep->name) == 0 &&
            (ep->kind == ENDPOINT_CHAT || strcmp(c->ep.file, ep->file) == 0)) {
            *out = c;
            return OK;
        }
    }
    c = &w->channels[w->nchannels++];
    c->ep = *ep;
    *out = c;
    return channel_open(w, c, e);
}

/* ---- lanes ---- */

/* The suite's sampling wins over the endpoint's: it is part of the experiment. */
static enum status merge_parameters(const struct endpoint *ep, const char *sampling, json_t **out,
                                    struct err *e)
{
    AUTO(json_freep) json_t *over = NULL;

    if (json_read(str_of(ep->parameters ? ep->parameters : "{}"), out, e) != OK ||
        json_read(str_of(sampling ? sampling : "{}"), &over, e) != OK)
        return err_wrap(e, "%s: parameters", ep->name);
    (void)json_object_update(*out, over);
    return OK;
}

static enum status lane_open(struct work *w, const struct stage *stage, const struct party *who,
                             struct err *e)
{
    const struct suite *suite = w->ctx.suite;
    struct lane *l = &w->lanes[w->nlanes++];
    struct endpoint ep;

    *l = (struct lane){.work = w, .stage = stage, .who = *who};
    queue_init(&l->ready);
    if (models_thaw(w->arena, who->config, &ep, e) != OK)
        return err_wrap(e, "%s", who->name);
    if (!isnan(w->o->budget_usd) && ep.kind == ENDPOINT_CHAT && isnan(ep.price_in))
        return err_set(
            e, E_USAGE,
            "%s has no price, so that a budget in USD cannot be kept; write `price: {in: "
            "..., out: ...}` (USD per million tokens) in models.yaml, or give the budget "
            "in tokens (--budget 200000tok)",
            ep.name);
    if (merge_parameters(
            &ep, stage->kind == PARTY_MODEL ? suite->elicit.sampling : suite->judge_sampling,
            &l->parameters, e) != OK)
        return e->code;
    return channel_for(w, &ep, &l->channel, e);
}

enum status lane_open_all(struct work *w, struct err *e)
{
    struct party_list judges;

    if (store_party_list(w->arena, w->ctx.store, PARTY_MODEL, w->ctx.run->id, &w->ctx.models, e) !=
            OK ||
        store_party_list(w->arena, w->ctx.store, PARTY_JUDGE, w->ctx.run->id, &judges, e) != OK)
        return e->code;
    w->lanes = NEW_N(w->arena, struct lane, judges.n + w->ctx.models.n);
    w->channels = NEW_N(w->arena, struct channel, judges.n + w->ctx.models.n);
    /* Judges first: finishing what has been answered keeps the queue between the two short. */
    for (size_t i = 0; i < judges.n; i++)
        if (lane_open(w, &judge_stage, &judges.v[i], e) != OK)
            return e->code;
    for (size_t i = 0; i < w->ctx.models.n && !w->o->judge_only; i++)
        if (lane_open(w, &elicit_stage, &w->ctx.models.v[i], e) != OK)
            return e->code;
    return OK;
}

void lane_close_all(struct work *w)
{
    for (size_t i = 0; i < w->nlanes; i++) {
        json_decref(w->lanes[i].parameters);
        task_free_list(w->lanes[i].ready.first);
    }
    for (size_t i = 0; i < w->nchannels; i++)
        recorded_close(w->channels[i].recorded);
}

int lane_wants(const struct lane *l)
{
    int window =
        l->channel->ep.kind == ENDPOINT_CHAT ? (int)l->channel->limit.window : LOCAL_WINDOW;
    int target = 2 * window;
    size_t held = l->ready.n + l->asleep; /* an endpoint in trouble is not given more and more */

    if (l->dry || l->channel->halted)
        return 0;
    if (target > LEASE_MAX)
        target = LEASE_MAX;
    /* Half of it is left: leasing one by one would cost a write each. */
    return held * 2 > (size_t)target ? 0 : target - (int)held;
}
