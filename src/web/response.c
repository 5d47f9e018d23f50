#include "web/response.h"

#include "web/site.h"

static bool breaks_line(const char *s)
{
    return s[strcspn(s, "\r\n")] != '\0';
}

void response_header(struct response *r, const char *name, const char *value)
{
    if (r->nheaders == RESPONSE_HEADERS || breaks_line(name) || breaks_line(value))
        return;
    r->headers[r->nheaders++] =
        (struct pair){arena_str(r->arena, str_of(name)), arena_str(r->arena, str_of(value))};
}

const char *response_cookie_name(const struct request *q, const char *name)
{
    return q->site->secure ? arena_printf(q->arena, "__Host-%s", name) : name;
}

void response_cookie(const struct request *q, struct response *r, const char *name,
                     const char *value, int64_t max_age_s)
{
    const char *age =
        max_age_s < 0 ? "" : arena_printf(r->arena, "; Max-Age=%lld", (long long)max_age_s);

    response_header(r, "Set-Cookie",
                    arena_printf(r->arena, "%s=%s; Path=/; HttpOnly; SameSite=Lax%s%s",
                                 response_cookie_name(q, name), value,
                                 q->site->secure ? "; Secure" : "", age));
}

void response_redirect(struct response *r, const char *path)
{
    buf_clear(&r->body);
    r->status = 303;
    response_header(r, "Location", path);
}

void response_stream(struct response *r, const char *type, stream_fn *fn, void *user)
{
    r->type = type;
    r->stream = fn;
    r->user = user;
}
