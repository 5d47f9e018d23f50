/* Sending requests and receiving replies: the cache, limits, retries and what is permanent. */
#include <math.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/message.h"
#include "base/rng.h"
#include "eval/judge_objective.h"
#include "eval/work.h"
#include "net/chat_stream.h"
#include "net/form.h"
#include "reply/reply_form.h"
#include "store/store_turn.h"
#include "suite/models.h"

enum {
    SAME_FAULT_MAX = 5,    /* a request that fails so often in the same way always will */
    NOTHING_GOOD_MAX = 20, /* after so many bad replies in a row an endpoint is given up */
    START_LOOKS = 5,       /* a server that is starting is looked for every few seconds */
    WAITS_PER_RETRY = 10,  /* rate limits say nothing about the request: more patience */
    OVERLOADS_PER_RETRY = 2,
    OUTAGE_MS = 600000, /* how long we wait for a server that has answered before */
    REPLY_BYTES_MAX = 8 << 20,
    KEY_DIGITS = 32, /* of the hash: 128 bits are enough to tell requests apart */
};

static void live_add(struct work *w, struct task *t)
{
    t->live_next = w->live;
    t->live_prev = &w->live;
    if (w->live)
        w->live->live_prev = &t->live_next;
    w->live = t;
}

static void live_remove(struct task *t)
{
    *t->live_prev = t->live_next;
    if (t->live_next)
        t->live_next->live_prev = t->live_prev;
}

static void release(struct task *t)
{
    queue_push(&t->lane->work->released, t);
}

/* Its request is over: the task is saved with the next group. */
static void finish(struct task *t, bool more)
{
    struct work *w = t->lane->work;

    t->body = (struct str){0};
    if (t->lost) {
        release(t);
        return;
    }
    t->more = more;
    if (w->finished.n == 0)
        w->finished_since_ms = clock_mono_ms();
    queue_push(&w->finished, t);
}

/* ---- what a request is ---- */

/* The lane's parameters, with the form that the task wants for its reply where it has its own. */
static json_t *parameters_of(const struct task *t)
{
    json_t *own;

    if (!t->form || !t->via->formed)
        return json_incref(t->via->parameters);
    own = json_copy(t->via->parameters);
    json_put(own, "response_format", reply_form(t->form, FORM_NAME));
    return own;
}

/* Body, cache key and size of the next request. */
static void prepare(struct task *t)
{
    const struct lane *l = t->via;
    AUTO(json_freep) json_t *parameters = parameters_of(t);
    const struct endpoint *ep = &l->channel->ep;
    struct chat_request req = {.model = ep->model,
                               .turns = t->turns,
                               .nturns = t->nturns,
                               .told = t->told,
                               .parameters = parameters,
                               .written = parameters == l->parameters ? l->written : NULL,
                               .dialect = l->channel->dialect};
    char hex[HASH_HEX];
    struct hash h;
    int64_t in, out = l->most_out;

    hash_init(&h);
    hash_str(&h, str_of(ep->url));
    if (t->referenced)
        chat_hash(t->scratch, &req, &h);
    else
        hash_str(&h, t->body = chat_body(t->scratch, &req));
    hash_int(&h, t->repeat);
    hash_int(&h, t->round);
    hash_hex(&h, hex);
    /* The key is that of the request as it was meant: what a server makes us leave out must not
     * make a resumed run ask again; nor must the way in which the reply comes. */
    req.avoid = t->avoid = l->channel->avoid;
    req.stream = ep->stream && !l->work->o->post;
    if (req.avoid || req.stream || t->referenced)
        t->body = chat_body(t->scratch, &req);
    t->key = arena_text(t->scratch, (struct str){hex, KEY_DIGITS});
    in = t->referenced ? chat_request_tokens(&req) : chat_tokens_guess(t->body);
    t->guess = (struct purse){isnan(ep->price_in) ? 0 : models_cost(ep, in, out, 0), in + out};
    t->faults = t->same = t->waits = t->looks = 0;
    t->last_fault = CHAT_OK;
}

