/* A name, a note and tags for a run. */
#include "base/message.h"
#include "cmd/annotate.h"
#include "report/remark.h"
#include "text/rune.h"

static enum status describe(struct app *app, struct err *e)
{
    AUTO(json_freep) json_t *o = json_object();
    struct run_row run;

    if (store_run_get(app->arena, app->store, app->args.v[0], &run, e) != OK ||
        annotate_run(app, &run, app->values, e) != OK)
        return e->code;
    if (app->common.json) {
        json_put_text(o, "run", run.name);
        remark_json(o, &run);
        fprintf(app->out, "%s\n", json_text(app->arena, o));
        return OK;
    }
    fprintf(app->out, _("run %s\n"), run.name);
    if (*run.label)
        fprintf(app->out, _("  name  %s\n"), rune_clean(app->arena, str_of(run.label)).p);
    if (*run.tags)
        fprintf(app->out, _("  tags  %s\n"),
                rune_clean(app->arena, str_of(remark_tags(app->arena, &run))).p);
    if (*run.note)
        fprintf(app->out, _("  note  %s\n"), rune_clean(app->arena, str_of(run.note)).p);
    return OK;
}

#define AT(member) offsetof(struct annotate, member)

const struct command cmd_describe_command = {
    .name = "describe",
    .need = STORE_CHANGE,
    .args = "RUN",
    .summary = "name a run, add a note or tags",
    /* clang-format off */
    .opts = OPTS(
        {"name",  0, OPT_TEXT, AT(name), "NAME", "new name of the run; \"\" removes it", 0, 0},
        {"note",  0, OPT_TEXT, AT(note), "TEXT", "note; \"\" removes it", 0, 0},
        {"tag",   0, OPT_LIST, AT(add),  "TAG",  "add a tag", 0, 0},
        {"untag", 0, OPT_LIST, AT(drop), "TAG",  "remove a tag", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct annotate),
    .nargs = {1, 1},
    .run = describe,
};
