#include "base/message.h"
#include "cmd/drive.h"
#include "store/jury.h"

/* clang-format off */
static const struct opt opts[] = {
    {"judge", 0, OPT_LIST, DRIVE_AT(judges), "MODEL", "judge: a name in models.yaml; repeat for a panel", 0, 0},
    DRIVE_OPTS,
    {"template", 0, OPT_TEXT, DRIVE_AT(judge_template), "T", "same as --judge-template", 0, 0},
    {NULL, 0, OPT_FLAG, 0, NULL, NULL, 0, 0},
};
/* clang-format on */

/* Its verdicts stay, and count or do not; the next look at the run scores it again. */
static enum status drop(struct app *app, const struct opt_args *args, struct err *e)
{
    bool dropped = strcmp(args->v[0], "drop") == 0;
    const char *judge = args->n > 2 ? args->v[2] : "";
    struct run_row run;

    if (args->n != 3 || (!dropped && strcmp(args->v[0], "restore") != 0))
        return err_set(
            e, E_USAGE,
            "usage: judge RUN --judge MODEL, judge drop RUN JUDGE or judge restore RUN JUDGE");
    if (store_run_get(app->arena, app->store, args->v[1], &run, e) != OK ||
        store_atomically(app->store, e,
                         jury_drop(app->store, run.id, judge, dropped, e) == OK
                             ? store_run_stale(app->store, run.id, e)
                             : e->code) != OK)
        return e->code;
    if (dropped)
        fprintf(app->out,
                "the verdicts of %s in run %s count no longer; undo with: %s judge "
                "restore %s %s%s\n",
                judge, run.name, app->self, run.name, judge, app->where);
    else
        fprintf(app->out, _("the verdicts of %s in run %s count again\n"), judge, run.name);
    return OK;
}

static enum status run(struct app *app, const struct opt_args *args, const void *values,
                       struct err *e)
{
    const struct drive_values *v = values;
    struct drive_judges judges;
    struct roster roster;
    struct run_row run;
    struct suite suite;
    struct diags d;

    if (args->n > 1)
        return drop(app, args, e);
    diags_init(&d, app->arena);
    if (suite_args_roster(app, &roster, &d, e) != OK ||
        drive_judges_find(app, v, &roster, &judges, &d, e) != OK)
        return e->code;
    if (judges.n == 0 && d.errors == 0)
        return err_set(e, E_USAGE, "no judge: name one with --judge%s%s",
                       roster.there ? "; models.yaml has: " : "",
                       suite_args_names(app->arena, &roster));
    if (suite_args_faults(app, &d, roster.path, e) != OK ||
        store_run_get(app->arena, app->store, args->v[0], &run, e) != OK ||
        suite_thaw(app->arena, run.frozen, &suite, e) != OK)
        return e->code;
    return drive_run(app,
                     &(struct drive_job){
                         .run = &run,
                         .suite = &suite,
                         .judges = &judges,
                         .resumed = true,
                         .judge_only = true,
                     },
                     v, e);
}

const struct command cmd_judge_command = {
    .name = "judge",
    .need = STORE_CHANGE,
    .args = "RUN --judge MODEL | drop RUN JUDGE | restore RUN JUDGE",
    .summary = "judge stored answers again, without asking the models",
    .details =
        "A judge added later gets its own scores, a column of the leaderboard beside those of the "
        "first; with --panel it joins them. A judge with another --judge-template counts as "
        "another judge. drop keeps a judge's verdicts but leaves them out of every number; restore "
        "counts them again. RUN is an id, the beginning of one, or latest.\n"
        "\n"
        "    audition judge latest --judge deepseek\n"
        "    audition judge 3f9c --judge deepseek --template scene.zh --judge-repeat 3\n",
    .opts = opts,
    .size = sizeof(struct drive_values),
    .defaults = drive_defaults,
    .min_args = 1,
    .max_args = 3,
    .run = run,
};