/* The reply became a turn of a conversation and is stored only there: see elicit_talk.c. */
static enum status recall(struct task *t, struct call_row *call, bool *found, struct err *e)
{
    struct turn turn = {0};

    if (store_turn_of_call(t->scratch, t->lane->work->ctx.store, call->id, &turn, found, e) != OK)
        return e->code;
    if (*found)
        call->response =
            chat_brief(t->scratch, &(struct chat_reply){.text = turn.text,
                                                        .thinking = turn.thinking,
                                                        .finish = turn.finish,
                                                        .tokens_in = turn.tokens_in,
                                                        .tokens_out = turn.tokens_out});
    return OK;
}

enum status ask_look_up(struct work *w, struct task *const *tasks, size_t n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct context *c = &w->ctx;
    struct call_wanted *wanted = NEW_N(a, struct call_wanted, n);
    struct task **asking = NEW_N(a, struct task *, n);
    size_t m = 0;

    for (size_t i = 0; i < n; i++) {
        struct task *t = tasks[i];
        if (!endpoint_is_asked(&t->via->channel->ep))
            continue;
        prepare(t);
        wanted[m] = (struct call_wanted){.arena = t->scratch, .key = t->key};
        asking[m++] = t;
    }
    if (store_call_find(c->store, wanted, m, c->run->id, c->run->fresh, e) != OK)
        return e->code;
    for (size_t i = 0; i < m; i++) {
        struct call_row *call = wanted[i].found;
        bool found = call != NULL;
        if (found && call->response.n == 0 && recall(asking[i], call, &found, e) != OK)
            return e->code;
        asking[i]->stored = found ? call : NULL;
    }
    return OK;
}

/* ---- replies ---- */

static void count_spent(struct task *t, const struct chat_reply *r, bool paid)
{
    const struct endpoint *ep = &t->via->channel->ep;
    struct spent *s = &t->spent;
    double cost = NAN;

    if (r->tokens_in >= 0)
        s->tokens_in = (s->tokens_in < 0 ? 0 : s->tokens_in) + r->tokens_in;
    if (r->tokens_out >= 0)
        s->tokens_out = (s->tokens_out < 0 ? 0 : s->tokens_out) + r->tokens_out;
    if (!isnan(ep->price_in) && r->tokens_in >= 0 && r->tokens_out >= 0)
        cost = paid ? models_cost(ep, r->tokens_in, r->tokens_out, r->cached) : 0;
    if (!isnan(cost))
        s->cost = (isnan(s->cost) ? 0 : s->cost) + cost;
}

/* A good reply, wherever it came from. */
static void take_reply(struct task *t, const struct chat_reply *reply)
{
    finish(t, t->lane->stage->advance(&t->lane->work->ctx, t, reply));
}

static void give_up(struct task *t, const char *fault, const char *why)
{
    finish(t, t->lane->stage->fail(t, fault, why));
}

/* The endpoint cannot be used: its rows stay planned for another day. */
static void halt(struct task *t, const char *why)
{
    struct channel *c = t->via->channel;

    if (!c->halted)
        c->halted = arena_text(t->lane->work->arena, str_of(why));
    release(t);
}

static void wake(void *user)
{
    struct task *t = user;

    live_remove(t);
    t->via->asleep--;
    if (t->lost)
        release(t);
    else
        queue_push_front(&t->via->ready, t);
}

/* The endpoint answers for the first time: wake the tasks that sleep because it did not. */
static void wake_all(struct work *w, const struct channel *c)
{
    struct task *t, *next;

    for (t = w->live; t; t = next) {
        next = t->live_next;
        if (t->http || t->via->channel != c)
            continue;
        loop_timer_stop(w->loop, wake, t);
        wake(t);
    }
}

