#include "mock/endpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"

/* Tokens come at o->rps a second and pile up to a tenth of a second's worth. */
enum { STREAM_DRIP_MS = 8 }; /* slow enough to be seen growing */

struct bucket {
    double tokens;
    int64_t filled_ms;
};

struct endpoint {
    const struct endpoint_options *o;
    struct fate_attempts attempts;
    struct bucket bucket;
    int log_fd;
    int64_t counts[OUTCOME_COUNT];
    int64_t requests, in_flight, peak_in_flight;
};

/* Each %s and %d of a shape's error, in their order. */
static void error_write(struct server_reply *reply, int status, const char *type, const char *why)
{
    const struct shape *shape =
        reply->ticket.shape ? reply->ticket.shape : shape_of(STR("/completions"));
    const char *words[] = {why, type};
    size_t k = 0;

    reply->status = status;
    buf_clear(&reply->body);
    for (const char *c = shape->error; *c; c++) {
        if (c[0] == '%' && c[1] == 's')
            buf_text(&reply->body, words[k++ % 2]);
        else if (c[0] == '%' && c[1] == 'd')
            buf_fmt(&reply->body, "%d", status);
        else
            buf_char(&reply->body, *c);
        c += *c == '%';
    }
}

static void rate_headers(struct server_reply *reply, int64_t rps, int64_t wait)
{
    buf_fmt(&reply->headers,
            "x-ratelimit-limit-requests: %lld\r\nx-ratelimit-remaining-requests: 0\r\n"
            "x-ratelimit-reset-requests: %lldms\r\n",
            (long long)rps, (long long)wait);
}

static void limited_write(struct server_reply *reply)
{
    error_write(reply, 429, "rate_limit_error", "Rate limit reached; please slow down.");
}

/* 0 when the request may pass, else the milliseconds until the next one may. */
static int64_t bucket_take(struct bucket *b, int64_t rps)
{
    int64_t now = clock_mono_ms();
    double per_ms = (double)rps / 1000, most = (double)rps / 10 + 1;

    b->tokens += (double)(now - b->filled_ms) * per_ms;
    if (b->filled_ms == 0 || b->tokens > most)
        b->tokens = most;
    b->filled_ms = now;
    if (b->tokens < 1)
        return (int64_t)((1 - b->tokens) / per_ms) + 1;
    b->tokens -= 1;
    return 0;
}

static void html_write(struct server_reply *reply)
{
    reply->status = 502;
    reply->type = "text/html; charset=utf-8";
    buf_text(&reply->body, "<!doctype html>\n<html><head><title>502 Bad Gateway</title></head>\n"
                           "<body><h1>Bad Gateway</h1><p>The server behind this proxy did not "
                           "answer.</p></body></html>\n");
}

static void answer(struct endpoint *ep, const json_t *request, enum answer_blemish blemish,
                   struct server_reply *reply)
{
    if (answer_classifies(request))
        answer_classes(request, &reply->body);
    else if (answer_streams(request)) {
        reply->type = "text/event-stream";
        reply->manner = SERVER_DRIP;
        reply->drip_ms = STREAM_DRIP_MS;
        answer_stream(&ep->o->answer, reply->ticket.shape, request, blemish, &reply->body);
    } else
        answer_write(&ep->o->answer, reply->ticket.shape, request, blemish, &reply->body);
}

static void truncated_write(struct endpoint *ep, const json_t *request, struct server_reply *reply)
{
    answer(ep, request, ANSWER_CLEAN, reply);
    reply->body.n /= 2;
    reply->body.p[reply->body.n] = '\0';
}

