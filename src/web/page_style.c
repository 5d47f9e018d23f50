#include "web/pages.h"

#include <math.h>

#include "web/widget.h"

static void colours(struct page *p)
{
    static const char *const shades[] = {"h0", "h1", "h2", "h3", "h4", "h5",
                                         "h6", "h7", "h8", "hx", "up", "dn"};

    html_open(&p->h, "p", "class", "row");
    for (size_t i = 0; i < COUNT(shades); i++)
        html_element(&p->h, "span", page_printf(p, "chip %s", shades[i]), shades[i]);
    html_close(&p->h);
}

static void type(struct page *p)
{
    static const char *const kinds[] = {"headline", "finding", "prose", "note", "small"};

    for (size_t i = 0; i < COUNT(kinds); i++)
        html_element(&p->h, "p", kinds[i], page_printf(p, "%s 灯台守 更夫 0123", kinds[i]));
}

static void said(struct page *p)
{
    static const char *const kinds[] = {"", "info", "good", "warn", "bad"};

    html_open(&p->h, "p", "class", "row");
    for (size_t i = 0; i < COUNT(kinds); i++)
        widget_state(p, kinds[i], page_phrase(p, PHRASE_DONE));
    for (size_t i = 0; i < COUNT(kinds); i++)
        widget_pill(p, kinds[i], page_phrase(p, PHRASE_DONE));
    html_close(&p->h);
    for (size_t i = 1; i < COUNT(kinds); i++)
        widget_notice(p, kinds[i], page_phrase(p, PHRASE_DONE));
    html_open(&p->h, "div", "class", "tiles");
    widget_tile(p, PHRASE_ANSWERS, "383", "/ 384", NULL);
    widget_tile(p, PHRASE_VERDICTS, "766", NULL, page_phrase(p, PHRASE_DONE));
    html_close(&p->h);
    html_open(&p->h, "p", NULL);
    widget_progress(p, PHRASE_ANSWERS, 251, 384);
    html_close(&p->h);
    html_open(&p->h, "div", "class", "columns three");
    for (size_t i = 0; i < 3; i++) {
        html_open(&p->h, "div", "class", i == 0 ? "card" : i == 1 ? "card todo" : "card winner");
        html_element(&p->h, "h3", NULL, i == 0 ? ".card" : i == 1 ? ".card.todo" : ".card.winner");
        page_say(p, "p", "note", PHRASE_NOTHING);
        html_close(&p->h);
    }
    html_close(&p->h);
    widget_empty_go(p, page_phrase(p, PHRASE_NO_RUNS), "/runs", PHRASE_RUNS);
}

static void done(struct page *p)
{
    static const char *const kinds[] = {"filled", "", "danger", "quiet", "small"};
    static const struct widget_option options[] = {{"", "–"}, {"en", "English"}, {"ja", "日本語"}};

    html_open(&p->h, "p", "class", "row");
    for (size_t i = 0; i < COUNT(kinds); i++)
        html_say(&p->h, "a", kinds[i][0] ? kinds[i] : "btn", "class",
                 page_printf(p, "btn %s", kinds[i]), "href", "/style");
    html_close(&p->h);
    widget_filters(p, "/style", PHRASE_FILTER);
    widget_input(p, "words", PHRASE_NAME, "search");
    widget_select(p, "language", PHRASE_LANGUAGE, options, COUNT(options));
    widget_check(p, "all", PHRASE_ROLE);
    html_open(&p->h, "div", "class", "row");
    widget_button(p, "filled", PHRASE_FILTER, NULL, NULL);
    html_close_n(&p->h, 2);
    html_open(&p->h, "fieldset", "class", "bare block-s");
    page_say(p, "legend", "vh", PHRASE_FILTER);
    html_open(&p->h, "div", "class", "seg");
    for (int i = 0; i < 5; i++) {
        html_open(&p->h, "label", NULL);
        html_leaf(&p->h, "input", "type", "radio", "name", "mark", "value", page_number(p, i),
                  "checked", i == 3 ? "" : NULL);
        html_fmt(&p->h, "%d", i);
        html_close(&p->h);
    }
    html_close_n(&p->h, 2);
}

static void numbers(struct page *p)
{
    static const struct {
        const char *name;
        double v, lo, hi;
    } rows[] = {{"one", 3.2, 3.04, 3.35}, {"two", 2.8, 2.4, 3.1}, {"three", NAN, NAN, NAN}};
    const struct widget_axis axis = {
        .lo = 0, .hi = 4, .title = page_phrase(p, PHRASE_ANSWERS), .column = 1};
    const char *const heads[] = {page_phrase(p, PHRASE_RUN), axis.title};

    widget_axis_table(p, "iv", heads, COUNT(heads), &axis);
    for (size_t i = 0; i < COUNT(rows); i++) {
        page_row_of(p, NULL, rows[i].name);
        widget_interval(p, &axis, rows[i].v, rows[i].lo, rows[i].hi);
        html_close(&p->h);
    }
    html_close_n(&p->h, 4);
}

static void texts(struct page *p)
{
    html_open(&p->h, "div", "class", "speech");
    html_element(&p->h, "p", "who", ".speech");
    html_element(&p->h, "p", NULL, "Who is there?");
    html_close(&p->h);
    html_open(&p->h, "div", "class", "speech me");
    html_element(&p->h, "p", "who", ".speech.me");
    html_open(&p->h, "p", NULL);
    html_element(&p->h, "mark", NULL, "mark");
    html_text(&p->h, " ");
    html_element(&p->h, "mark", "b", "mark.b");
    html_text(&p->h, " ");
    html_element(&p->h, "mark", "flagged", "mark.flagged");
    html_close_n(&p->h, 2);
}

enum status page_style_show(struct request *q, struct response *r, struct err *e)
{
    static const struct {
        const char *id;
        void (*show)(struct page *p);
    } parts[] = {{"colour", colours}, {"type", type},       {"states", said},
                 {"forms", done},     {"numbers", numbers}, {"texts", texts}};
    const struct widget_step steps[] = {{"/", "audition"}, {NULL, "/style"}};
    struct page p;

    (void)e;
    page_frame(&p, q, r, words_of(q->language, PHRASE_COMPONENTS));
    widget_crumbs(&p, steps, COUNT(steps));
    widget_head(&p, p.title, NULL);
    widget_tabs(
        &p, p.title,
        (const struct widget_tab[]){{"/style", ".tabs", 6, true}, {"/runs", "a", -1, false}}, 2);
    for (size_t i = 0; i < COUNT(parts); i++) {
        widget_section(&p, parts[i].id, arena_printf(q->arena, "#%s", parts[i].id), NULL);
        parts[i].show(&p);
        html_close(&p.h);
    }
    return page_close(&p);
}
