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

/* ---- the run ---- */

static const char **names_of(struct app *app, const struct drive_judges *judges)
{
    const char **names = NEW_N(app->arena, const char *, judges->n + 1);

    for (size_t i = 0; i < judges->n; i++)
        names[i] = plan_judge_name(
            app->arena, &(struct plan_judge){.judge = judges->v[i], .template = judges->template});
    return names;
}

/* Where the judges of this command sit: those of a run that nobody has judged are its panel, as are
 * those who join it; others that are not known together are one of their own. NULL: they all sit
 * already. Who was dropped keeps the seat, or would come back to a panel with somebody else on it.
 */
static enum status find_panel(struct app *app, const struct drive_job *job, bool join,
                              const char **panel, struct err *e)
{
    const char **names = names_of(app, job->judges);
    struct jury_list l;

    if (jury_panels(app->arena, app->store, job->run->id, &l, e) != OK)
        return e->code;
    if (l.v[0].members.n == 0 || join)
        *panel = "";
    else
        *panel = jury_of(&l, names, job->judges->n) ? NULL
                                                    : jury_name(app->arena, names, job->judges->n);
    return OK;
}

/* Those who are asked to judge: whom the command names, and with --panel whom they joined. A run
 * that is resumed by its name goes on with all its judges. */
static enum status find_jury(struct app *app, const struct drive_job *job,
                             const struct drive_values *v, const struct jury **out, struct err *e)
{
    static const struct jury nobody = {.key = "-", .name = ""};
    const struct jury *named;
    struct jury_list l;

    *out = v->resume ? NULL : &nobody;
    if (job->judges->n == 0)
        return OK;
    if (jury_list(app->arena, app->store, job->run->id, &l, e) != OK)
        return e->code;
    named = jury_of(&l, names_of(app, job->judges), job->judges->n);
    *out = v->panel || !named ? &l.v[0] : named;
    return OK;
}

static enum status add_judges(struct app *app, const struct drive_job *job,
                              const struct drive_values *v, const char *panel, struct err *e)
{
    struct diags d;

    diags_init(&d, app->arena);
    if (job->judges->template)
        suite_check_slots(job->suite, job->judges->template, (struct place){0}, &d);
    if (d.errors)
        return err_set(e, E_INPUT, "%s", d.first->msg);
    for (size_t i = 0; i < job->judges->n; i++) {
        const struct plan_judge j = {
            .panel = panel,
            .judge = job->judges->v[i],
            .template = job->judges->template,
            .repeats = (int)v->judge_repeat,
        };
        if (j.judge->kind == ENDPOINT_OBJECTIVE &&
            judge_objective_fits(j.judge, job->suite, e) != OK)
            return e->code;
        if (plan_judge(app->arena, app->store, job->run, job->suite, &j, e) != OK)
            return e->code;
    }
    return OK;
}

