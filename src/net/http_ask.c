/* Sends one request and waits for the reply. */
#include "net/http.h"

enum { STEP_MS = 30000 }; /* arbitrary */

struct asking {
    struct arena *arena;
    struct http_reply *reply;
    bool done;
};

static void on_reply(void *user, const struct http_reply *reply)
{
    struct asking *k = user;

    *k->reply = *reply;
    k->reply->body = arena_str(k->arena, reply->body);
    k->reply->content_type = arena_text(k->arena, str_of(reply->content_type));
    k->reply->elsewhere = arena_text(k->arena, str_of(reply->elsewhere));
    k->reply->why = reply->why ? arena_text(k->arena, str_of(reply->why)) : "";
    k->done = true;
}

static enum status ask_by(struct loop *loop, struct asking *k, const struct http_request *req,
                          struct err *e)
{
    struct http_call *call;
    struct http *http;
    enum status st;

    if (http_new(&http, loop, 1, e) != OK)
        return e->code;
    st = http_start(http, req, on_reply, k, &call, e);
    while (st == OK && !k->done)
        st = loop_step(loop, STEP_MS, e);
    http_free(http);
    return st;
}

enum status http_ask(struct arena *a, const struct http_request *req, struct http_reply *out,
                     struct err *e)
{
    struct asking k = {.arena = a, .reply = out};
    struct loop *loop;
    enum status st;

    if (loop_new(&loop, e) != OK)
        return e->code;
    st = ask_by(loop, &k, req, e);
    loop_free(loop);
    return st;
}
