/* until.h - going on until intervals are narrow enough.
 *
 * Items are asked in an order of chance, a batch at a time: after each batch the widest interval
 * of the board is looked at, and the next batch is as large as its width foretells. Stopping on the
 * width of an interval, from 20 items on, does not spoil its coverage (docs/STATISTICS.md, "looking
 * early"); stopping on where it lies would. What was asked is a random part of the items, and the
 * run is the same as without --until: the same command without it asks the rest. */
#ifndef CMD_UNTIL_H
#define CMD_UNTIL_H

#include "cmd/cmd.h"
#include "report/report.h"

/* "half-width=0.3"; NULL is 0, which is none. */
CHECKED enum status until_read(const char *text, double *half, struct err *e);

struct until {
    double half;       /* wanted */
    int64_t open, all; /* items asked so far, and there are */
    double widest;     /* half-width on the board; NaN: some model has none yet */
    const char *model; /* whose */
    bool looked, reached;
};

/* Open the next batch of items; before the first look, the first one alone. */
CHECKED enum status until_open(struct app *app, const struct run_row *run, struct until *u,
                               struct err *e);
/* How many are open by now: others may have opened more. */
CHECKED enum status until_count(struct app *app, const struct run_row *run, struct until *u,
                                struct err *e);
/* Look at the board. */
void until_look(const struct report *r, struct until *u);
/* How it ended, to app->err. */
void until_tell(const struct app *app, const struct until *u);

#endif
