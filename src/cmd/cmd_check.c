#include "base/file.h"
#include "base/message.h"
#include "cmd/collect.h"
#include "cmd/suite_args.h"
#include "cmd/term.h"
#include "suite/collection.h"
#include "suite/endpoint.h"
#include "suite/item.h"

enum { FILES_MAX = 10000 };

/* A suite without faults. */
struct good {
    const char *path;
    struct suite *suite;
    struct item_source *from;
    int64_t items;
};

struct good_list {
    struct good *v;
    size_t n, cap;
};

static void print_good(FILE *out, const struct good *g)
{
    const struct instrument *in = &g->suite->instrument;
    bool pair = in->kind == INSTRUMENT_PAIR;
    size_t n = pair ? in->ncriteria : in->ndimensions;
    int repeats = g->suite->elicit.repeats;

    fprintf(out,
            pair ? _("%s: ok (%lld item%s, %d repeat%s, pairs judged by %zu criteri%s)\n")
                 : _("%s: ok (%lld item%s, %d repeat%s, %zu dimension%s)\n"),
            g->path, (long long)g->items, message_s(g->items), repeats, message_s(repeats), n,
            !pair    ? message_s(n)
            : n == 1 ? "on"
                     : "a");
}

static void check_suite(struct app *app, const char *path, struct good_list *all, struct diags *d)
{
    size_t before = d->errors;
    struct good g = {.path = path};

    g.suite = suite_load(app->arena, path, &g.from, d);
    if (!g.suite)
        return;
    g.items = suite_args_items(app, g.suite, g.from, d);
    if (d->errors != before)
        return;
    if (!app->common.json)
        print_good(app->out, &g);
    all->v = arena_grow(app->arena, all->v, &all->cap, all->n + 1, sizeof *all->v);
    all->v[all->n++] = g;
}

/* Can a model's own template ask this suite's items? If not, it may be meant for other suites, so
 * this is only a warning; it is a fault if that model is asked. */
static void check_template(struct app *app, const struct good *g, const struct endpoint *model,
                           struct diags *d)
{
    struct item_reader *r;
    struct diags found;
    struct item item;

    diags_init(&found, app->arena);
    r = item_reader_new(g->suite, g->from, &found);
    item_reader_model(r, model);
    while (found.errors == 0 && item_reader_next(r, &item))
        ;
    item_reader_free(r);
    for (const struct diag *one = found.first; one && found.errors; one = one->next)
        if (one->level == DIAG_ERROR)
            diags_warn(d, model->template_at, "%s cannot answer %s: %s", model->name, g->path,
                       one->msg);
}

static void check_templates(struct app *app, const struct good_list *suites,
                            const struct roster *roster, struct diags *d)
{
    for (size_t m = 0; m < roster->models.n; m++)
        for (size_t i = 0; i < suites->n; i++)
            if (roster->models.list[m].template.user.p)
                check_template(app, &suites->v[i], &roster->models.list[m], d);
}

static void print_json(struct app *app, const struct diags *d)
{
    AUTO(json_freep) json_t *list = json_array();

    for (const struct diag *one = d->first; one; one = one->next) {
        json_t *j = json_add_object(list);
        const struct place *at = &one->at;
        json_put(j, "file", at->source ? json_string(at->source->path) : json_null());
        json_put(j, "line", at->line ? json_integer(at->line) : json_null());
        json_put(j, "column", at->column ? json_integer(at->column) : json_null());
        json_put_text(j, "level", one->level == DIAG_ERROR ? "error" : "warning");
        json_put_text(j, "message", one->msg);
    }
    fprintf(app->out, "%s\n", json_text(app->arena, list));
}

/* A collection, and each of its suites. */
static void check_collection(struct app *app, const char *path, struct good_list *all,
                             struct diags *d)
{
    size_t before = d->errors;
    const struct collection *c = collection_load(app->arena, path, d);

    if (d->errors != before)
        return;
    for (size_t i = 0; i < c->nsuites; i++)
        check_suite(app, c->suites[i].path, all, d);
    if (d->errors == before && !app->common.json)
        fprintf(app->out, _("%s: ok (%zu suite%s)\n"), path, c->nsuites,
                message_s((int64_t)c->nsuites));
}

static void check_argument(struct app *app, const char *arg, struct good_list *all, struct diags *d)
{
    const char *collection;
    struct folder files;
    struct err e;

    if (collect_file(app->arena, arg, &collection, &e) != OK) {
        diags_error(d, (struct place){0}, "%s", e.msg);
        return;
    }
    if (collection) {
        check_collection(app, collection, all, d);
        return;
    }
    files = collect_files(app->arena, arg);
    if (files.closed)
        diags_error(d, (struct place){0}, "%s: the folder cannot be read", files.closed);
    else if (files.n == 0)
        diags_error(d, (struct place){0}, "%s contains no suite", arg);
    for (size_t i = 0; i < files.n; i++)
        check_suite(app, files.v[i], all, d);
}

static enum status run(struct app *app, struct err *e)
{
    struct good_list suites = {0};
    struct roster roster;
    struct diags d;
    size_t errors;

    diags_init(&d, app->arena);
    for (size_t i = 0; i < app->args.n; i++) {
        const char *arg = app->args.v[i];
        if (strcmp(arg, app->common.config) == 0 && file_exists(arg))
            continue; /* models.yaml, checked below */
        check_argument(app, arg, &suites, &d);
    }
    errors = d.errors;
    if (suite_args_roster(app, &roster, &d, e) != OK)
        return e->code;
    if (app->args.n == 0 && !roster.there)
        return err_set(e, E_USAGE, "which suite? audition check SUITE...");
    if (d.errors == errors)
        check_templates(app, &suites, &roster, &d);
    if (roster.there && d.errors == errors && !app->common.json)
        fprintf(app->out, _("%s: ok (%zu model%s)\n"), roster.path, roster.models.n,
                message_s((int64_t)roster.models.n));
    (void)fflush(app->out);
    if (app->common.json)
        print_json(app, &d);
    else
        term_faults(app, &d);
    app->exit = d.errors ? EXIT_FAILED : EXIT_DONE;
    return OK;
}

const struct command cmd_check_command = {
    .name = "check",
    .need = NO_STORE,
    .args = "SUITE...",
    .summary = "find every mistake in suites, items, templates and models.yaml",
    .nargs = {0, FILES_MAX},
    .run = run,
};