static void try_later(struct task *t, int attempt, int64_t retry_after_ms)
{
    struct work *w = t->lane->work;
    struct rng r = rng_keyed((uint64_t)w->ctx.run->seed, "backoff",
                             (const int64_t[]){t->id, t->lane->stage->kind, attempt}, 3);

    w->progress.retries++;
    t->via->asleep++;
    live_add(w, t);
    loop_timer(w->loop, clock_mono_ms() + limit_backoff_ms(attempt, retry_after_ms, rng_unit(&r)),
               wake, t);
}

/* How long the server asks us to wait, in a header or in the body. */
static int64_t wait_asked(const struct http_reply *raw, const struct chat_reply *reply)
{
    return raw->retry_after_ms >= 0 ? raw->retry_after_ms : reply->retry_after_ms;
}

/* True when asking once more is pointless. */
static bool is_permanent(struct task *t, enum chat_fault fault)
{
    int max = t->lane->work->o->max_retries;

    if (!chat_fault_passes(fault))
        return true;
    if (fault == CHAT_RATE_LIMIT || fault == CHAT_OVERLOAD)
        return ++t->waits > max * (fault == CHAT_OVERLOAD ? OVERLOADS_PER_RETRY : WAITS_PER_RETRY);
    t->same = fault == t->last_fault ? t->same + 1 : 1;
    t->last_fault = fault;
    return ++t->faults > max || t->same >= SAME_FAULT_MAX;
}

/* The connection was refused. That says nothing about the request, so we wait for a server that has
 * answered before. */
static void take_absence(struct task *t, const char *why)
{
    struct channel *c = t->via->channel;

    c->away = true;
    if (clock_mono_ms() - c->missed_at_ms > OUTAGE_MS)
        halt(t, arena_printf(t->scratch, N_("%s: %s has not answered for %d minutes: %s"),
                             c->ep.name, c->ep.url, OUTAGE_MS / 60000, why));
    else if (t->lane->work->draining)
        release(t);
    else
        try_later(t, ++t->waits, -1);
}

/* What to leave out so that the server answers. One that has never answered this judge and does not
 * say what it rejects, or says it in words that we do not know, may reject the form. */
static unsigned minded(const struct task *t, const struct chat_reply *reply)
{
    const struct channel *c = t->via->channel;
    unsigned avoid = reply->avoid & ~t->avoid;

    if (t->via->formed && c->ep.structured == STRUCTURED_SCHEMA)
        return avoid & ~(unsigned)AVOID_FORM;
    avoid |= c->avoid & ~t->avoid; /* refused since this one was sent */
    return avoid || t->via->heard || !t->via->formed ? avoid : form_next(c->dialect, t->avoid);
}

/* If the server rejects something that we can leave out, leave it out from now on. */
static bool take_refusal(struct task *t, const struct chat_reply *reply)
{
    struct channel *c = t->via->channel;
    unsigned avoid = minded(t, reply);

    if (!avoid)
        return false;
    c->avoid |= avoid;
    prepare(t);
    queue_push_front(&t->via->ready, t);
    return true;
}

/* All tries are used up. If other requests fared no better it is not this one: halt the endpoint,
 * so that its rows stay planned instead of failing one by one. */
static void give_up_or_halt(struct task *t, const struct chat_reply *reply)
{
    const struct channel *c = t->via->channel;

    if (c->bad >= NOTHING_GOOD_MAX)
        halt(t, arena_printf(t->scratch, "%s: nothing good in the last %d replies: %s", c->ep.name,
                             c->bad, reply->why));
    else
        give_up(t, chat_fault_name(reply->fault), reply->why);
}

/* Nobody there, or not ready yet, and the user wants to wait for it. */
static bool may_be_starting(const struct task *t, enum chat_fault fault)
{
    const struct channel *c = t->via->channel;
    const struct work *w = t->lane->work;

    return (fault == CHAT_NETWORK || fault == CHAT_TIMEOUT || fault == CHAT_OVERLOAD) &&
           clock_mono_ms() - c->missed_at_ms < w->o->endpoint_wait_ms;
}

