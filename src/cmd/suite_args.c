#include "cmd/suite_args.h"

#include "base/file.h"
#include "base/message.h"
#include "cmd/progress.h"
#include "cmd/term.h"
#include "suite/endpoint.h"
#include "suite/item.h"

enum { NAMES_SHOWN = 20 };

enum status suite_args_roster(struct app *app, struct roster *out, struct diags *d, struct err *e)
{
    struct roster r = {.path = app->common.config, .there = file_exists(app->common.config)};

    if (r.there)
        models_load(app->arena, r.path, &r.models, d);
    else if (strcmp(r.path, "models.yaml") != 0)
        return err_set(e, E_ABSENT, "%s: no such file", r.path);
    *out = r;
    return OK;
}

const char *suite_args_names(struct arena *a, const struct roster *r)
{
    AUTO(buf_done) struct buf b = BUF_MAX(4096);
    size_t n = r->models.n < NAMES_SHOWN ? r->models.n : NAMES_SHOWN;

    for (size_t i = 0; i < n; i++)
        buf_fmt(&b, "%s%s", i ? ", " : "", r->models.list[i].name);
    if (n < r->models.n)
        buf_fmt(&b, _(" and %zu more"), r->models.n - n);
    return arena_text(a, buf_str(&b));
}

static const char *none_of(const char *what)
{
    return strcmp(what, "judge") == 0      ? N_("no judge")
           : strcmp(what, "examiner") == 0 ? N_("no examiner")
                                           : N_("no model");
}

static enum status no_such(struct app *app, const struct roster *r, const char *what,
                           const char *name, struct err *e)
{
    const char **words = NEW_N(app->arena, const char *, r->models.n);
    const char *near;

    for (size_t i = 0; i < r->models.n; i++)
        words[i] = r->models.list[i].name;
    near = diag_suggest(str_of(name), words, r->models.n);
    if (near)
        return err_set(e, E_USAGE, "%s \"%s\" in %s (did you mean \"%s\"?); available: %s",
                       none_of(what), name, r->path, near, suite_args_names(app->arena, r));
    return err_set(e, E_USAGE, "%s \"%s\" in %s; available: %s", none_of(what), name, r->path,
                   suite_args_names(app->arena, r));
}

static enum status find(struct app *app, const struct roster *r, const char *what, const char *name,
                        const struct endpoint **out, struct diags *d, struct err *e)
{
    const struct endpoint *ep = models_objective(app->arena, name, d);

    if (ep && strcmp(what, "judge") != 0)
        return err_set(e, E_USAGE, "%s judges answers and gives none: use --judge %s", name, name);
    if (!ep)
        ep = models_find(&r->models, name);
    if (!ep)
        ep = models_local(app->arena, name, d);
    if (ep) {
        *out = ep;
        return OK;
    }
    if (!r->there) {
        *out = models_default(app->arena, name, d);
        return *out ? OK
                    : err_set(e, E_USAGE,
                              "%s \"%s\": there is no %s, and neither OPENAI_BASE_URL nor "
                              "OPENAI_API_KEY is set; `audition init DIR` creates one",
                              none_of(what), name, r->path);
    }
    /* Faults in the file may be why the name is missing: show those instead. */
    *out = NULL;
    return d->errors ? OK : no_such(app, r, what, name, e);
}

enum status suite_args_find(struct app *app, const struct roster *r, const char *what,
                            const struct opt_list *names, const struct endpoint ***out,
                            struct diags *d, struct err *e)
{
    *out = NEW_N(app->arena, const struct endpoint *, names->n);
    for (size_t i = 0; i < names->n; i++)
        if (find(app, r, what, names->v[i], &(*out)[i], d, e) != OK)
            return e->code;
    return OK;
}

int64_t suite_args_items(struct app *app, const struct suite *s, const struct item_source *from,
                         struct diags *d)
{
    struct item_reader *r = item_reader_new(s, from, d);
    struct progress shown;
    struct item item;
    int64_t n = 0;

    progress_begin(&shown, app, _("reading items ..."));
    while (item_reader_next(r, &item))
        n++;
    progress_done(&shown);
    item_reader_free(r);
    return n;
}

enum status suite_args_sensitive(struct app *app, const struct run_row *run, bool asked,
                                 struct suite *out, struct err *e)
{
    if (suite_thaw(app->arena, run->frozen, out, e) != OK)
        return err_wrap(e, "suite of run %s", run->name);
    if (out->sensitive && !asked)
        return err_set(
            e, E_USAGE,
            "suite %s is sensitive: its items and answers are shown only with --sensitive",
            run->suite);
    return OK;
}

enum status suite_args_undone(struct app *app, const struct diags *d, const char *what,
                              const char *undone, struct err *e)
{
    term_faults(app, d);
    return d->errors ? err_set(e, E_INPUT, "%s: %s", what, undone) : OK;
}

enum status suite_args_faults(struct app *app, const struct diags *d, const char *what,
                              struct err *e)
{
    return suite_args_undone(app, d, what, "nothing was asked", e);
}
