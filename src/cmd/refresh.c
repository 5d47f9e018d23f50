#include "cmd/refresh.h"

#include "base/clock.h"
#include "base/message.h"
#include "cmd/interrupt.h"
#include "cmd/progress.h"
#include "eval/derive.h"
#include "panel/outcome.h"

enum { SHOW_MS = 100 };

struct refresh {
    struct interrupt watched;
    const volatile sig_atomic_t *asked; /* NULL: nothing is being searched */
    struct progress progress;
    struct training_watch watch;
    int64_t begun_ms, shown_ms;
};

/* End the watch; true: an interruption was asked for. Only a search looks at it, so everything else
 * keeps the usual Ctrl-C. */
static bool let_go(struct refresh *r)
{
    bool asked = r->asked && *r->asked;

    if (r->asked)
        interrupt_unwatch(&r->watched);
    r->asked = NULL;
    return asked;
}

static bool tell(void *user, const struct training_progress *now)
{
    struct refresh *r = user;
    int64_t ms = clock_mono_ms() - r->begun_ms;

    if (!now)
        return !let_go(r);
    if (!r->asked)
        r->asked = interrupt_watch(&r->watched);
    if (*r->asked)
        return false;
    if (ms - r->shown_ms >= SHOW_MS) {
        r->shown_ms = ms;
        progress_search(&r->progress, now, ms);
    }
    return true;
}

struct refresh *refresh_open(struct app *app)
{
    struct refresh *r = NEW(app->arena, struct refresh);

    progress_init(&r->progress, app, _("training"), NULL);
    r->watch = (struct training_watch){tell, r};
    r->begun_ms = clock_mono_ms();
    return r;
}

const struct training_watch *refresh_watch(struct refresh *r)
{
    return &r->watch;
}

void refresh_close(struct refresh *r)
{
    progress_done(&r->progress);
    (void)let_go(r);
}

enum status refresh_run(struct app *app, struct store *s, struct run_row *run, struct err *e)
{
    struct refresh *r;
    enum status st;

    if (outcome_refresh_run(s, run, CAMPAIGN_OPEN, e) != OK)
        return e->code;
    if (!run->stale)
        return OK;
    r = refresh_open(app);
    progress_say(&r->progress, _("scoring ..."));
    st = derive_refresh_watched(s, run, refresh_watch(r), e);
    refresh_close(r);
    return st;
}

/* With a handle of its own, because that of the command may only read. */
static enum status refresh_stored(struct app *app, struct run_row *run, struct err *e)
{
    AUTO(store_closep) struct store *s = NULL;

    return store_open(&s, app->common.db, DB_CHANGE, e) == OK ? refresh_run(app, s, run, e)
                                                              : e->code;
}

enum status refresh_find(struct app *app, const char *name, struct run_row *out, struct err *e)
{
    struct run_row run;
    struct err why = {0};
    bool people;

    if (store_run_get(app->arena, app->store, name, &run, e) != OK ||
        outcome_stale_run(app->store, run.id, CAMPAIGN_OPEN, &people, e) != OK)
        return e->code;
    if ((run.stale || people) && refresh_stored(app, &run, &why) != OK) {
        if (why.code == E_STOP)
            return err_set(e, E_STOP, "%s", why.msg);
        fprintf(app->err, _("warning: the scores of run %s are older than its verdicts: %s\n"),
                run.name, message_show(app->arena, NULL, why.msg));
        run.stale = false; /* or the caller would try again with its read-only handle */
    }
    *out = run;
    return OK;
}
