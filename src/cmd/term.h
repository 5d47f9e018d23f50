/* term.h - what can be drawn on the terminal. */
#ifndef CMD_TERM_H
#define CMD_TERM_H

#include "base/diag.h"
#include "cmd/cmd.h"
#include "report/table.h"

enum { TERM_MAX = 64 << 20 }; /* bytes that a command writes at once, unless it says otherwise */

int term_columns(FILE *to);         /* $COLUMNS, else of its window; 80 where there is none */
size_t term_help_columns(FILE *to); /* the same, but no more than help wants */
/* How a board goes to app->out; `full`: every table. */
struct render_terminal term_board(const struct app *app, bool full);

/* What a command has written, to app->out: all of it, or E_INPUT where there was no room for it. */
CHECKED enum status term_put(struct app *app, const struct buf *out, struct err *e);
/* A table for people, as wide as the window; a `list` of things has a line a row however long where
 * there is no window, for whoever searches it. */
CHECKED enum status term_draw(struct app *app, const struct table *t, bool list, struct err *e);
/* The same; with --json, its rows for programs. */
CHECKED enum status term_table(struct app *app, const struct table *t, bool list, struct err *e);

/* What was found wrong with files, to app->err. */
void term_faults(struct app *app, const struct diags *d);

/* Differences that verify finds, to app->err: the first TERM_DIFFERENCES of them. */
enum { TERM_DIFFERENCES = 20 };
struct term_differences {
    struct app *app;
    int n;
};
void term_difference(void *user, const char *difference); /* user: a struct term_differences */

#endif
