#include "web/widget.h"

#include <math.h>

#include "report/chart.h"

/* ---- where one is ---- */

void widget_crumbs(struct page *p, const struct widget_step *steps, size_t n)
{
    struct html *h = &p->h;

    html_open(h, "nav", "class", "crumbs", "aria-label", page_phrase(p, PHRASE_PATH));
    html_open(h, "ol", NULL);
    for (size_t i = 0; i < n; i++) {
        html_open(h, "li", "aria-current", steps[i].href ? NULL : "page");
        if (steps[i].href)
            page_link(p, steps[i].href, steps[i].text);
        else
            html_text(h, steps[i].text);
        html_close(h);
    }
    html_close_n(h, 2);
}

void widget_open_below(struct page *p, struct request *q, struct response *r, const char *href,
                       enum word above, const char *title)
{
    const struct widget_step path[] = {{href, words_of(q->language, above)}, {NULL, title}};

    page_frame(p, q, r, title);
    widget_crumbs(p, path, COUNT(path));
    widget_head(p, title, NULL);
}

void widget_head(struct page *p, const char *title, const char *meta)
{
    html_open(&p->h, "div", "class", "head");
    html_element(&p->h, "h1", NULL, title);
    if (meta)
        html_element(&p->h, "p", "meta", meta);
    html_close(&p->h);
    page_saved(p);
}

void widget_tabs(struct page *p, const char *label, const struct widget_tab *tabs, size_t n)
{
    struct html *h = &p->h;

    html_open(h, "nav", "class", "tabs", "aria-label", label);
    for (size_t i = 0; i < n; i++) {
        if (!tabs[i].href)
            continue;
        html_open(h, "a", "href", tabs[i].href, "aria-current", tabs[i].here ? "page" : NULL);
        html_text(h, tabs[i].text);
        if (tabs[i].n >= 0) {
            html_text(h, " ");
            html_element(h, "span", "n", arena_int(h->scratch, tabs[i].n));
        }
        html_close(h);
    }
    html_close(h);
}

/* ---- what is said ---- */

void widget_pill(struct page *p, const char *kind, const char *text)
{
    html_element(&p->h, "span", page_printf(p, "pill %s", kind), text);
}

void widget_state(struct page *p, const char *kind, const char *text)
{
    html_element(&p->h, "span", page_printf(p, "pill dot %s", kind), text);
}

void widget_tile(struct page *p, enum word label, const char *value, const char *small,
                 const char *detail)
{
    struct html *h = &p->h;

    html_open(h, "div", "class", "tile");
    page_say(p, "p", "k", label);
    html_open(h, "p", "class", "v");
    html_text(h, value);
    if (small) {
        html_text(h, " ");
        html_element(h, "small", NULL, small);
    }
    html_close(h);
    if (detail)
        html_element(h, "p", "d", detail);
    html_close(h);
}

void widget_empty(struct page *p, enum word sentence)
{
    widget_empty_go(p, page_phrase(p, sentence), NULL, WORDS);
}

void widget_empty_go(struct page *p, const char *sentence, const char *href, enum word action)
{
    html_open(&p->h, "div", "class", "empty");
    html_element(&p->h, "p", NULL, sentence);
    if (href) {
        html_open(&p->h, "p", NULL);
        widget_go(p, "", href, action);
        html_close(&p->h);
    }
    html_close(&p->h);
}

void widget_notice(struct page *p, const char *kind, const char *text)
{
    html_element(&p->h, "p", page_printf(p, "notice %s", kind), text);
}

void widget_progress(struct page *p, enum word label, int64_t done, int64_t all)
{
    html_say(&p->h, "progress", page_printf(p, "%lld / %lld", (long long)done, (long long)all),
             "value", page_number(p, done), "max", page_number(p, all > 0 ? all : 1), "aria-label",
             page_phrase(p, label));
}

void widget_section(struct page *p, const char *id, const char *title, const char *note)
{
    const char *of = page_printf(p, "%s-title", id);

    html_open(&p->h, "section", "id", id, "aria-labelledby", of);
    html_say(&p->h, "h2", title, "id", of);
    if (note)
        html_element(&p->h, "p", "note", note);
}

/* ---- what can be done ---- */

void widget_form(struct page *p, const char *action)
{
    html_open(&p->h, "form", "class", "bare", "method", "post", "action", action);
    page_hidden(p, "csrf", session_csrf(p->q, p->r));
}

void widget_button(struct page *p, const char *kind, enum word label, const char *name,
                   const char *value)
{
    html_say(&p->h, "button", page_phrase(p, label), "class", page_printf(p, "btn %s", kind),
             "type", "submit", "name", name, "value", value);
}

void widget_go(struct page *p, const char *kind, const char *href, enum word text)
{
    html_say(&p->h, "a", page_phrase(p, text), "class", page_printf(p, "btn %s", kind), "href",
             href);
}

