/* explore.h - what the pages about runs share: which run, where one is in it, addresses.
 *
 * The same pages are served and published (publish.h): every address goes through explore_to(), a
 * published page has no forms, and a suite that is sensitive is not there at all. */
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
    struct suite suite;
    bool withheld; /* the suite is sensitive: items and answers are not shown */
    struct explore_stand stand;
};

/* The run of the address, its numbers up to date. */
CHECKED enum status explore_load(struct request *q, struct explore *x, struct err *e);
/* The suite of a run in a list of many. False: it can no longer be read, and counts as sensitive.
 */
bool explore_suite(struct request *q, const struct run_row *run, struct suite *out);
/* Is this run in lists? Published ones leave sensitive suites out. */
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
/* This address with another value of one name; the page begins anew. */
const char *explore_with(const struct request *q, const char *name, const char *value);
/* The address of the page after the last row shown. */
const char *explore_next(const struct request *q, double key, int64_t id);
struct explore_place explore_place(const struct request *q); /* where this one begins */
/* "51 to 100 of 384" cannot be known by keys: "50 of 384", and the ways on. */
void explore_pager(struct page *p, size_t shown, int64_t total, const char *next);

bool explore_published(const struct request *q);
/* A number with so many decimals; "–" where there is none. */
const char *explore_number(struct page *p, double v, int decimals);
/* The value of an answer, in the units of the leaderboard, on its shade; cls: "chip" or more. */
void explore_chip(struct page *p, const struct suite *suite, const char *cls, double value);
void explore_cell_number(struct page *p, double v, int decimals);
/* A table of shades; cls: "heat" or more. html_close() ends a row. */
struct explore_head {
    const char *href; /* NULL: it leads nowhere */
    const char *text;
    const char *whose; /* numbers they are, below it; NULL: that is said elsewhere */
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
/* The name of a judge, which leads to it; people have no page of their own. */
void explore_judge(struct page *p, const char *judge);
/* Whose scores these are has been tried and fell for something: that is said beside them. */
CHECKED enum status explore_warn(struct page *p, const char *judge, struct err *e);
/* The same for all who judged an answer. */
CHECKED enum status explore_warn_of(struct page *p, const struct report_sample *s, struct err *e);
/* What is shown of an answer in a list: its beginning; of a conversation the first words of the
 * model. */
struct str explore_excerpt(const struct request *q, const struct suite *s, struct str answer);
/* The title of a suite as the reader reads it: of anything that has suite, title and titles. */
#define explore_title(q, x) store_title((q)->arena, SUITE_TITLE(x), (q)->language)
/* Somebody's text, line breaks kept. */
void explore_text(struct page *p, const char *cls, const char *language, struct str text);

#endif
