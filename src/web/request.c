#include "web/request.h"

#include "base/message.h"

/* ---- looking things up ---- */

static const struct str absent = {NULL, 0};

struct str pairs_get(const struct pairs *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (str_is(p->v[i].name, name))
            return p->v[i].value;
    return absent;
}

struct str pairs_header(const struct pairs *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (str_is_nocase(p->v[i].name, name))
            return p->v[i].value;
    return absent;
}

struct str request_param(const struct request *q, const char *name)
{
    return pairs_get(&q->params, name);
}

struct str request_query(const struct request *q, const char *name)
{
    return pairs_get(&q->query, name);
}

const char *request_asked(const struct request *q, const char *name)
{
    struct str v = request_query(q, name);

    return v.n ? v.p : "";
}

struct str request_form(const struct request *q, const char *name)
{
    return pairs_get(&q->form, name);
}

struct str request_cookie(const struct request *q, const char *name)
{
    return pairs_get(&q->cookies, name);
}

struct str request_header(const struct request *q, const char *name)
{
    return pairs_header(&q->headers, name);
}

struct str request_header_all(const struct request *q, const char *name)
{
    AUTO(buf_done) struct buf b = BUF_MAX(64 << 10);

    for (size_t i = 0; i < q->headers.n; i++)
        if (str_is_nocase(q->headers.v[i].name, name)) {
            buf_text(&b, b.n ? "," : "");
            buf_add(&b, q->headers.v[i].value);
        }
    return arena_str(q->arena, buf_str(&b));
}

int64_t request_int(struct str value, int64_t otherwise)
{
    int64_t n;

    return value.p && str_int(value, &n) ? n : otherwise;
}

static const char *const methods[METHODS] = {"GET", "HEAD", "POST", "PUT", "DELETE"};

const char *request_method_name(enum method m)
{
    return m < METHODS ? methods[m] : "-";
}

enum method request_method(struct str name)
{
    size_t i = 0;

    while (i < METHODS && !str_is(name, methods[i]))
        i++;
    return (enum method)i;
}

/* ---- percent signs ---- */

/* Text without its escapes, NUL-terminated; `plus` is a blank in queries and forms. */
static enum status decode(struct arena *a, struct str s, bool plus, struct str *out, struct err *e)
{
    char *text = arena_alloc(a, s.n + 1);
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == '%') {
            int hi = i + 2 < s.n ? str_hex(s.p[i + 1]) : -1;
            int lo = i + 2 < s.n ? str_hex(s.p[i + 2]) : -1;
            if (hi < 0 || lo < 0)
                return err_set(e, E_INPUT, "a percent sign is not followed by two digits");
            c = (char)(hi * 16 + lo);
            i += 2;
        } else if (c == '+' && plus) {
            c = ' ';
        }
        if (c == '\0')
            return err_set(e, E_INPUT, "it contains a NUL");
        text[n++] = c;
    }
    if (utf8_check((struct str){text, n}) != n)
        return err_set(e, E_INPUT, "it is not UTF-8");
    *out = (struct str){text, n};
    return OK;
}

void request_encode(struct buf *b, struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (str_made_of((struct str){s.p + i, 1}, "-._~"))
            buf_char(b, s.p[i]);
        else
            buf_fmt(b, "%%%02X", (unsigned)(unsigned char)s.p[i]);
    }
}

enum status request_urlencoded(struct arena *a, struct str text, struct pairs *out, struct err *e)
{
    struct pairs p = {0};
    struct str field;
    size_t most = 1;

    for (size_t i = 0; i < text.n; i++)
        most += text.p[i] == '&';
    if (most > REQUEST_PAIRS)
        return err_set(e, E_INPUT, "it has more than %d fields", REQUEST_PAIRS);
    p.v = NEW_N(a, struct pair, most);
    while (str_part(&text, '&', &field)) {
        struct str name, value = STR("");
        if (!field.n)
            continue;
        if (!str_cut(field, '=', &name, &value))
            name = field;
        if (decode(a, name, true, &p.v[p.n].name, e) != OK ||
            decode(a, value, true, &p.v[p.n].value, e) != OK)
            return e->code;
        p.n++;
    }
    *out = p;
    return OK;
}

/* ---- the request line ---- */

/* One part of a path: a name and nothing that could mean anything else to a file system, a proxy
 * or a log. */
static enum status check_segment(struct str s, bool last, struct err *e)
{
    if (s.n == 0)
        return last ? OK : err_set(e, E_INPUT, "the path has an empty part");
    if (str_is(s, ".") || str_is(s, ".."))
        return err_set(e, E_INPUT, "the path contains dot segments");
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '/' || s.p[i] == '\\' || (unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
            return err_set(e, E_INPUT, "the path contains a character that names cannot have");
    return OK;
}

static enum status decode_path(struct arena *a, struct str raw, struct str *out, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(REQUEST_TARGET_MAX);
    struct str rest = str_from(raw, 1), part, segment = STR("");
    bool last = false;

    while (!last) {
        last = !str_cut(rest, '/', &part, &rest);
        if (last)
            part = rest;
        if (decode(a, part, false, &segment, e) != OK || check_segment(segment, last, e) != OK)
            return e->code;
        buf_char(&b, '/');
        buf_add(&b, segment);
    }
    *out = arena_str(a, buf_str(&b));
    return OK;
}

enum status request_target(struct arena *a, struct str target, struct str *path,
                           struct pairs *query, struct err *e)
{
    struct str raw = target, text = STR(""), p;
    struct pairs q;

