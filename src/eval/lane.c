#include <math.h>

#include "base/clock.h"
#include "base/message.h"
#include "eval/elicit.h"
#include "eval/judge.h"
#include "eval/work.h"
#include "net/form.h"
#include "reply/reply_form.h"
#include "suite/models.h"
#include "suite/template.h"

enum {
    LEASE_MAX = 512,
    INSTANT_WINDOW = 256,
    TOKENS_OUT_GUESS = 512, /* where nobody sets a limit */
};

/* ---- gates ---- */

static double stricter(double a, double b)
{
    return a > 0 && b > 0 ? fmin(a, b) : fmax(a, b);
}

static struct gate *gate_for(struct work *w, const struct endpoint *ep)
{
    const char *known_as =
        ep->kind == ENDPOINT_CHAT ? arena_printf(w->arena, "%s %s", ep->url, ep->model) : NULL;
    struct gate *g = w->gates, *end = w->gates + w->ngates;
    struct limit_config ours;

    while (g < end && (!known_as || !g->known_as || strcmp(g->known_as, known_as) != 0 ||
                       strcmp(g->key_var, ep->key_var) != 0))
        g++;
    if (g == end) {
        *g = (struct gate){.known_as = known_as, .key_var = ep->key_var};
        w->ngates++;
    }
    g->whole.concurrency = (int)stricter(g->whole.concurrency, ep->limits.concurrency);
    g->whole.requests_per_minute =
        stricter(g->whole.requests_per_minute, ep->limits.requests_per_minute);
    g->whole.tokens_per_minute = stricter(g->whole.tokens_per_minute, ep->limits.tokens_per_minute);
    ours = g->whole;
    ours.concurrency = (int)stricter(ours.concurrency, w->o->jobs);
    limit_init(&g->limit, ours, clock_mono_ms());
    return g;
}

static bool is_shared(const struct gate *g)
{
    const struct limit_config *l = &g->whole;

    return g->known_as &&
           (l->requests_per_minute > 0 || l->tokens_per_minute > 0 || l->concurrency > 0);
}

static enum status share(struct work *w, struct gate *g, struct err *e)
{
    int64_t window = g->whole.concurrency;
    struct asked_share ours;

    if (store_worker_asks(w->ctx.store, g->known_as, window, window ? g->limit.in_flight : 0, &ours,
                          e) != OK)
        return e->code;
    limit_share(&g->limit, g->whole, ours.workers);
    if (window)
        limit_narrow(&g->limit, ours.slots);
    return OK;
}

enum status lane_share(struct work *w, struct err *e)
{
    for (size_t i = 0; i < w->ngates; i++)
        if (is_shared(&w->gates[i]) && share(w, &w->gates[i], e) != OK)
            return e->code;
    return OK;
}

/* ---- channels ---- */

static enum status channel_open(struct work *w, struct channel *c, struct err *e)
{
    const char *key = NULL;

    if (c->ep.kind == ENDPOINT_RECORDED)
        return recorded_open(&c->recorded, c->ep.file, e);
    if (c->ep.kind == ENDPOINT_OBJECTIVE)
        return OK;
    if (c->ep.kind == ENDPOINT_LOCAL && w->o->post)
        return err_set(e, E_USAGE, "%s is a file on this machine: batches are for servers",
                       c->ep.name);
    c->gate = gate_for(w, &c->ep);
    c->dialect = dialect_guess(str_of(c->ep.url));
    c->avoid = dialect_avoids(str_of(c->ep.url));
    c->taken = arena_printf(
        w->arena, N_("other processes are making all requests that %s allows at once"), c->ep.name);
    c->paused = arena_printf(w->arena, N_("%s is paused"), c->ep.name);
    c->absence = arena_printf(w->arena, N_("%s does not answer"), c->ep.name);
    c->url = c->ep.url;
    if (c->ep.kind == ENDPOINT_LOCAL)
        key = local_open(w, c);
    return w->o->post ? OK : models_headers(w->arena, &c->ep, key, &c->headers, e);
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

/* The stage that obtains answers from models. */
static const struct stage *model_stage(const struct suite *s)
{
    switch (s->elicit.kind) {
    case ELICIT_INTERVIEW:
    case ELICIT_DIALOGUE:
        return &elicit_talk_stage;
    case ELICIT_SINGLE:
    case ELICIT_CONTINUE:
        break;
    }
    return &elicit_stage;
}

static enum status lane_open(struct work *w, const struct stage *stage, const struct party *who,
                             const char *sampling, struct err *e)
{
    struct lane *l = &w->lanes[w->nlanes++];
    struct endpoint ep;
    struct template own;

    *l = (struct lane){.work = w, .stage = stage, .who = *who};
    queue_init(&l->ready);
    if (models_thaw(w->arena, who->config, &ep, e) != OK)
        return err_wrap(e, "%s", who->name);
    if (!isnan(w->o->budget_usd) && ep.kind == ENDPOINT_CHAT && isnan(ep.price_in))
        return err_set(e, E_USAGE,
                       "%s has no price, so a budget in USD cannot be enforced; add `price: {in: "
                       "..., out: ...}` (USD per million tokens) to models.yaml, or set the budget "
                       "in tokens (--budget 200000tok)",
                       ep.name);
    own = ep.template;
    if (stage->kind == PARTY_JUDGE && template_thaw(w->arena, who->template, &own, e) != OK)
        return err_wrap(e, "%s", who->name);
    if (stage->kind == PARTY_JUDGE || own.user.p)
        l->who.own = arena_copy(w->arena, &own, 1, sizeof own);
    if (models_parameters(&ep, sampling, &l->parameters, e) != OK)
        return e->code;
    if (stage->kind == PARTY_JUDGE && endpoint_is_asked(&ep) && ep.structured != STRUCTURED_OFF &&
        !json_object_get(l->parameters, "response_format")) {
        l->formed = true;
        json_put(l->parameters, "response_format",
                 reply_form(&w->ctx.suite->instrument, FORM_NAME));
    }
    l->written = chat_parameters(w->arena, l->parameters);
    l->most_out = dialect_limit(l->parameters);
    if (l->most_out <= 0)
        l->most_out = TOKENS_OUT_GUESS;
    return channel_for(w, &ep, &l->channel, e);
}

/* Open lanes for the run's others, side by side, where the suite leaves follow-ups to an examiner,
 * or the user or members of a cast to models. */
static enum status others_open(struct work *w, const struct party_list *others, struct err *e)
{
    const struct suite *suite = w->ctx.suite;

