#include "net/http.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <curl/curl.h>

#include "base/clock.h"
#include "base/message.h"
#include "base/version.h"

enum {
    GROUP_MAX = 32,
    BODY_KEPT = 256 << 10, /* a buffer that grew beyond this is not kept for the next call */
    CONNECT_MS = 30000,
    LONGEST_WAIT_S = 24 * 3600, /* that a server may ask for */
};

/* A transfer with its handle, address, buffer and list of headers. When it has ended, it waits in
 * `idle` for the next request, which sets only what differs. */
struct http_call {
    struct group *group;
    struct http_call *prev, *next; /* in `active`; only next in `idle` */
    CURL *easy;
    CURLU *address; /* parsed once: parsing costs libcurl a seventh of a request */
    char *url;      /* the URL that `address` is of; NULL: none */
    struct curl_slist *headers;
    struct buf body;
    struct http_reply reply;
    http_done *done;
    http_part *part;
    void *user;
    int64_t started_ms, stall_ms;
    int64_t moved_ms; /* when the last bytes came; 0: none yet */
    char fault[CURL_ERROR_SIZE];
};

/* Some transfers, and the connections that they share. At the start and end of each request libcurl
 * walks over all of its connections: with hundreds in one group this takes a tenth of its time. */
struct group {
    struct http *http;
    CURLM *multi;
    int ncalls; /* idle or active */
    struct group *next;
};

struct http {
    struct loop *loop;
    struct group *groups;
    struct http_call *active, *idle;
    int nactive, nidle, max_idle;
    struct buf no_proxy;
    const char *ca_file; /* from the environment; NULL: that of the system */
};

static void calls_end(struct group *g);
static void on_stall(void *user);

/* Notes that bytes came. A model may think for minutes before the first byte, so stalls are watched
 * only after it. */
static void call_moved(struct http_call *call)
{
    struct loop *loop = call->group->http->loop;
    bool first = call->moved_ms == 0;

    call->moved_ms = loop_now(loop);
    if (first && call->stall_ms > 0)
        loop_timer(loop, call->moved_ms + call->stall_ms, on_stall, call);
}

/* --- reply headers --- */

static int64_t seconds_to_ms(double s)
{
    return s < 0 ? 0 : s > LONGEST_WAIT_S ? LONGEST_WAIT_S * INT64_C(1000) : (int64_t)(s * 1000);
}

/* Seconds or an HTTP date (RFC 9110, 10.2.3). */
static int64_t retry_after_read(struct str value)
{
    char date[64];
    double s;
    time_t at;

    if (str_double(value, &s))
        return seconds_to_ms(s);
    if (value.n >= sizeof date)
        return -1;
    memcpy(date, value.p, value.n);
    date[value.n] = '\0';
    at = curl_getdate(date, NULL);
    return at < 0 ? -1 : seconds_to_ms((double)at - (double)clock_utc_ms() / 1000);
}

/* Length of the unit at the front of s, and its value in seconds; 0 if there is none. */
static size_t unit_read(struct str s, double *seconds)
{
    static const struct {
        struct str name;
        double seconds;
    } units[] = {
        {{"ms", 2}, 0.001}, {{"s", 1}, 1}, {{"m", 1}, 60}, {{"h", 1}, 3600}, {{"d", 1}, 86400}};

    for (size_t i = 0; i < COUNT(units); i++)
        if (str_starts(s, units[i].name)) {
            *seconds = units[i].seconds;
            return units[i].name.n;
        }
    return 0;
}

/* "6m0s", "1.5s", "20ms"; a bare number is seconds. Or a date: "2026-11-15T01:30:04Z". */
static int64_t duration_read(struct str s)
{
    double total = 0, number, unit;
    int64_t until;

    if (clock_read(s, &until))
        return seconds_to_ms((double)(until - clock_utc_ms()) / 1000);
    if (str_double(s, &number))
        return number < 1e9 ? seconds_to_ms(number) : -1; /* larger: some kind of date */
    while (s.n) {
        size_t n = 0, skip;
        while (n < s.n && strchr("0123456789.", s.p[n]))
            n++;
        skip = unit_read(str_from(s, n), &unit);
        if (!str_double((struct str){s.p, n}, &number) || skip == 0)
            return -1;
        total += number * unit;
        s = str_from(s, n + skip);
    }
    return total > 0 ? seconds_to_ms(total) : 0;
}

static int64_t count_read(struct str s)
{
    int64_t n;

    return str_int(s, &n) && n >= 0 ? n : -1;
}

