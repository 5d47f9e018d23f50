#include "panel/live.h"

#include "base/message.h"
#include "exchange/recorded.h"
#include "net/chat_stream.h"

enum { REPLY_MAX = 8 << 20, STEP_MS = 200 };

/* A request in progress. */
struct asking {
    struct arena *arena;
    const struct live_question *q;
    struct chat_stream *pieces;
    size_t heard; /* bytes of the answer that were reported */
    struct live_answer answer;
    enum dialect dialect;
    json_t *parameters;
    const char *key; /* of the endpoint; must never be shown */
    bool streams, done;
};

static void on_part(void *user, struct str bytes)
{
    struct asking *k = user;
    struct str said;

    chat_stream_feed(k->pieces, bytes);
    said = chat_stream_said(k->pieces);
    if (said.n == k->heard)
        return;
    k->heard = said.n;
    k->q->heard(k->q->user, said);
}

static void on_done(void *user, const struct http_reply *raw)
{
    struct asking *k = user;

    chat_stream_read(k->arena, k->pieces, raw, &k->answer.reply, &k->answer.response);
    k->answer.elapsed_ms += raw->elapsed_ms;
    k->done = true;
}

static bool all_done(const struct asking *k, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!k[i].done)
            return false;
    return true;
}

static enum status wait_for(struct asking *k, size_t n, struct loop *loop, struct err *e)
{
    while (!all_done(k, n)) {
        if (!k->q->waits(k->q->user))
            return err_set(e, E_STOP, "nobody is waiting for the answer");
        if (loop_step(loop, STEP_MS, e) != OK)
            return e->code;
    }
    return OK;
}

static struct chat_reply no_reply(enum chat_fault fault, const char *why)
{
    return (struct chat_reply){
        .fault = fault, .why = why, .finish = "", .tokens_in = -1, .tokens_out = -1};
}

/* It cannot be asked at all. This is treated as its answer, because another endpoint may have a
 * good one. */
static void refuse(struct asking *k, enum chat_fault fault, const char *why)
{
    k->answer.reply = no_reply(fault, arena_text(k->arena, str_of(why)));
    k->done = true;
}

static enum status start(struct asking *k, struct http *http, struct err *e)
{
    const struct endpoint *ep = k->q->ep;
    const struct chat_request body = {.model = ep->model,
                                      .turns = k->q->turns,
                                      .nturns = k->q->nturns,
                                      .parameters = k->parameters,
                                      .stream = k->streams,
                                      .dialect = k->dialect};
    struct models_headers headers;
    struct http_call *call;

    if (models_headers(k->arena, ep, NULL, &headers, e) != OK) {
        refuse(k, CHAT_AUTH, e->msg);
        return OK;
    }
    k->key = headers.key;
    k->answer.request = chat_body(k->arena, &body);
    const struct http_request req = {
        .url = k->streams ? dialect_url_streamed(k->arena, k->dialect, ep->url) : ep->url,
        .headers = headers.v,
        .nheaders = headers.n,
        .body = k->answer.request,
        .timeout_ms = ep->timeout_ms,
        .stall_ms = ep->stall_ms,
        .max_reply = REPLY_MAX,
        .part = on_part,
    };
    return http_start(http, &req, on_done, k, &call, e);
}

/* Asks all that are not done, concurrently. */
static enum status ask_round(struct asking *k, size_t n, struct err *e)
{
    struct loop *loop = NULL;
    struct http *http = NULL;
    enum status st;

    if (all_done(k, n))
        return OK;
    if (loop_new(&loop, e) != OK)
        return e->code;
    st = http_new(&http, loop, (int)n, e);
    for (size_t i = 0; i < n; i++)
        k[i].pieces = chat_stream_new(REPLY_MAX);
    for (size_t i = 0; i < n && st == OK; i++)
        if (!k[i].done)
            st = start(&k[i], http, e);
    if (st == OK)
        st = wait_for(k, n, loop, e);
    http_free(http);
    loop_free(loop);
    for (size_t i = 0; i < n; i++)
        chat_stream_free(k[i].pieces);
    return st;
}

static enum status ask_chat(struct asking *k, size_t n, struct err *e)
{
    if (ask_round(k, n, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++) {
        if (k[i].streams && k[i].answer.reply.fault == CHAT_REJECTED)
            k[i].streams = k[i].done = false;
    }
    return ask_round(k, n, e);
}

static enum status ask_recorded(struct asking *k, struct err *e)
{
    struct recorded *file = NULL;
    struct chat_reply *r = &k->answer.reply;
    bool found = false;
    enum status st = recorded_open(&file, k->q->ep->file, e);

    *r = no_reply(CHAT_OK, "");
    if (st == OK)
        st = recorded_find(k->arena, file, k->q->tag, &r->text, &found, e);
    recorded_close(file);
    if (st == OK && found) {
        k->q->heard(k->q->user, r->text);
    } else {
        r->fault = CHAT_EMPTY;
        r->why = N_("the recording has no such turn");
    }
    return st;
}

static enum status ask_all(struct asking *k, size_t n, struct err *e)
{
    for (size_t i = 0; i < n; i++) {
        if (k[i].q->ep->kind == ENDPOINT_LOCAL) {
            (void)err_set(e, E_USAGE,
                          "%s is a file: start its server and name the address in models.yaml",
                          k[i].q->ep->name);
            refuse(&k[i], CHAT_REJECTED, e->msg);
            continue;
        }
        k[i].dialect = dialect_guess(str_of(k[i].q->ep->url));
        k[i].done = k[i].q->ep->kind == ENDPOINT_RECORDED;
        k[i].streams = !k[i].done;
        if (k[i].done ? ask_recorded(&k[i], e) != OK
                      : models_parameters(k[i].q->ep, k[i].q->sampling, &k[i].parameters, e) != OK)
            return e->code;
    }
    return ask_chat(k, n, e);
}

enum status live_ask(struct arena *a, const struct live_question *q, size_t n,
                     struct live_answer *out, struct err *e)
{
    struct asking *k = NEW_N(a, struct asking, n);
    enum status st;

    for (size_t i = 0; i < n; i++)
        k[i] = (struct asking){.arena = a, .q = &q[i]};
    st = ask_all(k, n, e);
    for (size_t i = 0; i < n; i++) {
        json_freep(&k[i].parameters);
        if (k[i].key && st == OK)
            k[i].answer.reply.why = models_without_key(a, k[i].key, k[i].answer.reply.why);
        if (st == OK)
            out[i] = k[i].answer;
    }
    return st;
}
