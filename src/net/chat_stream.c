#include "net/chat_stream.h"

#include <stdlib.h>

#include "base/doc.h"
#include "base/message.h"
#include "net/form.h"

struct chat_stream {
    struct buf line, data; /* of the current event */
    struct buf text, thinking, refusal;
    struct buf called; /* arguments of the call of our tool */
    bool calling;      /* the current call is one of our tool */
    json_t *finish, *usage, *fingerprint, *error;
    bool events; /* there was at least one, so this is a stream */
    bool ended;  /* the server said so */
    bool garbled;
    bool damaged; /* not UTF-8: another attempt may succeed, as with a whole reply */
};

struct chat_stream *chat_stream_new(size_t max)
{
    struct chat_stream *s = mem_new(sizeof *s);

    *s = (struct chat_stream){.line = BUF_MAX(max),
                              .data = BUF_MAX(max),
                              .text = BUF_MAX(max),
                              .thinking = BUF_MAX(max),
                              .refusal = BUF_MAX(max),
                              .called = BUF_MAX(max)};
    return s;
}

void chat_stream_free(struct chat_stream *s)
{
    if (!s)
        return;
    buf_done(&s->line);
    buf_done(&s->data);
    buf_done(&s->text);
    buf_done(&s->thinking);
    buf_done(&s->refusal);
    buf_done(&s->called);
    json_decref(s->finish);
    json_decref(s->usage);
    json_decref(s->fingerprint);
    json_decref(s->error);
    free(s);
}

void chat_stream_freep(struct chat_stream **s)
{
    chat_stream_free(*s);
}

/* ---- one event ---- */

static void remember(json_t **where, const struct node *what)
{
    if (!what || node_is_null(what))
        return;
    json_decref(*where);
    *where = doc_to_json(what);
}

/* A text, or a list of parts with texts. */
static void content_add(struct buf *b, const struct node *content)
{
    const struct node *part;

    if (content && content->quoted)
        buf_add(b, content->text);
    for (part = node_first(content); part; part = part->next)
        buf_add(b, node_str_at(part, "text", STR("")));
}

/* Its name comes with the first piece. */
static void call_add(struct chat_stream *s, const struct node *call)
{
    const struct node *f = node_get(call, "function");
    struct str name = node_str_at(f, "name", STR(""));

    if (name.n)
        s->calling = str_is(name, FORM_NAME);
    if (s->calling)
        buf_add(&s->called, node_str_at(f, "arguments", STR("")));
}

static void choice_add(struct chat_stream *s, const struct node *choice)
{
    const struct node *delta = node_get(choice, "delta"), *call;

    if (!delta)
        delta = node_get(choice, "message"); /* everything in one event */
    content_add(&s->text, node_get(delta, "content"));
    buf_add(&s->text, node_str_at(choice, "text", STR("")));
    buf_add(&s->refusal, node_str_at(delta, "refusal", STR("")));
    buf_add(&s->thinking, chat_thinking(delta));
    for (call = node_first(node_get(delta, "tool_calls")); call; call = call->next)
        call_add(s, call);
    remember(&s->finish, node_get(choice, "finish_reason"));
}

/* Some servers report input tokens at the beginning and output tokens at the end. */
static void usage_add(struct chat_stream *s, const struct node *usage)
{
    if (!usage || usage->kind != NODE_MAP)
        return;
    if (!s->usage)
        s->usage = json_object();
    (void)json_object_update_new(s->usage, doc_to_json(usage));
}

static void event_read(struct chat_stream *s, struct str data)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct node *root, *completion;
    const struct node *choice;
    struct err e;
    bool mended, ended;

    s->events = true;
    if (str_is(str_trim(data), "[DONE]")) {
        s->ended = true;
    } else if (utf8_check(data) < data.n) {
        s->damaged = true;
    } else if (json_tree_mended(a, data, &root, &mended, &e) != OK || root->kind != NODE_MAP) {
        s->garbled = true;
    } else {
        if ((completion = dialect_completion(a, root, &ended))) {
            s->ended |= ended;
            remember(&s->error, node_get(root, "error"));
            root = completion;
        }
        for (choice = node_first(node_get(root, "choices")); choice; choice = choice->next)
            if (node_int_at(choice, "index", 0) == 0)
                choice_add(s, choice);
        usage_add(s, node_get(root, "usage"));
        remember(&s->fingerprint, node_get(root, "system_fingerprint"));
        remember(&s->error, node_get(root, "error"));
    }
}

