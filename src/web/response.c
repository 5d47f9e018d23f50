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
                     const char *value, unsigned how)
{
    response_header(r, "Set-Cookie",
                    arena_printf(r->arena, "%s=%s; Path=/; HttpOnly; SameSite=%s%s%s",
                                 response_cookie_name(q, name), value,
                                 how & COOKIE_STRICT ? "Strict" : "Lax",
                                 q->site->secure ? "; Secure" : "",
                                 how & COOKIE_GONE   ? "; Max-Age=0"
                                 : how & COOKIE_LONG ? "; Max-Age=31536000"
                                                     : ""));
}

enum status response_redirect(struct response *r, const char *path)
{
    buf_clear(&r->body);
    r->status = 303;
    response_header(r, "Location", path);
    return OK;
}

struct str response_back(struct response *r)
{
    r->status = 200;
    for (size_t i = r->nheaders; i-- > 0;)
        if (str_is(r->headers[i].name, "Location")) {
            struct str to = r->headers[i].value;
            r->headers[i] = r->headers[--r->nheaders];
            return to;
        }
    return STR("/");
}

enum status response_done(struct response *r, const char *path)
{
    return response_redirect(r, arena_printf(r->arena, "%s?done=1", path));
}

enum status response_json(struct response *r, json_t *j)
{
    r->type = "application/json";
    buf_clear(&r->body);
    buf_text(&r->body, json_text(r->arena, j));
    json_decref(j);
    return OK;
}

void response_stream(struct response *r, const char *type, stream_fn *fn, void *user)
{
    r->type = type;
    r->stream = fn;
    r->user = user;
}
