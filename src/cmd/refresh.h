/* refresh.h - a run brought up to date, with somebody at the terminal.
 *
 * Searching training lines may take minutes: the progress line shows how far it has come, and
 * Ctrl-C ends it. Nothing is lost by that: answers and verdicts are in the store, and the next look
 * searches again. */
#ifndef CMD_REFRESH_H
#define CMD_REFRESH_H

#include "cmd/cmd.h"
#include "suite/training.h"

/* As derive_refresh(), which see. E_STOP: interrupted. */
CHECKED enum status refresh_run(struct app *app, struct store *s, struct run_row *run,
                                struct err *e);

/* While a command searches for another reason: a watch that is valid until it is closed. */
struct refresh;
struct refresh *refresh_open(struct app *app);
const struct training_watch *refresh_watch(struct refresh *r);
void refresh_close(struct refresh *r);

#endif
