#include "web/page.h"

#include "base/json.h"
#include "base/message.h"

#include <stdarg.h>

#include "base/clock.h"
#include "base/version.h"
#include "web/publish.h"

/* ---- the frame ---- */

static const struct {
    const char *path;
    enum word label;
    unsigned allow;
    bool file; /* part of published pages too */
} menu[] = {
    {"/leaderboard", SEE_LEADERBOARD, ROLE_ANALYST | ROLE_ADMIN, true},
    {"/runs", PHRASE_RUNS, ROLE_ANALYST | ROLE_ADMIN, true},
    {"/models", SEE_MODELS, ROLE_ANALYST | ROLE_ADMIN, true},
    {"/judges", SEE_JUDGES, ROLE_ANALYST | ROLE_ADMIN, true},
    {"/search", SEE_SEARCH, ROLE_ANALYST | ROLE_ADMIN, false},
    {"/workers", WORKERS_TITLE, ROLE_ANALYST | ROLE_ADMIN, false},
    {"/campaigns", PHRASE_CAMPAIGNS, ROLE_PEOPLE, false},
    {"/accounts", PHRASE_ACCOUNTS, ROLE_ADMIN, false},
    {"/audit", PHRASE_AUDIT, ROLE_ADMIN, false},
    {"/teams", PHRASE_TEAMS, ROLE_ADMIN, false},
    {"/me", PHRASE_MY_ACCOUNT, ROLE_PEOPLE, false},
};

static const struct {
    const char *tag, *name;
} languages[] = {{"zh", "中文"}, {"ja", "日本語"}, {"en", "English"}};

const char *page_tongue(const char *tag)
{
    for (size_t i = 0; i < COUNT(languages); i++)
        if (strcmp(languages[i].tag, tag) == 0)
            return languages[i].name;
    return tag;
}

const char *page_phrase(const struct page *p, enum word w)
{
    return words_of(p->q->language, w);
}

const char *page_with(const struct page *p, enum word w, const char *what)
{
    return words_with(p->q->arena, p->q->language, w, what);
}

const char *page_two(const struct page *p, enum word w, const char *first, const char *second)
{
    return words_two(p->q->arena, p->q->language, w, first, second);
}

const char *page_number(const struct page *p, int64_t n)
{
    return arena_int(p->q->arena, n);
}

void page_say(struct page *p, const char *tag, const char *cls, enum word w)
{
    html_element(&p->h, tag, cls, page_phrase(p, w));
}

void page_fold(struct page *p, enum word summary)
{
    html_open(&p->h, "details", NULL);
    page_say(p, "summary", NULL, summary);
}

void page_lines(struct page *p, const char *language, struct str text)
{
    struct str line;

    while (str_line(&text, &line)) {
        if (str_trim(line).n == 0)
            continue;
        html_open(&p->h, "p", NULL);
        html_foreign(&p->h, language, line);
        html_close(&p->h);
    }
}

void page_link(struct page *p, const char *href, const char *text)
{
    html_say(&p->h, "a", text, "href", href);
}

/* The address of a file of share/web; it changes with the contents of the files. */
static const char *asset(const struct request *q, const char *name)
{
    return arena_printf(q->arena, "/static/%s/%s", q->site->assets, name);
}

void page_script(struct page *p, const char *name)
{
    if (p->q->session && p->q->session->pass)
        return;
    html_open(&p->h, "script", "type", "module", "src", asset(p->q, name));
    html_close(&p->h);
}

void page_way(struct page *p, const char *href, enum word text)
{
    html_open(&p->h, "p", NULL);
    page_link(p, href, page_phrase(p, text));
    html_close(&p->h);
}

static void head(struct page *p, const char *title)
{
    struct html *h = &p->h;

    html_head(h, p->q->language);
    html_leaf(h, "meta", "name", "color-scheme", "content", "light dark");
    html_element(h, "title", NULL, arena_printf(h->scratch, "%s · audition", title));
    html_leaf(h, "link", "rel", "stylesheet", "href", asset(p->q, "style.css"));
    html_leaf(h, "link", "rel", "icon", "type", "image/svg+xml", "href", asset(p->q, "icon.svg"));
    if (!p->q->publish)
        page_script(p, "app.js");
    if (p->r->refresh_s) {
        html_open(h, "noscript", NULL);
        html_leaf(h, "meta", "http-equiv", "refresh", "content",
                  arena_int(p->q->arena, p->r->refresh_s));
        html_close(h);
    }
    html_close(h);
}

