/* A run against a baseline, item by item. */
#include <math.h>

#include "base/file.h"
#include "base/message.h"
#include "cmd/refresh.h"
#include "cmd/term.h"
#include "report/render_compare.h"
#include "store/store_compare.h"
#include "suite/suite.h"

enum { OUTPUT_MAX = 512 << 20 };

struct compare_values {
    const char *output, *model, *against, *judge;
    double margin, fail_under;
    bool declare, strict, forms;
};

typedef void write_fn(const struct compare *c, struct buf *out);

/* The renderer for a file name; NULL: see e. */
static write_fn *writer_of(const char *path, struct err *e)
{
    static const struct {
        const char *suffix;
        write_fn *write;
    } forms[] = {{".xml", render_compare_junit},
                 {".md", render_compare_markdown},
                 {".json", render_compare_json}};

    for (size_t i = 0; i < COUNT(forms); i++)
        if (str_ends(str_of(path), str_of(forms[i].suffix)))
            return forms[i].write;
    (void)err_set(e, E_USAGE, "%s: the suffix selects the format: .xml (JUnit), .md or .json",
                  path);
    return NULL;
}

static enum status show(struct app *app, const struct compare *c, const char *path, struct err *e)
{
    AUTO(buf_done) struct buf out = BUF_MAX(OUTPUT_MAX), screen = BUF_MAX(OUTPUT_MAX);
    struct render_terminal how = term_board(app, true);

    if (path) {
        write_fn *write = writer_of(path, e);
        if (!write)
            return e->code;
        write(c, &out);
        if (out.full)
            return err_set(e, E_INPUT, "%s: over %d MB", path, OUTPUT_MAX >> 20);
        if (file_write(path, buf_str(&out), e) != OK)
            return e->code;
    }
    /* The file is for CI; what a person reads is printed in any case. */
    if (app->common.json)
        render_compare_json(c, &screen);
    else
        render_compare_terminal(c, &how, &screen);
    return term_put(app, &screen, e);
}

/* Sums of the same marks in another order differ in their last bits. */
#define NOISE 1e-9

/* --fail-under X: a model must be shown not to be worse by more than X: by the lower end of the
 * interval or, if there is none or with --strict, by the difference itself. A model without
 * anything to compare misses every threshold. */
static void judge(struct app *app, const struct compare *c, bool strict)
{
    for (size_t i = 0; i < c->nmodels && !isnan(c->least); i++) {
        const struct interval *d = &c->models[i].difference;
        bool end = !strict && isfinite(d->low);
        double least = end ? d->low : d->value;
        if (least >= -c->least - NOISE)
            continue;
        app->exit = EXIT_THRESHOLD;
        if (isnan(d->value))
            fprintf(app->err, _("%s: no item was scored in both runs\n"), c->models[i].name);
        else if (end)
            fprintf(app->err,
                    _("%s: it may be worse by more than %g: the interval of the difference %+.4g "
                      "begins at %+.4g\n"),
                    c->models[i].name, c->least, d->value, d->low);
        else
            fprintf(app->err, _("%s: the difference %+.4g is a loss of more than %g\n"),
                    c->models[i].name, d->value, c->least);
    }
}

static enum status declare(struct app *app, struct err *e)
{
    struct run_row run;

    if (app->args.n != 1 || app->args.ngiven > 1)
        return err_set(e, E_USAGE, "--declare takes one RUN and no other option");
    if (store_run_get(app->arena, app->store, app->args.v[0], &run, e) != OK ||
        store_baseline_declare(app->store, &run, e) != OK)
        return e->code;
    if (app->common.json)
        return term_json(app, json_pack("{s:s, s:s}", "suite", run.suite, "baseline", run.name));
    fprintf(app->out, _("run %s is the baseline of %s\n"), run.name, run.suite);
    return OK;
}

static enum status find_baseline(struct app *app, const struct run_row *run, struct run_row *out,
                                 struct err *e)
{
    struct run_row declared;

    if (app->args.n > 1)
        return refresh_find(app, app->args.v[1], out, e);
    if (store_baseline_get(app->arena, app->store, run->suite, &declared, e) != OK)
        return e->code;
    return refresh_find(app, declared.name, out, e);
}

static enum status form_of_run(struct app *app, const struct run_row *run, int64_t *form,
                               struct err *e)
{
    struct suite suite;

    if (suite_thaw(app->arena, run->frozen, &suite, e) != OK)
        return err_wrap(e, "suite of run %s", run->name);
    *form = suite.form;
    return OK;
}

