#include "net/chat.h"

#include <ctype.h>

#include "base/message.h"
#include "base/node.h"
#include "net/form.h"

enum { WHY_POINTS = 200, NAME_POINTS = 64, SECRET_RUN = 20 };

/* --- asking --- */

/* Model, messages and streaming are set by the request alone. */
static json_t *parameters_allowed(const json_t *parameters)
{
    json_t *p = json_deep_copy(parameters);

    (void)json_object_del(p, "model");
    (void)json_object_del(p, "messages");
    if (json_is_true(json_object_get(p, "stream"))) {
        (void)json_object_del(p, "stream");
        (void)json_object_del(p, "stream_options");
    }
    return p;
}

const char *chat_parameters(struct arena *a, const json_t *parameters)
{
    AUTO(json_freep) json_t *p = parameters_allowed(parameters);

    return p ? json_text(a, p) : "";
}

static const char *parameters_of(struct arena *a, const struct chat_request *req)
{
    AUTO(json_freep) json_t *p = NULL;

    if (!req->stream)
        return req->written ? req->written : chat_parameters(a, req->parameters);
    p = req->parameters ? parameters_allowed(req->parameters) : json_object();
    json_put_bool(p, "stream", true);
    json_put_bool(json_put_object(p, "stream_options"), "include_usage", true);
    return json_text(a, p);
}

/* --- the common part of a conversation --- */

struct chat_told {
    struct buf body;                         /* of the latest request */
    size_t begin, end;                       /* in it: the messages that are in every request */
    size_t n;                                /* number of them, from turns[1] on */
    enum dialect dialect;                    /* dialect of them */
    bool interrupted;                        /* some are system messages */
    unsigned char hash[sizeof(struct hash)]; /* of them; not aligned as struct hash requires */
    int64_t tokens;
};

static void told_release(void *told)
{
    buf_done(&((struct chat_told *)told)->body);
}

struct chat_told *chat_told_new(struct arena *a)
{
    struct chat_told *k = NEW(a, struct chat_told);
    struct hash h;

    hash_init(&h);
    memcpy(k->hash, &h, sizeof h);
    k->body.max = SIZE_MAX / 2; /* no larger than its texts, which are limited */
    arena_own(a, told_release, k);
    return k;
}

/* A message in the form that is hashed, whatever the dialect. */
static struct str turn_write(struct buf *b, const struct chat_turn *t)
{
    size_t at = b->n;

    dialect_message(b, DIALECT_OPENAI, t);
    return (struct str){b->p + at, b->n - at};
}

static bool is_system(const struct chat_turn *t)
{
    return strcmp(t->role, "system") == 0;
}

/* Adds the messages that have become final, because others follow them. */
static void tell(struct chat_told *k, const struct chat_request *req)
{
    AUTO(buf_done) struct buf plain = BUF_MAX(SIZE_MAX / 2);
    struct hash h;

    if (k->n + 2 >= req->nturns)
        return;
    if (k->n == 0)
        k->dialect = req->dialect;
    memcpy(&h, k->hash, sizeof h);
    k->body.n = k->end;
    while (k->n + 2 < req->nturns) {
        const struct chat_turn *t = &req->turns[++k->n];
        size_t at = k->body.n;
        struct str json;
        dialect_message(&k->body, k->dialect, t);
        json = (struct str){k->body.p + at, k->body.n - at};
        if (k->dialect == DIALECT_GEMINI) {
            buf_clear(&plain);
            json = turn_write(&plain, t);
        }
        hash_str(&h, json);
        k->tokens += chat_tokens_guess(json);
        k->interrupted |= is_system(t);
        buf_char(&k->body, ',');
    }
    k->end = k->body.n;
    memcpy(k->hash, &h, sizeof h);
}

/* Puts `head` before the messages; they only move if its length differs from that of the last
 * one. */
