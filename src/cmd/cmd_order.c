/* Orders to workers: pause, resume, cancel, drain; and the list of workers. */
#include <time.h>

#include "base/message.h"
#include "cmd/cmd.h"
#include "cmd/term.h"
#include "eval/run.h"
#include "report/workers_table.h"
#include "store/store_work.h"

enum { EVICT_TRIES = 20 };

/* What a target can be besides a run. */
static const struct {
    const char *prefix;
    size_t n;
} kinds[] = {{"endpoint:", 9}, {"worker:", 7}};

/* "endpoint/NAME" or "worker/HOST:PID"; NULL: it is a run. */
static const char *subject_of(struct app *app, const char *target)
{
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (strncmp(target, kinds[i].prefix, kinds[i].n) == 0)
            return arena_printf(app->arena, "%.*s/%s", (int)kinds[i].n - 1, target,
                                target + kinds[i].n);
    return NULL;
}

/* With --json, print endpoint:player as {"endpoint":"player","state":"paused"}. False: without. */
static bool told(struct app *app, const char *target, const char *state)
{
    AUTO(json_freep) json_t *o = json_object();
    struct str name = str_of(target), kind;

    if (!app->common.json)
        return false;
    (void)str_part(&name, ':', &kind);
    json_put_str(o, arena_text(app->arena, kind), name);
    json_put_text(o, "state", state);
    fprintf(app->out, "%s\n", json_text(app->arena, o));
    return true;
}

static enum status worker_there(const char *name, const struct worker_list *l, struct err *e)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].name, name) == 0)
            return OK;
    return err_set(e, E_ABSENT, "there is no worker %s; list them with: audition workers", name);
}

static bool is_worker(const char *target)
{
    return strncmp(target, kinds[1].prefix, kinds[1].n) == 0;
}

static enum status hold(struct app *app, const char *target, bool drain, struct err *e)
{
    const struct held_row row = {subject_of(app, target), drain};
    struct worker_list l;
    bool known = true;

    if (is_worker(target) ? workers_shown(app->arena, app->store, &l, e) != OK ||
                                worker_there(target + kinds[1].n, &l, e) != OK
                          : held_known(app->store, target + kinds[0].n, &known, e) != OK)
        return e->code;
    if (!known)
        return err_set(e, E_ABSENT, "no run has a model or a judge called %s", target + kinds[0].n);
    if (held_put(app->store, &row, e) != OK)
        return e->code;
    if (told(app, target, drain ? "draining" : "paused"))
        return OK;
    fprintf(app->out,
            drain ? _("%s finishes what it has begun and stops; undo with: %s resume %s%s\n")
                  : _("%s is paused; undo with: %s resume %s%s\n"),
            target, app->self, target, app->where);
    return OK;
}

static enum status order(struct app *app, enum order o, struct err *e)
{
    struct run_row run;
    bool over;

    if (store_run_get(app->arena, app->store, app->args.v[0], &run, e) != OK ||
        run_order(app->arena, app->store, &run, o, &over, e) != OK)
        return e->code;
    if (over)
        return err_set(e, E_ABSENT, "run %s is already finished", run.name);
    if (told(app, arena_printf(app->arena, "run:%s", run.name), order_word(o)))
        return OK;
    fprintf(app->out,
            o == ORDER_PAUSED      ? _("run %s is paused; undo with: %s resume %s%s\n")
            : o == ORDER_CANCELLED ? _("run %s is cancelled; undo with: %s resume %s%s\n")
                                   : _("run %s waits for a worker; run it here with: %s run "
                                       "--resume %s%s\n"),
            run.name, app->self, run.name,
            o == ORDER_QUEUED ? arena_printf(app->arena, "%s%s", app->who, app->where)
                              : app->where);
    return OK;
}

static enum status pause_it(struct app *app, struct err *e)
{
    return subject_of(app, app->args.v[0]) ? hold(app, app->args.v[0], false, e)
                                           : order(app, ORDER_PAUSED, e);
}

