#include "cmd/collect.h"

#include "base/file.h"
#include "base/folder.h"
#include "base/message.h"
#include "cmd/refresh.h"
#include "cmd/suite_args.h"
#include "cmd/term.h"
#include "report/render_standing.h"
#include "store/store_collection.h"

enum { SUITES_MAX = 200 };

/* ---- suites ---- */

static bool is_yaml(const char *path)
{
    return str_ends(str_of(path), STR(".yaml")) || str_ends(str_of(path), STR(".yml"));
}

enum status collect_file(struct arena *a, const char *arg, const char **path, struct err *e)
{
    struct folder files = {0};

    *path = !folder_is(arg) && collection_is(arg) ? arg : NULL;
    if (folder_is(arg))
        files = folder_list(a, arg);
    for (size_t i = 0; i < files.n; i++) {
        const char *one = files.v[i];
        if (!is_yaml(one) || strchr(one + strlen(arg) + 1, '/') || !collection_is(one))
            continue;
        if (*path)
            return err_set(e, E_INPUT, "%s contains several collections; name one of them: %s", arg,
                           one);
        *path = one;
    }
    return OK;
}

/* True also for a file that is empty or cannot be read: whoever loads it reports that. */
static bool may_be_suite(struct arena *a, const char *path)
{
    struct diags found;

    diags_init(&found, a);
    return collection_suite_id(a, path, &found) || found.errors || file_begins(path) == EOF;
}

struct folder collect_files(struct arena *a, const char *arg)
{
    struct folder files = {NEW_N(a, const char *, 1), 1, NULL};
    size_t n = 0;

    files.v[0] = arg;
    if (!folder_is(arg))
        return files;
    files = folder_list(a, arg);
    for (size_t i = 0; i < files.n; i++)
        if (is_yaml(files.v[i]) && may_be_suite(a, files.v[i]))
            files.v[n++] = files.v[i];
    files.n = n;
    return files;
}

/* c->nsuites also counts suites beyond SUITES_MAX, which are not stored. */
static enum status add_argument(struct arena *a, struct collection *c, const char *arg,
                                struct err *e)
{
    const char *collection;
    struct folder files;
    struct diags unsaid;

    if (collect_file(a, arg, &collection, e) != OK)
        return e->code;
    if (collection)
        return err_set(e, E_USAGE, "%s is a collection: run it by a command of its own", arg);
    files = collect_files(a, arg);
    if (files.closed)
        return err_set(e, E_INPUT, "%s: the folder cannot be read", files.closed);
    diags_init(&unsaid, a);
    for (size_t i = 0; i < files.n; i++)
        if (c->nsuites++ < SUITES_MAX)
            c->suites[c->nsuites - 1] = (struct collection_suite){
                .file = files.v[i],
                .path = files.v[i],
                .suite = collection_suite_id(a, files.v[i], &unsaid),
                .kind = "",
                .title = STR(""),
                .weight = 1,
            };
    return OK;
}

static enum status declared(struct app *app, const char *path, int64_t form, struct collect *out,
                            struct err *e)
{
    struct collection *c;
    struct diags d;

    diags_init(&d, app->arena);
    c = collection_load(app->arena, path, &d);
    if (suite_args_undone(app, &d, path, "the collection has faults", e) != OK)
        return e->code;
    *out = (struct collect){.of = c, .several = true, .path = path, .name = c->id};
    if (form)
        out->name = arena_printf(app->arena, "%s-form-%lld", c->id, (long long)form);
    return OK;
}

enum status collect_suites(struct app *app, const struct opt_args *args, int64_t form,
                           struct collect *out, struct err *e)
{
    struct collection *c = NEW(app->arena, struct collection);
    const char *path = NULL;

