/* board.h - what board and report share. */
#ifndef CMD_BOARD_H
#define CMD_BOARD_H

#include "cmd/cmd.h"

/* A run by its name, with its scores up to date. They are derived, so that a command that only
 * reads may write them; where the database cannot be written they are shown as they are, and a line
 * on app->err says so. */
CHECKED enum status board_run(struct app *app, const char *name, struct run_row *out,
                              struct err *e);

#endif
