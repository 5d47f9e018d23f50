/* analyse.h - `items analyse RUN`: which items tell models apart, and which are to be looked at. */
#ifndef CMD_ANALYSE_H
#define CMD_ANALYSE_H

#include "cmd/cmd.h"
#include "gauge/items.h"

/* Opens the store. judge NULL: the first jury; limit: lines on the terminal, 0: all. */
CHECKED enum status analyse_items(struct app *app, const char *run, const char *judge,
                                  int64_t limit, struct err *e);

/* The newest judged run of a suite with at least so many models and items; out->n is 0 when the
 * store has none. The store is open. */
struct analyse_least {
    size_t models, items;
};
CHECKED enum status analyse_last(struct app *app, const char *suite,
                                 const struct analyse_least *least, struct run_row *by,
                                 struct items_analysis *out, struct err *e);

/* The n items of the newest such run that best tell its models apart, in the order of the suite. */
CHECKED enum status analyse_best(struct app *app, const char *suite, size_t n, const char ***names,
                                 struct run_row *by, struct err *e);

#endif
