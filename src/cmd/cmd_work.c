/* A worker: works on whatever is queued, the most urgent run first. */
#include <time.h>

#include "base/clock.h"
#include "base/message.h"
#include "cmd/drive.h"
#include "cmd/interrupt.h"
#include "cmd/patient.h"
#include "cmd/refresh.h"
#include "cmd/term.h"
#include "eval/run.h"
#include "store/store_order.h"
#include "store/store_work.h"

enum { LOOK_MS = 1000, LATER_MS = 30000 };

struct work_values {
    int64_t jobs, max_retries, store_wait;
    const char *endpoint_wait;
    bool once, own_family;
};

/* Runs to be tried again later: an endpoint was away, or they need a newer program. */
struct later {
    struct later_run {
        int64_t run, until_ms;
    } * v;
    size_t n, cap;
};

/* The index of a run, or l->n. */
static size_t later_at(const struct later *l, int64_t run)
{
    size_t i = 0;

    while (i < l->n && l->v[i].run != run)
        i++;
    return i;
}

static bool is_later(const struct later *l, int64_t run, int64_t now_ms)
{
    size_t i = later_at(l, run);

    return i < l->n && l->v[i].until_ms > now_ms;
}

static void put_later(struct later *l, int64_t run)
{
    size_t i = later_at(l, run);

    if (i == l->n)
        l->v = mem_grow(l->v, &l->cap, ++l->n, sizeof *l->v);
    l->v[i] = (struct later_run){run, clock_mono_ms() + LATER_MS};
}

struct worker {
    struct app *app;
    const struct work_values *v;
    int64_t endpoint_wait_ms;
    const volatile sig_atomic_t *stop;
    bool worked;  /* on any run */
    bool stopped; /* a signal came; kept because scoring has its own watch, which begins at 0 */
    struct later later;
    struct buf told; /* what it waits for, as last printed; empty: it does not wait */
};

/* Print why it waits, once until the reason changes. */
static void tell_waiting(struct worker *w, const char *why)
{
    const struct app *app = w->app;

    if (str_is(buf_str(&w->told), why))
        return;
    buf_clear(&w->told);
    buf_text(&w->told, why);
    if (*why && !app->common.quiet)
        fprintf(app->err, _("waiting: %s\n"), why);
}

/* A run_report. Only waits for people are printed; all others end by themselves. */
static void report(void *user, const struct run_progress *p)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    tell_waiting(user, p->waiting && p->held ? message_show(a, NULL, p->waiting) : "");
}

/* Why there is nothing to do. */
static const char *idle(const struct worker *w, const struct held_row *held, bool later)
{
    const struct app *app = w->app;

    if (held)
        return arena_printf(app->arena,
                            _("this worker is paused; undo with: %s resume worker:%s%s"), app->self,
                            held->subject + strlen("worker/"), app->where);
    if (later)
        return _("the queued runs cannot continue; retrying every 30 seconds");
    return arena_printf(app->arena,
                        _("no run is queued; to queue a paused run again: %s resume RUN%s"),
                        app->self, app->where);
}

/* Leave a run that we cannot begin to other machines, which may have the missing key, file or
 * program. A failure of the database concerns all runs and is returned. */
static enum status leave(struct worker *w, const struct run_row *run, struct err *e)
{
    const struct app *app = w->app;

    if (e->code == E_BUSY || e->code == E_FULL || e->code == E_STORE || e->code == E_STOP)
        return e->code;
    if (!is_later(&w->later, run->id, 0)) /* said before */
        fprintf(app->err, _("run %s: %s; left to others\n"), run->name,
                message_show(app->arena, NULL, e->msg));
    put_later(&w->later, run->id);
    *e = (struct err){0};
    return OK;
}

/* Ignore that a run was removed while we worked on it: the others still need us. */
static enum status unless_removed(struct worker *w, const struct run_row *run, struct err *e)
{
    const struct app *app = w->app;

    if (e->code != E_ABSENT)
        return e->code;
    if (run) { /* NULL: it was gone before we began */
        fprintf(app->err, "%s: %s\n", run->name, message_show(app->arena, NULL, e->msg));
        put_later(&w->later, run->id);
    }
    *e = (struct err){0};
    return OK;
}