    if (args->n == 1 && collect_file(app->arena, args->v[0], &path, e) != OK)
        return e->code;
    if (path)
        return declared(app, path, form, out, e);
    c->id = "suites";
    c->language = c->canary = "";
    c->scale = 100;
    c->suites = NEW_N(app->arena, struct collection_suite, SUITES_MAX);
    for (size_t i = 0; i < args->n; i++)
        if (add_argument(app->arena, c, args->v[i], e) != OK)
            return e->code;
    if (c->nsuites == 0)
        return err_set(e, E_INPUT, "%s contains no suite", args->v[0]);
    if (c->nsuites > SUITES_MAX)
        return err_set(e, E_INPUT, "%zu suites; at most %d can be asked by one command", c->nsuites,
                       SUITES_MAX);
    *out = (struct collect){.of = c, .several = c->nsuites > 1};
    return OK;
}

struct opt_list collect_names(struct arena *a, const struct str *v, size_t n)
{
    struct opt_list out = {NEW_N(a, const char *, n), n};

    for (size_t i = 0; i < n; i++)
        out.v[i] = arena_text(a, v[i]);
    return out;
}

enum status collect_begin(struct app *app, struct collect *c, struct err *e)
{
    struct collection_row row = {.name = c->name,
                                 .body = str_of(collection_freeze(app->arena, c->of))};

    if (!c->name)
        return OK;
    if (store_atomically(app->store, e, store_collection_put(app->store, &row, e)) != OK)
        return e->code;
    c->id = row.id;
    return OK;
}

enum status collect_keep(struct app *app, const struct collect *c, const struct run_row *run,
                         struct err *e)
{
    if (!c->name)
        return OK;
    return store_atomically(app->store, e, store_collection_add(app->store, c->id, run->id, e));
}

/* ---- runs ---- */

static struct standing_of standing_of(struct arena *a, const struct collection *c, const char *name)
{
    struct standing_of of = {
        .id = name ? name : c->id,
        .title = c->title.n ? arena_text(a, c->title)
                 : name     ? name
                            : c->id,
        .description = c->description.n ? arena_text(a, c->description) : "",
        .language = *c->language ? c->language : message_language(),
        .scale = c->scale,
        .overall = c->overall == OVERALL_MEAN,
        .parts = NEW_N(a, struct standing_part, c->nsuites),
        .nparts = c->nsuites,
    };

    for (size_t i = 0; i < c->nsuites; i++) {
        const struct collection_suite *s = &c->suites[i];
        of.parts[i] = (struct standing_part){
            .suite = s->suite,
            .title = s->title.n ? arena_text(a, s->title) : s->suite,
            .weight = s->weight,
            .group = s->group,
        };
    }
    return of;
}

enum status collect_show(struct app *app, const struct standing_of *of, bool full,
                         struct standing *out, struct buf *text, struct err *e)
{
    const struct render_terminal how = term_board(app, full);

    if (standing_build(app->arena, app->store, of, out, e) != OK)
        return e->code;
    if (app->common.json)
        render_standing_json(out, text);
    else
        render_standing_terminal(out, &how, text);
    return OK;
}

enum status collect_close(struct app *app, const struct collect *c, struct run_row *runs,
                          struct err *e)
{
    AUTO(buf_done) struct buf out = BUF_MAX(TERM_MAX);
    struct standing_of of = standing_of(app->arena, c->of, c->name);
    const char *names[] = {c->name};
    struct standing st;
    bool several;

    if (c->name && collect_runs(app, names, 1, NULL, &of, &several, e) != OK)
        return e->code;
    for (size_t i = 0; !c->name && i < of.nparts; i++) {
        of.parts[i].runs = &runs[i];
        of.parts[i].nruns = 1;
        for (size_t k = 0; k < i; k++) /* another suite of the same name gets its own column */
            if (strcmp(runs[k].suite, runs[i].suite) == 0)
                of.parts[i].suite = of.parts[i].title =
                    arena_printf(app->arena, "%s %s", runs[i].suite, runs[i].name);
    }
    if (!app->common.json)
        fputs("\n", app->out);
    return collect_show(app, &of, false, &st, &out, e) == OK ? term_put(app, &out, e) : e->code;
}

