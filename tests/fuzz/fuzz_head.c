/* Any bytes as what comes in on a connection, in two pieces: heads end where they would in one, and
 * what was read of them holds no line break and no NUL. */
#include <stdlib.h>

#include "web/head.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void plain(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        must(s.p[i] != '\0' && s.p[i] != '\r' && s.p[i] != '\n');
}

static void check(const struct head *h)
{
    plain(h->method);
    plain(h->target);
    must(h->method.n && h->target.n && h->headers.n <= REQUEST_HEADERS + 1);
    for (size_t i = 0; i < h->headers.n; i++) {
        must(request_is_token(h->headers.v[i].name));
        plain(h->headers.v[i].value);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str all = {size ? (const char *)data + 1 : "", size ? size - 1 : 0};
    size_t part = size ? all.n * data[0] / 255 : 0, seen = 0, at_once = 0, n;
    AUTO(arena_freep) struct arena *a = arena_new();

    for (struct str rest = all; (n = head_size(rest, &at_once)); rest = str_from(rest, n)) {
        struct head h = head_read(a, (struct str){rest.p, n});
        must(n <= rest.n && n <= HEAD_MAX + 1);
        if (!h.fault)
            check(&h);
        (void)head_keeps(&h);
        (void)head_expects(&h);
        if (rest.p == all.p) { /* in two pieces; a bad byte may be told by either */
            size_t first = head_size((struct str){all.p, part}, &seen);
            size_t then = first ? first : head_size(all, &seen);
            must(h.fault == 400 || then == n);
        }
        at_once = 0;
    }
    return 0;
}