    if (!vocab_asks_others(suite) || w->o->judge_only)
        return OK;
    if (others->n == 0)
        return err_set(e, E_USAGE, "run %s has no examiner: name one with --examiner",
                       w->ctx.run->name);
    w->visited = &w->lanes[w->nlanes];
    for (; w->nvisited < others->n; w->nvisited++) {
        struct lane *l = &w->visited[w->nvisited];
        if (lane_open(w, model_stage(suite), &others->v[w->nvisited], NULL, e) != OK)
            return e->code;
        l->serves = l->dry = true;
    }
    return OK;
}

struct lane *lane_to(struct lane *l, int to)
{
    const struct work *w = l->work;

    return to ? &w->visited[(size_t)(to - 1) % w->nvisited] : l;
}

/* Talks that a person leads are held in a browser, not here. */
static bool asks_models(const struct work *w)
{
    return !w->o->judge_only && !vocab_is_held(w->ctx.suite);
}

enum status lane_open_all(struct work *w, struct err *e)
{
    const struct suite *suite = w->ctx.suite;
    struct party_list judges, others;
    size_t most;

    if (store_party_list(w->arena, w->ctx.store, PARTY_MODEL, w->ctx.run->id, &w->ctx.models, e) !=
            OK ||
        store_party_list(w->arena, w->ctx.store, PARTY_JUDGE, w->ctx.run->id, &judges, e) != OK ||
        store_party_list(w->arena, w->ctx.store, PARTY_EXAMINER, w->ctx.run->id, &others, e) != OK)
        return e->code;
    most = judges.n + w->ctx.models.n + others.n;
    w->lanes = NEW_N(w->arena, struct lane, most);
    w->channels = NEW_N(w->arena, struct channel, most);
    w->gates = NEW_N(w->arena, struct gate, most);
    /* Judges first: finishing what has been answered keeps the queue between the two short. */
    for (size_t i = 0; i < judges.n; i++)
        if ((!w->o->jury || jury_has(w->o->jury, judges.v[i].name)) &&
            lane_open(w, &judge_stage, &judges.v[i], suite->judge_sampling, e) != OK)
            return e->code;
    if (others_open(w, &others, e) != OK)
        return e->code;
    for (size_t i = 0; i < w->ctx.models.n && asks_models(w); i++)
        if (lane_open(w, model_stage(suite), &w->ctx.models.v[i], suite->elicit.sampling, e) != OK)
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

bool lane_halted(const struct lane *l)
{
    const struct work *w = l->work;
    bool halted = l->channel->halted;

    for (size_t i = 0; i < w->nvisited && l->stage->kind == PARTY_MODEL; i++)
        halted = halted || w->visited[i].channel->halted;
    return halted;
}

int lane_wants(const struct lane *l)
{
    int window =
        endpoint_is_asked(&l->channel->ep) ? (int)l->channel->gate->limit.window : INSTANT_WINDOW;
    int target = 2 * window;
    /* An endpoint in trouble does not get more and more rows. Tasks of conversations count wherever
     * they are: at any moment most of them wait for somebody else. */
    size_t held = l->stage->keep ? l->open : l->ready.n + l->asleep;

    if (l->dry || lane_halted(l) || l->channel->held)
        return 0;
    if (target > LEASE_MAX)
        target = LEASE_MAX;
    /* Enough is left: leasing rows one by one would cost a write each. */
    return held * 2 > (size_t)target ? 0 : target - (int)held;
}
