#include "cmd/patient.h"

#include "base/message.h"

bool patient_again(struct patient *p, struct err *e)
{
    struct app *app = p->app;

    if (e->code == E_BUSY && !p->so_far.until_ms && p->wait_ms > 0)
        fprintf(app->err, _("%s; waiting for it\n"), e->msg);
    if (!store_again(app->store, p->wait_ms, &p->so_far, e))
        return false;
    return !(p->stop && *p->stop);
}

enum status patient_open(struct patient *p, enum db_mode mode, struct err *e)
{
    struct app *app = p->app;
    enum status st;

    while ((st = store_open(&app->store, app->common.db, mode, e)) != OK && patient_again(p, e))
        ;
    return st == E_BUSY && p->stop && *p->stop ? OK : st;
}
