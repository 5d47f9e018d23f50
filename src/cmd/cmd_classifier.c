/* Classifiers of answers: train one, test it, apply it to texts or to a run. */
#include <stdlib.h>

#include "base/message.h"
#include "cmd/cmd.h"
#include "cmd/interrupt.h"
#include "cmd/progress.h"
#include "cmd/records.h"
#include "cmd/suite_args.h"
#include "cmd/term.h"
#include "eval/classing.h"
#include "eval/score.h"
#include "report/class_table.h"
#include "suite/field.h"
#include "text/rune.h"

enum { OUTPUT_MAX = 256 << 20, TEXT_SHOWN = 60 };

struct classifier_values {
    const char *output, *model, *endpoint, *positive;
    int64_t folds, seed;
    double threshold;
};

static void print_measures(struct app *app, const struct class_table *t)
{
    AUTO(buf_done) struct buf out = BUF_MAX(OUTPUT_MAX);

    if (app->common.json) {
        AUTO(json_freep) json_t *j = class_table_measures_json(t);
        fprintf(app->out, "%s\n", json_text(app->arena, j));
        return;
    }
    class_table_measures(t, &out);
    fputs(out.p, app->out);
}

/* ---- train and test ---- */

static enum status train(struct app *app, const char *path, const struct classifier_values *v,
                         struct err *e)
{
    int folds = (int)v->folds;
    struct labels labels;
    struct classifier c = {.labels = {"", ""}};
    struct classifier_measures m;
    double *logits;

    if (!v->output)
        return err_set(e, E_USAGE, "usage: audition classifier train LABELS -o MODEL");
    if (labels_read(app->arena, path, v->positive, &labels, e) != OK)
        return e->code;
    logits = NEW_N(app->arena, double, labels.n);
    if (classifier_cross(&labels, folds, (uint64_t)v->seed, logits, e) != OK)
        return err_wrap(e, "%s", path);
    if (classifier_train(app->arena, &labels, &c, e) != OK ||
        classifier_save(&c, v->output, e) != OK)
        return e->code;
    m = classifier_measure(&labels, logits);
    print_measures(app, &(struct class_table){path, &labels, &m, folds});
    if (!v->positive)
        fprintf(app->err, _("it counts \"%s\"; --positive %s counts the other\n"), labels.name[1],
                labels.name[0]);
    fprintf(app->err, _("wrote %s\n"), v->output);
    return OK;
}

static enum status load(struct app *app, const struct classifier_values *v, struct classifier *out,
                        struct err *e)
{
    if (!v->model)
        return err_set(e, E_USAGE, "which classifier? (-m MODEL)");
    return classifier_load(app->arena, v->model, out, e);
}

static enum status test(struct app *app, const char *path, const struct classifier_values *v,
                        struct err *e)
{
    struct labels labels;
    struct classifier c = {.labels = {"", ""}};
    struct classifier_measures m;
    double *logits;

    if (load(app, v, &c, e) != OK || labels_read(app->arena, path, c.labels[1], &labels, e) != OK)
        return e->code;
    if (strcmp(labels.name[0], c.labels[0]) != 0)
        return err_set(e, E_INPUT, "%s has the label \"%s\", but %s knows only \"%s\" and \"%s\"",
                       path, labels.name[0], v->model, c.labels[0], c.labels[1]);
    logits = NEW_N(app->arena, double, labels.n);
    for (size_t i = 0; i < labels.n; i++)
        logits[i] = linear_logit(&c.model, &labels.v[i]);
    m = classifier_measure(&labels, logits);
    print_measures(app, &(struct class_table){path, &labels, &m, 0});
    return OK;
}

/* ---- apply ---- */

struct applying {
    struct app *app;
    const struct classifier *classifier;
    double threshold;
    struct buf *out;
    double *logits;
    size_t n, cap;
    struct record_faults faults;
};

