/* until.h - --until: asking items until intervals are narrow enough.
 *
 * Items are asked in random order, a batch at a time. After each batch we look at the widest
 * interval of the board; the next batch is as large as its width suggests. Stopping by the width of
 * an interval, from 20 items on, does not spoil its coverage (docs/STATISTICS.md, "looking early");
 * stopping by where it lies would. What was asked is a random part of the items, and the run is the
 * same as without --until: the same command without it asks the rest. */
#ifndef CMD_UNTIL_H
#define CMD_UNTIL_H

#include "cmd/cmd.h"
#include "report/report.h"

/* Read "half-width=0.3". NULL gives 0: no goal. */
CHECKED enum status until_read(const char *text, double *half, struct err *e);

struct until {
    double half;       /* wanted */
    int64_t open, all; /* items asked so far, and of the run */
    double widest;     /* half-width on the board; NaN: some model has none yet */
    const char *model; /* that has it */
    bool looked, reached;
};

/* Open the next batch of items; before the first look at the board, only the first batch. */
CHECKED enum status until_open(struct app *app, const struct run_row *run, struct until *u,
                               struct err *e);
/* Count the open items again: other processes may have opened more. */
CHECKED enum status until_count(struct app *app, const struct run_row *run, struct until *u,
                                struct err *e);
/* Look at the board. */
void until_look(const struct report *r, struct until *u);
/* Print how it ended to app->err. */
void until_tell(const struct app *app, const struct until *u);

#endif