static void told_head(struct chat_told *k, struct str head)
{
    struct str messages = {k->body.p + k->begin, k->end - k->begin};
    struct buf moved = BUF_MAX(k->body.max);

    if (head.n == k->begin) {
        memcpy(k->body.p, head.p, head.n);
        return;
    }
    buf_add(&moved, head);
    buf_add(&moved, messages);
    buf_done(&k->body);
    k->body = moved;
    k->begin = head.n;
    k->end = moved.n;
}

/* --- bodies --- */

static void head_write(struct buf *b, const struct chat_request *req)
{
    buf_text(b, "{\"model\":");
    json_quote(b, str_of(req->model));
    buf_text(b, ",\"messages\":[");
}

static void messages_write(struct buf *b, const struct chat_request *req, size_t from)
{
    for (size_t i = from; i < req->nturns; i++) {
        buf_text(b, i > from ? "," : "");
        dialect_message(b, req->dialect, &req->turns[i]);
    }
}

/* Ends the body; the text of parameters has braces of its own. */
static void parameters_write(struct arena *a, struct buf *b, const struct chat_request *req)
{
    const char *parameters = parameters_of(a, req);
    bool any = parameters[0] == '{' && parameters[1] != '}';

    buf_text(b, any ? "]," : "]}");
    if (any)
        buf_text(b, parameters + 1);
}

/* Names of our own must be translated for chat completions, too. */
static bool needs_translation(const struct chat_request *req)
{
    return req->dialect != DIALECT_OPENAI || req->avoid ||
           json_object_get(req->parameters, "limit") ||
           json_object_get(req->parameters, "effort") ||
           json_object_get(req->parameters, "thinking_budget");
}

/* Written directly, since runs send millions of these. */
static struct str body_of_chat(struct arena *a, const struct chat_request *req)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX / 2);

    head_write(&b, req);
    messages_write(&b, req, 0);
    parameters_write(a, &b, req);
    return arena_str(a, buf_str(&b));
}

/* Gives the same body as without `told`, in any dialect. */
static struct str body_of_talk(struct arena *a, const struct chat_request *req)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX / 2);
    struct dialect_frame f = {.listed = true};
    struct chat_told *k = req->told;
    bool plain = !needs_translation(req);

    if (plain)
        head_write(&b, req);
    else
        f = dialect_frame(a, req->dialect, req);
    buf_add(&b, f.before);
    if (f.listed) {
        dialect_message(&b, req->dialect, &req->turns[0]);
        buf_char(&b, ',');
    }
    told_head(k, buf_str(&b));
    k->body.n = k->end;
    messages_write(&k->body, req, k->n + 1);
    if (plain)
        parameters_write(a, &k->body, req);
    buf_add(&k->body, f.after);
    return buf_str(&k->body);
}

/* If several listen to one conversation, messages are kept in the dialect of the first. */
static bool is_talk(const struct chat_request *req)
{
    if (!req->told || req->nturns < 2 || !dialect_lists(req->dialect))
        return false;
    tell(req->told, req);
    return is_system(&req->turns[0]) && !is_system(&req->turns[req->nturns - 1]) &&
           !req->told->interrupted && req->told->dialect == req->dialect;
}

struct str chat_body(struct arena *a, const struct chat_request *req)
{
    AUTO(json_freep) json_t *body = NULL;

    if (is_talk(req))
        return body_of_talk(a, req);
    if (!needs_translation(req))
        return body_of_chat(a, req);
    body = dialect_body(req->dialect, req);
    return str_of(json_text(a, body));
}

void chat_hash(struct arena *a, const struct chat_request *req, struct hash *h)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX / 2);
    unsigned char digest[HASH_BYTES];
    struct hash rest;

    hash_str(h, str_of(req->model));
    hash_int(h, req->dialect);
    hash_str(h, str_of(parameters_of(a, req)));
    if (req->nturns)
        hash_str(h, turn_write(&b, &req->turns[0]));
    hash_init(&rest);
    if (req->told) {
        tell(req->told, req);
        memcpy(&rest, req->told->hash, sizeof rest);
    }
    for (size_t i = req->told ? req->told->n + 1 : 1; i < req->nturns; i++) {
        buf_clear(&b);
        hash_str(&rest, turn_write(&b, &req->turns[i]));
    }
    hash_bytes(&rest, digest);
    hash_str(h, (struct str){(const char *)digest, sizeof digest});
}

