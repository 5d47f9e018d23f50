/* Writes the files of a first project. */
#include <stdlib.h>

#include "base/asset.h"
#include "base/file.h"
#include "base/message.h"
#include "cmd/term.h"

static const char *target(struct arena *a, const char *dir, const struct asset *f,
                          const char *prefix)
{
    return arena_printf(a, "%s/%s", dir, f->name + strlen(prefix));
}

static enum status write_all(struct app *app, const char *dir, const char *prefix, json_t *wrote,
                             struct err *e)
{
    const struct asset *f = NULL;

    while ((f = asset_next(f, prefix)) != NULL) {
        const char *path = target(app->arena, dir, f, prefix);
        if (file_exists(path))
            return err_set(e, E_INPUT, "%s already exists; nothing was written", path);
    }
    while ((f = asset_next(f, prefix)) != NULL) {
        const char *path = target(app->arena, dir, f, prefix);
        if (file_folders(app->arena, path, e) != OK || file_write(path, f->bytes, e) != OK)
            return e->code;
        (void)json_array_append_new(wrote, term_text(app, path));
        if (!app->common.json)
            fprintf(app->out, _("wrote %s\n"), path);
    }
    return OK;
}

/* How to call the program from another directory. */
static const char *self_from(struct arena *a, const char *self)
{
    char *whole = strchr(self, '/') ? realpath(self, NULL) : NULL;
    const char *out = whole ? arena_text(a, str_of(whole)) : self;

    free(whole);
    return out;
}

static enum status init(struct app *app, struct err *e)
{
    const char *from = arena_printf(app->arena, "share/init/%s/", app->common.language);
    const char *dir = app->args.v[0], *self;
    AUTO(json_freep) json_t *wrote = json_array();
    enum status st = write_all(app, dir, from, wrote, e);

    if (app->common.json && (st == OK || json_array_size(wrote) > 0)) /* some, where one failed */
        (void)term_json(app, json_pack("{s:O}", "files", wrote));
    if (st != OK || app->common.json)
        return st;
    self = self_from(app->arena, app->self);
    fprintf(app->out,
            "\n  cd %s\n  %s check suites/first.yaml\n"
            "  %s run suites/first.yaml -m understudy --judge prompter\n",
            dir, self, self);
    return OK;
}

const struct command cmd_init_command = {
    .name = "init",
    .need = NO_STORE,
    .args = "DIR",
    .summary = "start a project: models.yaml, a suite, a character",
    .nargs = {1, 1},
    .run = init,
};
