/* widget.h - the components of the design system (share/web/system.css).
 *
 * Each function writes into the open page. `kind` is a class of the style sheet: that of pills and
 * notices is "", "good", "warn", "bad" or "info"; that of buttons is "filled" (once per view: the
 * next thing to do), "", "danger" (what cannot be undone, always behind widget_sure()) or "quiet".
 * /style shows all of them. */
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

/* Open a page below another one: page_open() with a path that leads back. */
void widget_open_below(struct page *p, struct request *q, struct response *r, const char *href,
                       enum word above, const char *title);

/* <h1> with a small line below it (NULL: none), for a page opened by page_frame(). */
void widget_head(struct page *p, const char *title, const char *meta);

struct widget_tab {
    const char *href; /* NULL: the tab is left out */
    const char *text;
    int64_t n; /* a count to show; -1: none */
    bool here;
};
void widget_tabs(struct page *p, const char *label, const struct widget_tab *tabs, size_t n);

/* ---- what is said ---- */

void widget_pill(struct page *p, const char *kind, const char *text);
/* A pill with a dot: a state. */
void widget_state(struct page *p, const char *kind, const char *text);
/* A number and its meaning; small ("/ 384") and detail may be NULL. */
void widget_tile(struct page *p, enum word label, const char *value, const char *small,
                 const char *detail);
/* An empty list: a sentence, and what to do about it (href NULL: nothing). */
void widget_empty(struct page *p, enum word sentence);
void widget_empty_go(struct page *p, const char *sentence, const char *href, enum word action);
void widget_notice(struct page *p, const char *kind, const char *text);
/* A progress bar; the label is for screen readers. */
void widget_progress(struct page *p, enum word label, int64_t done, int64_t all);
/* Open a section with a heading and a note below it (NULL: none); the caller closes it. */
void widget_section(struct page *p, const char *id, const char *title, const char *note);

/* ---- what can be done ---- */

/* Open a form that flows in line with other elements; the caller closes it. */
void widget_form(struct page *p, const char *action);

/* A submit button; name and value may be NULL. */
void widget_button(struct page *p, const char *kind, enum word label, const char *name,
                   const char *value);
/* A link that looks like a button. */
void widget_go(struct page *p, const char *kind, const char *href, enum word text);

/* Open <form method=get class="card filters">, which narrows a list down. The caller closes it. */
void widget_filters(struct page *p, const char *action, enum word label);
/* The same in a fold, which is open if the address has one of `names`. widget_filters_end() adds
 * the buttons that apply and clear the filters, and closes it. */
void widget_filters_fold(struct page *p, const char *action, enum word label,
                         const char *const *names, size_t n);
void widget_filters_end(struct page *p, const char *action);
struct widget_option {
    const char *value, *text;
};
/* Fields of it, whose values come from the address. The first option stands for "any". */
void widget_select(struct page *p, const char *name, enum word label,
                   const struct widget_option *options, size_t n);
void widget_input(struct page *p, const char *name, enum word label, const char *type);
void widget_check(struct page *p, const char *name, enum word label);

/* A whole page that asks before something is done that cannot be undone: a sentence, the red button
 * that posts name=value to `action`, and the way back. */
struct widget_sure {
    const char *title;
    enum word sentence, label;
    const char *action, *name, *value;
    const char *back;
};
enum status widget_sure(struct request *q, struct response *r, const struct widget_sure *s);

/* ---- numbers ---- */

/* The axis lo..hi of intervals that are drawn in a column of a table. */
struct widget_axis {
    double lo, hi;
    int decimals;
    const char *title; /* of the column */
    size_t column;     /* its index */
    size_t numbers;    /* columns from this index on are aligned as numbers; 0: none */
};
/* Open a card with a table, up to its body: n heads, one of which is the axis. The caller writes
 * the rows and closes four elements; `heads` must live until then. */
void widget_axis_table(struct page *p, const char *label, const char *const *heads, size_t n,
                       const struct widget_axis *x);
/* A cell with an interval on that axis; NaN: nothing is drawn. */
void widget_interval(struct page *p, const struct widget_axis *x, double v, double lo, double hi);
/* The class for the shade of v between lo and hi: "h0".."h8"; "hx" where v is no number. */
const char *widget_shade(double v, double lo, double hi);

#endif