void widget_filters(struct page *p, const char *action, enum word label)
{
    html_open(&p->h, "form", "class", "card filters", "method", "get", "action", action, "role",
              "search", "aria-label", page_phrase(p, label));
}

void widget_filters_fold(struct page *p, const char *action, enum word label,
                         const char *const *names, size_t n)
{
    bool any = false;

    for (size_t i = 0; i < n; i++)
        any |= request_query(p->q, names[i]).n > 0;
    html_open(&p->h, "details", "class", "narrow", "open", any ? "" : NULL);
    page_say(p, "summary", NULL, label);
    widget_filters(p, action, label);
}

void widget_filters_end(struct page *p, const char *action)
{
    html_open(&p->h, "div", "class", "row");
    widget_button(p, "filled", PHRASE_FILTER, NULL, NULL);
    widget_go(p, "quiet", action, SEE_CLEAR);
    html_close_n(&p->h, 3);
}

static const char *field_open(struct page *p, const char *name, enum word label, const char *cls)
{
    const char *id = page_printf(p, "f-%s", name);

    html_open(&p->h, "div", "class", cls);
    html_say(&p->h, "label", page_phrase(p, label), "for", id);
    return id;
}

void widget_select(struct page *p, const char *name, enum word label,
                   const struct widget_option *options, size_t n)
{
    struct str chosen = request_query(p->q, name);
    struct html *h = &p->h;

    html_open(h, "select", "id", field_open(p, name, label, "field"), "name", name);
    for (size_t i = 0; i < n; i++) {
        bool on = chosen.n && str_is(chosen, options[i].value);
        html_say(h, "option", options[i].text, "value", options[i].value, "selected",
                 on ? "" : NULL);
    }
    html_close_n(h, 2);
}

void widget_input(struct page *p, const char *name, enum word label, const char *type)
{
    bool words = strcmp(type, "search") == 0;
    const char *id = field_open(p, name, label, words ? "field wide" : "field");

    html_leaf(&p->h, "input", "id", id, "name", name, "type", type, "value",
              arena_text(p->q->arena, request_query(p->q, name)), "autocomplete", "off", "step",
              words ? NULL : "any");
    html_close(&p->h);
}

void widget_check(struct page *p, const char *name, enum word label)
{
    bool on = str_is(request_query(p->q, name), "1");

    html_open(&p->h, "label", "class", "check");
    html_leaf(&p->h, "input", "type", "checkbox", "name", name, "value", "1", "checked",
              on ? "" : NULL);
    html_text(&p->h, page_phrase(p, label));
    html_close(&p->h);
}

enum status widget_sure(struct request *q, struct response *r, const struct widget_sure *s)
{
    struct page p;

    page_open(&p, q, r, s->title);
    page_say(&p, "p", "prose", s->sentence);
    page_form(&p, s->action);
    html_open(&p.h, "div", "class", "row wide");
    widget_button(&p, "danger", s->label, s->name, s->value);
    widget_go(&p, "quiet", s->back, PHRASE_BACK);
    return page_close(&p);
}

/* ---- numbers ---- */

static void axis_head(struct page *p, const struct widget_axis *x)
{
    html_open(&p->h, "th", "scope", "col", "class", "ivc");
    html_text(&p->h, x->title);
    chart_axis(&p->h, (struct show_range){x->lo, x->hi});
    html_close(&p->h);
}

void widget_axis_table(struct page *p, const char *label, const char *const *heads, size_t n,
                       const struct widget_axis *x)
{
    struct html *h = &p->h;

    p->heads = heads;
    p->nheads = n;
    html_open(h, "div", "class", "card flush");
    html_open(h, "div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", label);
    html_open(h, "table", NULL);
    html_open(h, "thead", NULL);
    html_open(h, "tr", NULL);
    for (size_t i = 0; i < n; i++) {
        if (i == x->column) {
            axis_head(p, x);
            continue;
        }
        html_say(h, "th", heads[i], "scope", "col", "class",
                 x->numbers && i >= x->numbers ? "num" : NULL);
    }
    html_close_n(h, 2);
    html_open(h, "tbody", NULL);
}

void widget_interval(struct page *p, const struct widget_axis *x, double v, double lo, double hi)
{
    page_cell_open(p, "ivc");
    chart_interval(&p->h, (struct show_range){x->lo, x->hi}, x->decimals, v, lo, hi);
    html_close(&p->h);
}

const char *widget_shade(double v, double lo, double hi)
{
    static const char *const shades[] = {"h0", "h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8"};
    double part = hi != lo ? (v - lo) / (hi - lo) : 0;

    if (!isfinite(v))
        return "hx";
    return shades[(size_t)lround(fmin(fmax(part, 0), 1) * 8)];
}
