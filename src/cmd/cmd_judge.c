#include <math.h>

#include "audit/audit.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/message.h"
#include "base/words.h"
#include "cmd/drive.h"
#include "cmd/interrupt.h"
#include "cmd/patient.h"
#include "cmd/progress.h"
#include "cmd/term.h"
#include "report/table.h"
#include "store/jury.h"

enum { SHOW_MS = 100, WORDS_MOST = 60 }; /* WORDS_MOST: columns for the description of a trick */

struct judge_values {
    struct drive_values drive; /* first, because DRIVE_OPTS has offsets within it */
    const char *run;
    int64_t samples;
};

/* judge drop, judge restore: the verdicts stay, but do not count, or count again. The next command
 * that looks at the run scores it again. */
static enum status drop(struct app *app, struct err *e)
{
    bool dropped = strcmp(app->args.v[0], "drop") == 0;
    const char *judge = app->args.n > 2 ? app->args.v[2] : "";
    struct run_row run;

    if (app->args.n != 3 || (!dropped && strcmp(app->args.v[0], "restore") != 0))
        return err_set(
            e, E_USAGE,
            "usage: judge RUN --judge MODEL, judge drop RUN JUDGE, judge restore RUN JUDGE or "
            "judge check JUDGE --run RUN");
    if (store_run_get(app->arena, app->store, app->args.v[1], &run, e) != OK ||
        store_atomically(app->store, e, jury_drop(app->store, run.id, judge, dropped, e)) != OK)
        return e->code;
    if (app->common.json)
        return term_json(
            app, json_pack("{s:s, s:s, s:b}", "run", run.name, "judge", judge, "dropped", dropped));
    if (dropped)
        fprintf(app->out,
                _("the verdicts of %s in run %s no longer count; undo with: %s judge "
                  "restore %s %s%s\n"),
                judge, run.name, app->self, run.name, judge, app->where);
    else
        fprintf(app->out, _("the verdicts of %s in run %s count again\n"), judge, run.name);
    return OK;
}

/* ---- check ---- */

struct checking {
    const volatile sig_atomic_t *stop;
    struct progress shown;
    int64_t begun_ms, shown_ms;
};

/* Called at every step of the loop. */
static bool going(void *user, size_t done, size_t all)
{
    struct checking *c = user;
    const struct run_progress now = {
        .samples = {.total = (int64_t)all, .done = (int64_t)done},
        .cost = NAN,
        .elapsed_ms = clock_mono_ms() - c->begun_ms,
    };

    if (*c->stop)
        return false;
    if (now.elapsed_ms - c->shown_ms >= SHOW_MS) {
        c->shown_ms = now.elapsed_ms;
        progress_report(&c->shown, &now);
    }
    return true;
}

static enum status print_check(struct app *app, const char *title,
                               const struct audit_result r[AUDIT_PROBES], struct err *e)
{
    const char *language = message_language();
    size_t n = 0, row = 0;
    struct table *t;

    for (enum audit_probe p = 0; p < AUDIT_PROBES; p++)
        n += r[p].n > 0;
    t = table_new(app->arena, NULL, n);
    t->title = title;
    t->name = WORDS_MOST;
    struct table_cell *trick = table_add(t, .word = AUDIT_PROBE);
    struct table_cell *fell = table_add(t, .word = AUDIT_FELL, .kind = TABLE_SHARE);
    struct table_cell *rate = table_add(t, .head = "%", .kind = TABLE_INTERVAL);
    for (enum audit_probe p = 0; p < AUDIT_PROBES; p++) {
        if (!r[p].n)
            continue;
        trick[row] = table_text(words_find(language, "AUDIT_IS_", audit_name(p)));
        fell[row] = table_count(r[p].fell);
        fell[row].n = r[p].n;
        rate[row++] = table_interval(interval_times(r[p].rate, 100));
    }
    table_note(t, words_of(language, AUDIT_NOTE));
    if (n && term_draw(app, t, false, e) != OK)
        return e->code;
    fprintf(app->out, "%s%s\n", n ? "\n" : "", words_of(language, audit_verdict(r)));
    return OK;
}

static void print_check_json(const struct app *app, const struct audit_result r[AUDIT_PROBES])
{
    AUTO(json_freep) json_t *list = json_array();

    for (enum audit_probe p = 0; p < AUDIT_PROBES; p++) {
        json_t *o = json_add_object(list);
        json_put_text(o, "probe", audit_name(p));
        json_put_int(o, "n", r[p].n);
        json_put_int(o, "fell", r[p].fell);
        json_put_real(o, "rate", r[p].rate.value);
        json_put_real(o, "lo", r[p].rate.low);
        json_put_real(o, "hi", r[p].rate.high);
        if (!r[p].n)
            json_put_text(o, "why", "not-tried");
    }
    fprintf(app->out, "%s\n", json_text(app->arena, list));
}