static enum status cancel(struct app *app, struct err *e)
{
    return order(app, ORDER_CANCELLED, e);
}

static enum status drain(struct app *app, struct err *e)
{
    if (!is_worker(app->args.v[0]))
        return err_set(e, E_USAGE, "usage: audition drain worker:HOST:PID");
    return hold(app, app->args.v[0], true, e);
}

static enum status resume(struct app *app, struct err *e)
{
    const char *subject = subject_of(app, app->args.v[0]);
    bool was;

    if (subject) {
        if (held_drop(app->store, subject, &was, e) != OK)
            return e->code;
        if (!was)
            return err_set(e, E_ABSENT, "%s is not paused", app->args.v[0]);
        if (!told(app, app->args.v[0], "resumed"))
            fprintf(app->out, _("%s is resumed\n"), app->args.v[0]);
        return OK;
    }
    return order(app, ORDER_QUEUED, e);
}

const struct command cmd_pause_command = {
    .name = "pause",
    .need = STORE_CHANGE,
    .args = "RUN | endpoint:NAME | worker:HOST:PID",
    .summary = "pause a run, an endpoint or a worker",
    .nargs = {1, 1},
    .run = pause_it,
};

const struct command cmd_resume_command = {
    .name = "resume",
    .need = STORE_CHANGE,
    .args = "RUN | endpoint:NAME | worker:HOST:PID",
    .summary = "undo pause, cancel and drain; queue a run for workers",
    .nargs = {1, 1},
    .run = resume,
};

const struct command cmd_cancel_command = {
    .name = "cancel",
    .need = STORE_CHANGE,
    .args = "RUN",
    .summary = "stop work on a run; what is done stays",
    .nargs = {1, 1},
    .run = cancel,
};

const struct command cmd_drain_command = {
    .name = "drain",
    .need = STORE_CHANGE,
    .args = "worker:HOST:PID",
    .summary = "let a worker finish its current tasks, then stop it",
    .nargs = {1, 1},
    .run = drain,
};

/* ---- workers ---- */

/* A worker that stopped inside a transaction holds locks until the server ends its session, which
 * may take a minute: try again. */
static enum status take_away(struct app *app, int64_t worker, struct err *e)
{
    const struct timespec pause = {1, 0};

    for (int left = EVICT_TRIES; store_worker_evict(app->store, worker, e) != OK; left--) {
        if (e->code != E_BUSY || left == 0)
            return e->code;
        e->code = OK;
        (void)nanosleep(&pause, NULL);
    }
    return OK;
}

static enum status evict(struct app *app, const char *name, const struct worker_list *l,
                         struct err *e)
{
    if (worker_there(name, l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].name, name) == 0 && take_away(app, l->v[i].id, e) != OK)
            return e->code;
    if (!told(app, arena_printf(app->arena, "worker:%s", name), "evicted"))
        fprintf(app->out, _("the tasks of %s are free for other workers\n"), name);
    return OK;
}

static enum status show(struct app *app, const struct worker_list *l, struct err *e)
{
    if (l->n || app->common.json)
        return term_table(app, workers_table(app->arena, l, NULL), false, e);
    fprintf(app->out, _("no workers\n"));
    return OK;
}

static enum status workers(struct app *app, struct err *e)
{
    struct worker_list l;

    if (app->args.n == 1 || (app->args.n == 2 && strcmp(app->args.v[0], "evict") != 0))
        return err_set(e, E_USAGE, "usage: audition workers [evict HOST:PID]");
    if (workers_shown(app->arena, app->store, &l, e) != OK)
        return e->code;
    return app->args.n ? evict(app, app->args.v[1], &l, e) : show(app, &l, e);
}

const struct command cmd_workers_command = {
    .name = "workers",
    .need = STORE_CHANGE,
    .args = "[evict HOST:PID]",
    .summary = "list the worker processes",
    .nargs = {0, 2},
    .run = workers,
};
