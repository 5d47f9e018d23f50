#include "cmd/board.h"

#include "base/message.h"
#include "cmd/refresh.h"
#include "panel/outcome.h"

static enum status refresh(struct app *app, struct run_row *run, struct err *e)
{
    AUTO(store_closep) struct store *s = NULL;

    return store_open(&s, app->common.db, DB_CHANGE, e) == OK ? refresh_run(app, s, run, e)
                                                              : e->code;
}

enum status board_run(struct app *app, const char *name, struct run_row *out, struct err *e)
{
    struct run_row run;
    struct err why = {0};
    bool people;

    if (store_run_get(app->arena, app->store, name, &run, e) != OK ||
        outcome_stale_run(app->store, run.id, CAMPAIGN_OPEN, &people, e) != OK)
        return e->code;
    if ((run.stale || people) && refresh(app, &run, &why) != OK) {
        if (why.code == E_STOP)
            return err_set(e, E_STOP, "%s", why.msg);
        fprintf(app->err, _("warning: the scores of run %s are older than its verdicts: %s\n"),
                run.name, message_show(app->arena, NULL, why.msg));
        run.stale = false; /* or the caller would try again with its read-only handle */
    }
    *out = run;
    return OK;
}
