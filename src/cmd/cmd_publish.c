/* Writes the pages about runs as plain files. */
#include "base/message.h"
#include "cmd/term.h"
#include "web/publish.h"

struct publish_values {
    const char *run;
};

static enum status publish(struct app *app, struct err *e)
{
    const struct publish_values *v = app->values;
    const char *language = message_language();
    struct publish_how how = {.dir = app->args.v[0], .language = language, .run = v->run};
    struct publish_counts counts;
    struct run_row run;

    if (v->run) {
        if (store_run_get(app->arena, app->store, v->run, &run, e) != OK)
            return e->code;
        how.run = run.name;
    }
    if (publish_dir(app->store, &how, &counts, e) != OK)
        return e->code;
    if (counts.damaged)
        fprintf(app->err,
                _("pages left out because they can no longer be read: %lld; the first: %s\n"),
                (long long)counts.damaged, counts.damage.msg);
    if (app->common.json)
        return term_json(app, json_pack("{s:I, s:I, s:I}", "pages", (json_int_t)counts.pages,
                                        "bytes", (json_int_t)counts.bytes, "damaged",
                                        (json_int_t)counts.damaged));
    fprintf(app->out, _("%lld pages, %.1f MB: open %s/index.html\n"), (long long)counts.pages,
            (double)counts.bytes / 1e6, app->args.v[0]);
    return OK;
}

const struct command cmd_publish_command = {
    .name = "publish",
    .need = STORE_CHANGE,
    .args = "DIR",
    .summary = "write leaderboard, run, item and sample pages as plain files",
    /* clang-format off */
    .opts = OPTS(
        {"run", 'r', OPT_TEXT, offsetof(struct publish_values, run), "RUN",
         "only the pages of this run, with the leaderboard [all runs]", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct publish_values),
    .nargs = {1, 1},
    .run = publish,
};