int64_t chat_request_tokens(const struct chat_request *req)
{
    size_t from = req->told ? req->told->n + 1 : 1;
    int64_t n = req->told ? req->told->tokens : 0;

    if (req->nturns)
        n += chat_tokens_guess(req->turns[0].text);
    for (size_t i = from; i < req->nturns; i++)
        n += chat_tokens_guess(req->turns[i].text);
    return n;
}

/* Length of the scheme and "://", or 0. */
static size_t scheme_length(struct str url)
{
    return str_starts_nocase(url, STR("http://"))    ? 7
           : str_starts_nocase(url, STR("https://")) ? 8
                                                     : 0;
}

/* ?key=..., &api-key=..., &Access_Token=... */
static bool holds_secret(struct str query)
{
    static const char *const names[] = {"key=", "token=", "secret=", "password=", "sig="};

    for (; query.n; query = str_from(query, 1))
        for (size_t i = 0; i < COUNT(names); i++)
            if (str_starts_nocase(query, str_of(names[i])))
                return true;
    return false;
}

static const char *url_fault(struct str url)
{
    size_t scheme = scheme_length(url), end;

    if (scheme == 0)
        return "it does not begin with http:// or https:// and a host";
    for (size_t i = 0; i < url.n; i++)
        if ((unsigned char)url.p[i] <= ' ' || url.p[i] == 0x7F)
            return "it contains white space or control characters";
    for (end = scheme; end < url.n && !strchr("/?#", url.p[end]); end++)
        if (url.p[end] == '@')
            return "it contains a user name or password; keys come from the environment";
    if (end == scheme)
        return "it has no host";
    if (memchr(url.p, '#', url.n))
        return "it contains a '#'";
    return holds_secret(str_from(url, end))
               ? "its query contains a key; keys come from the environment"
               : NULL;
}

const char *chat_url_to(struct arena *a, const char *base_url, const struct chat_path *to,
                        const char **why)
{
    struct str url = str_trim(str_of(base_url)), query, path;
    const char *fault = url_fault(url), *end;
    size_t host;

    if (fault) {
        *why = fault;
        return NULL;
    }
    end = memchr(url.p, '?', url.n);
    query = str_from(url, end ? (size_t)(end - url.p) : url.n);
    url.n -= query.n;
    while (url.p[url.n - 1] == '/')
        url.n--;
    host = scheme_length(url);
    end = memchr(url.p + host, '/', url.n - host);
    path = str_from(url, end ? (size_t)(end - url.p) : url.n);
    return arena_printf(a, "%.*s%s%s%.*s", STR_ARG(url), path.n ? "" : to->version,
                        str_ends(path, str_of(to->end)) ? "" : to->end, STR_ARG(query));
}

/* Scripts with about one token per character. */
static bool is_cjk(uint32_t r)
{
    return (r >= 0x2E80 && r <= 0x9FFF) || (r >= 0xAC00 && r <= 0xD7AF) ||
           (r >= 0xF900 && r <= 0xFAFF) || (r >= 0xFF00 && r <= 0xFFEF) ||
           (r >= 0x20000 && r <= 0x3FFFF);
}

int64_t chat_tokens_guess(struct str text)
{
    size_t cjk = 0, other = 0;

    while (text.n) {
        size_t before = text.n, ascii = utf8_ascii(text);
        if (ascii) {
            text = str_from(text, ascii);
            other += ascii;
        } else if ((unsigned char)text.p[0] < 0x80) {
            text = str_from(text, 1);
            other++;
        } else if (is_cjk(utf8_next(&text))) {
            cjk++;
        } else {
            other += before - text.n;
        }
    }
    return (int64_t)(cjk + (other + 3) / 4);
}

