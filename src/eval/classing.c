#include "eval/classing.h"

#include <math.h>

#include "base/clock.h"
#include "base/rng.h"
#include "eval/derive.h"
#include "net/http.h"
#include "net/limit.h"
#include "store/seal.h"
#include "suite/mark.h"

enum {
    BATCH = 256, /* logits that are saved together */
    REPORT_MS = 100,
    SLOTS_MAX = 64,
    REPLY_BYTES_MAX = 1 << 20,
    SAVE_MS = 1000, /* at most so much is lost by kill -9 */
    RETRIES_MAX = 8,
    WAITS_MAX = 80,  /* for rate limits: they say nothing about the request */
    REFUSED_MAX = 3, /* answers that it refuses before it has classified any */
};

/* An answer whose logit is not saved yet. */
struct scored {
    int64_t sample;
    double logit;
};

struct job {
    struct arena *a; /* of the whole job */
    struct store *store;
    const struct run_row *run;
    const struct classing_how *how;
    struct class_name who;
    struct id_list missing;
    struct scored marks[BATCH];
    size_t nmarks;
    struct classing_outcome outcome;
    int64_t began_ms, reported_ms;
};

/* ---- keeping ---- */

/* Until the next flush(). There must be room. */
static void keep(struct job *j, int64_t sample, double logit)
{
    j->marks[j->nmarks++] = (struct scored){sample, logit};
}

/* New logits make scores stale and seals wrong. Marking the run comes first because it locks the
 * run's row: whoever is scoring the run has set all seals by the time we get the lock. */
static enum status put_marks(struct job *j, struct err *e)
{
    enum status st = store_run_stale(j->store, j->run->id, e);

    for (size_t i = 0; st == OK && i < j->nmarks; i++) {
        int64_t sample = j->marks[i].sample;
        st = seal_classes_drop(j->store, j->run->id, sample, sample, e);
        if (st == OK)
            st = store_class_put(j->store, sample, &j->who, j->marks[i].logit, e);
    }
    return st;
}

static enum status flush(struct job *j, struct err *e)
{
    if (j->nmarks == 0)
        return OK;
    if (store_atomically(j->store, e, put_marks(j, e)) != OK)
        return err_wrap(e, "storing what %s returned", j->who.name);
    j->outcome.now += (int64_t)j->nmarks;
    j->nmarks = 0;
    return OK;
}

/* ---- being watched ---- */

static int stopping(const struct job *j)
{
    return j->how->stop ? *j->how->stop : 0;
}

static void tell(struct job *j, struct run_progress p)
{
    const struct classing_outcome *o = &j->outcome;
    int64_t now = clock_mono_ms();

    if (!j->how->report || (now - j->reported_ms < REPORT_MS && !stopping(j)))
        return;
    j->reported_ms = now;
    p.run = j->run;
    p.samples.total = o->before + (int64_t)j->missing.n;
    p.samples.done = o->before + o->now + (int64_t)j->nmarks;
    p.samples.failed = o->failed;
    p.cost = NAN;
    p.elapsed_ms = now - j->began_ms;
    p.draining = stopping(j) > 0;
    j->how->report(j->how->user, &p);
}

/* ---- a classifier of our own ---- */

static enum status classify_all(struct job *j, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();

    for (size_t i = 0; i < j->missing.n && !stopping(j); i++) {
        struct str answer;
        arena_reset(scratch);
        if (store_class_answer(scratch, j->store, j->missing.v[i], &answer, e) != OK)
            return e->code;
        keep(j, j->missing.v[i], classifier_logit(j->how->classifier, answer));
        if (j->nmarks == BATCH && flush(j, e) != OK)
            return e->code;
        tell(j, (struct run_progress){0});
    }
    return flush(j, e);
}

/* ---- one behind HTTP: a few requests at a time, each with its own patience ---- */

enum slot_state { SLOT_FREE, SLOT_READY, SLOT_FLYING };

struct slot {
    struct asker *asker;
    enum slot_state state;
    struct arena *arena; /* of the present answer */
    int64_t sample, wake_ms, tokens;
    struct str body;
    struct http_call *call;
    int retries, waits;
};

