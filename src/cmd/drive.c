#include "cmd/drive.h"

#include <math.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/message.h"
#include "cmd/closing.h"
#include "cmd/interrupt.h"
#include "cmd/patient.h"
#include "cmd/progress.h"
#include "cmd/refresh.h"
#include "cmd/until.h"
#include "eval/judge_objective.h"
#include "eval/plan.h"
#include "store/store_order.h"
#include "store/store_pair.h"
#include "store/store_work.h"

/* ---- options ---- */

enum status drive_budget_read(const char *text, struct drive_budget *out, struct err *e)
{
    static const struct {
        const char *unit;
        bool tokens;
    } units[] = {{"usd", false}, {"USD", false}, {"$", false}, {"tok", true}, {"tokens", true}};
    struct str s = str_of(text);
    double amount;

    *out = (struct drive_budget){.usd = NAN};
    if (!text)
        return OK;
    for (size_t i = 0; i < COUNT(units); i++) {
        struct str unit = str_of(units[i].unit);
        if (!str_ends(s, unit) || !str_double(str_trim((struct str){s.p, s.n - unit.n}), &amount))
            continue;
        if (!(amount > 0 && amount < 1e15) || (units[i].tokens && amount < 1))
            break;
        if (units[i].tokens)
            out->tokens = (int64_t)amount;
        else
            out->usd = amount;
        return OK;
    }
    return err_set(e, E_USAGE, "--budget: \"%s\" is not an amount; write 5usd or 200000tok", text);
}

enum status drive_wait_read(const char *text, int64_t *ms, struct err *e)
{
    static const struct {
        char unit;
        double ms;
    } units[] = {{'s', 1e3}, {'m', 6e4}, {'h', 3.6e6}};
    struct str s = str_of(text);
    double amount;

    *ms = 0;
    if (!text)
        return OK;
    for (size_t i = 0; i < COUNT(units); i++)
        if (s.n > 1 && s.p[s.n - 1] == units[i].unit &&
            str_double((struct str){s.p, s.n - 1}, &amount) && amount >= 0 && amount <= 1e4) {
            *ms = (int64_t)(amount * units[i].ms);
            return OK;
        }
    return err_set(e, E_USAGE,
                   "--wait-for-endpoint: \"%s\" is not a duration; write 90s, 10m or 1h", text);
}

enum status drive_judges_find(struct app *app, const struct drive_values *v, const struct roster *r,
                              struct drive_judges *out, struct diags *d, struct err *e)
{
    struct template *t = NEW(app->arena, struct template);

    out->n = v->judges.n;
    out->template = NULL;
    if (suite_args_find(app, r, "judge", &v->judges, &out->v, d, e) != OK)
        return e->code;
    if (!v->judge_template)
        return OK;
    if (out->n == 0)
        return err_set(e, E_USAGE, "--judge-template needs --judge");
    if (suite_template(app->arena, v->judge_template, NULL, (struct place){0}, t, d)) {
        suite_check_judge(t, (struct place){0}, d);
        out->template = t;
    }
    return OK;
}

enum status drive_goal_fits(const struct drive_values *v, const struct suite *suite, struct err *e)
{
    if (v->until && suite->instrument.kind == INSTRUMENT_PAIR)
        return err_set(e, E_USAGE, "--until is for marks; battles are chosen with --target-rd");
    if (v->until && suite->score.kind == SCORE_TOTALS)
        return err_set(e, E_USAGE,
                       "--until is for means and sums; the interval of a total grows "
                       "with every item");
    if ((v->budget_battles < 0 && v->target_rd < 0) || suite->instrument.kind == INSTRUMENT_PAIR)
        return OK;
    return err_set(e, E_USAGE, "--%s is for pairwise suites (instrument: {kind: pair})",
                   v->budget_battles < 0 ? "target-rd" : "budget-battles");
}

enum { OTHER_FILES = 40 }; /* libraries, the database, the terminal */

void drive_make_room(struct app *app, int64_t jobs)
{
    rlim_t want = (rlim_t)jobs + (rlim_t)jobs / 16 + OTHER_FILES; /* libcurl's own: see http.c */
    struct rlimit r;

    if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur >= want)
        return;
    r.rlim_cur = r.rlim_max < want ? r.rlim_max : want;
    (void)setrlimit(RLIMIT_NOFILE, &r);
    if (r.rlim_cur < want)
        fprintf(app->err,
                _("only %llu files may be open at once (ulimit -n), too few for %lld requests in "
                  "flight; raise the limit or use a smaller -j\n"),
                (unsigned long long)r.rlim_cur, (long long)jobs);
}