/* Why it may not be asked any more, and what can be done about that. */
static const char *why_halted(const struct task *t, const struct http_reply *raw, const char *why)
{
    const struct channel *c = t->via->channel;
    bool keyless = raw->status == 401 && !c->headers.key;

    if (keyless && c->ep.key_var[0])
        why = arena_printf(t->scratch,
                           N_("%s; no key was sent: set %s, or name another variable with `key`"),
                           why, c->ep.key_var);
    else if (keyless)
        why = arena_printf(
            t->scratch, N_("%s; no key was sent: name the variable that holds it with `key`"), why);
    else if (raw->end == HTTP_UNTRUSTED)
        why = arena_printf(t->scratch,
                           N_("%s; to trust an authority of your own, name its file in "
                              "SSL_CERT_FILE (CURL_CA_BUNDLE takes precedence)"),
                           why);
    return arena_printf(t->scratch, "%s: %s", c->ep.name, why);
}

static void take_fault(struct task *t, const struct http_reply *raw, const struct chat_reply *reply)
{
    struct work *w = t->lane->work;
    struct channel *c = t->via->channel;
    bool unreachable = reply->fault == CHAT_NETWORK || reply->fault == CHAT_TIMEOUT;

    c->bad++;
    if (!c->missed_at_ms)
        c->missed_at_ms = clock_mono_ms();
    c->away = !c->good && (unreachable || reply->fault == CHAT_OVERLOAD);
    if (c->away && reply->fault == CHAT_OVERLOAD) {
        (void)snprintf(c->unready, sizeof c->unready, N_("%s is not ready: %s"), c->ep.name,
                       reply->why);
        c->unready[utf8_check(str_of(c->unready))] = '\0'; /* it goes into the database */
    }
    if (c->local && raw->end != HTTP_DONE && local_failed(w, c)) {
        release(t);
    } else if (raw->end == HTTP_REFUSED && c->good) {
        take_absence(t, reply->why);
    } else if (raw->status == 403 && c->good) {
        give_up(t, "forbidden", reply->why); /* a gateway's filter; the key is good */
    } else if (reply->fault == CHAT_REJECTED && take_refusal(t, reply)) {
        return;
    } else if (reply->fault == CHAT_AUTH || reply->fault == CHAT_QUOTA) {
        halt(t, why_halted(t, raw, reply->why));
    } else if (may_be_starting(t, reply->fault) && !w->draining) {
        c->away = true;
        t->looks +=
            t->looks < START_LOOKS; /* no waits: it is soon given up when its time is over */
        try_later(t, t->looks, wait_asked(raw, reply));
    } else if (!is_permanent(t, reply->fault)) {
        if (w->draining)
            release(t);
        else
            try_later(t, t->faults + t->waits, wait_asked(raw, reply));
    } else if (unreachable && !c->good) {
        halt(t, arena_printf(t->scratch, "%s: %s does not answer: %s", c->ep.name, c->ep.url,
                             reply->why));
    } else {
        give_up_or_halt(t, reply);
    }
}

/* A mended reply in a form that a database can hold: PostgreSQL takes neither NUL nor invalid
 * UTF-8. */
static struct str storable(struct arena *a, struct str s)
{
    struct buf b = BUF_MAX(s.n * 3);
    struct str rest = s, copy;

    while (rest.n) {
        uint32_t rune = utf8_next(&rest);
        buf_rune(&b, rune ? rune : 0xFFFD);
    }
    copy = arena_str(a, buf_str(&b));
    buf_done(&b);
    return copy;
}

/* A conversation is sent again with every turn, and its turns are rows. So its requests are not
 * stored, and of a reply only what was read from it. */
static void keep_call(struct task *t, const struct http_reply *raw, const struct chat_reply *reply)
{
    struct call_row *c = NEW(t->scratch, struct call_row);

    *c = (struct call_row){
        .run = t->lane->work->ctx.run->id,
        .key = t->key,
        .url = t->via->channel->ep.url,
        .request = t->referenced ? STR("") : t->body,
        .response = t->referenced   ? chat_brief(t->scratch, reply)
                    : reply->mended ? storable(t->scratch, raw->body)
                                    : arena_str(t->scratch, raw->body),
        .elapsed_ms = raw->elapsed_ms,
        .created_ms = clock_utc_ms(),
    };
    t->call = c;
}