    if (target.n > REQUEST_TARGET_MAX)
        return err_set(e, E_INPUT, "the address is longer than %d bytes", REQUEST_TARGET_MAX);
    (void)str_cut(target, '?', &raw, &text);
    if (raw.n == 0 || raw.p[0] != '/')
        return err_set(e, E_INPUT, "the path does not begin with a slash");
    if (decode_path(a, raw, &p, e) != OK || request_urlencoded(a, text, &q, e) != OK)
        return e->code;
    *path = p;
    *query = q;
    return OK;
}

/* ---- headers ---- */

static bool has_control(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (((unsigned char)s.p[i] < 0x20 && s.p[i] != '\t') || s.p[i] == 0x7f)
            return true;
    return false;
}

struct pairs request_cookies(struct arena *a, struct str text)
{
    struct pairs p = {.v = NEW_N(a, struct pair, REQUEST_HEADERS)};
    struct str one, name, value;

    while (p.n < REQUEST_HEADERS && str_part(&text, ';', &one)) {
        one = str_trim(one);
        if (has_control(one) || utf8_check(one) != one.n || !str_cut(one, '=', &name, &value) ||
            !name.n)
            continue;
        p.v[p.n++] = (struct pair){arena_str(a, name), arena_str(a, value)};
    }
    return p;
}

bool request_is_token(struct str s)
{
    return str_made_of(s, "!#$%&'*+-.^_`|~");
}

/* A name or an address with or without a port, in the signs that these may have. */
static bool is_host(struct str s)
{
    return str_made_of(s, "-._:[]") && s.n < 300;
}

static bool is_digits(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] < '0' || s.p[i] > '9')
            return false;
    return s.n > 0;
}

enum status request_headers_check(const struct pairs *headers, struct err *e)
{
    size_t bytes = 0, hosts = 0, lengths = 0, encodings = 0;

    for (size_t i = 0; i < headers->n; i++) {
        const struct pair *h = &headers->v[i];
        bytes += h->name.n + h->value.n + 4;
        if (!request_is_token(h->name) || has_control(h->value))
            return err_set(e, E_INPUT, "a header is malformed");
        if (str_is_nocase(h->name, "host")) {
            hosts++;
            if (!is_host(h->value))
                return err_set(e, E_INPUT, "the Host header names no host");
        } else if (str_is_nocase(h->name, "content-length")) {
            lengths++;
            if (!is_digits(h->value))
                return err_set(e, E_INPUT, "Content-Length is not a number");
        } else if (str_is_nocase(h->name, "transfer-encoding")) {
            encodings++;
            if (!str_is_nocase(h->value, "chunked"))
                return err_set(e, E_INPUT, "the only supported Transfer-Encoding is chunked");
        }
    }
    if (bytes > REQUEST_HEADERS_MAX || headers->n > REQUEST_HEADERS)
        return err_set(e, E_FULL, "more than %d headers or %d bytes of them", REQUEST_HEADERS,
                       REQUEST_HEADERS_MAX);
    if (hosts != 1)
        return err_set(e, E_INPUT, "there must be one Host header, not %zu", hosts);
    if (lengths + encodings > 1)
        return err_set(e, E_INPUT, "the length of the body is given twice");
    return OK;
}

int64_t request_body_length(const struct pairs *headers)
{
    struct str length = pairs_header(headers, "content-length");

    return length.p ? request_int(length, INT64_MAX) : -1;
}

/* ---- lists with weights ---- */

static double weight_of(struct str parameters)
{
    size_t at = str_find(parameters, STR("q="));
    struct str number = at == SIZE_MAX ? STR("1") : str_trim(str_from(parameters, at + 2));
    double q;

    return str_double(number, &q) ? q : 0;
}

static const char *language_of(struct str tag)
{
    for (int i = 0; i < LANGUAGES; i++)
        if (str_starts_nocase(tag, str_of(message_languages[i])) && (tag.n == 2 || tag.p[2] == '-'))
            return message_languages[i];
    return NULL;
}

/* Take the next item off a list such as "br, gzip;q=0.5". */
static bool next_item(struct str *list, struct str *name, double *weight)
{
    struct str one, parameters = STR("");

    if (!str_part(list, ',', &one))
        return false;
    if (!str_cut(one, ';', name, &parameters))
        *name = one;
    *name = str_trim(*name);
    *weight = weight_of(parameters);
    return true;
}

const char *request_accept_language(struct str header)
{
    const char *best = NULL;
    double most = 0, weight;
    struct str tag;

    while (next_item(&header, &tag, &weight))
        if (weight > most && language_of(tag)) {
            most = weight;
            best = language_of(tag);
        }
    return best;
}

bool request_accepts(struct str list, const char *name)
{
    struct str one;
    double weight;

    while (next_item(&list, &one, &weight))
        if (str_is_nocase(one, name))
            return weight > 0;
    return false;
}