/* The stored runs of a collection, by suite. */
static enum status runs_of(struct app *app, int64_t collection, struct standing_of *of,
                           struct err *e)
{
    struct collection_run_list l;

    if (store_collection_runs(app->arena, app->store, collection, &l, e) != OK)
        return e->code;
    for (size_t p = 0; p < of->nparts; p++) {
        struct standing_part *part = &of->parts[p];
        part->runs = NEW_N(app->arena, struct run_row, l.n);
        for (size_t i = 0; i < l.n; i++) {
            struct run_row run;
            if (strcmp(l.v[i].suite, part->suite) != 0)
                continue;
            if (store_run_by_id(app->arena, app->store, l.v[i].run, &run, e) != OK ||
                refresh_find(app, run.name, &part->runs[part->nruns++], e) != OK)
                return e->code;
        }
    }
    return OK;
}

/* A collection by its file or its name; *found is false if the argument is neither. */
static enum status find_collection(struct app *app, const char *arg, struct standing_of *out,
                                   bool *found, struct err *e)
{
    const char *path, *name = arg;
    struct collection *c = NEW(app->arena, struct collection);
    struct collection_row row = {0};
    struct collect file = {0};

    *found = false;
    if (collect_file(app->arena, arg, &path, e) != OK ||
        (path && declared(app, path, 0, &file, e) != OK))
        return e->code;
    if (path)
        name = file.name;
    if (store_collection_get(app->arena, app->store, name, &row, found, e) != OK)
        return e->code;
    if (path && !*found)
        return err_set(e, E_ABSENT, "collection '%s' has no run yet: audition run %s", name, arg);
    if (!*found)
        return OK;
    if (!path && collection_thaw(app->arena, row.body, c, e) != OK)
        return e->code;
    *out = standing_of(app->arena, file.of ? file.of : c, row.name);
    return runs_of(app, row.id, out, e);
}

/* Adds a run to the column of its suite. Another edition of a suite gets its own column. */
static void add_run(struct arena *a, struct standing_of *of, const struct run_row *run, size_t most)
{
    struct standing_part *p = NULL;
    bool another = false;

    for (size_t i = 0; i < of->nparts; i++) {
        struct standing_part *one = &of->parts[i];
        for (size_t k = 0; k < one->nruns; k++)
            if (one->runs[k].id == run->id)
                return;
        if (str_eq(one->runs[0].frozen, run->frozen))
            p = one;
        another = another || strcmp(one->runs[0].suite, run->suite) == 0;
    }
    if (!p) {
        p = &of->parts[of->nparts++];
        *p = (struct standing_part){.suite = run->suite,
                                    .title = run->suite,
                                    .weight = 1,
                                    .runs = NEW_N(a, struct run_row, most)};
        if (another)
            p->suite = p->title = arena_printf(a, "%s %s", run->suite, run->name);
    }
    p->runs[p->nruns++] = *run;
}

enum status collect_runs(struct app *app, const char *const *names, size_t n, const char *judge,
                         struct standing_of *out, bool *several, struct err *e)
{
    struct standing_of of = {.id = "runs",
                             .title = _("several runs"),
                             .description = "",
                             .language = message_language(),
                             .scale = 100,
                             .overall = true,
                             .parts = NEW_N(app->arena, struct standing_part, n)};

    *several = false;
    if (n == 1 && find_collection(app, names[0], &of, several, e) != OK)
        return e->code;
    for (size_t i = 0; n > 1 && i < n; i++) {
        struct run_row run;
        *several = true;
        if (refresh_find(app, names[i], &run, e) != OK)
            return e->code;
        add_run(app->arena, &of, &run, n);
    }
    of.judge = judge;
    if (*several)
        *out = of;
    return OK;
}
