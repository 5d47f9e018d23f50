#include "mock/request.h"

#include <ctype.h>
#include <strings.h>

static bool is_name(struct str s, const char *name)
{
    return s.n == strlen(name) && strncasecmp(s.p, name, s.n) == 0;
}

/* A token of RFC 9110, near enough: visible ASCII without separators that matter here. */
static bool is_token(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!isalnum((unsigned char)s.p[i]) && !strchr("!#$%&'*+-.^_`|~", s.p[i]))
            return false;
    return s.n > 0;
}

static int first_line_read(struct str line, struct request_head *h)
{
    struct str version, query;

    if (!str_cut(line, ' ', &h->method, &line) || !str_cut(line, ' ', &h->path, &version))
        return 400;
    if (!is_token(h->method) || h->path.n == 0 || h->path.p[0] != '/')
        return 400;
    (void)str_cut(h->path, '?', &h->path, &query);
    if (str_is(version, "HTTP/1.0"))
        h->close = true;
    else if (!str_is(version, "HTTP/1.1"))
        return str_starts(version, STR("HTTP/")) ? 505 : 400;
    return 0;
}

static int length_read(struct str value, bool *seen, struct request_head *h)
{
    int64_t n;

    if (*seen || value.n == 0 || !isdigit((unsigned char)value.p[0]) || !str_int(value, &n))
        return 400;
    if (n > REQUEST_BODY_MAX)
        return 413;
    *seen = true;
    h->body_bytes = (size_t)n;
    return 0;
}

static int header_read(struct str name, struct str value, bool *has_length, struct request_head *h)
{
    if (is_name(name, "content-length"))
        return length_read(value, has_length, h);
    if (is_name(name, "transfer-encoding"))
        return 411; /* every client of ours knows the length beforehand */
    if (is_name(name, "authorization"))
        h->authorization = value;
    else if (is_name(name, "x-api-key") || is_name(name, "x-goog-api-key"))
        h->key = value;
    else if (is_name(name, "connection") && is_name(value, "close"))
        h->close = true;
    else if (is_name(name, "expect") && is_name(value, "100-continue"))
        h->expect_continue = true;
    return 0;
}

int request_parse(struct str in, struct request_head *out)
{
    struct request_head h = {0};
    struct str head = {in.p, in.n < REQUEST_HEAD_MAX ? in.n : REQUEST_HEAD_MAX}, line, name, value;
    size_t end = str_find(head, STR("\r\n\r\n"));
    bool has_length = false;
    int refused;

    if (end == SIZE_MAX)
        return in.n < REQUEST_HEAD_MAX ? -1 : 431;
    head.n = end + 2;
    h.head_bytes = end + 4;
    if (memchr(head.p, '\0', head.n) || !str_line(&head, &line))
        return 400;
    refused = first_line_read(line, &h);
    while (!refused && str_line(&head, &line)) {
        if (!str_cut(line, ':', &name, &value) || !is_token(name))
            return 400;
        refused = header_read(name, str_trim(value), &has_length, &h);
    }
    if (!refused)
        *out = h;
    return refused;
}
