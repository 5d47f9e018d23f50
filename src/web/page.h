/* page.h - what all pages share: the frame around them, forms, errors.
 *
 *     struct page p;
 *     page_open(&p, q, r, words_of(q->language, PHRASE_RUNS));
 *     html_element(&p.h, "p", NULL, "...");
 *     return page_close(&p);
 */
#ifndef WEB_PAGE_H
#define WEB_PAGE_H

#include "base/words.h"
#include "report/html.h"
#include "web/site.h"

struct page {
    struct request *q;
    struct response *r;
    const char *title;
    struct html h;
    const char *const *heads; /* of the open table; `column` is the next one to be written */
    size_t nheads, column;
};

/* Write everything up to the <h1>; page_close() closes what is still open. */
void page_open(struct page *p, struct request *q, struct response *r, const char *title);
/* The same without the <h1>, for pages that write their own: see widget_head(). */
void page_frame(struct page *p, struct request *q, struct response *r, const char *title);
/* "Saved." where the address says so (response_done()); page_open() calls it. */
void page_saved(struct page *p);
/* Close the page. Always OK, so that a page can end with it. */
enum status page_close(struct page *p);

/* The name of a language in that language; the tag itself if it is unknown. */
const char *page_tongue(const char *tag);
const char *page_phrase(const struct page *p, enum word w);
/* A phrase with one or two places filled in: words_with(), words_two(). */
const char *page_with(const struct page *p, enum word w, const char *what);
const char *page_two(const struct page *p, enum word w, const char *first, const char *second);
const char *page_number(const struct page *p, int64_t n);
/* Text for this page; lives as long as its request. */
#define page_printf(p, ...) arena_printf((p)->q->arena, __VA_ARGS__)
/* <tag class>phrase</tag>; cls may be NULL. */
void page_say(struct page *p, const char *tag, const char *cls, enum word w);
/* Open <details> with this <summary>; html_close() ends it. */
void page_fold(struct page *p, enum word summary);
/* A paragraph for each line of a text in that language (NULL: the page's). */
void page_lines(struct page *p, const char *language, struct str text);
/* <a href>text</a> */
void page_link(struct page *p, const char *href, const char *text);
/* A link in a paragraph of its own. */
void page_way(struct page *p, const char *href, enum word text);
/* A script of ours; left out where its requests would use up the pass that the forms need. */
void page_script(struct page *p, const char *name);
/* Scheme and host by which browsers reach this server. */
const char *page_origin(const struct request *q);

/* ---- forms: they work without scripts ---- */

/* <form method=post> with its token; the caller closes it. */
void page_form(struct page *p, const char *action);
/* "Continue" to the page where raters go on: a link, or a form where the session needs passes. */
void page_onward(struct page *p);
void page_hidden(struct page *p, const char *name, const char *value);
/* <button type=submit>; name and value may be NULL. */
void page_button(struct page *p, enum word label, const char *name, const char *value);

struct page_field {
    enum word label;
    const char *name;
    const char *id;           /* NULL: its name, if that is unique on the page */
    const char *type;         /* NULL: text */
    const char *value;        /* its initial content; NULL: empty */
    const char *autocomplete; /* "username", "current-password"...; NULL: "off" */
    const char *hint;         /* below it; NULL */
    const char *error;        /* what is wrong with it; NULL */
    bool optional;
};
/* Label, input, hint and error; hint and error are tied to the input for screen readers. */
void page_field(struct page *p, const struct page_field *f);
/* page_ask(p, .label = PHRASE_NAME, .name = "name") */
#define page_ask(p, ...) page_field((p), &(struct page_field){__VA_ARGS__})
/* A field for choosing a password; `bad`: the last one was refused. */
void page_new_password(struct page *p, const char *name, enum word label, bool bad);

struct page_choice {
    const char *value;
    enum word label;
};
/* A group of radio buttons; `chosen` may be NULL. */
void page_choices(struct page *p, enum word legend, const char *name,
                  const struct page_choice *choices, size_t n, const char *chosen);

/* ---- tables ---- */

/* Open a table in a box that scrolls, with its heads: page_table(p, PHRASE_NAME, PHRASE_ROLE). On a
 * phone a row is shown as a list in which each cell is labelled with the head of its column. */
#define page_table(p, ...)                                                                         \
    page_table_of((p), (const enum word[]){__VA_ARGS__}, COUNT(((const enum word[]){__VA_ARGS__})))
void page_table_of(struct page *p, const enum word *heads, size_t n);
void page_table_end(struct page *p);
/* <tr>, the <th> of a row, and <td>; html_close() ends each. cls may be NULL. */
void page_row(struct page *p);
void page_row_head(struct page *p);
/* <tr> with a complete <th>, which is a link unless href is NULL; html_close() ends the row. */
void page_row_of(struct page *p, const char *href, const char *text);
void page_cell_open(struct page *p, const char *cls);
/* A whole cell. */
void page_cell(struct page *p, const char *text);
void page_cell_time(struct page *p, int64_t utc_ms);
void page_cell_fmt(struct page *p, const char *fmt, ...) PRINTF(2, 3); /* a number */

/* ---- messages ---- */

/* What was wrong with the last request; screen readers read it out at once. */
void page_alert(struct page *p, const char *text);
/* A moment as "2026-11-15 01:30". */
void page_time(struct page *p, int64_t utc_ms);

/* Make the answer an error page, or JSON below /api/; `detail` may be NULL. */
void page_error(struct request *q, struct response *r, int status, const char *detail);

/* The path if it is one of this site, to which a browser may be sent; else `otherwise`. */
const char *page_local(struct request *q, struct str path, const char *otherwise);

#endif
