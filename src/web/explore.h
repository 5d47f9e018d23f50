/* explore.h - what the pages about runs share: loading the run, the frame with its tabs, addresses.
 *
 * The same pages are served and published as files (publish.h; q->publish is set then). Every
 * address goes through explore_to(), published pages have no forms, and sensitive suites are not
 * published at all. */
#ifndef WEB_EXPLORE_H
#define WEB_EXPLORE_H

#include "report/report.h"
#include "report/show.h"
#include "report/values.h"
#include "web/widget.h"

enum explore_tab {
    TAB_OVERVIEW,
    TAB_SAMPLES,
    TAB_ITEMS,
    TAB_BATTLES,
    TAB_JUDGES,
    TAB_FLAGS,
    TAB_METHOD,
};

enum { EXPLORE_PAGE = 50 }; /* rows of a list */

struct explore {
    struct run_row run;
    struct suite suite; /* of a sensitive one neither items nor answers are shown */
    struct explore_stand stand;
};

/* The run that the address names, with its scores up to date. */
CHECKED enum status explore_load(struct request *q, struct explore *x, struct err *e);
/* The suite of one run among many. False: it can no longer be read, and counts as sensitive. */
bool explore_suite(struct request *q, const struct run_row *run, struct suite *out);
/* Is this run shown in lists? Published lists leave sensitive suites out. */
CHECKED enum status explore_listed(struct request *q, int64_t run, bool *yes, struct err *e);
/* Frame, path, title and tabs. `at`: a step below the tab, or NULL. */
void explore_open(struct page *p, struct request *q, struct response *r, const struct explore *x,
                  enum explore_tab tab, const char *at);
/* The same for a page that is about no single run. */
void explore_frame(struct page *p, struct request *q, struct response *r, const char *title,
                   const char *meta);

/* "/runs/9a80/samples?model=a+b": a path, then pairs of names and values that are encoded, NULL. A
 * value NULL or "" is left out. */
#define explore_to(q, path, ...) explore_address((q), (path), (const char *const[]){__VA_ARGS__})
const char *explore_address(const struct request *q, const char *path, const char *const *pairs);
const char *explore_run_to(const struct request *q, const struct run_row *run, const char *rest);
const char *explore_sample_to(const struct request *q, const char *run, int64_t sample);
/* This address for the page that begins after that row; "": for the first page. */
const char *explore_after(const struct request *q, const char *row);
/* The address of the page that begins after this row, which is the last one shown. */
const char *explore_next(const struct request *q, double key, int64_t id);
struct explore_place explore_place(const struct request *q); /* where the requested page begins */
/* How many rows of how many are shown (keys do not tell which), and links to the first and next. */
void explore_pager(struct page *p, size_t shown, int64_t total, const char *next);

/* A number with so many decimals; "–" where there is none. */
const char *explore_number(struct page *p, double v, int decimals);
/* The value of an answer, in the units of the leaderboard, on its shade; cls: "chip" or more. */
void explore_chip(struct page *p, const struct suite *suite, const char *cls, double value);
void explore_cell_number(struct page *p, double v); /* with two decimals */
/* A table of shades; cls: "heat" or more. html_close() ends a row. */
struct explore_head {
    const char *href; /* NULL: no link */
    const char *text;
    const char *whose; /* below it, whose numbers these are; NULL: said elsewhere */
};
void explore_heat(struct page *p, const char *cls, enum word label, enum word first,
                  const struct explore_head *heads, size_t n);
void explore_heat_row(struct page *p, const char *href, const char *text);
void explore_heat_cell(struct page *p, double v, struct show_range range, int decimals,
                       const char *href, const char *whose);
void explore_heat_end(struct page *p);
/* The title of a dimension; "↓": lower is better. */
const char *explore_dimension(const struct request *q, const struct dimension *d);
/* Its scale for shades: the darker, the better. */
struct show_range explore_worst_to_best(const struct dimension *d);
/* The name of a judge as a link to its page; people have none. */
void explore_judge(struct page *p, const char *judge);
/* A warning where an audit has shown that this judge falls for a trick. */
CHECKED enum status explore_warn(struct page *p, const char *judge, struct err *e);
/* The same for all judges of an answer. */
CHECKED enum status explore_warn_of(struct page *p, const struct report_sample *s, struct err *e);
/* What a list shows of an answer: its beginning; of a conversation the model's first words. */
struct str explore_excerpt(const struct request *q, const struct suite *s, struct str answer);
/* The title of a suite as the reader reads it: of anything that has suite, title and titles. */
#define explore_title(q, x) store_title((q)->arena, SUITE_TITLE(x), (q)->language)
/* Somebody's text, line breaks kept. */
void explore_text(struct page *p, const char *cls, const char *language, struct str text);

#endif