/* --- faults --- */

const char *chat_fault_name(enum chat_fault f)
{
    static const char *const names[] = {
        [CHAT_OK] = "ok",
        [CHAT_RATE_LIMIT] = "rate-limit",
        [CHAT_OVERLOAD] = "overload",
        [CHAT_SERVER] = "server",
        [CHAT_NETWORK] = "network",
        [CHAT_TIMEOUT] = "timeout",
        [CHAT_GARBLED] = "garbled",
        [CHAT_EMPTY] = "empty",
        [CHAT_AUTH] = "auth",
        [CHAT_REJECTED] = "rejected",
        [CHAT_QUOTA] = "quota",
        [CHAT_TOO_LARGE] = "too-large",
        [CHAT_FILTERED] = "filtered",
        [CHAT_THOUGHT] = "thought",
    };

    return (size_t)f < COUNT(names) ? names[f] : "unknown";
}

bool chat_fault_passes(enum chat_fault f)
{
    return f >= CHAT_RATE_LIMIT && f <= CHAT_EMPTY;
}

static enum chat_fault fault_of_status(int64_t status)
{
    switch (status) {
    case 401:
    case 403:
        return CHAT_AUTH;
    case 402:
        return CHAT_QUOTA;
    case 408: /* the server gave up waiting for the request, which is not at fault */
        return CHAT_TIMEOUT;
    case 409: /* requests were in conflict */
        return CHAT_SERVER;
    case 429:
        return CHAT_RATE_LIMIT;
    case 502:
    case 503:
    case 504:
    case 529:
        return CHAT_OVERLOAD;
    default:
        return status >= 300 && status < 500 ? CHAT_REJECTED : CHAT_SERVER;
    }
}

/* --- text of the server, made fit for one line --- */

static bool is_key_char(char c)
{
    return str_alnum(c) || c == '-' || c == '_' || c == '*' || c == '.';
}

/* Some servers quote the key that they refuse. Length of what looks like a key at the front of s:
 * "sk-...", or letters mixed with digits, longer than words and model names are. */
static size_t secret_length(struct str s)
{
    size_t n = 0, run = 0, longest = 0;
    bool digit = false, letter = false;

    for (; n < s.n && is_key_char(s.p[n]); n++) {
        run = str_alnum(s.p[n]) ? run + 1 : 0;
        longest = run > longest ? run : longest;
        digit |= isdigit((unsigned char)s.p[n]) != 0;
        letter |= isalpha((unsigned char)s.p[n]) != 0;
    }
    return (n > 8 && str_starts(s, STR("sk-"))) || (longest >= SECRET_RUN && digit && letter) ? n
                                                                                              : 0;
}

static bool is_control(uint32_t r)
{
    return r < 0x20 || (r >= 0x7F && r < 0xA0) || r == 0x2028 || r == 0x2029 ||
           (r >= 0x202A && r <= 0x202E) || (r >= 0x2066 && r <= 0x2069);
}

const char *chat_line(struct arena *a, struct str text, size_t points)
{
    AUTO(buf_done) struct buf b = BUF_MAX(4096);
    struct str rest = str_trim(text), line = {"", 0};
    char before = ' ';

    (void)str_line(&rest, &line);
    for (size_t n = 0; line.n && n < points; n++) {
        size_t secret = is_key_char(before) ? 0 : secret_length(line);
        uint32_t r;
        before = line.p[0];
        if (secret) {
            buf_text(&b, "[key]");
            line = str_from(line, secret);
        } else if (!is_control(r = utf8_next(&line))) {
            buf_rune(&b, r);
        }
    }
    return arena_text(a, str_trim(buf_str(&b)));
}

