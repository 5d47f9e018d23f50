/* term.h - what can be drawn on the terminal. */
#ifndef CMD_TERM_H
#define CMD_TERM_H

#include "cmd/cmd.h"
#include "report/report.h"

int term_columns(FILE *to); /* of its window; 80 where there is none */
/* How a board goes to app->out; `full`: every table. */
struct render_terminal term_board(const struct app *app, bool full);

#endif
