/* analyse.h - `items analyse RUN`: which items tell models apart, and which are to be looked at. */
#ifndef CMD_ANALYSE_H
#define CMD_ANALYSE_H

#include "cmd/cmd.h"
#include "gauge/items.h"

/* Opens the store. judge NULL: the first jury; limit: lines on the terminal, 0: all. */
CHECKED enum status analyse_items(struct app *app, const char *run, const char *judge,
                                  int64_t limit, struct err *e);

/* Of the runs of a suite the one last begun that was judged, with so many models and items; out->n
 * is 0 when the store has none. The store is open. */
struct analyse_least {
    size_t models, items;
};
CHECKED enum status analyse_last(struct app *app, const char *suite,
                                 const struct analyse_least *least, struct run_row *by,
                                 struct items_analysis *out, struct err *e);

/* The n most telling items of that run, in the order of the suite. */
CHECKED enum status analyse_best(struct app *app, const char *suite, size_t n, const char ***names,
                                 struct run_row *by, struct err *e);

#endif