/* The content type alone is no proof: some servers send JSON as HTML. */
static bool is_html(const struct http_reply *raw)
{
    struct str s = str_trim(raw->body), type = str_of(raw->content_type);

    return str_starts_nocase(s, STR("<!doctype")) || str_starts_nocase(s, STR("<html")) ||
           (str_starts(s, STR("<")) && str_starts_nocase(type, STR("text/html")));
}

static bool is_something(const struct node *n)
{
    if (!n || n->kind == NODE_LIST)
        return n != NULL;
    return n->kind == NODE_MAP ? n->n > 0
           : n->quoted         ? n->text.n > 0
                               : !str_is(n->text, "null") && !str_is(n->text, "false");
}

/* The error in a body: {"error": {...}}, or the same without the wrapping. */
static const struct node *error_in(const struct node *root)
{
    const struct node *inner = node_get(root, "error");

    return is_something(inner) ? inner : root;
}

static struct str error_message(const struct node *error)
{
    const struct node *detail = node_get(error, "detail");
    struct str text;

    if (error->quoted)
        return error->text;
    text = node_str_at(error, "message", STR(""));
    if (text.n == 0)
        text = node_str_at(error, "detail", STR(""));
    if (text.n == 0) /* a list of validation faults */
        text = node_str_at(node_first(detail), "msg", STR(""));
    return text;
}

static const char *why_of(struct arena *a, struct str message, int status)
{
    const char *line = chat_line(a, message, WHY_POINTS);

    if (!*line)
        return arena_printf(a, "status %d without a message", status);
    return arena_printf(a, "%s (status %d)", line, status);
}

static bool error_says(const struct node *error, const char *word)
{
    return str_is(node_str_at(error, "code", STR("")), word) ||
           str_is(node_str_at(error, "type", STR("")), word);
}

/* An error inside a 200: its code is a status, a status in a string, or a word. */
static enum chat_fault fault_of_error(const struct node *error)
{
    static const struct {
        const char *word;
        enum chat_fault fault;
    } words[] = {
        {"insufficient_quota", CHAT_QUOTA},       {"rate_limit_exceeded", CHAT_RATE_LIMIT},
        {"rate_limit_error", CHAT_RATE_LIMIT},    {"overloaded_error", CHAT_OVERLOAD},
        {"invalid_api_key", CHAT_AUTH},           {"authentication_error", CHAT_AUTH},
        {"invalid_request_error", CHAT_REJECTED},
    };
    int64_t status = node_int_at(error, "code", 0);

    for (size_t i = 0; i < COUNT(words); i++)
        if (error_says(error, words[i].word))
            return words[i].fault;
    if (status == 0 && !str_int(node_str_at(error, "code", STR("")), &status))
        return CHAT_SERVER;
    return fault_of_status(status);
}

/* --- good replies --- */

static int64_t count_at(const struct node *usage, const char *key, const char *or_key)
{
    const struct node *v = node_get(usage, key);
    double d;

    if (!v && or_key)
        return count_at(usage, or_key, NULL);
    return v && str_double(v->text, &d) && d >= 0 && d < 1e15 ? (int64_t)d : -1;
}

/* White space of any script, and invisible characters. */
static bool is_blank(struct str s)
{
    while (s.n) {
        uint32_t r = utf8_next(&s);
        if (!(r <= 0x20 || r == 0x7F || r == 0x85 || r == 0xA0 || r == 0x1680 ||
              (r >= 0x2000 && r <= 0x200F) || r == 0x2028 || r == 0x2029 || r == 0x202F ||
              r == 0x205F || r == 0x2060 || r == 0x3000 || r == 0xFEFF))
            return false;
    }
    return true;
}

/* The text parts of a list, joined. */
static struct str parts_join(struct arena *a, const struct node *parts)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX / 2); /* no longer than the body was */
    const struct node *part;

    for (part = node_first(parts); part; part = part->next) {
        struct str type = node_str_at(part, "type", STR("text"));
        if (str_is(type, "text") || str_is(type, "output_text"))
            buf_add(&b, node_str_at(part, "text", STR("")));
    }
    return arena_str(a, buf_str(&b));
}

