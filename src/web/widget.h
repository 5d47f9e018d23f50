/* widget.h - the components of the design system (share/web/system.css) that pages are made of.
 *
 * Each writes into the page under way. Kinds are words of the style sheet: pills and notices are
 * "", "good", "warn", "bad" or "info"; buttons "filled" (one a view: the thing to do next), "",
 * "danger" (what cannot be undone, always behind widget_sure()) or "quiet". All of them can be seen
 * at /style. */
#ifndef WEB_WIDGET_H
#define WEB_WIDGET_H

#include "web/page.h"

/* ---- where one is ---- */

struct widget_step {
    const char *href; /* NULL: the page itself */
    const char *text;
};
/* Runs / Three keepers / Samples */
void widget_crumbs(struct page *p, const struct widget_step *steps, size_t n);

/* A whole page below another one: page_open() with the way back to that. */
void widget_open_below(struct page *p, struct request *q, struct response *r, const char *href,
                       enum word above, const char *title);

/* <h1> and what stands small below it (NULL: nothing), for a page begun by page_frame(). */
void widget_head(struct page *p, const char *title, const char *meta);

struct widget_tab {
    const char *href; /* NULL: the tab is not there */
    const char *text;
    int64_t n; /* how many there are; -1: not told */
    bool here;
};
void widget_tabs(struct page *p, const char *label, const struct widget_tab *tabs, size_t n);

/* ---- what is said ---- */

void widget_pill(struct page *p, const char *kind, const char *text);
/* A pill with a dot: a state. */
void widget_state(struct page *p, const char *kind, const char *text);
/* One number and what it means; small ("of 384") and detail may be NULL. */
void widget_tile(struct page *p, enum word label, const char *value, const char *small,
                 const char *detail);
/* Nothing is here yet; and what can be done about it (href NULL: nothing). */
void widget_empty(struct page *p, enum word sentence);
void widget_empty_go(struct page *p, const char *sentence, const char *href, enum word action);
void widget_notice(struct page *p, const char *kind, const char *text);
/* So much of all, as a bar; the label is read out. */
void widget_progress(struct page *p, enum word label, int64_t done, int64_t all);
/* A section with its heading; the caller closes it. note: a sentence below; NULL. */
void widget_section(struct page *p, const char *id, const char *title, const char *note);

/* ---- what can be done ---- */

/* A form that stands in a line with other things; the caller closes it. */
void widget_form(struct page *p, const char *action);

/* A submit button of the form under way; name and value may be NULL. */
void widget_button(struct page *p, const char *kind, enum word label, const char *name,
                   const char *value);
/* A link that looks like a button. */
void widget_go(struct page *p, const char *kind, const char *href, enum word text);

/* <form method=get class="card filters">: what of a list is shown. The caller closes it. */
void widget_filters(struct page *p, const char *action, enum word label);
/* The same with the buttons that apply and clear them, folded where it would fill the screen,
 * unless one of `names` was asked for. widget_filters_end() closes it. */
void widget_filters_fold(struct page *p, const char *action, enum word label,
                         const char *const *names, size_t n);
void widget_filters_end(struct page *p, const char *action);
struct widget_option {
    const char *value, *text;
};
/* A field of it; the chosen value is that of the address. The first option is "any". */
void widget_select(struct page *p, const char *name, enum word label,
                   const struct widget_option *options, size_t n);
void widget_input(struct page *p, const char *name, enum word label, const char *type);
void widget_check(struct page *p, const char *name, enum word label);

/* A whole page that asks again before something is done that cannot be undone: what will happen,
 * the red button that posts name=value to `action`, and the way back. */
struct widget_sure {
    const char *title;
    enum word sentence, label;
    const char *action, *name, *value;
    const char *back;
};
enum status widget_sure(struct request *q, struct response *r, const struct widget_sure *s);

/* ---- numbers ---- */

/* An interval drawn on the axis lo..hi, as a cell of its own; NaN: nothing is drawn. */
struct widget_axis {
    double lo, hi;
    int decimals;
    const char *title; /* of its column */
    size_t column;     /* which one of a table that is */
    size_t numbers;    /* its columns from this one on are numbers; 0: none are called so */
};
/* A card with a table, up to its body: n heads, one of which is the axis.
 * The caller writes the rows and closes four elements; `heads` must outlive it. */
void widget_axis_table(struct page *p, const char *label, const char *const *heads, size_t n,
                       const struct widget_axis *x);
void widget_interval(struct page *p, const struct widget_axis *x, double v, double lo, double hi);
/* The shade of v between lo and hi: "h0".."h8"; "hx" where there is none. */
const char *widget_shade(double v, double lo, double hi);

#endif
