/* A project to begin with. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/asset.h"
#include "base/file.h"
#include "cmd/cmd.h"

static const char *const languages[] = {"en", "zh", "ja"};

struct init_values {
    const char *language;
};

static bool is_language(const char *word)
{
    for (size_t i = 0; i < COUNT(languages); i++)
        if (strcmp(word, languages[i]) == 0)
            return true;
    return false;
}

/* The language of messages as POSIX finds it. */
static const char *language_of_user(struct arena *a)
{
    static const char *const variables[] = {"LC_ALL", "LC_MESSAGES", "LANG"};

    for (size_t i = 0; i < COUNT(variables); i++) {
        const char *v = getenv(variables[i]);
        if (!v || !v[0])
            continue;
        v = arena_text(a, (struct str){v, strcspn(v, "_.@-")});
        return is_language(v) ? v : "en";
    }
    return "en";
}

/* Every folder above the file. */
static enum status make_folders(struct arena *a, const char *path, struct err *e)
{
    for (const char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        const char *folder = arena_text(a, (struct str){path, (size_t)(p - path)});
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return err_system(e, folder);
    }
    return OK;
}

static const char *target(struct arena *a, const char *dir, const struct asset *f,
                          const char *prefix)
{
    return arena_printf(a, "%s/%s", dir, f->name + strlen(prefix));
}

static enum status write_all(struct app *app, const char *dir, const char *prefix, struct err *e)
{
    const struct asset *f = NULL;

    while ((f = asset_next(f, prefix)) != NULL) {
        const char *path = target(app->arena, dir, f, prefix);
        if (file_exists(path))
            return err_set(e, E_INPUT, "%s is in the way; nothing was written", path);
    }
    while ((f = asset_next(f, prefix)) != NULL) {
        const char *path = target(app->arena, dir, f, prefix);
        if (make_folders(app->arena, path, e) != OK || file_write(path, f->bytes, e) != OK)
            return e->code;
        fprintf(app->out, "wrote %s\n", path);
    }
    return OK;
}

/* The program as it is called in another directory. */
static const char *self_from(struct arena *a, const char *self)
{
    char *whole = strchr(self, '/') ? realpath(self, NULL) : NULL;
    const char *out = whole ? arena_text(a, str_of(whole)) : self;

    free(whole);
    return out;
}

static enum status init(struct app *app, const struct opt_args *args, const void *values,
                        struct err *e)
{
    const struct init_values *v = values;
    const char *dir = args->v[0], *self;
    const char *language = v->language ? v->language : language_of_user(app->arena);

    if (!is_language(language))
        return err_set(e, E_USAGE, "--language %s: there are en, zh and ja", language);
    if (write_all(app, dir, arena_printf(app->arena, "share/init/%s/", language), e) != OK)
        return e->code;
    self = self_from(app->arena, app->self);
    fprintf(app->out,
            "\n  cd %s\n  %s check suites/first.yaml\n"
            "  %s run suites/first.yaml -m understudy --judge prompter\n",
            dir, self, self);
    return OK;
}

/* clang-format off */
static const struct opt opts[] = {
    {"language", 0, OPT_TEXT, offsetof(struct init_values, language), "LANGUAGE",
     "of the example: en, zh or ja [from LANG]", 0, 0},
    {NULL, 0, OPT_FLAG, 0, NULL, NULL, 0, 0},
};
/* clang-format on */

const struct command cmd_init_command = {
    .name = "init",
    .need = NO_STORE,
    .args = "DIR",
    .summary = "start a project: models.yaml, a suite, a character",
    .details =
        "Writes a small example that runs at once, on recorded replies: no key and no network is "
        "needed. No file is ever overwritten.\n\n"
        "    audition init my-project --language ja\n",
    .opts = opts,
    .size = sizeof(struct init_values),
    .min_args = 1,
    .max_args = 1,
    .run = init,
};