/* Battles are chosen, as the options say; without them as it was said before. */
static enum status set_goal(struct app *app, const struct drive_job *job,
                            const struct drive_values *v, struct err *e)
{
    const struct pair_goal goal = {v->budget_battles > 0 ? v->budget_battles : 0,
                                   v->target_rd > 0 ? v->target_rd : 0};

    if (v->budget_battles < 0 && v->target_rd < 0)
        return OK;
    return store_atomically(app->store, e,
                            store_pair_goal_set(app->store, job->run->id, &goal, e) == OK
                                ? store_run_stale(app->store, job->run->id, e)
                                : e->code);
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

static enum status plan_again(struct app *app, const struct run_row *run, struct err *e)
{
    int64_t samples, verdicts;

    return store_atomically(app->store, e,
                            store_plan_again(app->store, run->id, &samples, &verdicts, e));
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

/* By whom a run is judged and what it may cost: known before the first request. */
struct terms {
    const struct jury *jury;
    struct drive_budget budget;
};

/* The one that is given, else the one that the run was queued with. */
static enum status budget_of(struct app *app, const struct run_row *run,
                             const struct drive_values *v, struct drive_budget *out, struct err *e)
{
    struct run_orders queued;

    if (drive_budget_read(v->budget, out, e) != OK || v->budget)
        return e->code;
    if (order_get(app->store, run->id, &queued, e) != OK)
        return e->code;
    *out = (struct drive_budget){queued.budget_usd, queued.budget_tokens};
    return OK;
}

static enum status work(struct app *app, const struct drive_job *job, const struct drive_values *v,
                        const struct terms *terms, struct run_outcome *out, struct err *e)
{
    int64_t endpoint_wait_ms;
    const volatile sig_atomic_t *stop;
    struct interrupt watched;
    struct progress shown;
    enum status st;

    if (drive_wait_read(v->endpoint_wait, &endpoint_wait_ms, e) != OK)
        return e->code;
    drive_make_room(app, v->jobs);
    stop = interrupt_watch(&watched);
    progress_init(&shown, app, _("samples"), stop);
    shown.turns =
        job->suite->elicit.kind != ELICIT_SINGLE && job->suite->elicit.kind != ELICIT_CONTINUE;
    st = patient_work(app, job->run,
                      &(struct run_options){
                          .jobs = (int)v->jobs,
                          .max_retries = (int)v->max_retries,
                          .timeout_ms = (int64_t)(v->timeout * 1000),
                          .budget_usd = terms->budget.usd,
                          .budget_tokens = terms->budget.tokens,
                          .store_wait_ms = v->store_wait * 1000,
                          .endpoint_wait_ms = endpoint_wait_ms,
                          .own_family = v->own_family,
                          .judge_only = job->judge_only,
                          .jury = terms->jury,
                          .stop = stop,
                          .post = job->post,
                          .post_user = job->post_user,
                          .report = progress_report,
                          .user = &shown,
                      },
                      out, e);
    interrupt_unwatch(&watched);
    progress_done(&shown);
    return st;
}

/* Who interrupts the search of the training lines is still told how the run ended; its scores are
 * those of before. */
static enum status refresh(struct app *app, struct run_row *run, struct patient *p,
                           const char **unsearched, struct err *e)
{
    enum status st;

    while ((st = refresh_run(app, app->store, run, e)) != OK && patient_again(p, e))
        ;
    if (st != E_STOP)
        return st;
    *unsearched = arena_text(app->arena, str_of(e->msg));
    run->stale = false;
    return OK;
}

/* What one turn has done goes to what was done before. */
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
static enum status work_until(struct app *app, const struct drive_job *job,
                              const struct drive_values *v, const struct terms *terms,
                              struct report_take take, struct run_outcome *out, struct err *e)
{
    struct patient p = {app, v->store_wait * 1000, NULL, {0}};
    struct until u = {.widest = NAN};
    struct run_progress before;
    const char *unsearched = NULL;
    struct report r;

    if (until_read(v->until, &u.half, e) != OK)
        return e->code;
    do {
        before = out->progress;
        if (until_open(app, job->run, &u, e) != OK || work(app, job, v, terms, out, e) != OK ||
            store_run_by_id(app->arena, app->store, job->run->id, job->run, e) != OK ||
            refresh(app, job->run, &p, &unsearched, e) != OK ||
            report_build(app->arena, app->store, job->run, take, &r, e) != OK ||
            until_count(app, job->run, &u, e) != OK)
            return e->code;
        p.so_far = (struct store_patience){0};
        add_up(&out->progress, &before);
        if (out->interrupted || out->ordered || out->budget_reached || out->halted || unsearched)
            break;
        until_look(&r, &u);
    } while (!u.reached && u.open < u.all);
    if (!out->interrupted)
        until_tell(app, &u);
    return OK;
}

/* For whoever has time: see cmd_work.c. */
static enum status queue_run(struct app *app, const struct drive_job *job,
                             const struct drive_values *v, const struct drive_budget *budget,
                             struct err *e)
{
    struct run_orders orders;

    if (order_get(app->store, job->run->id, &orders, e) != OK)
        return e->code;
    orders.needs = RUN_KNOWS;
    if (v->priority >= 0)
        orders.priority = v->priority;
    orders.budget_usd = budget->usd;
    orders.budget_tokens = budget->tokens;
    if (order_queue(app->store, job->run->id, &orders, e) != OK)
        return e->code;
    if (app->common.json) {
        fprintf(app->out, "{\"run\":\"%s\",\"state\":\"queued\"}\n", job->run->name);
        return OK;
    }
    fprintf(app->out, _("run %s is queued; start a worker with: %s work%s\n"), job->run->name,
            app->self, app->where);
    return OK;
}

/* Everything before the first request; may be done twice. The panel was found before any judge was
 * seated. */
static enum status prepare(struct app *app, const struct drive_job *job,
                           const struct drive_values *v, const char *panel, struct terms *out,
                           struct err *e)
{
    if (drive_goal_fits(v, job->suite, e) != OK ||
        store_run_touch(app->store, job->run->id, e) != OK ||
        annotate_run(app, job->run, &v->about, e) != OK || set_goal(app, job, v, e) != OK ||
        add_judges(app, job, v, panel, e) != OK || find_jury(app, job, v, &out->jury, e) != OK ||
        budget_of(app, job->run, v, &out->budget, e) != OK)
        return e->code;
    return v->retry_failed ? plan_again(app, job->run, e) : OK;
}

/* What there is before, and who will be asked. */
static enum status announce(struct app *app, const struct closing_asked *asked,
                            const struct jury *counted, struct run_counts *before, struct err *e)
{
    if (store_run_counts(app->store, asked->run, 1, counted, before, e) != OK)
        return e->code;
    return app->common.quiet ? OK : closing_header(app, asked, e);
}

/* Everything after the last one; likewise. */
static enum status conclude(struct patient *p, const struct drive_job *job, struct report_take take,
                            const struct jury *counted, const struct run_counts *before,
                            struct closing *c, struct err *e)
{
    struct app *app = p->app;

    if (store_run_counts(app->store, job->run, 1, counted, &c->after, e) != OK)
        return e->code;
    c->idle = memcmp(before, &c->after, sizeof *before) == 0;
    /* The row in hand is older than what was just done. */
    if (store_run_by_id(app->arena, app->store, job->run->id, job->run, e) != OK)
        return e->code;
    /* Another process may have scored the run while our last verdicts were on their way.
     * Without a verdict there is nothing to score but conversations, which have numbers of their
     * own; facts about answers are looked for when somebody looks. */
    job->run->stale =
        (c->after.verdicts.total > 0 || vocab_is_talk(job->suite)) && (job->run->stale || !c->idle);
    if (refresh(app, job->run, p, &c->unsearched, e) != OK)
        return e->code;
    return report_build(app->arena, app->store, job->run, take, &c->report, e);
}

enum status drive_run(struct app *app, const struct drive_job *job, const struct drive_values *v,
                      struct err *e)
{
    struct closing c = {.resumed = job->resumed,
                        .judge_only = job->judge_only,
                        .mailed = job->post != NULL,
                        .full = v->full,
                        .several = v->several};
    struct closing_asked asked = {job->run, job->suite, NULL, job->judge_only, v->own_family};
    struct patient first = {app, v->store_wait * 1000, NULL, {0}}, last = first;
    struct report_take take = {0};
    struct terms terms = {0};
    const char *panel = NULL;
    const struct jury *counted;
    struct run_counts before;
    int64_t start = clock_mono_ms();
    enum status st;

    while ((st = find_panel(app, job, v->panel, &panel, e)) != OK && patient_again(&first, e))
        ;
    while (st == OK && (st = prepare(app, job, v, panel, &terms, e)) != OK &&
           patient_again(&first, e))
        st = OK;
    if (st != OK)
        return st;
    if (v->detach)
        return queue_run(app, job, v, &terms.budget, e);
    asked.jury = terms.jury;
    /* A command that names no judge shows what was judged before, and ends as that did. */
    counted = asked.jury && asked.jury->members.n ? asked.jury : NULL;
    take.judge = counted ? counted->name : NULL;
    while ((st = announce(app, &asked, counted, &before, e)) != OK && patient_again(&first, e))
        ;
    if (st != OK || (v->until ? work_until(app, job, v, &terms, take, &c.outcome, e)
                              : work(app, job, v, &terms, &c.outcome, e)) != OK)
        return e->code;
    c.wall_ms = clock_mono_ms() - start;
    while ((st = conclude(&last, job, take, counted, &before, &c, e)) != OK &&
           patient_again(&last, e))
        ;
    if (st == OK)
        closing_print(app, &c);
    return st;
}
