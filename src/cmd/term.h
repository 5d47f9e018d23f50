/* term.h - what can be drawn on the terminal. */
#ifndef CMD_TERM_H
#define CMD_TERM_H

#include "cmd/cmd.h"
#include "report/report.h"

int term_columns(FILE *to); /* of its window; 80 where there is none */
/* How a board goes to app->out; `full`: every table. */
struct render_terminal term_board(const struct app *app, bool full);

/* Differences that verify finds, to app->err: the first TERM_DIFFERENCES of them. */
enum { TERM_DIFFERENCES = 20 };
struct term_differences {
    struct app *app;
    int n;
};
void term_difference(void *user, const char *difference); /* user: a struct term_differences */

#endif
