/* patient.h - waits for a database that is away for a moment, and says once why.
 *
 * For work that can be repeated from its beginning:
 *     while (plan(app, e) != OK && patient_again(&p, e))
 *         ;
 */
#ifndef CMD_PATIENT_H
#define CMD_PATIENT_H

#include <signal.h>

#include "cmd/cmd.h"
#include "eval/run.h"

/* Set the first three members. */
struct patient {
    struct app *app;
    int64_t wait_ms;
    const volatile sig_atomic_t *stop; /* not 0: stop waiting; may be NULL */
    struct store_patience so_far;
};

/* Like store_again(), for app->store. If `stop` ends the wait, the failure is forgotten. */
bool patient_again(struct patient *p, struct err *e);
/* Open app->store, and drop orders to an earlier process with our process id. After `stop` this
 * returns OK, and app->store may be NULL. */
CHECKED enum status patient_open(struct patient *p, enum db_mode mode, struct err *e);
/* run_work() on app->store, repeated while the database keeps it from beginning. */
CHECKED enum status patient_work(struct app *app, const struct run_row *run,
                                 const struct run_options *o, struct run_outcome *out,
                                 struct err *e);

#endif