struct asker {
    struct job *job;
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
        return ++s->waits <= WAITS_MAX;
    return ++s->retries <= RETRIES_MAX;
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
    keep(k->job, s->sample, reply.logit);
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

/* Fill free slots and send what may be sent. *wait: how long the loop may sleep; *live: how many
 * slots have work. */
static enum status push(struct asker *k, int64_t *wait, size_t *live, struct err *e)
{
    int64_t now = clock_mono_ms(), limit_wait;
    bool ending = stopping(k->job) > 0; /* send nothing more */

    *live = 0;
    *wait = REPORT_MS;
    for (size_t i = 0; i < k->nslots; i++) {
        struct slot *s = &k->slots[i];
        if (ending && s->state == SLOT_READY)
            s->state = SLOT_FREE;
        if (!ending && s->state == SLOT_FREE && k->next < k->job->missing.n && load(s, e) != OK)
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

    if (k->job->nmarks + k->nslots < BATCH && now - k->saved_ms < SAVE_MS)
        return OK;
    k->saved_ms = now;
    return flush(k->job, e);
}

static void report(struct asker *k)
{
    int64_t now = clock_mono_ms();
    bool closed = k->limit.closed_until_ms > now;

    tell(k->job, (struct run_progress){
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

    while (!k->halted && stopping(k->job) < 2) {
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

static enum status ask_all(struct job *j, struct err *e)
{
    struct asker *k = NEW(j->a, struct asker);
    struct err late = {0};
    enum status st;

    *k = (struct asker){.job = j, .to = j->how->endpoint, .saved_ms = clock_mono_ms()};
    st = asker_open(k, e);
    if (st == OK)
        st = work(k, e);
    if (flush(j, &late) != OK && st == OK) {
        *e = late;
        st = late.code;
    }
    if (st == OK && k->halted)
        st = err_set(e, E_NET, "classifier %s at %s: %s", k->to->at.name, k->to->at.url, k->halted);
    asker_close(k);
    return st;
}

/* ---- the whole ---- */

static const char *identity_of(struct arena *a, const struct classing_how *how)
{
    const struct class_endpoint *c = how->endpoint;
    char hex[HASH_HEX];
    struct hash h;

    if (how->classifier)
        return how->classifier->hash;
    hash_init(&h);
    hash_str(&h, str_of(c->at.url));
    hash_str(&h, str_of(c->at.model));
    hash_str(&h, str_of(c->label));
    hash_int(&h, c->dialect);
    hash_hex(&h, hex);
    return arena_text(a, str_of(hex));
}

/* Forget what another classifier of this name has said. */
static enum status drop_others(struct job *j, struct err *e)
{
    bool any;

    if (store_run_stale(j->store, j->run->id, e) != OK ||
        seal_classes_hold(j->store, j->run->id, e) != OK ||
        store_class_forget(j->store, j->run->id, &j->who, &any, e) != OK)
        return e->code;
    return any ? seal_classes_drop(j->store, j->run->id, 0, INT64_MAX, e) : OK;
}

enum status classing_run(struct arena *a, struct store *s, struct run_row *run,
                         const struct classing_how *how, struct classing_outcome *out,
                         struct err *e)
{
    struct job *j = NEW(a, struct job);
    struct run_counts counts;

    *j = (struct job){.a = a,
                      .store = s,
                      .run = run,
                      .how = how,
                      .who = {how->name, identity_of(a, how),
                              how->classifier ? how->classifier->labels[1] : how->endpoint->label},
                      .began_ms = clock_mono_ms()};
    if (store_run_counts(s, run, 1, NULL, &counts, e) != OK ||
        store_atomically(s, e, drop_others(j, e)) != OK ||
        store_class_missing(a, s, run->id, how->name, &j->missing, e) != OK)
        return e->code;
    j->outcome.before = counts.samples.by[STATE_DONE] - (int64_t)j->missing.n;
    if ((how->classifier ? classify_all(j, e) : ask_all(j, e)) != OK)
        return e->code;
    j->outcome.left = (int64_t)j->missing.n - j->outcome.now - j->outcome.failed;
    j->reported_ms = 0; /* always tell how it ended */
    tell(j, (struct run_progress){0});
    run->stale = true;
    if (derive_refresh(s, run, e) != OK)
        return e->code;
    *out = j->outcome;
    return OK;
}