/* Is it the page of a menu entry, or one below it? /model is below /models. */
static bool under(struct str path, struct str menu_path)
{
    if (path.n + 1 == menu_path.n && str_ends(menu_path, STR("s")))
        return str_starts(menu_path, path);
    return str_starts(path, menu_path) && (path.n == menu_path.n || path.p[menu_path.n] == '/');
}

static void menu_of(struct page *p)
{
    struct html *h = &p->h;
    unsigned role = p->q->session ? p->q->session->own : ROLE_NOBODY;

    html_open(h, "nav", "aria-label", page_phrase(p, PHRASE_MENU));
    for (size_t i = 0; i < COUNT(menu); i++) {
        bool here = under(p->q->path, str_of(menu[i].path));
        if (p->q->publish ? !menu[i].file : !(menu[i].allow & role))
            continue;
        html_say(h, "a", page_phrase(p, menu[i].label), "href", menu[i].path, "aria-current",
                 here ? "page" : NULL);
    }
    html_close(h);
}

static void sign_out(struct page *p)
{
    if (!p->q->session || p->q->session->kind != SESSION_STAFF)
        return;
    page_form(p, "/logout");
    page_button(p, PHRASE_SIGN_OUT, NULL, NULL);
    html_close(&p->h);
}

static void language_links(struct page *p)
{
    struct html *h = &p->h;
    const char *path =
        p->q->method == METHOD_GET ? "" : "/"; /* what answers a POST may have no GET */

    html_open(h, "nav", "class", "languages", "aria-label", page_phrase(p, PHRASE_LANGUAGE));
    for (size_t i = 0; i < COUNT(languages); i++) {
        bool here = strcmp(languages[i].tag, p->q->language) == 0;
        html_say(h, "a", languages[i].name, "href",
                 page_printf(p, "%s?lang=%s", path, languages[i].tag), "lang", languages[i].tag,
                 "hreflang", languages[i].tag, "aria-current", here ? "true" : NULL);
    }
    html_close(h);
}

static const char *link_of_file(void *user, const char *href)
{
    return publish_link(user, href);
}

void page_frame(struct page *p, struct request *q, struct response *r, const char *title)
{
    struct html *h = &p->h;

    *p = (struct page){.q = q, .r = r, .title = title, .h = {.out = &r->body, .scratch = q->arena}};
    if (q->publish) {
        h->link = link_of_file;
        h->user = q->publish;
    }
    buf_clear(&r->body);
    head(p, title);
    html_open(h, "body", "data-session-ends",
              q->session ? arena_int(q->arena, q->session->ends_ms - q->now_ms) : NULL);
    html_say(h, "a", page_phrase(p, PHRASE_SKIP), "class", "skip", "href", "#main");
    html_open(h, "header", "class", "top");
    html_open(h, "div", "class", "wrap");
    html_say(h, "a", "audition", "class", "brand", "href", "/");
    menu_of(p);
    sign_out(p);
    html_close_n(h, 2);
    html_open(h, "main", "class", "wrap", "id", "main", "tabindex", "-1");
}

void page_open(struct page *p, struct request *q, struct response *r, const char *title)
{
    page_frame(p, q, r, title);
    html_open(&p->h, "div", "class", "head");
    html_element(&p->h, "h1", NULL, title);
    html_close(&p->h);
    page_saved(p);
}

void page_saved(struct page *p)
{
    if (p->q->method == METHOD_GET && str_is(request_query(p->q, "done"), "1"))
        html_say(&p->h, "p", page_phrase(p, PHRASE_DONE), "class", "notice good", "role", "status");
}

enum status page_close(struct page *p)
{
    struct html *h = &p->h;

    while (h->depth > 2) /* html, body */
        html_close(h);
    html_open(h, "footer", "class", "foot");
    html_open(h, "div", "class", "wrap");
    if (p->q->session && !p->q->session->pass) {
        html_open(h, "div", "id", "session", "class", "notice", "role", "alert", "hidden", "");
        page_say(p, "p", NULL, PHRASE_SESSION_ENDS);
        page_form(p, "/stay");
        page_button(p, PHRASE_STAY, NULL, NULL);
        html_close_n(h, 2);
    }
    if (p->q->publish)
        html_element(h, "span", NULL, "audition " VERSION);
    else
        language_links(p);
    html_close_n(h, 2);
    while (h->depth)
        html_close(h);
    buf_char(h->out, '\n');
    return OK;
}