static struct str content_of(struct arena *a, const struct node *choice, const struct node *message)
{
    const struct node *content = node_get(message, "content");
    struct str text;

    if (content && content->kind == NODE_LIST)
        return parts_join(a, content);
    text = node_str_at(message, "content", node_str_at(choice, "text", STR("")));
    return text.n ? text : form_called(message);
}

struct str chat_thinking(const struct node *message)
{
    static const char *const keys[] = {"reasoning_content", "reasoning", "thinking"};

    for (size_t i = 0; i < COUNT(keys); i++) {
        struct str s = node_str_at(message, keys[i], STR(""));
        if (s.n)
            return s;
    }
    return STR("");
}

/* Splits "<think>...</think>", or everything before a lone "</think>", off the front of *text.
 * False if it opens and never closes: then there is no answer. Further inside, such tags belong to
 * the model's text. */
static bool think_split(struct str *text, struct str *inside)
{
    static const struct {
        struct str open, close;
    } tags[] = {{{"<think>", 7}, {"</think>", 8}},
                {{"<thinking>", 10}, {"</thinking>", 11}},
                {{"<reasoning>", 11}, {"</reasoning>", 12}}};
    struct str s = str_trim(*text);

    for (size_t i = 0; i < COUNT(tags); i++) {
        size_t end;
        if (!str_starts_nocase(s, tags[i].open))
            continue;
        s = str_from(s, tags[i].open.n);
        end = str_find_nocase(s, tags[i].close);
        *inside = str_trim((struct str){s.p, end == SIZE_MAX ? s.n : end});
        *text = end == SIZE_MAX ? STR("") : str_trim(str_from(s, end + tags[i].close.n));
        return end != SIZE_MAX;
    }
    /* Some chat templates write the opening tag, and the server sends only what follows. */
    for (size_t i = 0; i < COUNT(tags); i++) {
        size_t end = str_find_nocase(s, tags[i].close);
        if (end == SIZE_MAX || str_find_nocase(s, tags[i].open) < end)
            continue;
        *inside = str_trim((struct str){s.p, end});
        *text = str_trim(str_from(s, end + tags[i].close.n));
        break;
    }
    return true;
}

/* "<thi": it may be the beginning of a tag. */
static bool may_become_tag(struct str s)
{
    size_t n = 1;

    if (s.n == 0 || s.p[0] != '<')
        return false;
    while (n < s.n && isalpha((unsigned char)s.p[n]))
        n++;
    return n == s.n;
}

struct str chat_said(struct str content)
{
    struct str inside, s = str_trim(content);

    if (may_become_tag(s))
        return STR("");
    (void)think_split(&s, &inside);
    return s;
}

static void reply_fault(struct chat_reply *out, enum chat_fault fault, const char *why)
{
    out->fault = fault;
    out->why = why;
}

static struct str join_lines(struct arena *a, struct str one, struct str two)
{
    const char *gap = one.n && two.n ? "\n" : "";

    if (one.n + two.n == 0)
        return STR("");
    return str_of(arena_printf(a, "%.*s%s%.*s", STR_ARG(one), gap, STR_ARG(two)));
}

/* Why there is no answer in a completion. */
static void silence_read(struct arena *a, bool ended, struct chat_reply *out)
{
    bool cut = strcmp(out->finish, "length") == 0;

    if (strcmp(out->finish, "content_filter") == 0)
        reply_fault(out, CHAT_FILTERED, N_("the server withheld the answer (content filter)"));
    else if (cut && (!ended || out->thinking.n || out->thought > 0))
        reply_fault(out, CHAT_THOUGHT,
                    N_("reasoning used up the limit before the answer began: raise `limit`, or "
                       "lower `effort`"));
    else
        reply_fault(out, CHAT_EMPTY,
                    arena_printf(a, N_("%s (finish: %s)"),
                                 ended ? N_("the reply contains no text")
                                       : N_("the reply ended inside its reasoning"),
                                 *out->finish ? out->finish : "none"));
}