static enum limit_sign sign_of(enum chat_fault f)
{
    if (f == CHAT_RATE_LIMIT || f == CHAT_OVERLOAD)
        return LIMIT_OVERLOAD;
    return f == CHAT_OK || f == CHAT_EMPTY ? LIMIT_GOOD : LIMIT_NEUTRAL;
}

static void settle(struct task *t, const struct http_reply *raw, const struct chat_reply *reply)
{
    struct work *w = t->lane->work;
    struct channel *c = t->via->channel;
    bool priced = !isnan(c->ep.price_in), good = reply->fault == CHAT_OK;
    bool counted = reply->tokens_in >= 0 && reply->tokens_out >= 0;
    struct purse used = {0};

    if (counted)
        used.tokens = reply->tokens_in + reply->tokens_out;
    if (counted && priced)
        used.usd = models_cost(&c->ep, reply->tokens_in, reply->tokens_out, reply->cached);
    if (!counted && good)
        used = t->guess;
    limit_ended(&c->gate->limit,
                &(struct limit_report){
                    .sign = sign_of(reply->fault),
                    .elapsed_ms = raw->elapsed_ms,
                    .guessed_tokens = t->guess.tokens,
                    .real_tokens = counted ? used.tokens : -1,
                    .retry_after_ms = wait_asked(raw, reply),
                    .requests_left = raw->limit_requests_left,
                    .requests_reset_ms = raw->limit_requests_reset_ms,
                    .tokens_left = raw->limit_tokens_left,
                    .tokens_reset_ms = raw->limit_tokens_reset_ms,
                },
                clock_mono_ms());
    share_settle(w, t, used);
    w->progress.tokens_in += reply->tokens_in > 0 ? reply->tokens_in : 0;
    w->progress.tokens_out += reply->tokens_out > 0 ? reply->tokens_out : 0;
    if (priced)
        w->progress.cost = (isnan(w->progress.cost) ? 0 : w->progress.cost) + used.usd;
    w->progress.throttled += sign_of(reply->fault) == LIMIT_OVERLOAD;
}

/* What came of an attempt: to be saved, tried again, or given up. */
static void take(struct task *t, const struct http_reply *raw, const struct chat_reply *reply)
{
    t->spent.tries++;
    t->spent.elapsed_ms += raw->elapsed_ms;
    t->via->channel->away = false;
    t->via->channel->unready[0] = '\0';
    count_spent(t, reply, true); /* an empty answer is paid for too */
    if (reply->fault != CHAT_OK) {
        take_fault(t, raw, reply);
        return;
    }
    if (!t->via->channel->good)
        wake_all(t->lane->work, t->via->channel);
    t->via->heard = t->via->channel->good = true;
    t->via->channel->missed_at_ms = 0;
    t->via->channel->bad = 0;
    keep_call(t, raw, reply);
    take_reply(t, reply);
}

/* A server that reports no tokens must not make a budget endless. */
static void guess_tokens(const struct task *t, struct chat_reply *reply)
{
    if (reply->fault != CHAT_OK)
        return;
    if (reply->tokens_in < 0)
        reply->tokens_in = chat_tokens_guess(t->body);
    if (reply->tokens_out < 0)
        reply->tokens_out = chat_tokens_guess(reply->text) + chat_tokens_guess(reply->thinking);
}

/* The reply in one piece: a stream is stored as the completion that it amounts to. */
static const struct http_reply *read_reply(struct task *t, const struct http_reply *raw,
                                           struct chat_reply *out)
{
    AUTO(chat_stream_freep) struct chat_stream *s = NULL;
    struct http_reply *whole;

    if (!t->via->channel->ep.stream) {
        chat_read(t->scratch, raw, out);
        return raw;
    }
    whole = arena_copy(t->scratch, raw, 1, sizeof *raw);
    s = chat_stream_new(REPLY_BYTES_MAX);
    chat_stream_feed(s, raw->body);
    chat_stream_read(t->scratch, s, raw, out, &whole->body);
    return whole;
}

