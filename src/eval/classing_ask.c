/* Asking a classifier behind HTTP: a few requests at a time, each with its own patience. */
#include "base/clock.h"
#include "base/rng.h"
#include "eval/classing.h"
#include "net/http.h"
#include "net/limit.h"

enum {
    SLOTS_MAX = 64,
    REPLY_BYTES_MAX = 1 << 20,
    SAVE_MS = 1000,  /* at most so much is lost by kill -9 */
    REFUSED_MAX = 3, /* answers that it will have nothing of, before it has classified any */
};

enum slot_state { SLOT_FREE, SLOT_READY, SLOT_FLYING };

struct slot {
    struct asker *asker;
    enum slot_state state;
    struct arena *arena; /* of the present answer */
    int64_t sample, wake_ms, tokens;
    struct str body;
    struct http_call *call;
    int retries, waits; /* a rate limit says nothing about the request: more patience */
};

struct asker {
    struct classing_job *job;
    const struct class_endpoint *to;
    struct loop *loop;
    struct http *http;
    struct limit limit;
    struct models_headers headers;
    struct slot slots[SLOTS_MAX];
    size_t nslots, next; /* next: of job->missing */
    int64_t saved_ms;
    bool good; /* it has answered at least once */
    int refused;
    const char *halted;
};

/* ---- what came back ---- */

static void settle(struct slot *s, const struct http_reply *raw, enum chat_fault fault)
{
    bool overload = fault == CHAT_RATE_LIMIT || fault == CHAT_OVERLOAD;

    limit_ended(&s->asker->limit,
                &(struct limit_report){
                    .sign = overload           ? LIMIT_OVERLOAD
                            : fault == CHAT_OK ? LIMIT_GOOD
                                               : LIMIT_NEUTRAL,
                    .elapsed_ms = raw->elapsed_ms,
                    .guessed_tokens = s->tokens,
                    .real_tokens = -1,
                    .retry_after_ms = raw->retry_after_ms,
                    .requests_left = raw->limit_requests_left,
                    .requests_reset_ms = raw->limit_requests_reset_ms,
                    .tokens_left = raw->limit_tokens_left,
                    .tokens_reset_ms = raw->limit_tokens_reset_ms,
                },
                clock_mono_ms());
}

static bool may_try_again(struct slot *s, enum chat_fault fault)
{
    if (!chat_fault_passes(fault))
        return false;
    if (fault == CHAT_RATE_LIMIT || fault == CHAT_OVERLOAD)
        return ++s->waits <= CLASSING_WAITS;
    return ++s->retries <= CLASSING_RETRIES;
}

static void try_later(struct slot *s, int64_t retry_after_ms)
{
    int attempt = s->retries + s->waits;
    struct rng r = rng_keyed(s->asker->job->run->seed, "classifier backoff",
                             (const int64_t[]){s->sample, attempt}, 2);

    s->state = SLOT_READY;
    s->wake_ms = clock_mono_ms() + limit_backoff_ms(attempt, retry_after_ms, rng_unit(&r));
}

/* A refused key, an exhausted quota or nobody there: no other answer would fare better. */
static bool is_hopeless(struct asker *k, enum chat_fault fault)
{
    if (fault == CHAT_AUTH || fault == CHAT_QUOTA)
        return true;
    if (k->good)
        return false;
    return fault == CHAT_NETWORK || fault == CHAT_TIMEOUT || ++k->refused == REFUSED_MAX;
}

static void take_fault(struct slot *s, const struct http_reply *raw,
                       const struct classify_reply *reply)
{
    struct asker *k = s->asker;
    struct classing_outcome *o = &k->job->outcome;

    if (may_try_again(s, reply->fault)) {
        try_later(s, raw->retry_after_ms);
        return;
    }
    s->state = SLOT_FREE;
    if (is_hopeless(k, reply->fault)) {
        k->halted = arena_text(k->job->a, str_of(reply->why));
        return;
    }
    o->failed++;
    if (!o->why)
        o->why = arena_text(k->job->a, str_of(reply->why));
}

static void on_done(void *user, const struct http_reply *raw)
{
    struct slot *s = user;
    struct asker *k = s->asker;
    struct classify_reply reply;

    s->call = NULL;
    classify_read(s->arena, raw, k->to->dialect, k->to->label, &reply);
    reply.why = models_without_key(s->arena, k->headers.key, reply.why);
    settle(s, raw, reply.fault);
    if (reply.fault != CHAT_OK) {
        take_fault(s, raw, &reply);
        return;
    }
    k->good = true;
    classing_keep(k->job, s->sample, reply.logit);
    s->state = SLOT_FREE;
}

/* ---- sending ---- */

static enum status load(struct slot *s, struct err *e)
{
    struct asker *k = s->asker;
    struct classify_request req = {.dialect = k->to->dialect, .model = k->to->at.model};

