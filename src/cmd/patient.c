#include "cmd/patient.h"

#include "base/message.h"
#include "store/store_order.h"

bool patient_again(struct patient *p, struct err *e)
{
    struct app *app = p->app;

    if ((e->code == E_BUSY || e->code == E_FULL) && !p->so_far.until_ms && p->wait_ms > 0)
        fprintf(app->err, _("%s; waiting for it\n"), e->msg);
    if (!store_again(app->store, p->wait_ms, &p->so_far, e))
        return false;
    return !(p->stop && *p->stop);
}

static enum status arrive(struct app *app, enum db_mode mode, struct err *e)
{
    if (!app->store && store_open(&app->store, app->common.db, mode, e) != OK)
        return e->code;
    return held_forget(app->arena, app->store, e);
}

enum status patient_open(struct patient *p, enum db_mode mode, struct err *e)
{
    enum status st;

    while ((st = arrive(p->app, mode, e)) != OK && patient_again(p, e))
        ;
    return st == OK ? OK : e->code; /* store_open() may have waited, and left why in e */
}

enum status patient_work(struct app *app, const struct run_row *run, const struct run_options *o,
                         struct run_outcome *out, struct err *e)
{
    struct patient p = {app, o->store_wait_ms, o->stop, {0}};
    enum status st;

    while ((st = run_work(app->arena, app->store, run, o, out, e)) != OK && !out->begun &&
           patient_again(&p, e))
        ;
    if (!out->begun) /* the signal may have come while we waited */
        out->interrupted = o->stop && *o->stop;
    return st == OK ? OK : e->code; /* OK after `stop`, see patient_again() */
}