static void apply_one(struct applying *p, const struct record *r, struct str text)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    double logit = classifier_logit(p->classifier, text);
    const char *label = p->classifier->labels[logit > p->threshold];

    if (p->app->common.json) {
        buf_fmt(p->out, "%s{\"line\":%lld,\"logit\":%.17g,\"label\":", p->n ? "," : "",
                (long long)r->line, logit);
        json_quote(p->out, str_of(label));
        buf_char(p->out, '}');
    } else {
        struct str shown = rune_clean(a, utf8_head(text, TEXT_SHOWN));
        size_t end = str_find(shown, STR("\n"));
        shown.n = end < shown.n ? end : shown.n;
        buf_fmt(p->out, "%7.2f  %s  %.*s\n", logit, label, STR_ARG(shown));
    }
    p->logits = arena_grow(p->app->arena, p->logits, &p->cap, p->n + 1, sizeof *p->logits);
    p->logits[p->n++] = logit;
}

static enum status apply_record(void *user, struct arena *scratch, const struct record *r,
                                struct err *e)
{
    static const char *const keys[] = {"text", "answer", "reply", "response", "output", "content"};
    struct applying *p = user;
    struct str text;

    (void)scratch;
    (void)e;
    if (r->fault || !record_text(r, keys, COUNT(keys), &text))
        record_fault(&p->faults, r->line, r->fault ? r->fault : N_("no text in it"));
    else
        apply_one(p, r, text);
    return OK;
}

static enum status apply_all(struct applying *p, const char *path, struct err *e)
{
    if (records_read(path, apply_record, p, e) != OK)
        return e->code;
    record_faults_close(&p->faults);
    return p->n ? OK : err_set(e, E_INPUT, "%s contains no text", path);
}

static void close_json(struct applying *p, const struct interval *rate,
                       const struct classifier_point *curve)
{
    AUTO(json_freep) json_t *one = class_table_rate_json(rate, p->threshold);
    AUTO(json_freep) json_t *points = class_table_curve_json(curve);

    buf_fmt(p->out, "],\"rate\":%s,\"curve\":%s}\n", json_text(p->app->arena, one),
            json_text(p->app->arena, points));
}

static enum status apply_file(struct applying *p, const char *path, struct err *e)
{
    struct classifier_point curve[CLASSIFIER_CURVE];
    struct interval rate;

    buf_text(p->out, p->app->common.json ? "{\"lines\":[" : "");
    if (apply_all(p, path, e) != OK)
        return e->code;
    rate = classifier_rate(p->logits, p->n, p->threshold);
    classifier_curve(p->logits, p->n, curve);
    if (p->app->common.json) {
        close_json(p, &rate, curve);
    } else {
        buf_char(p->out, '\n');
        class_table_rate(&rate, p->threshold, p->out);
        class_table_curve(curve, p->out);
    }
    if (p->faults.n)
        p->app->exit = EXIT_LEFT;
    return term_put(p->app, p->out, e);
}

static enum status apply(struct app *app, const char *path, const struct classifier_values *v,
                         struct err *e)
{
    AUTO(buf_done) struct buf out = BUF_MAX(OUTPUT_MAX);
    struct classifier c = {.labels = {"", ""}};
    struct applying p = {.app = app,
                         .classifier = &c,
                         .threshold = v->threshold,
                         .out = &out,
                         .faults = {app->err, path, 0}};

    if (load(app, v, &c, e) != OK)
        return e->code;
    return apply_file(&p, path, e);
}

/* ---- rate ---- */

/* A classifier of our own is called like its file, without directory and suffix. */
static enum status name_of(struct app *app, const char *path, const char **out, struct err *e)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    struct str name = {base, dot && dot > base ? (size_t)(dot - base) : strlen(base)};

    if (!field_is_id(name) || name.n > FIELD_ID_MAX)
        return err_set(e, E_USAGE,
                       "%s: the classifier takes its name from the file, which may contain only "
                       "letters, digits, '-', '_' and '.'",
                       path);
    *out = arena_text(app->arena, name);
    return OK;
}

static enum status find_endpoint(struct app *app, const char *name, struct classing_how *out,
                                 struct err *e)
{
    struct roster r;
    struct diags d;