/* What was done on a run, and why it ended: `why`, in English. */
static void print_run(struct app *app, const struct run_row *run, const struct run_progress *p,
                      const char *why)
{
    if (app->common.json)
        (void)term_json(app,
                        json_pack("{s:s, s:I, s:I, s:o}", "run", run->name, "samples",
                                  (json_int_t)p->samples.done, "verdicts",
                                  (json_int_t)p->verdicts.done, "message", term_text(app, why)));
    else
        fprintf(app->out, _("run %s: %lld answer%s, %lld verdict%s; %s\n"), run->name,
                (long long)p->samples.done, message_s(p->samples.done), (long long)p->verdicts.done,
                message_s(p->verdicts.done), message_show(app->arena, NULL, why));
    (void)fflush(app->out);
}

static enum status close_run(struct worker *w, struct run_row *run, const struct run_orders *orders,
                             const struct run_outcome *o, struct err *e)
{
    struct app *app = w->app;
    struct patient patient = {app, w->v->store_wait * 1000, w->stop, {0}};
    struct run_left left = {0};
    bool done;

    if (store_run_left(app->store, run->id, &left, e) != OK)
        return e->code;
    done = !left.samples && !left.verdicts;
    print_run(app, run, &o->progress,
              done         ? N_("done")
              : o->halted  ? o->halted
              : o->ordered ? o->ordered
              : o->budget_reached
                  ? arena_printf(app->arena,
                                 N_("the budget is used up; raise it with: %s run --resume %s "
                                    "--detach --budget AMOUNT%s"),
                                 app->self, run->name, app->where)
                  : N_("unfinished"));
    tell_waiting(w, "");
    if (!done) {
        if (!o->ordered)
            put_later(&w->later, run->id);
        return OK;
    }
    if (store_run_by_id(app->arena, app->store, run->id, run, e) != OK)
        return e->code;
    w->stopped |= *w->stop != 0;
    while (refresh_run(app, app->store, run, e) != OK && patient_again(&patient, e))
        ;
    if (e->code == E_STOP) {
        w->stopped = true;
        return e->code = OK;
    }
    /* Last of all, so that another worker scores a run whose scoring was cut short. */
    return e->code == OK ? order_done(app->store, run->id, orders, e) : leave(w, run, e);
}

/* The most urgent run that is not put off at time `now`; 0: none. *later: some run is queued. */
static enum status choose(struct arena *a, struct worker *w, int64_t now, int64_t *run, bool *later,
                          struct err *e)
{
    struct order_ids ids;

    *run = 0;
    if (order_next(a, w->app->store, &ids, e) != OK)
        return e->code;
    for (size_t i = 0; i < ids.n && !*run; i++)
        if (!is_later(&w->later, ids.v[i], now))
            *run = ids.v[i];
    *later = ids.n > 0;
    return OK;
}

/* Was a more urgent run queued? One that was ever put off does not interrupt others. */
static bool outranked(void *user, const struct run_orders *run)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct worker *w = user;
    struct run_orders first;
    struct err ignored = {0};
    bool later;
    int64_t id;

    return choose(a, w, 0, &id, &later, &ignored) == OK && id &&
           order_get(w->app->store, id, &first, &ignored) == OK && first.priority > run->priority;
}

static enum status work_on(struct worker *w, int64_t id, struct err *e)
{
    struct app *app = w->app;
    struct run_outcome outcome = {.begun = true};
    struct run_orders orders;
    struct run_row run;

    if (store_run_by_id(app->arena, app->store, id, &run, e) != OK ||
        order_get(app->store, id, &orders, e) != OK)
        return unless_removed(w, NULL, e);
    if (orders.needs > RUN_KNOWS) {
        put_later(&w->later, id);
        fprintf(app->err, _("run %s needs a newer version of this program; left to others\n"),
                run.name);
        return OK;
    }
    w->worked = true;
    if (store_run_touch(app->store, id, e) != OK ||
        run_work(app->arena, app->store, &run,
                 &(struct run_options){
                     .jobs = (int)w->v->jobs,
                     .max_retries = (int)w->v->max_retries,
                     .budget_usd = orders.budget_usd,
                     .budget_tokens = orders.budget_tokens,
                     .store_wait_ms = w->v->store_wait * 1000,
                     .endpoint_wait_ms = w->endpoint_wait_ms,
                     .own_family = w->v->own_family,
                     .queued = true,
                     .stop = w->stop,
                     .outranked = outranked,
                     .report = report,
                     .user = w,
                 },
                 &outcome, e) != OK)
        return outcome.begun ? unless_removed(w, &run, e) : leave(w, &run, e);
    return close_run(w, &run, &orders, &outcome, e) == OK ? OK : unless_removed(w, &run, e);
}

