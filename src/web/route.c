#include "web/route.h"

/* The next part of a path, without its slash. */
static struct str next_part(struct str *path)
{
    struct str rest = str_from(*path, 1), part = rest;
    const char *slash = rest.n ? memchr(rest.p, '/', rest.n) : NULL;

    if (slash)
        part.n = (size_t)(slash - rest.p);
    *path = str_from(rest, part.n);
    return part;
}

static bool is_name(struct str part)
{
    return part.n > 2 && part.p[0] == '{' && part.p[part.n - 1] == '}';
}

static bool match(struct str pattern, struct str path, struct pair *params, size_t *n)
{
    *n = 0;
    while (pattern.n && path.n) {
        struct str want = next_part(&pattern), have = next_part(&path);
        if (!is_name(want)) {
            if (!str_eq(want, have))
                return false;
        } else if (!have.n || *n == REQUEST_SEGMENTS) {
            return false;
        } else {
            params[(*n)++] = (struct pair){{want.p + 1, want.n - 2}, have};
        }
    }
    return !pattern.n && !path.n;
}

const struct route *route_find(struct arena *a, const struct route_table *table, enum method method,
                               struct str path, struct pairs *params, bool *others)
{
    enum method wanted = method == METHOD_HEAD ? METHOD_GET : method;
    struct pair found[REQUEST_SEGMENTS];
    size_t n;

    *others = false;
    for (size_t i = 0; i < table->n; i++) {
        const struct route *r = &table->v[i];
        if (!match(str_of(r->pattern), path, found, &n))
            continue;
        if (r->method == wanted) {
            params->n = n;
            params->v = NEW_N(a, struct pair, n + 1);
            for (size_t k = 0; k < n; k++)
                params->v[k] = (struct pair){found[k].name, arena_str(a, found[k].value)};
            return r;
        }
        *others = true;
    }
    return NULL;
}
