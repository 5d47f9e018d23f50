/* html.h - the only way to write HTML and SVG: text goes in, markup comes out of here alone.
 *
 * Every text and every attribute value is cleaned of control characters and bidirectional controls
 * (text/rune.h) and escaped. Elements are closed in the order in which they were opened, so that
 * the result is balanced whatever it holds. Tag and attribute names are literals of the program. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/mem.h"

enum { HTML_DEPTH = 32 };

struct html {
    struct buf *out;
    struct arena *scratch; /* for texts under way; whoever writes much resets it at times */
    const char *open[HTML_DEPTH];
    size_t depth;
    /* Where a link leads instead; NULL: nowhere, and it is left out. No function: as it is. */
    const char *(*link)(void *user, const char *href);
    void *user;
};

/* <tag name="value"...>: html_open(h, "td", "class", "num", "id", id). A pair whose value is NULL
 * is left out; NULL alone: no attributes. */
#define html_open(h, tag, ...)                                                                     \
    html_start((h), (tag), (const char *const[]){__VA_ARGS__, NULL, NULL})
/* The same for an element that holds nothing: <meta/>, <line/>. */
#define html_leaf(h, tag, ...)                                                                     \
    html_empty((h), (tag), (const char *const[]){__VA_ARGS__, NULL, NULL})

void html_start(struct html *h, const char *tag, const char *const *pairs);
void html_empty(struct html *h, const char *tag, const char *const *pairs);
void html_close(struct html *h);          /* the element opened last */
void html_close_n(struct html *h, int n); /* ... and those around it, n in all */

void html_str(struct html *h, struct str text);
void html_text(struct html *h, const char *text);
void html_fmt(struct html *h, const char *fmt, ...) PRINTF(2, 3);
/* Open, text, close: html_say(h, "label", "Name", "for", "name"). */
#define html_say(h, tag, text, ...) html_quote((h), (tag), str_of(text), __VA_ARGS__)
/* The same with a view of a text. */
#define html_quote(h, tag, view, ...)                                                              \
    html_whole((h), (tag), (view), (const char *const[]){__VA_ARGS__, NULL, NULL})
void html_whole(struct html *h, const char *tag, struct str text, const char *const *pairs);
/* The same with a class, which may be NULL. */
void html_element(struct html *h, const char *tag, const char *cls, const char *text);

/* Somebody's text as a part of a page in another language: <span lang dir=auto>; `language` may be
 * NULL. Controls that reorder text are shown as U+FFFD, so that a reader sees that there was
 * something. */
void html_foreign(struct html *h, const char *language, struct str text);

/* <!DOCTYPE html>, <html> and <head> with what every page has there; html_close() ends the head. */
void html_head(struct html *h, const char *language);
/* A style sheet of the program's own, as it is. */
void html_style(struct html *h, struct str css);

/* Style sheets in one: those of reports, or also what pages of the server add to them. */
enum html_sheets { SHEETS_REPORT = 3, SHEETS_PAGES = 5 };
struct str html_sheets(struct arena *a, enum html_sheets n);

#endif