/* ---- lines ---- */

/* Whether a line is an event. A whole reply, without events, must not be taken for one. */
static bool is_event(const struct chat_stream *s, struct str line)
{
    return str_holds(line, STR("\"done\":")) || (s->events && str_holds(line, STR("\"error\":")));
}

static void event_end(struct chat_stream *s)
{
    if (s->data.n && !s->ended)
        event_read(s, buf_str(&s->data));
    buf_clear(&s->data);
}

/* "data: ..." adds to the event, and an empty line ends it; other fields and comments are ignored.
 * A line that is an object is an event by itself: Ollama sends these. */
static void line_read(struct chat_stream *s, struct str line)
{
    if (line.n && line.p[line.n - 1] == '\r')
        line.n--;
    if (line.n == 0) {
        event_end(s);
    } else if (str_drop(&line, STR("data:"))) {
        if (s->data.n)
            buf_char(&s->data, '\n');
        (void)str_drop(&line, STR(" "));
        buf_add(&s->data, line);
    } else if (line.p[0] == '{' && s->data.n == 0 && !s->ended && is_event(s, line)) {
        event_read(s, line);
    }
}

void chat_stream_feed(struct chat_stream *s, struct str bytes)
{
    struct str head, rest;

    while (str_cut(bytes, '\n', &head, &rest)) {
        buf_add(&s->line, head);
        line_read(s, buf_str(&s->line));
        buf_clear(&s->line);
        bytes = rest;
    }
    buf_add(&s->line, bytes);
}

struct str chat_stream_said(const struct chat_stream *s)
{
    return chat_said(buf_str(&s->text));
}

/* ---- the assembled completion ---- */

static json_t *message_json(const struct chat_stream *s)
{
    json_t *j = json_object();

    json_put_text(j, "role", "assistant");
    json_put_str(j, "content", buf_str(s->text.n ? &s->text : &s->called));
    json_put_some(j, "reasoning_content", buf_str(&s->thinking));
    json_put_some(j, "refusal", buf_str(&s->refusal));
    return j;
}

static struct str body_of(struct arena *a, const struct chat_stream *s, int64_t first_ms)
{
    AUTO(json_freep) json_t *root = json_object();
    json_t *choice;

    json_put_text(root, "object", "chat.completion");
    choice = json_add_object(json_put_list(root, "choices"));
    json_put_int(choice, "index", 0);
    json_put(choice, "message", message_json(s));
    if (s->finish)
        (void)json_object_set(choice, "finish_reason", s->finish);
    if (s->fingerprint)
        (void)json_object_set(root, "system_fingerprint", s->fingerprint);
    if (s->usage)
        (void)json_object_set(root, "usage", s->usage);
    if (s->error)
        (void)json_object_set(root, "error", s->error);
    json_put_int(json_put_object(root, "timings"), "first_ms", first_ms);
    return str_of(json_text(a, root));
}

/* A stream that stops without an end was cut, even if the transfer seems complete. */
static void check_whole(const struct chat_stream *s, struct chat_reply *out)
{
    if (!s->damaged && (s->error || s->ended || s->finish))
        return;
    out->text = STR("");
    out->fault = s->damaged || s->garbled ? CHAT_GARBLED : CHAT_NETWORK;
    out->why = s->damaged   ? N_("the reply is damaged: it is not UTF-8")
               : s->garbled ? N_("the stream contains something that is not JSON")
                            : N_("the stream ended halfway");
}

void chat_stream_read(struct arena *a, struct chat_stream *s, const struct http_reply *raw,
                      struct chat_reply *out, struct str *body)
{
    line_read(s, buf_str(&s->line)); /* the last line and the last event need no terminator */
    buf_clear(&s->line);
    event_end(s);
    if (!s->events || raw->end != HTTP_DONE || raw->status < 200 || raw->status > 299) {
        chat_read(a, raw, out);
        *body = arena_str(a, raw->body);
        return;
    }
    *body = body_of(a, s, raw->first_ms);
    chat_read_body(a, *body, out);
    check_whole(s, out);
}
