#include "web/pages.h"

#include "base/asset.h"
#include "base/hash.h"
#include "store/store_web.h"
#include "web/page.h"

/* The type of files that browsers may ask for, by suffix. */
static const char *type_of(struct str name)
{
    if (str_ends(name, STR(".css")))
        return "text/css; charset=utf-8";
    if (str_ends(name, STR(".svg")))
        return "image/svg+xml";
    if (str_ends(name, STR(".js")))
        return "text/javascript; charset=utf-8";
    return NULL;
}

/* All style sheets are one file, to save requests. Empty: there is no such file. */
static struct str file_of(struct arena *a, struct str name)
{
    const struct asset *f = asset_find(arena_printf(a, "share/web/%.*s", STR_ARG(name)));

    return str_is(name, "style.css") ? html_sheets(a, SHEETS_PAGES) : f ? f->bytes : STR("");
}

static const char *etag(struct arena *a, struct str bytes)
{
    char hex[HASH_HEX];

    hash_hex_of(bytes, hex);
    return arena_printf(a, "\"%.32s\"", hex);
}

/* /static/{version}/{name}: files come from a table in the program, so no path leads out of it. An
 * address with the current version may be cached for ever; any other (of a page from before an
 * update) gets the current file, which must be validated each time. */
enum status page_static_file(struct request *q, struct response *r, struct err *e)
{
    struct str name = request_param(q, "name");
    struct str bytes = file_of(q->arena, name);
    const char *type = type_of(name), *tag;

    if (!bytes.n || !type)
        return err_set(e, E_ABSENT, "%.*s", STR_ARG(name));
    tag = etag(q->arena, bytes);
    r->type = type;
    r->cached = true;
    response_header(r, "ETag", tag);
    response_header(r, "Cache-Control",
                    str_is(request_param(q, "version"), q->site->assets)
                        ? "public, max-age=31536000, immutable"
                        : "no-cache");
    if (str_is(request_header(q, "If-None-Match"), tag))
        r->status = 304;
    else
        r->fixed = bytes;
    return OK;
}

/* For monitoring: the server and its database respond. */
enum status page_static_health(struct request *q, struct response *r, struct err *e)
{
    int64_t all, admins;

    if (store_account_counts(q->store, &all, &admins, e) != OK)
        return e->code;
    r->type = "text/plain; charset=utf-8";
    buf_text(&r->body, "ok\n");
    return OK;
}

static const char *home_of(const struct session *s)
{
    if (s->kind == SESSION_RATER)
        return "/rate";
    return s->role & (ROLE_ANALYST | ROLE_ADMIN) ? "/runs" : "/campaigns";
}

/* Where somebody belongs. */
enum status page_static_home(struct request *q, struct response *r, struct err *e)
{
    int64_t all, admins;

    if (store_account_counts(q->store, &all, &admins, e) != OK)
        return e->code;
    return response_redirect(r, q->session ? home_of(q->session) : all ? "/login" : "/setup");
}