    diags_init(&d, app->arena);
    if (suite_args_roster(app, &r, &d, e) != OK || suite_args_faults(app, &d, r.path, e) != OK)
        return e->code;
    out->name = name;
    out->endpoint = models_classifier(&r.models, name);
    if (!out->endpoint)
        return err_set(e, E_USAGE, "no classifier \"%s\" in %s (a list under `classifiers:`)", name,
                       r.path);
    return OK;
}

static enum status choose(struct app *app, const struct classifier_values *v,
                          struct classifier *own, struct classing_how *out, struct err *e)
{
    if (!v->model == !v->endpoint)
        return err_set(e, E_USAGE, "which classifier? (-m MODEL or --endpoint NAME)");
    if (v->endpoint)
        return find_endpoint(app, v->endpoint, out, e);
    out->classifier = own;
    if (name_of(app, v->model, &out->name, e) != OK)
        return e->code;
    return load(app, v, own, e);
}

struct classed {
    struct app *app;
    struct run_row run;
    const char *name;
    struct classing_outcome outcome;
    struct party_list models;
    struct score_list scores;
    struct classifier_point curve[CLASSIFIER_CURVE];
};

static const struct score_row *rate_of(const struct classed *r, const char *model)
{
    struct arena *a = r->app->arena;

    return score_find(&r->scores, arena_printf(a, "model/%s", model),
                      arena_printf(a, "rate:%s", r->name));
}

static struct interval interval_of(const struct score_row *row)
{
    return (struct interval){
        .value = row->value, .low = row->lo, .high = row->hi, .n = (size_t)row->n};
}

static void rates_json(const struct classed *r)
{
    AUTO(json_freep) json_t *root = json_object();
    json_t *models = json_object();

    json_put_text(root, "run", r->run.name);
    json_put_text(root, "classifier", r->name);
    json_put_int(root, "classified", r->outcome.now);
    json_put_int(root, "before", r->outcome.before);
    json_put_int(root, "failed", r->outcome.failed);
    json_put_int(root, "left", r->outcome.left);
    json_put(root, "rates", models);
    for (size_t i = 0; i < r->models.n; i++) {
        const struct score_row *row = rate_of(r, r->models.v[i].name);
        struct interval rate = row ? interval_of(row) : (struct interval){0};
        json_put(models, r->models.v[i].name, row ? class_table_rate_json(&rate, 0) : json_null());
    }
    json_put(root, "curve", class_table_curve_json(r->curve));
    fprintf(r->app->out, "%s\n", json_text(r->app->arena, root));
}

static void rates_text(const struct classed *r)
{
    AUTO(buf_done) struct buf out = BUF_MAX(OUTPUT_MAX);

    buf_fmt(&out, _("run %s, classifier %s: %lld answer%s classified now, %lld before"),
            r->run.name, r->name, (long long)r->outcome.now, message_s(r->outcome.now),
            (long long)r->outcome.before);
    if (r->outcome.failed)
        buf_fmt(&out, _(", %lld failed"), (long long)r->outcome.failed);
    buf_text(&out, "\n\n");
    for (size_t i = 0; i < r->models.n; i++) {
        const struct score_row *row = rate_of(r, r->models.v[i].name);
        buf_fmt(&out, "%s  ", r->models.v[i].name);
        if (row) {
            struct interval rate = interval_of(row);
            class_table_rate(&rate, 0, &out);
        } else {
            buf_text(&out, "-\n");
        }
    }
    class_table_curve(r->curve, &out);
    fputs(out.p, r->app->out);
}

static enum status show_rates(struct classed *r, struct err *e)
{
    struct arena *a = r->app->arena;
    struct logit_list logits;