    arena_reset(s->arena);
    s->sample = k->job->missing.v[k->next];
    if (store_class_answer(s->arena, k->job->store, s->sample, &req.text, e) != OK)
        return e->code;
    k->next++;
    s->body = classify_body(s->arena, &req);
    s->tokens = chat_tokens_guess(s->body);
    s->state = SLOT_READY;
    s->wake_ms = 0;
    s->retries = s->waits = 0;
    return OK;
}

static enum status send(struct slot *s, struct err *e)
{
    struct asker *k = s->asker;
    const struct http_request req = {
        .url = k->to->at.url,
        .headers = k->headers.v,
        .nheaders = k->headers.n,
        .body = s->body,
        .timeout_ms = k->to->at.timeout_ms,
        .stall_ms = k->to->at.stall_ms,
        .max_reply = REPLY_BYTES_MAX,
    };

    s->state = SLOT_FLYING;
    return http_start(k->http, &req, on_done, s, &s->call, e);
}

static int64_t sooner(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Fill free slots and send what may be sent. *wait: how long nothing else can be done; *live: slots
 * with work. */
static enum status push(struct asker *k, int64_t *wait, size_t *live, struct err *e)
{
    int64_t now = clock_mono_ms(), limit_wait;
    bool stopping = classing_stopping(k->job) > 0; /* what has not been sent is not sent any more */

    *live = 0;
    *wait = CLASSING_REPORT_MS;
    for (size_t i = 0; i < k->nslots; i++) {
        struct slot *s = &k->slots[i];
        if (stopping && s->state == SLOT_READY)
            s->state = SLOT_FREE;
        if (!stopping && s->state == SLOT_FREE && k->next < k->job->missing.n && load(s, e) != OK)
            return e->code;
        *live += s->state != SLOT_FREE;
        if (s->state != SLOT_READY)
            continue;
        if (s->wake_ms > now)
            *wait = sooner(*wait, s->wake_ms - now);
        else if (!limit_take(&k->limit, s->tokens, now, &limit_wait))
            *wait = sooner(*wait, limit_wait);
        else if (send(s, e) != OK)
            return e->code;
    }
    return OK;
}

/* As many marks as there are slots may come before the next look. */
static enum status save_some(struct asker *k, struct err *e)
{
    int64_t now = clock_mono_ms();

    if (k->job->nmarks + k->nslots < CLASSING_BATCH && now - k->saved_ms < SAVE_MS)
        return OK;
    k->saved_ms = now;
    return classing_flush(k->job, e);
}

static void report(struct asker *k)
{
    int64_t now = clock_mono_ms();
    bool closed = k->limit.closed_until_ms > now;

    classing_report(k->job, (struct run_progress){
                                .in_flight = k->limit.in_flight,
                                .limit = (int)k->limit.window,
                                .throttled = k->limit.throttled,
                                .waiting = closed ? k->to->at.name : NULL,
                                .waiting_ms = closed ? k->limit.closed_until_ms - now : -1,
                            });
}

static enum status work(struct asker *k, struct err *e)
{
    int64_t wait;
    size_t live;

    while (!k->halted && classing_stopping(k->job) < 2) {
        if (push(k, &wait, &live, e) != OK)
            return e->code;
        report(k);
        if (live == 0)
            break;
        if (loop_step(k->loop, wait, e) != OK || save_some(k, e) != OK)
            return e->code;
    }
    return OK;
}

static enum status asker_open(struct asker *k, struct err *e)
{
    struct limit_config limits = k->to->at.limits;

    if (limits.concurrency == 0 || limits.concurrency > SLOTS_MAX)
        limits.concurrency = SLOTS_MAX;
    k->nslots = (size_t)limits.concurrency;
    limit_init(&k->limit, limits, clock_mono_ms());
    for (size_t i = 0; i < k->nslots; i++)
        k->slots[i] = (struct slot){.asker = k, .arena = arena_new()};
    if (models_headers(k->job->a, &k->to->at, NULL, &k->headers, e) != OK ||
        loop_new(&k->loop, e) != OK || http_new(&k->http, k->loop, SLOTS_MAX, e) != OK)
        return e->code;
    return OK;
}

static void asker_close(struct asker *k)
{
    http_free(k->http); /* before what its requests borrow */
    loop_free(k->loop);
    for (size_t i = 0; i < k->nslots; i++)
        arena_free(k->slots[i].arena);
}

enum status classing_ask(struct classing_job *j, struct err *e)
{
    struct asker *k = NEW(j->a, struct asker);
    struct err late = {0};
    enum status st;

    *k = (struct asker){.job = j, .to = j->how->endpoint, .saved_ms = clock_mono_ms()};
    st = asker_open(k, e);
    if (st == OK)
        st = work(k, e);
    if (classing_flush(j, &late) != OK && st == OK) {
        *e = late;
        st = late.code;
    }
    if (st == OK && k->halted)
        st = err_set(e, E_NET, "classifier %s at %s: %s", k->to->at.name, k->to->at.url, k->halted);
    asker_close(k);
    return st;
}
