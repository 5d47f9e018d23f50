/* html.h - the only way to write HTML and SVG: everything else passes text, and only this file
 * makes markup of it.
 *
 * All text and all attribute values are cleaned of control and bidirectional characters
 * (text/rune.h) and escaped. Elements are closed in reverse order of opening, so that the result
 * is always balanced. Tag and attribute names are literals of the program. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/mem.h"

enum { HTML_DEPTH = 32 };

struct html {
    struct buf *out;
    struct arena *scratch; /* for temporary text; callers that write much reset it at times */
    const char *open[HTML_DEPTH];
    size_t depth;
    /* Maps the target of a link; NULL: the link is left out. No function: targets are kept. */
    const char *(*link)(void *user, const char *href);
    void *user;
};

/* <tag name="value"...>: html_open(h, "td", "class", "num", "id", id). A pair whose value is
 * NULL is left out; a single NULL: no attributes. */
#define html_open(h, tag, ...)                                                                     \
    html_start((h), (tag), (const char *const[]){__VA_ARGS__, NULL, NULL})
/* The same for an empty element: <meta/>, <line/>. */
#define html_leaf(h, tag, ...)                                                                     \
    html_empty((h), (tag), (const char *const[]){__VA_ARGS__, NULL, NULL})

void html_start(struct html *h, const char *tag, const char *const *pairs);
void html_empty(struct html *h, const char *tag, const char *const *pairs);
void html_close(struct html *h);          /* closes the innermost element */
void html_close_n(struct html *h, int n); /* closes the n innermost elements */

void html_str(struct html *h, struct str text);
void html_text(struct html *h, const char *text);
void html_fmt(struct html *h, const char *fmt, ...) PRINTF(2, 3);
/* Open, text, close: html_say(h, "label", "Name", "for", "name"). */
#define html_say(h, tag, text, ...) html_quote((h), (tag), str_of(text), __VA_ARGS__)
/* The same for a view. */
#define html_quote(h, tag, view, ...)                                                              \
    html_whole((h), (tag), (view), (const char *const[]){__VA_ARGS__, NULL, NULL})
void html_whole(struct html *h, const char *tag, struct str text, const char *const *pairs);
/* The same with a class, which may be NULL. */
void html_element(struct html *h, const char *tag, const char *cls, const char *text);

/* Text by others, as part of a page that may be in another language: <span lang dir=auto>;
 * `language` may be NULL. Characters that reorder text are shown as U+FFFD, so that readers
 * notice them. */
void html_foreign(struct html *h, const char *language, struct str text);

/* <!DOCTYPE html>, <html> and a <head> with what every page has; html_close() closes the head. */
void html_head(struct html *h, const char *language);
/* The head of a report of its own, up to <h1>; html_close_n(h, 3) ends it. */
void html_report(struct html *h, const char *language, const char *title);
/* A style sheet of the program itself, not escaped. */
void html_style(struct html *h, struct str css);

/* All style sheets in one: for reports, or with the additional ones for pages of the server. */
enum html_sheets { SHEETS_REPORT = 3, SHEETS_PAGES = 5 };
struct str html_sheets(struct arena *a, enum html_sheets n);

#endif