void http_reply_clear(struct http_reply *r)
{
    *r = (struct http_reply){.content_type = "",
                             .elsewhere = "",
                             .retry_after_ms = -1,
                             .limit_requests_left = -1,
                             .limit_tokens_left = -1,
                             .limit_requests_reset_ms = -1,
                             .limit_tokens_reset_ms = -1,
                             .why = ""};
}

static void header_note(struct http_reply *r, struct str name, struct str value)
{
    const struct {
        const char *name;
        int64_t (*read)(struct str value);
        int64_t *into;
    } known[] = {
        {"retry-after", retry_after_read, &r->retry_after_ms},
        {"x-ratelimit-remaining-requests", count_read, &r->limit_requests_left},
        {"x-ratelimit-remaining-tokens", count_read, &r->limit_tokens_left},
        {"x-ratelimit-reset-requests", duration_read, &r->limit_requests_reset_ms},
        {"x-ratelimit-reset-tokens", duration_read, &r->limit_tokens_reset_ms},
        {"anthropic-ratelimit-requests-remaining", count_read, &r->limit_requests_left},
        {"anthropic-ratelimit-tokens-remaining", count_read, &r->limit_tokens_left},
        {"anthropic-ratelimit-requests-reset", duration_read, &r->limit_requests_reset_ms},
        {"anthropic-ratelimit-tokens-reset", duration_read, &r->limit_tokens_reset_ms},
    };

    for (size_t i = 0; i < COUNT(known); i++)
        if (str_is_nocase(name, known[i].name))
            *known[i].into = known[i].read(value);
}

static size_t on_header(char *p, size_t each, size_t n, void *user)
{
    struct http_call *call = user;
    struct str line = {p, each * n}, name, value;

    call_moved(call);
    if (str_starts(line, STR("HTTP/")))
        http_reply_clear(&call->reply); /* headers of an interim (1xx) reply do not count */
    else if (line.n && strchr("aArRxX", line.p[0]) && str_cut(line, ':', &name, &value))
        header_note(&call->reply, name, str_trim(value));
    return line.n;
}

static size_t on_body(char *p, size_t each, size_t n, void *user)
{
    struct http_call *call = user;

    call_moved(call);
    if (!call->reply.first_ms)
        call->reply.first_ms = clock_mono_ms() - call->started_ms + 1; /* it has begun, so not 0 */
    buf_add(&call->body, (struct str){p, each * n});
    if (call->body.full)
        return 0;
    if (call->part)
        call->part(call->user, (struct str){p, each * n});
    return each * n;
}

/* --- between libcurl and the loop --- */

static void on_socket(void *user, int fd, int events)
{
    struct group *g = user;
    int mask =
        (events & LOOP_READ ? CURL_CSELECT_IN : 0) | (events & LOOP_WRITE ? CURL_CSELECT_OUT : 0);
    int running;

    (void)curl_multi_socket_action(g->multi, fd, mask, &running);
    calls_end(g);
}

static void on_timeout(void *user)
{
    struct group *g = user;
    int running;

    (void)curl_multi_socket_action(g->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    calls_end(g);
}

static int set_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *socket_user)
{
    struct group *g = user;
    struct loop *loop = g->http->loop;
    struct err e;
    int events = what == CURL_POLL_IN      ? LOOP_READ
                 : what == CURL_POLL_OUT   ? LOOP_WRITE
                 : what == CURL_POLL_INOUT ? LOOP_READ | LOOP_WRITE
                                           : 0;

    (void)easy;
    (void)socket_user;
    if (!events) { /* usually until the next request on the same connection */
        loop_rest(loop, fd);
        return 0;
    }
    return loop_watch(loop, fd, events, on_socket, g, &e) == OK ? 0 : -1;
}

static int close_socket(void *user, curl_socket_t fd)
{
    struct http *h = user;

    loop_forget(h->loop, fd);
    return close(fd);
}

static int set_timer(CURLM *multi, long timeout_ms, void *user)
{
    struct group *g = user;

    (void)multi;
    if (timeout_ms < 0)
        loop_timer_stop(g->http->loop, on_timeout, g);
    else
        loop_timer(g->http->loop, clock_mono_ms() + timeout_ms, on_timeout, g);
    return 0;
}

/* --- calls --- */

static void call_free(struct http_call *call)
{
    call->group->ncalls--;
    curl_easy_cleanup(call->easy);
    curl_url_cleanup(call->address);
    curl_slist_free_all(call->headers);
    buf_done(&call->body);
    free(call->url);
    free(call);
}

