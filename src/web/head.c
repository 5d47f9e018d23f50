#include "web/head.h"

#include <time.h>

/* ---- of a request ---- */

/* No head holds NUL, or CR or LF outside a CR LF. A CR at the very end may still get its LF. */
static bool is_foul(struct str bytes, size_t i)
{
    char c = bytes.p[i];

    return c == '\0' || (c == '\n' && (i == 0 || bytes.p[i - 1] != '\r')) ||
           (c == '\r' && i + 1 < bytes.n && bytes.p[i + 1] != '\n');
}

size_t head_size(struct str bytes, size_t *seen)
{
    size_t i = *seen;

    for (; i < bytes.n && i < HEAD_MAX; i++) {
        if (is_foul(bytes, i)) /* include the byte after it, which shows that it is */
            return i + 2 < bytes.n ? i + 2 : bytes.n;
        if (i >= 3 && memcmp(bytes.p + i - 3, "\r\n\r\n", 4) == 0)
            return i + 1;
    }
    if (i == HEAD_MAX)
        return i;
    *seen = i && bytes.p[i - 1] == '\r' ? i - 1 : i;
    return 0;
}

/* "HTTP/1.1" */
static int version(struct str s, int *minor)
{
    bool form = s.n == 8 && str_starts(s, STR("HTTP/")) && s.p[5] >= '0' && s.p[5] <= '9' &&
                s.p[6] == '.' && s.p[7] >= '0' && s.p[7] <= '9';

    if (!form)
        return 400;
    *minor = s.p[7] - '0';
    return s.p[5] == '1' ? 0 : 505;
}

static int first_line(struct arena *a, struct str line, struct head *h)
{
    struct str method, rest, target, protocol;

    if (!str_cut(line, ' ', &method, &rest) || !str_cut(rest, ' ', &target, &protocol) ||
        !request_is_token(method) || !str_is_word(target, SIZE_MAX))
        return 400;
    h->method = arena_str(a, method);
    h->target = arena_str(a, target);
    return version(protocol, &h->minor);
}

/* Blanks and tabs only, as the protocol defines it: other white space stays and is refused. */
static struct str trim(struct str s)
{
    while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
        s = str_from(s, 1);
    while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
        s.n--;
    return s;
}

static int next_line(struct arena *a, struct str line, struct head *h)
{
    struct str name, value;

    if (!str_cut(line, ':', &name, &value) || !request_is_token(name))
        return 400;
    h->headers.v[h->headers.n++] = (struct pair){arena_str(a, name), arena_str(a, trim(value))};
    return 0;
}

/* The next line of *s, which CR LF ends. */
static bool cut_line(struct str *s, struct str *line)
{
    size_t at = str_find(*s, STR("\r\n"));

    if (at == SIZE_MAX)
        return false;
    *line = (struct str){s->p, at};
    *s = str_from(*s, at + 2);
    return true;
}

struct head head_read(struct arena *a, struct str bytes)
{
    struct head h = {.headers.v = NEW_N(a, struct pair, REQUEST_HEADERS + 1)};
    struct str line;
    bool whole = str_ends(bytes, STR("\r\n\r\n"));

    for (size_t i = 0; i < bytes.n && !h.fault; i++)
        if (is_foul(bytes, i))
            h.fault = 400;
    if (!h.fault && !whole)
        h.fault = memchr(bytes.p, '\n', bytes.n) ? 431 : 414; /* longer than HEAD_MAX */
    if (!h.fault)
        h.fault = cut_line(&bytes, &line) ? first_line(a, line, &h) : 400;
    while (!h.fault && h.headers.n <= REQUEST_HEADERS && cut_line(&bytes, &line) && line.n)
        h.fault = next_line(a, line, &h);
    return h;
}

bool head_keeps(const struct head *h)
{
    struct str list = pairs_header(&h->headers, "connection"), one;

    while (str_part(&list, ',', &one))
        if (str_is_nocase(str_trim(one), "close"))
            return false;
    return !h->fault && h->minor >= 1;
}

bool head_expects(const struct head *h)
{
    return h->minor >= 1 && str_is_nocase(pairs_header(&h->headers, "expect"), "100-continue");
}

/* ---- of an answer ---- */

static const char *reason(int status)
{
    static const struct {
        int status;
        const char *says;
    } table[] = {
        /* clang-format off */
        {200, "OK"}, {201, "Created"}, {204, "No Content"},
        {302, "Found"}, {303, "See Other"}, {304, "Not Modified"},
        {400, "Bad Request"}, {401, "Unauthorized"}, {403, "Forbidden"}, {404, "Not Found"},
        {405, "Method Not Allowed"}, {409, "Conflict"}, {410, "Gone"}, {411, "Length Required"},
        {413, "Content Too Large"}, {414, "URI Too Long"}, {415, "Unsupported Media Type"},
        {422, "Unprocessable Content"}, {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {500, "Internal Server Error"}, {503, "Service Unavailable"},
        {505, "HTTP Version Not Supported"},
        /* clang-format on */
    };

    for (size_t i = 0; i < COUNT(table); i++)
        if (table[i].status == status)
            return table[i].says;
    return "Answer";
}

/* strftime() would use the locale of whoever started the program. */
static void write_date(struct buf *out)
{
    static const char days[] = "SunMonTueWedThuFriSat",
                      months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    time_t now = time(NULL);
    struct tm t;

    if (gmtime_r(&now, &t))
        buf_fmt(out, "Date: %.3s, %02d %.3s %d %02d:%02d:%02d GMT\r\n", days + 3 * t.tm_wday,
                t.tm_mday, months + 3 * t.tm_mon, t.tm_year + 1900, t.tm_hour, t.tm_min, t.tm_sec);
}

void head_write(struct buf *out, const struct response *r, int64_t length, bool last)
{
    buf_fmt(out, "HTTP/1.1 %d %s\r\n", r->status, reason(r->status));
    write_date(out);
    for (size_t i = 0; i < r->nheaders; i++)
        buf_fmt(out, "%s: %s\r\n", r->headers[i].name.p, r->headers[i].value.p);
    if (length >= 0)
        buf_fmt(out, "Content-Length: %lld\r\n", (long long)length);
    else if (length == HEAD_CHUNKS)
        buf_text(out, "Transfer-Encoding: chunked\r\n");
    buf_text(out, last ? "Connection: close\r\n\r\n" : "\r\n");
}