static void choice_read(struct arena *a, const struct node *choice, struct chat_reply *out)
{
    const struct node *message = node_get(choice, "message");
    struct str text = content_of(a, choice, message), inside = {"", 0};
    struct str refusal = node_str_at(message, "refusal", STR(""));
    bool ended;

    out->finish = chat_line(a, node_str_at(choice, "finish_reason", STR("")), NAME_POINTS);
    if (text.n == 0 && refusal.n) {
        text = refusal;
        out->finish = "refusal";
    }
    ended = think_split(&text, &inside);
    out->thinking = join_lines(a, chat_thinking(message), inside);
    if (!ended || is_blank(text))
        silence_read(a, ended, out);
    else
        out->text = arena_str(a, text);
}

static void root_read(struct arena *a, const struct node *root, struct chat_reply *out)
{
    const struct node *choice = node_first(node_get(root, "choices"));
    const struct node *usage = node_get(root, "usage"), *error = NULL;

    out->tokens_in = count_at(usage, "prompt_tokens", "input_tokens");
    out->tokens_out = count_at(usage, "completion_tokens", "output_tokens");
    out->cached = count_at(node_get(usage, "prompt_tokens_details"), "cached_tokens", NULL);
    if (out->cached < 0)
        out->cached = count_at(usage, "prompt_cache_hit_tokens", NULL);
    out->thought = count_at(node_get(usage, "completion_tokens_details"), "reasoning_tokens", NULL);
    out->first_ms = node_int_at(node_get(root, "timings"), "first_ms", 0);
    if (is_something(node_get(root, "error")) ||
        str_is(node_str_at(root, "object", STR("")), "error"))
        error = error_in(root);
    else if (is_something(node_get(choice, "error")))
        error = error_in(choice);
    if (error)
        reply_fault(out, fault_of_error(error), why_of(a, error_message(error), 200));
    else if (!choice || choice->kind != NODE_MAP)
        reply_fault(out, CHAT_GARBLED,
                    N_("the reply is JSON but not a completion: it has no choices"));
    else
        choice_read(a, choice, out);
}

static struct chat_reply reply_blank(void)
{
    return (struct chat_reply){.why = "",
                               .text = STR(""),
                               .thinking = STR(""),
                               .finish = "",
                               .tokens_in = -1,
                               .tokens_out = -1,
                               .cached = -1,
                               .thought = -1,
                               .retry_after_ms = -1};
}

static void good_read(struct arena *a, const struct http_reply *raw, struct chat_reply *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct node *root, *completion;
    struct err e;
    bool ended;

    if (is_html(raw))
        reply_fault(out, CHAT_GARBLED,
                    arena_printf(a, N_("the server sent an HTML page (status %d)"), raw->status));
    else if (str_trim(raw->body).n == 0)
        reply_fault(out, CHAT_GARBLED, N_("the reply has no body"));
    else if (utf8_check(raw->body) < raw->body.n) /* another attempt may succeed */
        reply_fault(out, CHAT_GARBLED, N_("the reply is damaged: it is not UTF-8"));
    else if (json_tree_mended(scratch, raw->body, &root, &out->mended, &e) != OK)
        reply_fault(out, CHAT_GARBLED,
                    arena_printf(a, N_("the reply is not JSON: %s"),
                                 chat_line(a, str_of(e.msg), WHY_POINTS)));
    else if ((completion = dialect_completion(scratch, root, &ended)))
        root_read(a, completion, out);
    else
        root_read(a, root, out);
}

/* Gemini has no Retry-After: {"details": [{"@type": "...RetryInfo", "retryDelay": "34.4s"}]}. */
static int64_t delay_in(const struct node *error)
{
    const struct node *detail;
    double seconds;

    for (detail = node_first(node_get(error, "details")); detail; detail = detail->next) {
        struct str delay = node_str_at(detail, "retryDelay", STR(""));
        if (str_ends(delay, STR("s")) && str_double((struct str){delay.p, delay.n - 1}, &seconds) &&
            seconds >= 0 && seconds < 86400)
            return (int64_t)(seconds * 1000);
    }
    return -1;
}

