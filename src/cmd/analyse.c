#include "cmd/analyse.h"

#include "base/message.h"
#include "cmd/term.h"
#include "report/items_table.h"
#include "suite/suite.h"

static enum status find(struct app *app, const struct run_row *run, const char *judge,
                        struct jury *jury, struct items_analysis *out, struct err *e)
{
    struct suite suite;

    if (suite_thaw(app->arena, run->frozen, &suite, e) != OK ||
        jury_find(app->arena, app->store, run->id, judge, jury, e) != OK ||
        items_analyse(app->arena, app->store, run, &suite, jury, out, e) != OK)
        return e->code;
    return out->models ? OK : err_set(e, E_ABSENT, "run %s has no verdicts yet", run->name);
}

static void print_json(struct app *app, const struct run_row *run, const struct jury *jury,
                       const struct items_analysis *x)
{
    AUTO(json_freep) json_t *j = json_object();

    json_put_text(j, "run", run->name);
    json_put_text(j, "judge", jury->name);
    json_put_int(j, "models", (int64_t)x->models);
    json_put_int(j, "judges", (int64_t)x->judges);
    table_json(items_table(app->arena, x, 0, NULL), json_put_list(j, "items"));
    table_json(items_table_twins(app->arena, x, NULL), json_put_list(j, "redundant"));
    fprintf(app->out, "%s\n", json_text(app->arena, j));
}

static enum status print_text(struct app *app, const struct run_row *run,
                              const struct items_analysis *x, size_t limit, struct err *e)
{
    const char *language = app->common.language;

    fprintf(app->out,
            _("run %s: %zu item%s, %zu model%s, %zu judge%s; the most informative first\n\n"),
            run->name, x->n, message_s(x->n), x->models, message_s(x->models), x->judges,
            message_s(x->judges));
    if (term_draw(app, items_table(app->arena, x, limit, language), false, e) != OK ||
        (x->ntwins && term_draw(app, items_table_twins(app->arena, x, language), false, e) != OK))
        return e->code;
    if (limit && x->n > limit)
        fprintf(app->out, _("%zu more item%s: --limit 0 shows all\n"), x->n - limit,
                message_s(x->n - limit));
    if (x->models < ITEMWISE_PERSONS)
        fprintf(app->out, _("correlations need at least %d models\n"), ITEMWISE_PERSONS);
    return OK;
}

enum status analyse_items(struct app *app, const char *name, const char *judge, int64_t limit,
                          struct err *e)
{
    struct items_analysis x = {0};
    struct run_row run = {0};
    struct jury jury = {0};

    if (store_open(&app->store, app->common.db, DB_READ, e) != OK ||
        store_run_get(app->arena, app->store, name, &run, e) != OK ||
        find(app, &run, judge, &jury, &x, e) != OK)
        return e->code;
    if (jury.masked)
        return err_set(e, E_USAGE, "%s is not unmasked yet", jury.name);
    if (!app->common.json)
        return print_text(app, &run, &x, (size_t)limit, e);
    print_json(app, &run, &jury, &x);
    return OK;
}

enum status analyse_last(struct app *app, const char *suite, const struct analyse_least *least,
                         struct run_row *by, struct items_analysis *out, struct err *e)
{
    struct run_list runs;

    if (store_run_list(app->arena, app->store, &runs, e) != OK)
        return e->code;
    for (size_t i = 0; i < runs.n; i++) {
        struct err why = {0};
        struct jury jury = {0};
        if (strcmp(runs.v[i].suite, suite) != 0)
            continue;
        if (store_run_by_id(app->arena, app->store, runs.v[i].id, by, e) != OK)
            return e->code;
        if (find(app, by, NULL, &jury, out, &why) == OK && out->models >= least->models &&
            out->n >= least->items && !jury.masked)
            return OK;
    }
    *out = (struct items_analysis){0};
    return OK;
}

enum status analyse_best(struct app *app, const char *suite, size_t n, const char ***names,
                         struct run_row *by, struct err *e)
{
    struct items_analysis x = {0};

    if (analyse_last(app, suite, &(struct analyse_least){2, n}, by, &x, e) != OK)
        return e->code;
    if (x.n == 0)
        return err_set(e, E_ABSENT,
                       "no run of %s with two models and %zu judged item%s to choose items by; run "
                       "all items first",
                       suite, n, message_s(n));
    *names = items_best(app->arena, &x, n);
    return OK;
}