static struct group *group_new(struct http *h)
{
    CURLM *multi = curl_multi_init();
    struct group *g;

    if (!multi)
        return NULL;
    g = mem_new(sizeof *g);
    *g = (struct group){.http = h, .multi = multi, .next = h->groups};
    h->groups = g;
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, set_socket);
    (void)curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, g);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
    (void)curl_multi_setopt(multi, CURLMOPT_TIMERDATA, g);
    (void)curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS,
                            (long)(h->max_idle < GROUP_MAX ? h->max_idle : GROUP_MAX));
    return g;
}

static struct http_call *call_new(struct http *h)
{
    struct group *g = h->groups;
    struct http_call *call;
    CURL *c = curl_easy_init();

    while (g && g->ncalls >= GROUP_MAX)
        g = g->next;
    if (!g)
        g = group_new(h);
    if (!c || !g) {
        curl_easy_cleanup(c);
        return NULL;
    }
    call = mem_new(sizeof *call);
    call->group = g;
    g->ncalls++;
    call->easy = c;
    (void)curl_easy_setopt(c, CURLOPT_PRIVATE, call);
    (void)curl_easy_setopt(c, CURLOPT_ERRORBUFFER, call->fault);
    (void)curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, on_body);
    (void)curl_easy_setopt(c, CURLOPT_WRITEDATA, call);
    (void)curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, on_header);
    (void)curl_easy_setopt(c, CURLOPT_HEADERDATA, call);
    (void)curl_easy_setopt(c, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
    (void)curl_easy_setopt(c, CURLOPT_CLOSESOCKETDATA, h);
    (void)curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    (void)curl_easy_setopt(c, CURLOPT_NOPROGRESS, 1L);
    (void)curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    (void)curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    (void)curl_easy_setopt(c, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
    (void)curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "gzip"); /* each letter costs: see address */
    (void)curl_easy_setopt(c, CURLOPT_USERAGENT, "audition/" VERSION);
    (void)curl_easy_setopt(c, CURLOPT_NOPROXY, h->no_proxy.p);
    if (h->ca_file)
        (void)curl_easy_setopt(c, CURLOPT_CAINFO, h->ca_file);
    (void)curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    /* A model may think for minutes without sending a byte: keep NAT entries alive. */
    (void)curl_easy_setopt(c, CURLOPT_TCP_KEEPALIVE, 1L);
    return call;
}

static void active_add(struct http *h, struct http_call *call)
{
    call->prev = NULL;
    call->next = h->active;
    if (h->active)
        h->active->prev = call;
    h->active = call;
    h->nactive++;
}

static void active_remove(struct http *h, struct http_call *call)
{
    if (call->prev)
        call->prev->next = call->next;
    else
        h->active = call->next;
    if (call->next)
        call->next->prev = call->prev;
    h->nactive--;
}

/* Detaches the call from libcurl and the loop. */
static void call_detach(struct http_call *call)
{
    struct group *g = call->group;

    loop_timer_stop(g->http->loop, on_stall, call);
    (void)curl_multi_remove_handle(g->multi, call->easy);
    active_remove(g->http, call);
}

static void call_keep(struct http_call *call)
{
    struct http *h = call->group->http;

    if (h->nidle >= h->max_idle) {
        call_free(call);
        return;
    }
    if (call->body.cap > BODY_KEPT)
        buf_done(&call->body);
    call->next = h->idle;
    h->idle = call;
    h->nidle++;
}

/* The call goes to `idle` only after the callback, which gets its reply. */
static void call_finish(struct http_call *call, enum http_end end, const char *why)
{
    struct http_reply *r = &call->reply;
    char *type = NULL, *elsewhere = NULL;
    long status = 0;

    if (end == HTTP_DONE)
        (void)curl_easy_getinfo(call->easy, CURLINFO_RESPONSE_CODE, &status);
    (void)curl_easy_getinfo(call->easy, CURLINFO_CONTENT_TYPE, &type);
    (void)curl_easy_getinfo(call->easy, CURLINFO_REDIRECT_URL, &elsewhere);
    call_detach(call);
    r->end = end;
    r->status = (int)status;
    r->body = buf_str(&call->body);
    r->content_type = type ? type : "";
    r->elsewhere = elsewhere ? elsewhere : "";
    r->elapsed_ms = clock_mono_ms() - call->started_ms;
    r->why = why;
    call->done(call->user, r);
    call_keep(call);
}