/* ---- forms ---- */

void page_form(struct page *p, const char *action)
{
    html_open(&p->h, "form", "method", "post", "action", action);
    page_hidden(p, "csrf", session_form(p->q, p->r, action));
}

void page_onward(struct page *p)
{
    if (!p->q->session || !p->q->session->pass) {
        page_link(p, "/rate", page_phrase(p, PHRASE_CONTINUE));
        return;
    }
    page_form(p, "/rate/go");
    page_button(p, PHRASE_CONTINUE, NULL, NULL);
    html_close(&p->h);
}

void page_hidden(struct page *p, const char *name, const char *value)
{
    html_leaf(&p->h, "input", "type", "hidden", "name", name, "value", value);
}

void page_button(struct page *p, enum word label, const char *name, const char *value)
{
    html_say(&p->h, "button", page_phrase(p, label), "type", "submit", "name", name, "value",
             value);
}

void page_field(struct page *p, const struct page_field *f)
{
    struct html *h = &p->h;
    struct arena *a = p->q->arena;
    const char *id = f->id ? f->id : f->name;
    const char *hint = arena_printf(a, "%s-hint", id);
    const char *error = arena_printf(a, "%s-error", id);
    const char *said = f->hint && f->error ? arena_printf(a, "%s %s", hint, error)
                       : f->hint           ? hint
                       : f->error          ? error
                                           : NULL;

    html_open(h, "p", "class", "field");
    html_say(h, "label", page_phrase(p, f->label), "for", id);
    html_leaf(h, "input", "id", id, "name", f->name, "type", f->type ? f->type : "text", "value",
              f->value, "autocomplete", f->autocomplete ? f->autocomplete : "off", "autocapitalize",
              "none", "required", f->optional ? NULL : "", "aria-describedby", said, "aria-invalid",
              f->error ? "true" : NULL);
    if (f->hint)
        html_say(h, "small", f->hint, "id", hint);
    if (f->error)
        html_say(h, "small", f->error, "id", error, "class", "error");
    html_close(h);
}

void page_new_password(struct page *p, const char *name, enum word label, bool bad)
{
    page_ask(p, .label = label, .name = name, .type = "password", .autocomplete = "new-password",
             .hint = page_phrase(p, PHRASE_PASSWORD_RULE),
             .error = bad ? page_phrase(p, PHRASE_PASSWORD_SHORT) : NULL);
}

void page_choices(struct page *p, enum word legend, const char *name,
                  const struct page_choice *choices, size_t n, const char *chosen)
{
    struct html *h = &p->h;

    html_open(h, "fieldset", NULL);
    page_say(p, "legend", NULL, legend);
    for (size_t i = 0; i < n; i++) {
        bool on = chosen && strcmp(chosen, choices[i].value) == 0;
        html_open(h, "label", "class", "choice");
        html_leaf(h, "input", "type", "radio", "name", name, "value", choices[i].value, "required",
                  "", "checked", on ? "" : NULL);
        html_text(h, page_phrase(p, choices[i].label));
        html_close(h);
    }
    html_close(h);
}

/* ---- tables ---- */

void page_table_of(struct page *p, const enum word *heads, size_t n)
{
    const char **names = NEW_N(p->q->arena, const char *, n + 1);

    p->heads = names;
    p->nheads = n;
    html_open(&p->h, "div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label",
              p->title);
    html_open(&p->h, "table", NULL);
    html_open(&p->h, "thead", NULL);
    html_open(&p->h, "tr", NULL);
    for (size_t i = 0; i < n; i++) {
        names[i] = page_phrase(p, heads[i]);
        html_say(&p->h, "th", names[i], "scope", "col");
    }
    html_close_n(&p->h, 2);
    html_open(&p->h, "tbody", NULL);
}

void page_table_end(struct page *p)
{
    html_close_n(&p->h, 3);
}

void page_row(struct page *p)
{
    p->column = 0;
    html_open(&p->h, "tr", NULL);
}

void page_row_head(struct page *p)
{
    p->column++;
    html_open(&p->h, "th", "scope", "row");
}