/* The faults that are not an answer at all. False for the others. */
static bool failure_write(enum outcome outcome, struct server_reply *reply)
{
    if (outcome == OUTCOME_429 || outcome == OUTCOME_429_AFTER || outcome == OUTCOME_429_MS)
        limited_write(reply);
    if (outcome == OUTCOME_429_AFTER) {
        buf_text(&reply->headers, "Retry-After: 1\r\n");
        rate_headers(reply, 60, 1000);
    } else if (outcome == OUTCOME_429_MS) {
        buf_text(&reply->headers, "retry-after-ms: 50\r\n");
    } else if (outcome == OUTCOME_500) {
        error_write(reply, 500, "server_error", "The server had an error.");
    } else if (outcome == OUTCOME_503) {
        error_write(reply, 503, "overloaded_error", "The engine is overloaded.");
    } else if (outcome == OUTCOME_HTML) {
        html_write(reply);
    } else if (outcome == OUTCOME_RESET) {
        reply->manner = SERVER_RESET;
    } else if (outcome == OUTCOME_SILENCE) {
        reply->manner = SERVER_SILENCE;
    } else {
        return outcome == OUTCOME_429;
    }
    return true;
}

static void outcome_write(struct endpoint *ep, const json_t *request, enum outcome outcome,
                          struct server_reply *reply)
{
    enum answer_blemish blemish = outcome == OUTCOME_UTF8        ? ANSWER_BAD_UTF8
                                  : outcome == OUTCOME_SURROGATE ? ANSWER_BAD_SURROGATE
                                  : outcome == OUTCOME_EMPTY     ? ANSWER_EMPTY
                                                                 : ANSWER_CLEAN;

    reply->ticket.outcome = (int)outcome;
    if (failure_write(outcome, reply))
        return;
    if (outcome == OUTCOME_TRUNCATED) {
        truncated_write(ep, request, reply);
        return;
    }
    answer(ep, request, blemish, reply);
    if (outcome == OUTCOME_CUT)
        reply->manner = SERVER_CUT;
    else if (outcome == OUTCOME_DRIP)
        reply->manner = SERVER_DRIP;
}

static void digest_write(struct str body, char out[17])
{
    unsigned char digest[crypto_hash_sha256_BYTES];

    (void)crypto_hash_sha256(digest, (const unsigned char *)body.p, body.n);
    (void)sodium_bin2hex(out, 17, digest, 8);
}

/* The log separates by spaces. */
static void model_note(struct server_ticket *ticket, const json_t *request)
{
    struct str model = json_str_at(request, "model", STR("?"));
    size_t n = 0;

    for (; n < model.n && n + 1 < sizeof ticket->model; n++)
        ticket->model[n] = model.p[n] > ' ' && model.p[n] < 0x7F ? model.p[n] : '_';
    ticket->model[n] = '\0';
}

static bool has_key(const struct endpoint *ep, const struct server_request *in)
{
    const struct shape *shape = shape_of(in->path);
    struct str bearer = STR("Bearer ");

    if (!ep->o->key)
        return true;
    if (str_is(in->key, ep->o->key))
        return !shape || shape->bare_key;
    return !(shape && shape->bare_key) && str_starts(in->authorization, bearer) &&
           str_is(str_from(in->authorization, bearer.n), ep->o->key);
}

/* Servers that do not take a form: "...no-schema", "...no-tools", "...no-grammar"; and one that
 * does not say what it minds: "...no-words". */
static bool refuses_form(const json_t *request, struct err *e)
{
    static const char *const keys[][2] = {{"response_format", "no-schema"},
                                          {"tools", "no-tools"},
                                          {"grammar", "no-grammar"},
                                          {"response_format", "no-words"}};
    struct str model = json_str_at(request, "model", STR(""));

    for (size_t i = 0; i < COUNT(keys); i++)
        if (json_object_get(request, keys[i][0]) &&
            str_find(model, str_of(keys[i][1])) != SIZE_MAX) {
            if (i + 1 == COUNT(keys))
                (void)err_set(e, E_INPUT, "Bad request");
            else
                (void)err_set(e, E_INPUT, "Unrecognized request argument supplied: %s", keys[i][0]);
            return true;
        }
    return false;
}

/* Models that reason take neither of these: "strict-...". */
static bool refuses(const json_t *request, struct err *e)
{
    static const char *const keys[] = {"max_tokens", "temperature"};

    if (refuses_form(request, e))
        return true;

    for (size_t i = 0; i < COUNT(keys); i++)
        if (str_starts(json_str_at(request, "model", STR("")), STR("strict")) &&
            json_object_get(request, keys[i])) {
            (void)err_set(e, E_INPUT,
                          "Unsupported parameter: '%s' is not supported with this model.", keys[i]);
            return true;
        }
    return false;
}

