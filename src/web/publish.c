#include "web/publish.h"

#include "base/asset.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "report/html.h"
#include "web/site.h"

struct known {
    const char *address, *file;
};

/* A site as files: the pages found so far, in the order in which they were first linked to. */
struct publish {
    const struct publish_how *how;
    struct arena *a; /* of all of it */
    struct site site;
    struct map known; /* address -> struct known */
    struct known **queue;
    size_t n, cap, done;
    const char *here;   /* the file being written */
    struct arena *page; /* of that page */
    struct publish_counts counts;
};

/* ---- from addresses to files ---- */

static bool is_plain(char c)
{
    return str_alnum(c) || c == '-' || c == '_' || c == '/';
}

enum { NAME_MOST = 200 }; /* bytes of a file's name; file systems allow 255 */

/* "/runs/9a80/samples?model=a%2Fb" is runs/9a80/samples--model-a.2Fb.html: every address has a
 * name of its own, which any file system takes; a long one ends in a hash. */
static const char *file_of(struct arena *a, struct str address)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 14);
    size_t name = 0; /* where that of the file begins */

    if (str_is(address, "/leaderboard"))
        return "index.html";
    for (size_t i = 1; i < address.n; i++) {
        char c = address.p[i];
        if (c == '?')
            buf_text(&b, "--");
        else if (c == '=' || c == '&')
            buf_char(&b, c == '=' ? '-' : '_');
        else if (c == '%')
            buf_char(&b, '.');
        else if (is_plain(c))
            buf_char(&b, c);
        else
            buf_fmt(&b, ".%02x", (unsigned char)c);
        if (c == '/')
            name = b.n;
    }
    if (b.n - name > NAME_MOST) {
        b.n = name + NAME_MOST - 16;
        buf_fmt(&b, "%016llx", (unsigned long long)hash_u64_of(address));
    }
    buf_text(&b, ".html");
    return arena_text(a, buf_str(&b));
}

/* The relative link from the file being written to another: up to the top, and down. */
static const char *from_here(struct publish *p, const char *file, struct str fragment)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 14);

    for (const char *c = p->here; *c; c++)
        if (*c == '/')
            buf_text(&b, "../");
    buf_text(&b, file);
    buf_add(&b, fragment);
    return arena_text(p->page, buf_str(&b));
}

/* ---- which pages there are ---- */

static const struct route *route_of(struct publish *p, struct arena *a, struct str address,
                                    struct request *q)
{
    const struct route *found;
    bool others;
    struct err e;

    if (request_target(a, address, &q->path, &q->query, &e) != OK)
        return NULL;
    found = route_find(a, &p->site.routes, METHOD_GET, q->path, &q->params, &others);
    return found && (found->flags & ROUTE_FILE) ? found : NULL;
}

static bool of_this_run(const struct publish *p, struct str path)
{
    if (!p->how->run || !str_drop(&path, STR("/runs/")))
        return true;
    return str_drop(&path, str_of(p->how->run)) && (path.n == 0 || path.p[0] == '/');
}

static const char *page_link_to(struct publish *p, struct str address, struct str fragment)
{
    struct known *known = map_get(&p->known, address);
    struct request q = {0};

    if (!known) {
        if (!route_of(p, p->page, address, &q) || !of_this_run(p, q.path))
            return NULL;
        known = NEW(p->a, struct known);
        *known = (struct known){arena_text(p->a, address), file_of(p->a, address)};
        (void)map_put(&p->known, str_of(known->address), known);
        p->queue = arena_grow(p->a, p->queue, &p->cap, p->n + 1, sizeof(struct known *));
        p->queue[p->n++] = known;
    }
    return from_here(p, known->file, fragment);
}

const char *publish_link(struct publish *p, const char *href)
{
    struct str all = str_of(href), address = all, fragment = STR(""), version, name;
    const char *hash = strchr(href, '#');

    if (hash) {
        address.n = (size_t)(hash - href);
        fragment = str_from(all, address.n);
    }
    if (!address.n) /* a place on the same page */
        return href;
    if (str_is(address, "/"))
        return page_link_to(p, STR("/leaderboard"), fragment);
    if (str_starts(address, STR("/static/"))) {
        (void)str_cut(str_from(address, strlen("/static/")), '/', &version, &name);
        return from_here(p, arena_printf(p->page, "static/%.*s", STR_ARG(name)), STR(""));
    }
    return page_link_to(p, address, fragment);
}

/* ---- files ---- */

static enum status put(struct publish *p, const char *file, struct str bytes, struct err *e)
{
    const char *path = arena_printf(p->page, "%s/%s", p->how->dir, file);

    if (file_folders(p->page, path, e) != OK || file_write(path, bytes, e) != OK)
        return e->code;
    p->counts.bytes += (int64_t)bytes.n;
    return OK;
}

/* What every page links to. */
static enum status assets(struct publish *p, struct err *e)
{
    if (put(p, "static/style.css", html_sheets(p->page, SHEETS_PAGES), e) != OK)
        return e->code;
    return put(p, "static/icon.svg", asset_find("share/web/icon.svg")->bytes, e);
}

/* Write one page. One that does not exist (of a sensitive suite) is left out. */
static enum status page(struct publish *p, struct store *s, const struct known *known,
                        struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct response r = {.arena = a, .status = 200, .body = BUF_MAX(RESPONSE_BODY_MAX)};
    struct request q = {.arena = a,
                        .site = &p->site,
                        .store = s,
                        .method = METHOD_GET,
                        .target = str_of(known->address),
                        .language = p->how->language,
                        .publish = p,
                        .now_ms = clock_utc_ms()};
    enum status st;

    p->page = a;
    p->here = known->file;
    q.route = route_of(p, a, q.target, &q);
    st = q.route->run(&q, &r, e);
    if (st == OK) {
        st = put(p, p->here, buf_str(&r.body), e);
        p->counts.pages += st == OK;
    } else if (st == E_ABSENT || st == E_USAGE) { /* two runs that cannot be compared */
        st = OK;
    } else {
        err_wrap(e, "%s", known->address);
    }
    if (st == E_INPUT && !p->how->run) {
        st = OK;
        if (!p->counts.damaged++)
            p->counts.damage = *e;
    }
    buf_done(&r.body);
    return st;
}

enum status publish_dir(struct store *s, const struct publish_how *how, struct publish_counts *out,
                        struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct publish p = {
        .how = how, .a = a, .page = a, .here = "", .site = {.routes = route_all(), .assets = "0"}};
    enum status st = OK;

    map_init(&p.known, a);
    (void)publish_link(&p, "/leaderboard");
    (void)publish_link(&p, "/runs");
    st = assets(&p, e);
    for (; st == OK && p.done < p.n; p.done++)
        st = page(&p, s, p.queue[p.done], e);
    *out = p.counts;
    return st;
}