    if (store_party_list(a, r->app->store, PARTY_MODEL, r->run.id, &r->models, e) != OK ||
        store_score_list(a, r->app->store, r->run.id, "", &r->scores, e) != OK ||
        store_class_logits(a, r->app->store, r->run.id, r->name, &logits, e) != OK)
        return e->code;
    classifier_curve(logits.v, logits.n, r->curve);
    if (r->app->common.json)
        rates_json(r);
    else
        rates_text(r);
    if (r->outcome.failed) {
        fprintf(r->app->err, _("%lld answer%s not classified: %s\n"), (long long)r->outcome.failed,
                message_s(r->outcome.failed), r->outcome.why);
        r->app->exit = EXIT_LEFT;
    }
    if (r->outcome.left) {
        fprintf(r->app->err, _("interrupted: %lld answer%s left; resume with: %s\n"),
                (long long)r->outcome.left, message_s(r->outcome.left), r->app->line);
        r->app->exit = EXIT_STOPPED;
    }
    return OK;
}

static enum status classify_run(struct classed *r, const struct classing_how *how, struct err *e)
{
    struct classing_how mine = *how;
    struct interrupt watched;
    struct progress shown;
    enum status st;

    mine.stop = interrupt_watch(&watched);
    progress_init(&shown, r->app, _("answers"), mine.stop);
    mine.report = progress_report;
    mine.user = &shown;
    st = classing_run(r->app->arena, r->app->store, &r->run, &mine, &r->outcome, e);
    interrupt_unwatch(&watched);
    progress_done(&shown);
    return st;
}

static enum status rate(struct app *app, const char *name, const struct classifier_values *v,
                        struct err *e)
{
    struct classed r = {.app = app};
    struct classing_how how = {0};
    struct classifier own;

    if (choose(app, v, &own, &how, e) != OK)
        return e->code;
    r.name = how.name;
    if (store_open(&app->store, app->common.db, DB_CHANGE, e) != OK ||
        store_run_get(app->arena, app->store, name, &r.run, e) != OK ||
        classify_run(&r, &how, e) != OK)
        return e->code;
    return show_rates(&r, e);
}

/* ---- the command ---- */

static const struct task {
    const char *word;
    enum status (*run)(struct app *app, const char *arg, const struct classifier_values *v,
                       struct err *e);
} tasks[] = {
    {"train", train},
    {"test", test},
    {"apply", apply},
    {"rate", rate},
};

static enum status run_task(struct app *app, struct err *e)
{
    size_t row;

    if (opt_choose(&OPT_WORDS(NULL, tasks), app->args.v[0], &row, e) != OK)
        return e->code;
    return tasks[row].run(app, app->args.v[1], app->values, e);
}

#define AT(member) offsetof(struct classifier_values, member)

const struct command cmd_classifier_command = {
    .name = "classifier",
    .need = NO_STORE,
    .args = "train LABELS -o MODEL | test LABELS -m MODEL | apply FILE -m MODEL | rate RUN",
    .summary = "train classifiers and apply them to answers",
    /* clang-format off */
    .opts = OPTS(
        {"output",    'o', OPT_TEXT,   AT(output),    "FILE",  "train: where to write the classifier", 0, 0},
        {"positive",  0,   OPT_TEXT,   AT(positive),  "LABEL", "train: the label that logits above 0 stand for [1, true, yes, or the first in the file]", 0, 0},
        {"folds",     0,   OPT_COUNT,  AT(folds),     "N",     "train: folds of the cross-validation [5]", 2, 100},
        {"seed",      0,   OPT_COUNT,  AT(seed),      "N",     "train: seed of the folds [0]", 0, 0},
        {"model",     'm', OPT_TEXT,   AT(model),     "FILE",  "test, apply, rate: a classifier written by train", 0, 0},
        {"endpoint",  0,   OPT_TEXT,   AT(endpoint),  "NAME",  "rate: a classifier in models.yaml", 0, 0},
        {"threshold", 0,   OPT_NUMBER, AT(threshold), "X",     "apply: the logit a text must exceed [0]", 0, 0}),
    /* clang-format on */
    .size = sizeof(struct classifier_values),
    .tasks = true,
    .defaults = &(const struct classifier_values){.folds = 5},
    .nargs = {2, 2},
    .run = run_task,
};