static void on_done(void *user, const struct http_reply *raw)
{
    struct task *t = user;
    struct lane *lane = t->via;
    struct chat_reply reply;

    live_remove(t);
    t->http = NULL;
    lane->work->progress.in_flight--;
    raw = read_reply(t, raw, &reply);
    reply.why = models_without_key(t->scratch, lane->channel->headers.key, reply.why);
    guess_tokens(t, &reply);
    settle(t, raw, &reply);
    take(t, raw, &reply);
    ask_ready(lane->work); /* the place is free: fill it before the next reply is looked at */
}

/* ---- sending ---- */

/* A recorded endpoint answers at once, or has nothing to say. */
static void ask_recorded(struct task *t)
{
    struct chat_reply reply = {.finish = "stop", .tokens_in = -1, .tokens_out = -1};
    struct err e = {0};
    bool found = false;

    if (recorded_find(t->scratch, t->via->channel->recorded, t->tag, &reply.text, &found, &e) != OK)
        give_up(t, "recorded", e.msg);
    else if (!found)
        give_up(t, "recorded", N_("the file has no reply for this item and repeat"));
    else if (str_trim(reply.text).n == 0)
        give_up(t, chat_fault_name(CHAT_EMPTY), N_("the recorded reply is empty"));
    else
        take_reply(t, &reply);
}

/* A judge that needs no model answers at once, too. */
static void ask_objective(struct task *t)
{
    const struct dimension *d = &t->lane->work->ctx.suite->instrument.dimensions[0];
    struct chat_reply reply = {.finish = "stop", .tokens_in = -1, .tokens_out = -1};

    if (judge_objective_reply(t->scratch, &t->via->channel->ep, d, t->asked, &reply.text))
        take_reply(t, &reply);
    else
        give_up(t, "no-reference", reply.text.p);
}

/* True when the reply to this very request is stored and can be read. */
static bool answer_from_store(struct task *t)
{
    struct work *w = t->lane->work;
    const struct call_row *call = t->stored;
    struct chat_reply reply;

    t->stored = NULL;
    if (!call)
        return false;
    chat_read_body(t->scratch, call->response, &reply);
    if (reply.fault != CHAT_OK)
        return false;
    w->progress.cached++;
    t->spent.call = call->id;
    t->spent.elapsed_ms += call->elapsed_ms;
    count_spent(t, &reply, call->run == w->ctx.run->id && !t->twin); /* its twin has paid */
    take_reply(t, &reply);
    return true;
}

/* Ask by another way than the network. Without a reply the row stays planned. */
static void ask_post(struct task *t)
{
    struct work *w = t->lane->work;
    const struct run_letter letter = {t->key, &t->via->channel->ep, t->body};
    struct http_reply raw;
    struct chat_reply reply;

    if (!w->o->post(w->o->post_user, &letter, t->scratch, &raw, &reply)) {
        t->body = (struct str){0};
        arena_reset(t->scratch);
        queue_push(&w->held, t);
    } else if (reply.fault == CHAT_OK) {
        guess_tokens(t, &reply);
        take(t, &raw, &reply);
    } else {
        give_up(t, chat_fault_name(reply.fault), reply.why);
    }
}

static bool send(struct task *t)
{
    struct work *w = t->lane->work;
    const struct channel *c = t->via->channel;
    struct http_request req = {
        .url = c->ep.stream ? dialect_url_streamed(t->scratch, c->dialect, c->url) : c->url,
        .headers = c->headers.v,
        .nheaders = c->headers.n,
        .timeout_ms = w->o->timeout_ms ? w->o->timeout_ms : c->ep.timeout_ms,
        .stall_ms = c->ep.stall_ms,
        .max_reply = REPLY_BYTES_MAX,
    };
    struct err e = {0};

    if (t->avoid != c->avoid) /* another has been refused since this one was prepared */
        prepare(t);
    req.body = t->body;
    if (http_start(w->http, &req, on_done, t, &t->http, &e) != OK) {
        share_settle(w, t, (struct purse){0});
        halt(t, e.msg);
        return false;
    }
    live_add(w, t);
    w->progress.requests++;
    w->progress.in_flight++;
    return true;
}