/* The newest run of the suite with another form. */
static enum status another_form(struct app *app, const struct run_row *run, int64_t form,
                                struct run_row *out, struct err *e)
{
    struct run_list l;

    if (store_run_list(app->arena, app->store, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++) {
        struct run_row one;
        int64_t other = form;
        if (strcmp(l.v[i].suite, run->suite) != 0)
            continue;
        if (store_run_by_id(app->arena, app->store, l.v[i].id, &one, e) != OK ||
            form_of_run(app, &one, &other, e) != OK)
            return e->code;
        if (other != form)
            return refresh_find(app, one.name, out, e);
    }
    return err_set(e, E_ABSENT,
                   "%s has no run with a form other than that of %s: run it with --form N",
                   run->suite, run->name);
}

/* The baseline is a run of another form. Unless `run` has the published form, the two change
 * places, so that the published form comes first. */
static enum status find_forms(struct app *app, struct run_row *run, struct run_row *baseline,
                              struct err *e)
{
    struct run_row given = *run;
    int64_t form = 0;

    if (form_of_run(app, run, &form, e) != OK)
        return e->code;
    if (app->args.n > 1 ? refresh_find(app, app->args.v[1], baseline, e)
                        : another_form(app, run, form, baseline, e))
        return e->code;
    if (form == 0)
        return OK;
    *run = *baseline;
    *baseline = given;
    return OK;
}

static enum status compare(struct app *app, struct err *e)
{
    const struct compare_values *v = app->values;
    const struct compare_options o = {v->model,      v->against, v->margin,
                                      v->fail_under, v->judge,   v->forms};
    struct run_row run = {0}, baseline = {0};
    struct compare c;

    if (store_open(&app->store, app->common.db, v->declare ? DB_CHANGE : DB_READ, e) != OK)
        return e->code;
    if (v->declare)
        return declare(app, e);
    if (v->against && !v->model)
        return err_set(e, E_USAGE, "--against needs --model, the model to compare with it");
    if (!(v->margin >= 0))
        return err_set(e, E_USAGE, "--margin must be at least 0");
    if (refresh_find(app, app->args.n ? app->args.v[0] : "latest", &run, e) != OK ||
        (v->forms ? find_forms(app, &run, &baseline, e) : find_baseline(app, &run, &baseline, e)) !=
            OK ||
        compare_runs(app->arena, app->store, &run, &baseline, &o, &c, e) != OK ||
        show(app, &c, v->output, e) != OK)
        return e->code;
    if (run.id == baseline.id && !v->against)
        fprintf(app->err, _("run %s is its own baseline: compare a later run of %s with it\n"),
                run.name, run.suite);
    judge(app, &c, v->strict);
    return OK;
}

#define AT(member) offsetof(struct compare_values, member)

const struct command cmd_compare_command = {
    .name = "compare",
    .need = NO_STORE, /* --declare writes, everything else reads */
    .args = "[RUN] [BASELINE]",
    .summary = "compare a run with a baseline, item by item",
    /* clang-format off */
    .opts = OPTS(
        {"declare",    0,   OPT_FLAG,   AT(declare),    NULL,    "make RUN the baseline of its suite", 0, 0},
        {"model",      'm', OPT_TEXT,   AT(model),      "MODEL", "only this model of RUN [all that both runs have]", 0, 0},
        {"against",    0,   OPT_TEXT,   AT(against),    "MODEL", "compare it with this model of BASELINE [the one of the same name]", 0, 0},
        {"margin",     0,   OPT_NUMBER, AT(margin),     "X",     "treat changes of at most X in an item as no change [0]", 0, 1000000},
        {"judge",      0,   OPT_TEXT,   AT(judge),      "NAME",  "whose scores: a judge, a panel (a+b) or people (campaign:NAME) [the first judges]", 0, 0},
        {"fail-under", 0,   OPT_NUMBER, AT(fail_under), "X",     "exit with 100 unless the interval shows that no model lost more than X [never]", 0, 1000000},
        {"strict",     0,   OPT_FLAG,   AT(strict),     NULL,    "... judged by the difference itself, not by its interval", 0, 0},
        {"forms",      0,   OPT_FLAG,   AT(forms),      NULL,    "compare the published form with a fresh one (run --form N): how much better models do on items that they may have seen", 0, 0},
        {"output",     'o', OPT_TEXT,   AT(output),     "FILE",  "also write FILE: .xml (JUnit), .md or .json", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct compare_values),
    .defaults = &(const struct compare_values){.fail_under = NAN},
    .nargs = {0, 2},
    .run = compare,
};
