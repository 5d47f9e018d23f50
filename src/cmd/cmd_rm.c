/* Removes runs. */
#include <unistd.h>

#include "base/message.h"
#include "cmd/term.h"
#include "store/store_remove.h"

struct rm_values {
    bool yes;
};

/* Show what would be lost, and ask whether to remove it. */
static enum status is_meant(struct app *app, const struct run_row *run, bool *yes, struct err *e)
{
    struct run_counts c;
    char answer[16] = "";

    if (store_run_counts(app->store, run, 1, NULL, &c, e) != OK)
        return e->code;
    if (!isatty(STDIN_FILENO))
        return err_set(e, E_USAGE, "cannot ask for confirmation here; remove run %s with --yes",
                       run->name);
    fprintf(app->err, _("remove run %s (%s, %lld answer%s, %lld verdict%s)? [y/N] "), run->name,
            run->suite, (long long)c.samples.by[STATE_DONE], message_s(c.samples.by[STATE_DONE]),
            (long long)c.verdicts.by[STATE_DONE], message_s(c.verdicts.by[STATE_DONE]));
    (void)fflush(app->err);
    *yes = fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
    return OK;
}

static enum status rm(struct app *app, struct err *e)
{
    bool yes = ((const struct rm_values *)app->values)->yes;

    for (size_t i = 0; i < app->args.n; i++) {
        struct run_row run;
        bool meant = yes;
        if (store_run_get(app->arena, app->store, app->args.v[i], &run, e) != OK ||
            (!yes && is_meant(app, &run, &meant, e) != OK))
            return e->code;
        if (!meant)
            continue;
        if (store_atomically(app->store, e, store_remove_run(app->arena, app->store, &run, e)) !=
            OK)
            return e->code;
        if (app->common.json)
            (void)term_json(app, json_pack("{s:s, s:s}", "run", run.name, "state", "removed"));
        else
            fprintf(app->out, _("removed run %s\n"), run.name);
    }
    return OK;
}

const struct command cmd_rm_command = {
    .name = "rm",
    .need = STORE_CHANGE,
    .args = "RUN...",
    .summary = "remove runs and everything that belongs to them",
    /* clang-format off */
    .opts = OPTS(
        {"yes", 'y', OPT_FLAG, offsetof(struct rm_values, yes), NULL, "do not ask", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct rm_values),
    .nargs = {1, 1000},
    .run = rm,
};