static bool readable(const struct server_request *in, json_t **request, struct err *e)
{
    const struct shape *shape = shape_of(in->path);
    json_t *asked = NULL;

    if (json_read(in->body, &asked, e) != OK)
        return false;
    *request = shape ? shape_request(shape, in->path, asked) : json_incref(asked);
    json_decref(asked);
    return answer_check(*request, e) == OK && !refuses(*request, e);
}

/* True when the request is refused for its own sake; the ticket then says why. */
static bool refuse(struct endpoint *ep, const struct server_request *in, json_t **request,
                   struct server_reply *reply)
{
    struct err e = {0};
    int64_t wait;

    if (!has_key(ep, in)) {
        error_write(reply, 401, "authentication_error", "Incorrect API key provided.");
        reply->ticket.outcome = OUTCOME_UNAUTHORIZED;
        return true;
    }
    /* A gateway's filter: it refuses a prompt, and is so kind as to quote the key. */
    if (str_find(in->body, STR("unspeakable")) != SIZE_MAX) {
        AUTO(buf_done) struct buf said = BUF_MAX(1024);
        buf_fmt(&said, "This prompt is refused (%.*s).", STR_ARG(in->authorization));
        error_write(reply, 403, "permission_error", said.p);
        reply->ticket.outcome = OUTCOME_UNAUTHORIZED;
        return true;
    }
    if (!readable(in, request, &e)) {
        error_write(reply, 400, "invalid_request_error",
                    *request ? e.msg : "The body is not valid JSON.");
        reply->ticket.outcome = OUTCOME_BAD_REQUEST;
        return true;
    }
    if (str_starts(json_str_at(*request, "model", STR("")), STR("absent"))) {
        error_write(reply, 404, "not_found_error", "The model `absent` does not exist.");
        reply->ticket.outcome = OUTCOME_BAD_REQUEST;
        return true;
    }
    wait = ep->o->rps ? bucket_take(&ep->bucket, ep->o->rps) : 0;
    if (wait == 0)
        return false;
    limited_write(reply);
    buf_fmt(&reply->headers, "Retry-After-ms: %lld\r\n", (long long)wait);
    rate_headers(reply, ep->o->rps, wait);
    reply->ticket.outcome = OUTCOME_LIMITED;
    return true;
}

static void chat(struct endpoint *ep, const struct server_request *in, struct server_reply *reply)
{
    AUTO(json_freep) json_t *request = NULL;
    struct server_ticket *ticket = &reply->ticket;
    struct str digest;
    struct fate fate;

    ep->requests++;
    reply->ticket.begun_ms = clock_mono_ms();
    if (++ep->in_flight > ep->peak_in_flight)
        ep->peak_in_flight = ep->in_flight;
    digest_write(in->body, ticket->digest);
    digest = str_of(ticket->digest);
    if (!refuse(ep, in, &request, reply)) {
        ticket->attempt = fate_attempt(&ep->attempts, digest);
        fate = fate_draw(&ep->o->fate, digest, ticket->attempt);
        reply->delay_ms = fate.delay_ms;
        outcome_write(ep, request, fate.outcome, reply);
    }
    model_note(ticket, request);
}

static int64_t usable(const struct endpoint *ep)
{
    int64_t n = 0;

    for (enum outcome o = OUTCOME_NONE; o < OUTCOME_COUNT; o++)
        n += fate_is_usable(o) ? ep->counts[o] : 0;
    return n;
}