static void on_stall(void *user)
{
    struct http_call *call = user;
    char why[80];

    if (clock_mono_ms() - call->moved_ms < call->stall_ms) {
        loop_timer(call->group->http->loop, call->moved_ms + call->stall_ms, on_stall, call);
        return;
    }
    (void)snprintf(why, sizeof why, N_("the reply stopped half way for %.1f s"),
                   (double)call->stall_ms / 1000);
    call_finish(call, HTTP_STALLED, why);
}

static enum http_end end_of(const struct http_call *call, CURLcode code)
{
    if (call->body.full)
        return HTTP_TOO_LARGE;
    switch ((int)code) {
    case CURLE_OK:
        return HTTP_DONE;
    case CURLE_OPERATION_TIMEDOUT:
        return HTTP_TIMEOUT;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_PROXY:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
        return HTTP_REFUSED;
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS:
        return HTTP_UNTRUSTED;
    default: /* PARTIAL_FILE, RECV_ERROR, SEND_ERROR, GOT_NOTHING, HTTP2_STREAM ... */
        return HTTP_CUT;
    }
}

/* The two most common errors in our words. */
static const char *why_of(const struct http_call *call, CURLcode code)
{
    long os = 0;

    (void)curl_easy_getinfo(call->easy, CURLINFO_OS_ERRNO, &os);
    if (code == CURLE_COULDNT_RESOLVE_HOST)
        return N_("no such host");
    if (code == CURLE_COULDNT_CONNECT && os == ECONNREFUSED)
        return N_("connection refused: nothing is listening there");
    return call->fault[0] ? call->fault : curl_easy_strerror(code);
}

static void calls_end(struct group *g)
{
    CURLMsg *msg;
    int left;

    while ((msg = curl_multi_info_read(g->multi, &left))) {
        CURLcode code = msg->data.result;
        struct http_call *call = NULL;
        enum http_end end;

        (void)curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, (char **)&call);
        end = end_of(call, code);
        call_finish(call, end,
                    end == HTTP_DONE        ? ""
                    : end == HTTP_TOO_LARGE ? N_("the reply is larger than allowed")
                                            : why_of(call, code));
    }
}

/* --- starting --- */

/* Header k of a request, ours first; NULL after the last. "Expect:" keeps libcurl from waiting for
 * 100-continue before a body. */
static const char *header_at(const struct http_request *req, size_t k)
{
    const char *const ours[] = {req->type ? req->type : "Content-Type: application/json",
                                "Expect:"};
    size_t n = req->body.n ? COUNT(ours) : 0;

    if (k < n)
        return ours[k];
    return k - n < req->nheaders ? req->headers[k - n] : NULL;
}

static bool headers_same(const struct curl_slist *list, const struct http_request *req)
{
    const char *want;

    for (size_t k = 0; (want = header_at(req, k)); k++, list = list->next)
        if (!list || strcmp(list->data, want) != 0)
            return false;
    return !list;
}

/* A handle usually serves the same endpoint again, and its list is still right. */
static bool headers_set(struct http_call *call, const struct http_request *req)
{
    struct curl_slist *list = NULL;
    const char *header;

    if (headers_same(call->headers, req))
        return true;
    for (size_t k = 0; (header = header_at(req, k)); k++) {
        struct curl_slist *longer = curl_slist_append(list, header);
        if (!longer) {
            curl_slist_free_all(list);
            return false;
        }
        list = longer;
    }
    (void)curl_easy_setopt(call->easy, CURLOPT_HTTPHEADER, list);
    curl_slist_free_all(call->headers);
    call->headers = list;
    return true;
}

/* If an address cannot be parsed, libcurl reports why when the request starts. */
static bool url_set(struct http_call *call, const char *url)
{
    if (call->url && strcmp(call->url, url) == 0)
        return true;
    if (curl_easy_setopt(call->easy, CURLOPT_URL, url) != CURLE_OK)
        return false;
    curl_url_cleanup(call->address);
    call->address = curl_url();
    if (curl_url_set(call->address, CURLUPART_URL, url, 0) != CURLUE_OK) {
        curl_url_cleanup(call->address);
        call->address = NULL;
    }
    (void)curl_easy_setopt(call->easy, CURLOPT_CURLU, call->address);
    free(call->url);
    call->url = strdup(url);
    return true;
}

