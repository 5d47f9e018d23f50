/* refresh.h - brings a run up to date while somebody waits at the terminal.
 *
 * Searching training lines may take minutes: a progress line shows how far it has come, and Ctrl-C
 * ends it. Nothing is lost: answers and verdicts are in the store, and the next command that needs
 * scores searches again. */
#ifndef CMD_REFRESH_H
#define CMD_REFRESH_H

#include "cmd/cmd.h"
#include "suite/training.h"

/* Like derive_refresh(), which see. E_STOP: interrupted. */
CHECKED enum status refresh_run(struct app *app, struct store *s, struct run_row *run,
                                struct err *e);

/* A run by its name, with its scores up to date. Scores are derived, so even a command that only
 * reads may write them. Where the database cannot be written, they are shown as they are, with a
 * warning on app->err. */
CHECKED enum status refresh_find(struct app *app, const char *name, struct run_row *out,
                                 struct err *e);

/* The same watch for a command that searches for another reason; valid until it is closed. */
struct refresh;
struct refresh *refresh_open(struct app *app);
const struct training_watch *refresh_watch(struct refresh *r);
void refresh_close(struct refresh *r);

#endif
