/* term.h - writing results and tables to the terminal. */
#ifndef CMD_TERM_H
#define CMD_TERM_H

#include "base/diag.h"
#include "cmd/cmd.h"
#include "report/table.h"

enum { TERM_MAX = 64 << 20 }; /* the usual limit of what a command writes at once, in bytes */

int term_columns(FILE *to);         /* $COLUMNS, else the width of the window, else 80 */
size_t term_help_columns(FILE *to); /* the same, but at most HELP_COLUMNS */
/* How a board is drawn on app->out; `full`: every table. */
struct render_terminal term_board(const struct app *app, bool full);

/* Write a result to app->out: all of it, or E_INPUT if it did not fit into its buffer. */
CHECKED enum status term_put(struct app *app, const struct buf *out, struct err *e);
/* Draw a table for people, as wide as the window. Without a window each row of a `list` is one
 * line, however long, so that it can be searched. */
CHECKED enum status term_draw(struct app *app, const struct table *t, bool list, struct err *e);
/* The same, or with --json its rows for programs. */
CHECKED enum status term_table(struct app *app, const struct table *t, bool list, struct err *e);
/* Print JSON on a line of its own, and free it. Always OK. */
enum status term_json(struct app *app, json_t *json);
/* A text as a JSON string. One that is not UTF-8, perhaps the name of a file, is cleaned. */
json_t *term_text(struct app *app, const char *text);
/* Print {"file": path}, or tell people that the file was written. */
enum status term_wrote(struct app *app, const char *path);

/* Show what is wrong with files, on app->err. */
void term_faults(struct app *app, const struct diags *d);

/* Show the first TERM_DIFFERENCES differences that verify finds, on app->err. */
enum { TERM_DIFFERENCES = 20 };
struct term_differences {
    struct app *app;
    int n;
};
void term_difference(void *user, const char *difference); /* user: a struct term_differences */

#endif
