/* closing.h - what is printed before a run is worked on, and how it ended. */
#ifndef CMD_CLOSING_H
#define CMD_CLOSING_H

#include "cmd/cmd.h"
#include "eval/run.h"
#include "report/report.h"

/* How the work ended. */
struct closing {
    struct run_outcome outcome;
    struct run_counts after;
    struct report report;
    int64_t wall_ms;
    bool resumed;           /* the run existed before */
    bool judge_only;        /* the models were not asked */
    bool mailed;            /* nobody was asked: the answers came in files */
    json_t *files;          /* what mailing_poll() found of them; NULL: others brought them */
    bool full;              /* print every table */
    bool several;           /* one of several suites */
    bool idle;              /* nothing changed: there was nothing to do */
    const char *unsearched; /* where scoring was interrupted; NULL: it was not */
};

/* What is about to be asked. */
struct closing_asked {
    const struct run_row *run;
    const struct suite *suite;
    const struct jury *jury; /* who judges; NULL: all judges of the run */
    bool judge_only, own_family;
};

/* Prints to app->err what is asked, the URL of everybody who is asked, which judge skips which
 * model, and which one judges itself. */
CHECKED enum status closing_header(struct app *app, const struct closing_asked *asked,
                                   struct err *e);

/* Prints the board and the closing lines, or one line of JSON, to app->out. Sets app->exit. */
void closing_print(struct app *app, const struct closing *c);

#endif
