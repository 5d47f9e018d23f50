#include "panel/live.h"

#include "base/clock.h"
#include "exchange/recorded.h"
#include "net/chat_stream.h"

enum { REPLY_MAX = 8 << 20, STEP_MS = 200 };

/* A request under way. */
struct asking {
    struct arena *arena;
    const struct live_question *q;
    struct chat_stream *pieces;
    size_t heard; /* bytes of the answer that were told */
    struct live_answer answer;
    enum dialect dialect;
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

static enum status wait_for(struct asking *k, struct loop *loop, struct err *e)
{
    while (!k->done) {
        if (!k->q->waits(k->q->user))
            return err_set(e, E_STOP, "nobody is waiting for the answer");
        if (loop_step(loop, STEP_MS, e) != OK)
            return e->code;
    }
    return OK;
}

static enum status send_within(struct asking *k, struct loop *loop, struct http *http,
                               const struct models_headers *headers, struct err *e)
{
    const struct endpoint *ep = k->q->ep;
    const struct http_request req = {
        .url = k->streams ? dialect_url_streamed(k->arena, k->dialect, ep->url) : ep->url,
        .headers = headers->v,
        .nheaders = headers->n,
        .body = k->answer.request,
        .timeout_ms = ep->timeout_ms,
        .stall_ms = ep->stall_ms,
        .max_reply = REPLY_MAX,
        .part = on_part,
    };
    struct http_call *call;

    if (http_start(http, &req, on_done, k, &call, e) != OK)
        return e->code;
    return wait_for(k, loop, e);
}

static enum status ask_once(struct asking *k, const json_t *parameters, bool stream, struct err *e)
{
    const struct chat_request req = {.model = k->q->ep->model,
                                     .turns = k->q->turns,
                                     .nturns = k->q->nturns,
                                     .parameters = parameters,
                                     .stream = stream,
                                     .dialect = k->dialect};
    struct models_headers headers;
    struct loop *loop = NULL;
    struct http *http = NULL;
    enum status st;

    k->done = false;
    k->streams = stream;
    k->answer.request = chat_body(k->arena, &req);
    if (models_headers(k->arena, k->q->ep, &headers, e) != OK || loop_new(&loop, e) != OK)
        return e->code;
    k->pieces = chat_stream_new(REPLY_MAX);
    st = http_new(&http, loop, 1, e);
    if (st == OK)
        st = send_within(k, loop, http, &headers, e);
    if (st == OK && headers.key)
        k->answer.reply.why = models_without_key(k->arena, headers.key, k->answer.reply.why);
    http_free(http);
    loop_free(loop);
    chat_stream_free(k->pieces);
    k->pieces = NULL;
    return st;
}

static enum status ask_chat(struct asking *k, struct err *e)
{
    AUTO(json_freep) json_t *parameters = NULL;

    if (models_parameters(k->q->ep, k->q->sampling, &parameters, e) != OK ||
        ask_once(k, parameters, true, e) != OK)
        return e->code;
    if (k->answer.reply.fault == CHAT_REJECTED)
        return ask_once(k, parameters, false, e);
    return OK;
}

static enum status ask_recorded(struct asking *k, struct err *e)
{
    struct recorded *file = NULL;
    struct chat_reply *r = &k->answer.reply;
    bool found = false;
    enum status st = recorded_open(&file, k->q->ep->file, e);

    *r = (struct chat_reply){
        .why = "", .finish = "", .fingerprint = "", .tokens_in = -1, .tokens_out = -1};
    if (st == OK)
        st = recorded_find(k->arena, file, k->q->tag, &r->text, &found, e);
    recorded_close(file);
    if (st == OK && found) {
        k->q->heard(k->q->user, r->text);
    } else {
        r->fault = CHAT_EMPTY;
        r->why = "the recording has no such turn";
    }
    return st;
}

enum status live_ask(struct arena *a, const struct live_question *q, struct live_answer *out,
                     struct err *e)
{
    struct asking k = {.arena = a, .q = q, .dialect = dialect_guess(str_of(q->ep->url))};

    if ((q->ep->kind == ENDPOINT_RECORDED ? ask_recorded(&k, e) : ask_chat(&k, e)) != OK)
        return e->code;
    *out = k.answer;
    return OK;
}