static void stats_write(const struct endpoint *ep, struct buf *out)
{
    buf_fmt(out, "{\"requests\":%lld,\"usable\":%lld,\"in_flight\":%lld,\"peak_in_flight\":%lld",
            (long long)ep->requests, (long long)usable(ep), (long long)ep->in_flight,
            (long long)ep->peak_in_flight);
    buf_text(out, ",\"outcomes\":{");
    for (enum outcome o = OUTCOME_GOOD; o < OUTCOME_COUNT; o++)
        buf_fmt(out, "%s\"%s\":%lld", o > OUTCOME_GOOD ? "," : "", fate_name(o),
                (long long)ep->counts[o]);
    buf_text(out, "}}\n");
}

static void on_request(void *user, const struct server_request *in, struct server_reply *reply)
{
    struct endpoint *ep = user;
    bool get = str_is(in->method, "GET"), post = str_is(in->method, "POST");
    bool lists = str_ends(in->path, STR("/models")) || str_ends(in->path, STR("/tags"));

    reply->ticket.shape = shape_of(in->path);
    if (post && ep->o->only && !str_ends(in->path, str_of(ep->o->only)))
        error_write(reply, 404, "not_found_error", "There is nothing at this address.");
    else if (post && (reply->ticket.shape || str_is(in->path, "/predict") ||
                      str_is(in->path, "/v1/moderations")))
        chat(ep, in, reply);
    else if (get && str_is(in->path, "/stats"))
        stats_write(ep, &reply->body);
    else if (get && str_is(in->path, "/health")) /* of llama-server */
        buf_text(&reply->body, "{\"status\":\"ok\"}");
    else if (get && lists && !has_key(ep, in))
        error_write(reply, 401, "authentication_error", "Incorrect API key provided.");
    else if (get && lists)
        answer_models(&reply->body);
    else
        error_write(reply, 404, "not_found_error", "There is nothing at this address.");
}

static void log_write(const struct endpoint *ep, const struct server_ticket *t, enum outcome o)
{
    char line[256];
    int n =
        snprintf(line, sizeof line, "%lld %s %u %s %s %lld\n", (long long)clock_utc_ms(), t->digest,
                 t->attempt, fate_name(o), t->model, (long long)(clock_mono_ms() - t->begun_ms));

    /* A log that misses lines would prove what is not so. */
    if (write(ep->log_fd, line, (size_t)n) != n) {
        fprintf(stderr, "mockllm: %s: %s\n", ep->o->log, strerror(errno));
        abort();
    }
}

static void on_done(void *user, const struct server_ticket *ticket, bool delivered)
{
    struct endpoint *ep = user;
    enum outcome o = delivered ? (enum outcome)ticket->outcome : OUTCOME_GONE;

    if (ticket->outcome == OUTCOME_NONE)
        return;
    ep->in_flight--;
    ep->counts[o]++;
    if (ep->log_fd >= 0)
        log_write(ep, ticket, o);
}

enum status endpoint_new(struct endpoint **out, const struct endpoint_options *o, struct err *e)
{
    struct endpoint *ep;
    int fd = -1;

    if (o->log) {
        fd = open(o->log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return err_set(e, E_SYSTEM, "%s: %s", o->log, strerror(errno));
    }
    ep = mem_new(sizeof *ep);
    ep->o = o;
    ep->log_fd = fd;
    fate_attempts_init(&ep->attempts);
    *out = ep;
    return OK;
}

void endpoint_free(struct endpoint *ep)
{
    if (!ep)
        return;
    if (ep->log_fd >= 0)
        close(ep->log_fd);
    fate_attempts_done(&ep->attempts);
    free(ep);
}

struct server_hooks endpoint_hooks(struct endpoint *ep)
{
    return (struct server_hooks){.handle = on_request, .done = on_done, .user = ep};
}

void endpoint_summary(const struct endpoint *ep, struct buf *out)
{
    buf_fmt(out, "mockllm: %lld requests, %lld good", (long long)ep->requests,
            (long long)ep->counts[OUTCOME_GOOD]);
    for (enum outcome o = OUTCOME_429; o < OUTCOME_COUNT; o++)
        if (ep->counts[o])
            buf_fmt(out, ", %lld %s", (long long)ep->counts[o], fate_name(o));
    buf_fmt(out, "; peak in flight %lld\n", (long long)ep->peak_in_flight);
}