/* ---- the run ---- */

/* A command on its way through a run. */
struct drive {
    struct app *app;
    const struct drive_job *job;
    const struct drive_values *v;
    const char *panel;          /* see find_panel() */
    const struct jury *jury;    /* who is asked to judge; NULL: all judges of the run */
    const struct jury *counted; /* whose verdicts are counted at the end; NULL: all */
    struct report_take take;    /* ... and whose scores are shown */
    struct drive_budget budget;
    struct run_counts before;
    struct closing closing;
    struct patient patient; /* reset after each phase that reached the database */
};

/* Repeat a step from its beginning while the database is away. */
static enum status patiently(struct drive *d, enum status (*step)(struct drive *d, struct err *e),
                             struct err *e)
{
    enum status st;

    while ((st = step(d, e)) != OK && patient_again(&d->patient, e))
        ;
    return st;
}

static const char **names_of(const struct drive *d)
{
    const struct drive_judges *judges = d->job->judges;
    const char **names = NEW_N(d->app->arena, const char *, judges->n + 1);

    for (size_t i = 0; i < judges->n; i++)
        names[i] =
            plan_judge_name(d->app->arena, &(struct plan_judge){.judge = judges->v[i],
                                                                .template = judges->template});
    return names;
}

/* Where the judges of this command sit. Those of a run that nobody has judged are its panel, as are
 * those who join it; others that are not known together form a panel of their own. NULL: all of
 * them sit already. A judge that was dropped keeps its seat, or it would come back to a panel with
 * somebody else on it. Found before any judge is seated, which would change the answer. */
static enum status find_panel(struct drive *d, struct err *e)
{
    const char **names = names_of(d);
    size_t n = d->job->judges->n;
    struct jury_list l;

    if (jury_panels(d->app->arena, d->app->store, d->job->run->id, &l, e) != OK)
        return e->code;
    if (l.v[0].members.n == 0 || d->v->panel)
        d->panel = "";
    else
        d->panel = jury_of(&l, names, n) ? NULL : jury_name(d->app->arena, names, n);
    return OK;
}

/* Who is asked to judge: the judges that the command names, and with --panel those they joined. A
 * run that is resumed by its name goes on with all its judges. A command that names no judge shows
 * what was judged before, and ends as that did. */
static enum status find_jury(struct drive *d, struct err *e)
{
    static const struct jury nobody = {.key = "-", .name = ""};
    size_t n = d->job->judges->n;
    const struct jury *named;
    struct jury_list l;

    d->jury = d->v->resume ? NULL : &nobody;
    d->counted = NULL;
    if (n == 0)
        return OK;
    if (jury_list(d->app->arena, d->app->store, d->job->run->id, &l, e) != OK)
        return e->code;
    named = jury_of(&l, names_of(d), n);
    d->jury = d->v->panel || !named ? &l.v[0] : named;
    d->counted = d->jury->members.n ? d->jury : NULL;
    d->take.judge = d->counted ? d->counted->name : NULL;
    return OK;
}

static enum status add_judges(const struct drive *d, struct err *e)
{
    const struct drive_job *job = d->job;
    struct diags faults;

    diags_init(&faults, d->app->arena);
    if (job->judges->template)
        suite_check_slots(job->suite, job->judges->template, (struct place){0}, &faults);
    if (faults.errors)
        return err_set(e, E_INPUT, "%s", faults.first->msg);
    for (size_t i = 0; i < job->judges->n; i++) {
        const struct plan_judge j = {
            .panel = d->panel,
            .judge = job->judges->v[i],
            .template = job->judges->template,
            .repeats = (int)d->v->judge_repeat,
        };
        if (j.judge->kind == ENDPOINT_OBJECTIVE &&
            judge_objective_fits(j.judge, job->suite, e) != OK)
            return e->code;
        if (plan_judge(d->app->arena, d->app->store, job->run, job->suite, &j, e) != OK)
            return e->code;
    }
    return OK;
}

/* Store how battles are chosen, if the options say so; otherwise the earlier choice stays. */
static enum status set_goal(const struct drive *d, struct err *e)
{
    const struct drive_values *v = d->v;
    const struct pair_goal goal = {v->budget_battles > 0 ? v->budget_battles : 0,
                                   v->target_rd > 0 ? v->target_rd : 0};
    struct store *s = d->app->store;
    int64_t run = d->job->run->id;