/* Wait a moment. The heartbeat keeps a waiting worker on the list of workers. */
static enum status wait_here(struct worker *w, struct err *e)
{
    const struct timespec pause = {LOOK_MS / 1000, LOOK_MS % 1000 * 1000000L};
    struct store *s = w->app->store;
    bool lost;

    s->run = 0;
    if ((s->worker ? store_worker_beat(s, &lost, e) : store_worker_start(s, e)) != OK)
        return e->code;
    (void)nanosleep(&pause, NULL);
    return OK;
}

/* Work on one run, or wait a second for one. *over: the worker may end. */
static enum status work_once(struct worker *w, bool *over, struct err *e)
{
    const struct held_row *held;
    struct held_list orders;
    bool later = false;
    int64_t run = 0;

    if (held_list(w->app->arena, w->app->store, &orders, e) != OK)
        return e->code;
    held = held_find(&orders, held_self(w->app->arena)); /* an order to this process */
    if (!held && choose(w->app->arena, w, clock_mono_ms(), &run, &later, e) != OK)
        return e->code;
    if (run)
        return work_on(w, run, e);
    *over = held ? held->drain : w->v->once;
    if (*over && !held && !later && !w->worked && !w->app->common.quiet)
        fprintf(w->app->err, "%s\n", idle(w, held, later));
    if (*over)
        return OK;
    tell_waiting(w, idle(w, held, later));
    return wait_here(w, e);
}

static enum status work_loop(struct worker *w, struct err *e)
{
    struct app *app = w->app;
    struct arena *whole = app->arena;
    struct patient patient = {app, w->v->store_wait * 1000, w->stop, {0}};
    bool over = false;

    while (!over && !*w->stop && !w->stopped) {
        AUTO(arena_freep) struct arena *a = arena_new();
        app->arena = a;
        if (work_once(w, &over, e) == OK)
            patient.so_far = (struct store_patience){0};
        else if (!patient_again(&patient, e))
            break;
    }
    app->arena = whole;
    return e->code;
}

static enum status work(struct app *app, struct err *e)
{
    struct interrupt watched;
    struct worker w = {.app = app, .v = app->values, .told = BUF_MAX(SIZE_MAX / 2)};
    struct patient patient = {app, w.v->store_wait * 1000, NULL, {0}};
    struct err ignored = {0};
    enum status st;

    if (drive_wait_read(w.v->endpoint_wait, &w.endpoint_wait_ms, e) != OK)
        return e->code;
    drive_make_room(app, w.v->jobs);
    patient.stop = w.stop = interrupt_watch(&watched);
    /* A machine may start before the database does, and the database may go again at once. */
    st = patient_open(&patient, DB_CHANGE, e);
    if (st == OK && app->store)
        st = work_loop(&w, e);
    if (app->store && app->store->worker && store_worker_end(app->store, &ignored) == OK)
        app->store->worker = 0;
    if (*w.stop || w.stopped)
        app->exit = EXIT_STOPPED;
    interrupt_unwatch(&watched);
    free(w.later.v);
    buf_done(&w.told);
    return st;
}

#define AT(member) offsetof(struct work_values, member)

const struct command cmd_work_command = {
    .name = "work",
    .need = NO_STORE, /* opened by patient_open(), which waits */
    .args = "[--once]",
    .summary = "work on queued runs, from any number of machines",
    /* clang-format off */
    .opts = OPTS(
        {"once",            0,   OPT_FLAG,  AT(once),        NULL,      "end when nothing is queued [wait for more]", 0, 0},
        {"max-concurrency", 'j', OPT_COUNT, AT(jobs),        "N",       "maximum number of concurrent requests [64]", 1, 10000},
        {"max-retries",     0,   OPT_COUNT, AT(max_retries), "N",       "retries per request, not counting rate limits [8]", 0, 1000},
        {"own-family",      0,   OPT_FLAG,  AT(own_family),  NULL,      "let judges judge models of their own family", 0, 0},
        {"wait-for-endpoint", 0, OPT_TEXT,  AT(endpoint_wait), "TIME",  "how long to wait for a model server that is starting: 90s, 10m, 1h [a few tries]", 0, 0},
        {"store-wait",      0,   OPT_COUNT, AT(store_wait),  "SECONDS", "how long to wait for a database that refuses writes [300]", 0, 86400}),
    /* clang-format on */
    .size = sizeof(struct work_values),
    .defaults = &(const struct work_values){.jobs = 64, .max_retries = 8, .store_wait = 300},
    .run = work,
};