static enum status check(struct app *app, struct err *e)
{
    const struct judge_values *v = app->values;
    struct audit_result results[AUDIT_PROBES];
    struct interrupt interrupt;
    struct checking checking = {.begun_ms = clock_mono_ms()};
    enum status st;
    const char *names[] = {app->args.n == 2 ? app->args.v[1] : NULL};
    struct drive_values drive = v->drive;
    struct drive_judges judges;
    struct suite suite = {0};
    struct roster roster;
    struct run_row run;
    const char *title;
    struct diags d;

    if (app->args.n != 2)
        return err_set(e, E_USAGE, "usage: audition judge check JUDGE --run RUN");
    drive.judges = (struct opt_list){names, 1};
    diags_init(&d, app->arena);
    if (suite_args_roster(app, &roster, &d, e) != OK ||
        drive_judges_find(app, &drive, &roster, &judges, &d, e) != OK ||
        suite_args_faults(app, &d, roster.path, e) != OK ||
        store_run_get(app->arena, app->store, v->run, &run, e) != OK ||
        suite_thaw(app->arena, run.frozen, &suite, e) != OK)
        return e->code;
    if (!endpoint_is_asked(judges.v[0]))
        return err_set(
            e, E_USAGE,
            "judge '%s' answers from a recording or by a rule and cannot be checked; name a model",
            judges.v[0]->name);
    checking.stop = interrupt_watch(&interrupt);
    progress_init(&checking.shown, app, _("trials"), checking.stop);
    st = audit_run(app->arena,
                   &(struct audit_job){.store = app->store,
                                       .run = &run,
                                       .suite = &suite,
                                       .judge = judges.v[0],
                                       .template = judges.template ? judges.template : &suite.judge,
                                       .samples = (size_t)v->samples,
                                       .going = going,
                                       .user = &checking},
                   results, e);
    interrupt_unwatch(&interrupt);
    progress_done(&checking.shown);
    if (st == E_STOP)
        return err_set(e, E_STOP,
                       "interrupted: nothing was stored; run the same command to start again");
    if (st != OK)
        return st;
    title = arena_printf(app->arena, _("judge %s, tried on answers of run %s"), judges.v[0]->name,
                         run.name);
    if (app->common.json)
        print_check_json(app, results);
    else if (print_check(app, title, results, e) != OK)
        return e->code;
    app->exit = audit_verdict(results) == AUDIT_NOTHING ? EXIT_LEFT : EXIT_DONE;
    return OK;
}

static enum status run(struct app *app, struct err *e)
{
    const struct drive_values *v = app->values;
    struct drive_judges judges;
    struct roster roster;
    struct run_row run;
    struct suite suite;
    struct diags d;

    if (patient_open(&(struct patient){app, v->store_wait * 1000, NULL, {0}}, DB_CHANGE, e) != OK)
        return e->code;
    if (strcmp(app->args.v[0], "check") == 0)
        return check(app, e);
    if (app->args.n > 1 || strcmp(app->args.v[0], "drop") == 0 ||
        strcmp(app->args.v[0], "restore") == 0)
        return drop(app, e);
    diags_init(&d, app->arena);
    if (suite_args_roster(app, &roster, &d, e) != OK ||
        drive_judges_find(app, v, &roster, &judges, &d, e) != OK)
        return e->code;
    if (judges.n == 0 && d.errors == 0)
        return roster.there
                   ? err_set(e, E_USAGE, "no judge: name one with --judge; models.yaml has: %s",
                             suite_args_names(app->arena, &roster))
                   : err_set(e, E_USAGE, "no judge: name one with --judge");
    if (suite_args_faults(app, &d, roster.path, e) != OK ||
        store_run_get(app->arena, app->store, app->args.v[0], &run, e) != OK ||
        suite_thaw(app->arena, run.frozen, &suite, e) != OK)
        return e->code;
    return drive_run(app,
                     &(struct drive_job){
                         .run = &run,
                         .suite = &suite,
                         .values = v,
                         .judges = &judges,
                         .resumed = true,
                         .judge_only = true,
                     },
                     e);
}

const struct command cmd_judge_command = {
    .name = "judge",
    .need = NO_STORE, /* opened by patient_open(), which waits */
    .args = "RUN --judge MODEL | drop RUN JUDGE | restore RUN JUDGE | check JUDGE --run RUN",
    .summary = "judge stored answers again, without asking the models",
    /* clang-format off */
    .opts = OPTS(
        {"judge", 0, OPT_LIST, DRIVE_AT(judges), "MODEL", "who judges: a name in models.yaml; repeat for a panel", 0, 0},
        DRIVE_OPTS,
        {"template", 0, OPT_TEXT, DRIVE_AT(judge_template), "T", "same as --judge-template", 0, 0},
        {"run", 'r', OPT_TEXT, offsetof(struct judge_values, run), "RUN", "check: whose answers [latest]", 0, 0},
        {"samples", 0, OPT_COUNT, offsetof(struct judge_values, samples), "N", "check: how many answers to use [20]", 1, 1000}),
    /* clang-format on */
    .size = sizeof(struct judge_values),
    .defaults =
        &(const struct judge_values){.drive = DRIVE_DEFAULTS, .run = "latest", .samples = 20},
    .tasks = true,
    .nargs = {1, 3},
    .run = run,
};