static bool call_prepare(struct http_call *call, const struct http_request *req)
{
    CURL *c = call->easy;

    call->body.max = req->max_reply;
    buf_clear(&call->body);
    http_reply_clear(&call->reply);
    call->fault[0] = '\0';
    call->stall_ms = req->stall_ms;
    call->started_ms = clock_mono_ms();
    call->moved_ms = 0;
    if (req->body.n) {
        (void)curl_easy_setopt(c, CURLOPT_POST, 1L);
        (void)curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)req->body.n);
        (void)curl_easy_setopt(c, CURLOPT_POSTFIELDS, req->body.p);
    } else {
        (void)curl_easy_setopt(c, CURLOPT_HTTPGET, 1L);
    }
    (void)curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)req->timeout_ms);
    return url_set(call, req->url) && headers_set(call, req);
}

/* An idle call to the same URL, whose connection may still be open; a new one; or any idle one. */
static struct http_call *call_take(struct http *h, const char *url)
{
    struct http_call **link = &h->idle, *call;

    while (*link && (!(*link)->url || strcmp((*link)->url, url) != 0))
        link = &(*link)->next;
    if (!*link && h->nactive + h->nidle < h->max_idle)
        return call_new(h);
    if (!*link)
        link = &h->idle;
    call = *link;
    if (!call)
        return call_new(h);
    *link = call->next;
    h->nidle--;
    return call;
}

enum status http_start(struct http *h, const struct http_request *req, http_done *done, void *user,
                       struct http_call **out, struct err *e)
{
    struct http_call *call = call_take(h, req->url);
    CURLMcode code;

    if (!call)
        return err_set(e, E_SYSTEM, "cannot create a transfer");
    call->done = done;
    call->part = req->part;
    call->user = user;
    if (!call_prepare(call, req)) {
        call_free(call);
        return err_set(e, E_USAGE, "cannot prepare a request: its address or headers are too long");
    }
    code = curl_multi_add_handle(call->group->multi, call->easy);
    if (code != CURLM_OK) {
        call_free(call);
        return err_set(e, E_SYSTEM, "cannot start a request: %s", curl_multi_strerror(code));
    }
    active_add(h, call);
    *out = call;
    return OK;
}

void http_send(struct http *h)
{
    for (struct group *g = h->groups; g; g = g->next)
        on_timeout(g);
}

void http_cancel(struct http_call *call)
{
    call_detach(call);
    call_keep(call);
}

int http_in_flight(const struct http *h)
{
    return h->nactive;
}

/* --- the client --- */

/* CURLOPT_NOPROXY overrides the environment, so that is copied here. "*" must stand alone. */
static void no_proxy_read(struct buf *b)
{
    const char *env = getenv("no_proxy");

    if (!env)
        env = getenv("NO_PROXY");
    if (env && str_is(str_trim(str_of(env)), "*"))
        buf_text(b, "*");
    else
        buf_fmt(b, "127.0.0.1,localhost,::1%s%s", env && *env ? "," : "", env ? env : "");
}

/* The variables from which curl itself and most other TLS clients learn of a private authority.
 * libcurl leaves reading them to programs. */
static const char *ca_file_read(void)
{
    static const char *const names[] = {"CURL_CA_BUNDLE", "SSL_CERT_FILE"};

    for (size_t i = 0; i < COUNT(names); i++) {
        const char *file = getenv(names[i]);

        if (file && *file)
            return file;
    }
    return NULL;
}

enum status http_new(struct http **out, struct loop *loop, int max_connections, struct err *e)
{
    struct http *h;

    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        return err_set(e, E_SYSTEM, "cannot initialise libcurl");
    h = mem_new(sizeof *h);
    h->loop = loop;
    h->max_idle = max_connections;
    h->no_proxy.max = 64 << 10;
    no_proxy_read(&h->no_proxy);
    h->ca_file = ca_file_read();
    if (!group_new(h)) {
        http_free(h);
        return err_set(e, E_SYSTEM, "cannot create an HTTP client");
    }
    *out = h;
    return OK;
}

void http_free(struct http *h)
{
    if (!h)
        return;
    for (struct http_call *call = h->active, *next; call; call = next) {
        next = call->next;
        call_detach(call);
        call_free(call);
    }
    for (struct http_call *call = h->idle, *next; call; call = next) {
        next = call->next;
        call_free(call);
    }
    for (struct group *g = h->groups, *next; g; g = next) {
        next = g->next;
        (void)curl_multi_cleanup(g->multi);
        loop_timer_stop(h->loop, on_timeout, g);
        free(g);
    }
    buf_done(&h->no_proxy);
    free(h);
    curl_global_cleanup();
}

const char *http_library(void)
{
    return curl_version();
}