    if (v->budget_battles < 0 && v->target_rd < 0)
        return OK;
    return store_atomically(
        s, e, store_pair_goal_set(s, run, &goal, e) == OK ? store_run_stale(s, run, e) : e->code);
}

/* The budget of this command, else the one that the run was queued with. */
static enum status find_budget(struct drive *d, struct err *e)
{
    struct run_orders queued;

    if (drive_budget_read(d->v->budget, &d->budget, e) != OK || d->v->budget)
        return e->code;
    if (order_get(d->app->store, d->job->run->id, &queued, e) != OK)
        return e->code;
    d->budget = (struct drive_budget){queued.budget_usd, queued.budget_tokens};
    return OK;
}

static enum status plan_again(const struct drive *d, struct err *e)
{
    struct store *s = d->app->store;
    int64_t samples, verdicts;

    return store_atomically(s, e, store_plan_again(s, d->job->run->id, &samples, &verdicts, e));
}

/* Everything before the first request; may be repeated. */
static enum status prepare(struct drive *d, struct err *e)
{
    if (drive_goal_fits(d->v, d->job->suite, e) != OK ||
        store_run_touch(d->app->store, d->job->run->id, e) != OK ||
        annotate_run(d->app, d->job->run, &d->v->about, e) != OK || set_goal(d, e) != OK ||
        add_judges(d, e) != OK || find_jury(d, e) != OK || find_budget(d, e) != OK)
        return e->code;
    return d->v->retry_failed ? plan_again(d, e) : OK;
}

/* Count what exists before, and print who will be asked. */
static enum status announce(struct drive *d, struct err *e)
{
    const struct drive_job *job = d->job;
    const struct closing_asked asked = {job->run, job->suite, d->jury, job->judge_only,
                                        d->v->own_family};

    if (store_run_counts(d->app->store, job->run, 1, d->counted, &d->before, e) != OK)
        return e->code;
    return d->app->common.quiet ? OK : closing_header(d->app, &asked, e);
}

static enum status work(struct drive *d, struct err *e)
{
    const struct drive_values *v = d->v;
    const struct drive_job *job = d->job;
    int64_t endpoint_wait_ms;
    const volatile sig_atomic_t *stop;
    struct interrupt watched;
    struct progress shown;
    enum status st;

    if (drive_wait_read(v->endpoint_wait, &endpoint_wait_ms, e) != OK)
        return e->code;
    drive_make_room(d->app, v->jobs);
    stop = interrupt_watch(&watched);
    progress_init(&shown, d->app, _("samples"), stop);
    shown.turns =
        job->suite->elicit.kind != ELICIT_SINGLE && job->suite->elicit.kind != ELICIT_CONTINUE;
    st = patient_work(d->app, job->run,
                      &(struct run_options){
                          .jobs = (int)v->jobs,
                          .max_retries = (int)v->max_retries,
                          .timeout_ms = (int64_t)(v->timeout * 1000),
                          .budget_usd = d->budget.usd,
                          .budget_tokens = d->budget.tokens,
                          .store_wait_ms = v->store_wait * 1000,
                          .endpoint_wait_ms = endpoint_wait_ms,
                          .own_family = v->own_family,
                          .judge_only = job->judge_only,
                          .jury = d->jury,
                          .stop = stop,
                          .post = job->post,
                          .post_user = job->post_user,
                          .report = progress_report,
                          .user = &shown,
                      },
                      &d->closing.outcome, e);
    interrupt_unwatch(&watched);
    progress_done(&shown);
    return st;
}

/* Bring the scores up to date. A user who interrupts the search of the training lines is still told
 * how the run ended, with the scores of before; it is not searched a second time. */
static enum status refresh(struct drive *d, struct err *e)
{
    struct run_row *run = d->job->run;
    enum status st;

    run->stale = run->stale && !d->closing.unsearched;
    while ((st = refresh_run(d->app, d->app->store, run, e)) != OK && patient_again(&d->patient, e))
        ;
    if (st != E_STOP)
        return st;
    d->closing.unsearched = arena_text(d->app->arena, str_of(e->msg));
    run->stale = false;
    *e = (struct err){0};
    return OK;
}

/* Add what was done before to what the last turn has done. */
static void add_up(struct run_progress *sum, const struct run_progress *before)
{
    sum->requests += before->requests;
    sum->retries += before->retries;
    sum->throttled += before->throttled;
    sum->cached += before->cached;
    sum->turns += before->turns;
    sum->tokens_in += before->tokens_in;
    sum->tokens_out += before->tokens_out;
    sum->elapsed_ms += before->elapsed_ms;
}

