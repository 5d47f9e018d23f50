/* patient.h - a database that is away for a moment is waited for, and why is said once.
 *
 * For what can be done again from its beginning:
 *     while (plan(app, e) != OK && patient_again(&p, e))
 *         ;
 */
#ifndef CMD_PATIENT_H
#define CMD_PATIENT_H

#include <signal.h>

#include "cmd/cmd.h"
#include "eval/run.h"

/* Begin with the first three. */
struct patient {
    struct app *app;
    int64_t wait_ms;
    const volatile sig_atomic_t *stop; /* the wait is over when it is not 0; may be NULL */
    struct store_patience so_far;
};

/* As store_again(), of app->store; where it ends because of `stop`, the failure is forgotten. */
bool patient_again(struct patient *p, struct err *e);
/* Open app->store, and forget orders to an earlier process of our number. It may be NULL where this
 * came back because of `stop`. */
CHECKED enum status patient_open(struct patient *p, enum db_mode mode, struct err *e);
/* run_work() on app->store, where what keeps it from beginning may pass. */
CHECKED enum status patient_work(struct app *app, const struct run_row *run,
                                 const struct run_options *o, struct run_outcome *out,
                                 struct err *e);

#endif
