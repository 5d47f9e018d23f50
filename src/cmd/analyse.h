/* analyse.h - `items analyse RUN`: which items tell models apart, and which are to be looked at. */
#ifndef CMD_ANALYSE_H
#define CMD_ANALYSE_H

#include "cmd/cmd.h"
#include "gauge/items.h"

struct analyse_how {
    const char *run, *judge; /* judge NULL: the first jury */
    int64_t limit;           /* of lines on the terminal */
};

/* Opens the store. */
CHECKED enum status analyse_items(struct app *app, const struct analyse_how *how, struct err *e);

/* The n most telling items of the last run of a suite whose items have these names, in the order of
 * the suite; NULL: the store has none. The store is open. */
CHECKED enum status analyse_best(struct app *app, const char *suite, size_t n, const char ***names,
                                 struct run_row *by, struct err *e);

#endif