void page_row_of(struct page *p, const char *href, const char *text)
{
    page_row(p);
    page_row_head(p);
    if (href)
        page_link(p, href, text);
    else
        html_text(&p->h, text);
    html_close(&p->h);
}

void page_cell_open(struct page *p, const char *cls)
{
    size_t at = p->column++;

    html_open(&p->h, "td", "class", cls, "data-title", at < p->nheads ? p->heads[at] : NULL);
}

void page_cell(struct page *p, const char *text)
{
    page_cell_open(p, NULL);
    html_text(&p->h, text);
    html_close(&p->h);
}

void page_cell_fmt(struct page *p, const char *fmt, ...)
{
    char text[128];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    page_cell_open(p, "num");
    html_text(&p->h, text);
    html_close(&p->h);
}

void page_cell_time(struct page *p, int64_t utc_ms)
{
    page_cell_open(p, NULL);
    page_time(p, utc_ms);
    html_close(&p->h);
}

/* ---- messages ---- */

void page_alert(struct page *p, const char *text)
{
    html_say(&p->h, "p", text, "class", "alert", "role", "alert");
}

void page_time(struct page *p, int64_t utc_ms)
{
    char when[CLOCK_TEXT];

    clock_text(utc_ms, when);
    html_open(&p->h, "time", "datetime", when);
    when[10] = ' ';
    html_fmt(&p->h, "%.16s", when);
    html_close(&p->h);
}

static enum word phrase_for(int status)
{
    static const struct {
        int status;
        enum word says;
    } table[] = {
        {400, PHRASE_BAD_REQUEST}, {401, PHRASE_NOT_SIGNED_IN}, {403, PHRASE_FORBIDDEN},
        {404, PHRASE_NOT_FOUND},   {405, PHRASE_BAD_METHOD},    {411, PHRASE_BAD_REQUEST},
        {413, PHRASE_TOO_LARGE},   {414, PHRASE_TOO_LARGE},     {415, PHRASE_BAD_TYPE},
        {431, PHRASE_TOO_LARGE},   {503, PHRASE_UNAVAILABLE},   {505, PHRASE_BAD_REQUEST},
    };

    for (size_t i = 0; i < COUNT(table); i++)
        if (table[i].status == status)
            return table[i].says;
    return PHRASE_SERVER_FAULT;
}

/* For programs, which get English. */
static void error_json(struct response *r, int status, const char *detail)
{
    json_t *j = json_object();

    json_put_int(j, "status", status);
    json_put_text(j, "error", detail ? detail : words_of("en", phrase_for(status)));
    response_json(r, j);
}

void page_error(struct request *q, struct response *r, int status, const char *detail)
{
    bool own = detail && (status == 403 || status == 429); /* the detail is the title */
    bool pass = q->session && q->session->pass;
    struct page p;

    r->status = status;
    r->type = NULL;
    r->stream = NULL;
    if (str_starts(q->path, STR("/api/"))) {
        error_json(r, status, detail);
        return;
    }
    page_open(&p, q, r, own ? detail : words_of(q->language, phrase_for(status)));
    if (detail && !own && status != 404) /* what exactly is absent helps only on the command line */
        html_element(&p.h, "p", NULL, message_show(q->arena, q->language, detail));
    if (pass) { /* its last page has forms that were used up */
        page_onward(&p);
    } else if (status == 401 || (status == 403 && !q->session)) { /* 403: a used pass, too */
        page_way(&p, "/return", PHRASE_RETURN_INSTEAD);
        page_way(&p, "/login", PHRASE_SIGN_IN);
    } else {
        page_way(&p, "/", PHRASE_START);
    }
    html_open(&p.h, "p", "class", "meta");
    html_fmt(&p.h, "%d", status);
    page_close(&p);
}

const char *page_origin(const struct request *q)
{
    struct str host = request_header(q, "Host");

    return q->site->origin ? q->site->origin
                           : arena_printf(q->arena, "%s://%.*s", q->site->scheme, STR_ARG(host));
}

const char *page_local(struct request *q, struct str path, const char *otherwise)
{
    struct pairs query;
    struct err e;
    struct str p;
    bool local = path.n && !str_starts(path, STR("//")) &&
                 request_target(q->arena, path, &p, &query, &e) == OK;

    return local ? path.p : otherwise;
}