/* The quota is used up; Gemini's, for today. */
static bool is_spent(const struct http_reply *raw, const struct node *error)
{
    return error_says(error, "insufficient_quota") ||
           str_holds(error_message(error), STR("credit balance is too low")) ||
           (raw->status == 429 && str_holds(raw->body, STR("PerDay")));
}

static void bad_read(struct arena *a, const struct http_reply *raw, struct chat_reply *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct node *root;
    enum chat_fault fault = fault_of_status(raw->status);
    struct err e;
    bool mended;

    if (raw->elsewhere && *raw->elsewhere) {
        reply_fault(out, fault,
                    arena_printf(a,
                                 N_("the server redirects to %s (status %d): write that address "
                                    "as `base_url`"),
                                 chat_line(a, str_of(raw->elsewhere), WHY_POINTS), raw->status));
    } else if (is_html(raw)) {
        reply_fault(out, fault,
                    arena_printf(a, N_("the server sent an HTML page (status %d)"), raw->status));
    } else if (json_tree_mended(scratch, raw->body, &root, &mended, &e) != OK) {
        reply_fault(out, fault, why_of(a, raw->body, raw->status));
    } else {
        const struct node *error = error_in(root);
        if (raw->status < 500 && is_spent(raw, error))
            fault = CHAT_QUOTA;
        else if (error_says(error, "content_filter")) /* of the prompt, on Azure */
            fault = CHAT_FILTERED;
        out->retry_after_ms = delay_in(error);
        if (fault == CHAT_REJECTED)
            out->avoid = dialect_refused(raw->body);
        reply_fault(out, fault, why_of(a, error_message(error), raw->status));
    }
}

static enum chat_fault fault_of_end(enum http_end end)
{
    switch (end) {
    case HTTP_TIMEOUT:
    case HTTP_STALLED:
        return CHAT_TIMEOUT;
    case HTTP_TOO_LARGE:
        return CHAT_TOO_LARGE;
    case HTTP_UNTRUSTED:
        return CHAT_AUTH;
    case HTTP_DONE:
    case HTTP_REFUSED:
    case HTTP_CUT:
    case HTTP_CANCELLED:
        break;
    }
    return CHAT_NETWORK;
}

void chat_read(struct arena *a, const struct http_reply *raw, struct chat_reply *out)
{
    *out = reply_blank();
    if (raw->end != HTTP_DONE)
        reply_fault(out, fault_of_end(raw->end), chat_line(a, str_of(raw->why), WHY_POINTS));
    else if (raw->status >= 200 && raw->status < 300)
        good_read(a, raw, out);
    else
        bad_read(a, raw, out);
}

void chat_read_body(struct arena *a, struct str body, struct chat_reply *out)
{
    struct http_reply raw = {.end = HTTP_DONE, .status = 200, .body = body, .content_type = ""};

    chat_read(a, &raw, out);
}

struct str chat_brief(struct arena *a, const struct chat_reply *reply)
{
    AUTO(json_freep) json_t *j = json_object();
    json_t *choice = json_add_object(json_put_list(j, "choices")), *message, *usage;

    message = json_put_object(choice, "message");
    json_put_str(message, "content", reply->text);
    json_put_some(message, "reasoning_content", reply->thinking);
    json_put_text(choice, "finish_reason", reply->finish);
    usage = json_put_object(j, "usage");
    if (reply->tokens_in >= 0)
        json_put_int(usage, "prompt_tokens", reply->tokens_in);
    if (reply->tokens_out >= 0)
        json_put_int(usage, "completion_tokens", reply->tokens_out);
    if (reply->first_ms > 0)
        json_put_int(json_put_object(j, "timings"), "first_ms", reply->first_ms);
    return str_of(json_text(a, j));
}
