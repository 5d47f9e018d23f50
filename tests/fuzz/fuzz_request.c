/* Any bytes as what a client sends: an address, a form, cookies, languages, headers. What was taken
 * holds what the pages rely on: UTF-8 without NUL, and paths that lead nowhere else. */
#include <stdlib.h>

#include "web/address.h"
#include "web/route.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_text(struct str s)
{
    must(s.p != NULL && utf8_check(s) == s.n && (s.n == 0 || !memchr(s.p, '\0', s.n)));
    must(s.p[s.n] == '\0');
}

static void check_pairs(const struct pairs *p)
{
    must(p->n <= REQUEST_PAIRS);
    for (size_t i = 0; i < p->n; i++) {
        check_text(p->v[i].name);
        check_text(p->v[i].value);
        must(pairs_get(p, p->v[i].name.p).p != NULL);
    }
}

static void check_path(struct str path)
{
    check_text(path);
    must(path.n > 0 && path.p[0] == '/');
    must(str_find(path, STR("//")) == SIZE_MAX && str_find(path, STR("/../")) == SIZE_MAX);
    must(!str_ends(path, STR("/..")) && !str_ends(path, STR("/.")));
    must(!memchr(path.p, '\\', path.n) && !memchr(path.p, '\n', path.n));
}

static void as_target(struct arena *a, struct str s)
{
    struct pairs query = {0}, params = {0};
    struct str path;
    struct err e;
    struct route_table all = route_all();
    bool others;

    if (request_target(a, s, &path, &query, &e) != OK)
        return;
    check_path(path);
    check_pairs(&query);
    (void)route_find(a, &all, METHOD_GET, path, &params, &others);
    for (size_t i = 0; i < params.n; i++)
        check_text(params.v[i].value);
}

/* Lines of "name: value", as the server would hand them on. */
static void as_headers(struct str s)
{
    struct pair v[REQUEST_HEADERS];
    struct pairs h = {v, 0};
    struct str line;
    struct err e;

    while (h.n < COUNT(v) && str_line(&s, &line))
        if (str_cut(line, ':', &v[h.n].name, &v[h.n].value)) {
            v[h.n].value = str_trim(v[h.n].value);
            h.n++;
        }
    if (request_headers_check(&h, &e) == OK)
        must(request_body_length(&h) >= -1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str s = {(const char *)data, size};
    struct pairs p = {0};
    struct network n;
    struct address x = {{0}};
    struct err e;

    as_target(a, s);
    as_headers(s);
    if (request_urlencoded(a, s, &p, &e) == OK)
        check_pairs(&p);
    p = request_cookies(a, s);
    check_pairs(&p);
    (void)request_accept_language(s);
    if (network_read(s, &n, &e) == OK)
        must(network_has(&n, &n.at));
    (void)address_behind(&n, 0, x, s);
    (void)request_method(s);
    return 0;
}