/* Not now: the task stays the first of its lane. */
static bool put_back(struct lane *l, struct task *t)
{
    queue_push_front(&l->ready, t);
    return false;
}

/* Deal with the first ready task of a lane. False when the lane has to wait. */
static bool ask_next(struct work *w, struct lane *l)
{
    struct channel *c = l->channel;
    struct task *t = c->held ? NULL : queue_pop(&l->ready);
    struct err e = {0};
    int64_t wait = INT64_MAX;

    if (!t)
        return false;
    if (c->halted) {
        release(t);
        return true;
    }
    if (c->recorded) {
        ask_recorded(t);
        return true;
    }
    if (c->ep.kind == ENDPOINT_OBJECTIVE) {
        ask_objective(t);
        return true;
    }
    if (!t->body.n && ask_look_up(w, &t, 1, &e) != OK && (e.code == E_BUSY || e.code == E_FULL)) {
        /* The reply may be stored already: do not ask for it before we know. */
        t->body = (struct str){0};
        w->in_doubt = true;
        return put_back(l, t);
    }
    if (answer_from_store(t) || !draw_take(w, t))
        return true;
    if (w->o->post) {
        ask_post(t);
        return true;
    }
    if (w->progress.in_flight >= w->o->jobs || (c->local && !local_ready(w, c)))
        return put_back(l, t);
    if (!share_take(w, t)) {
        w->need = t->guess;
        w->budget_short = true;
        w->budget_reached |= w->budget_over;
        return put_back(l, t);
    }
    if (!limit_take(&c->gate->limit, t->guess.tokens, clock_mono_ms(), &wait)) {
        share_settle(w, t, (struct purse){0});
        if (wait < w->limit_wait_ms)
            w->limit_wait_ms = wait;
        return put_back(l, t);
    }
    return send(t) || c->halted;
}

/* One task of each lane in turn, so that no model waits for another to be done. */
void ask_ready(struct work *w)
{
    size_t waiting = 0; /* lanes in a row that could send nothing */

    w->limit_wait_ms = INT64_MAX;
    w->budget_reached &= w->draining; /* it may be why we are draining; else find out again */
    while (waiting < w->nlanes && !w->draining && !w->trouble_since_ms && !w->in_doubt) {
        struct lane *l = &w->lanes[w->turn];
        w->turn = (w->turn + 1) % w->nlanes;
        waiting = ask_next(w, l) ? 0 : waiting + 1;
    }
}

void ask_release(struct work *w, bool all)
{
    struct task *t, *next;

    for (size_t i = 0; i < w->nlanes; i++)
        while ((t = queue_pop(&w->lanes[i].ready)))
            release(t);
    while ((t = draw_next_twin(w)))
        release(t);
    for (t = w->live; t; t = next) {
        next = t->live_next;
        if (t->http && !all)
            continue;
        if (t->http) {
            http_cancel(t->http);
            w->progress.in_flight--;
        } else {
            loop_timer_stop(w->loop, wake, t);
            t->via->asleep--;
        }
        live_remove(t);
        release(t);
    }
}

bool ask_forgets(const struct work *w)
{
    return w->lost && vocab_is_held(w->ctx.suite);
}

static void forget(struct work *w)
{
    struct task *t;

    while ((t = queue_pop(&w->finished)))
        release(t);
    for (t = w->released.first; t; t = t->next)
        t->lost = true;
    for (t = w->live; t; t = t->live_next)
        t->lost = true;
}

void ask_release_lost(struct work *w)
{
    if (w->lost) {
        ask_release(w, false);
        share_drop(w);
    }
    if (ask_forgets(w))
        forget(w);
    w->lost = false;
}
