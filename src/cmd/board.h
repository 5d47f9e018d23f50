/* board.h - a run that is about to be shown. */
#ifndef CMD_BOARD_H
#define CMD_BOARD_H

#include "cmd/cmd.h"

/* A run by its name, with its scores up to date. Scores are derived, so even a command that only
 * reads may write them. Where the database cannot be written, they are shown as they are, with a
 * warning on app->err. */
CHECKED enum status board_run(struct app *app, const char *name, struct run_row *out,
                              struct err *e);

#endif