/* A turn for each batch of items, until every interval is narrow enough or none is left. */
static enum status work_until(struct drive *d, struct err *e)
{
    struct run_outcome *out = &d->closing.outcome;
    struct run_row *run = d->job->run;
    struct until u = {.widest = NAN};
    struct run_progress before;
    struct report r;

    if (until_read(d->v->until, &u.half, e) != OK)
        return e->code;
    do {
        before = out->progress;
        if (until_open(d->app, run, &u, e) != OK || work(d, e) != OK ||
            store_run_by_id(d->app->arena, d->app->store, run->id, run, e) != OK ||
            refresh(d, e) != OK ||
            report_build(d->app->arena, d->app->store, run, d->take, &r, e) != OK ||
            until_count(d->app, run, &u, e) != OK)
            return e->code;
        d->patient.so_far = (struct store_patience){0};
        add_up(&out->progress, &before);
        if (out->interrupted || out->ordered || out->budget_reached || out->halted ||
            d->closing.unsearched)
            break;
        until_look(&r, &u);
    } while (!u.reached && u.open < u.all);
    if (!out->interrupted && !d->closing.unsearched)
        until_tell(d->app, &u);
    return OK;
}

/* Leave the run to workers: see cmd_work.c. */
static enum status queue_run(const struct drive *d, struct err *e)
{
    const struct app *app = d->app;
    const struct run_row *run = d->job->run;
    struct run_orders orders;

    if (order_get(app->store, run->id, &orders, e) != OK)
        return e->code;
    orders.needs = RUN_KNOWS;
    if (d->v->priority >= 0)
        orders.priority = d->v->priority;
    orders.budget_usd = d->budget.usd;
    orders.budget_tokens = d->budget.tokens;
    if (order_queue(app->store, run->id, &orders, e) != OK)
        return e->code;
    if (app->common.json)
        fprintf(app->out, "{\"run\":\"%s\",\"state\":\"queued\"}\n", run->name);
    else
        fprintf(app->out, _("run %s is queued; start a worker with: %s work%s\n"), run->name,
                app->self, app->where);
    return OK;
}

/* Everything after the last request; may be repeated. */
static enum status conclude(struct drive *d, struct err *e)
{
    struct closing *c = &d->closing;
    struct run_row *run = d->job->run;

    if (store_run_counts(d->app->store, run, 1, d->counted, &c->after, e) != OK)
        return e->code;
    c->idle = memcmp(&d->before, &c->after, sizeof d->before) == 0;
    /* Our row is older than what was just done. */
    if (store_run_by_id(d->app->arena, d->app->store, run->id, run, e) != OK)
        return e->code;
    /* Even a run that is not stale needs scores if we changed it: another process may have scored
     * it while our last verdicts were on their way. Without verdicts only conversations have
     * numbers; flags are searched for when somebody looks at the run. */
    run->stale =
        (c->after.verdicts.total > 0 || vocab_is_talk(d->job->suite)) && (run->stale || !c->idle);
    if (refresh(d, e) != OK)
        return e->code;
    return report_build(d->app->arena, d->app->store, run, d->take, &c->report, e);
}

enum status drive_run(struct app *app, const struct drive_job *job, struct err *e)
{
    const struct drive_values *v = job->values;
    const int64_t start = clock_mono_ms();
    struct drive d = {
        .app = app,
        .job = job,
        .v = v,
        .closing = {.resumed = job->resumed,
                    .judge_only = job->judge_only,
                    .mailed = job->post != NULL,
                    .files = job->files,
                    .full = v->full,
                    .several = v->several},
        .patient = {.app = app, .wait_ms = v->store_wait * 1000},
    };

    if (patiently(&d, find_panel, e) != OK || patiently(&d, prepare, e) != OK)
        return e->code;
    if (v->detach)
        return queue_run(&d, e);
    if (patiently(&d, announce, e) != OK)
        return e->code;
    d.patient.so_far = (struct store_patience){0};
    if ((v->until ? work_until(&d, e) : work(&d, e)) != OK)
        return e->code;
    d.closing.wall_ms = clock_mono_ms() - start;
    if (patiently(&d, conclude, e) != OK)
        return e->code;
    closing_print(app, &d.closing);
    return OK;
}
