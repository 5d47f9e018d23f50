/* Samples and verdicts that were made elsewhere. */
#include "base/json.h"
#include "cmd/suite_args.h"
#include "eval/derive.h"
#include "eval/exchange.h"
#include "eval/models.h"
#include "eval/plan.h"
#include "eval/score.h"

struct import_values {
    const char *suite, *model;
};

/* What is being imported, and into what. */
struct job {
    struct app *app;
    struct exchange_file file;
    struct exchange_survey survey;
    struct run_row run;
    struct suite *suite;
    struct item_source *items; /* of a suite; NULL: the run is there already */
    struct exchange_counts counts;
};

static enum status load_suite(struct job *j, const char *path, struct err *e)
{
    struct diags d;

    diags_init(&d, j->app->arena);
    j->suite = suite_load(j->app->arena, path, &j->items, &d);
    if (suite_args_faults(j->app, &d, path, e) != OK)
        return e->code;
    if (j->survey.repeats)
        j->suite->elicit.repeats = (int)j->survey.repeats;
    return OK;
}

static enum status load_run(struct job *j, const char *name, struct err *e)
{
    j->suite = NEW(j->app->arena, struct suite);
    if (store_run_get(j->app->arena, j->app->store, name, &j->run, e) != OK)
        return e->code;
    return suite_thaw(j->app->arena, j->run.frozen, j->suite, e);
}

static enum status endpoint_of(struct job *j, const char *name, const struct endpoint **out,
                               struct err *e)
{
    struct arena *a = j->app->arena;
    struct endpoint *ep = NEW(a, struct endpoint);
    AUTO(json_freep)
    json_t *config =
        json_pack("{s:s, s:s, s:s}", "name", name, "kind", "recorded", "file", j->file.path);

    *out = ep;
    return models_thaw(a, str_of(json_text(a, config)), ep, e);
}

/* A run of its own for this suite and the words in this file. */
static enum status make_run(struct job *j, struct err *e)
{
    struct arena *a = j->app->arena;
    const struct endpoint **models = NEW_N(a, const struct endpoint *, j->survey.nmodels);
    struct plan p = {
        .suite = j->suite, .items = j->items, .models = models, .nmodels = j->survey.nmodels};
    struct diags d;
    bool resumed;

    diags_init(&d, a);
    for (size_t i = 0; i < p.nmodels; i++)
        if (endpoint_of(j, j->survey.models[i], &models[i], e) != OK)
            return e->code;
    if (plan_run_within(a, j->app->store, &p, &j->run, &resumed, &d, e) != OK)
        return d.errors ? suite_args_faults(j->app, &d, j->suite->path, e) : e->code;
    return OK;
}

/* All of it or nothing. */
static enum status import_all(struct job *j, struct err *e)
{
    struct store *s = j->app->store;

    if (store_begin(s, e) != OK)
        return e->code;
    if ((j->items && make_run(j, e) != OK) ||
        exchange_import(s, &j->run, j->suite, &j->file, &j->survey, &j->counts, e) != OK ||
        store_commit(s, e) != OK) {
        store_rollback(s);
        return e->code;
    }
    j->run.stale = true;
    return derive_refresh(s, &j->run, e);
}

static enum status print_counts(const struct job *j, struct err *e)
{
    const struct exchange_counts *c = &j->counts;
    struct app *app = j->app;
    struct state_counts samples;
    int64_t missing;

    if (store_sample_counts(app->store, j->run.id, &samples, e) != OK)
        return e->code;
    missing = samples.by[STATE_PLANNED];
    if (app->common.json) {
        fprintf(app->out,
                "{\"run\":\"%s\",\"samples\":%lld,\"verdicts\":%lld,\"same\":%lld,"
                "\"without_result\":%lld,\"missing\":%lld}\n",
                j->run.name, (long long)c->samples, (long long)c->verdicts, (long long)c->same,
                (long long)c->empty, (long long)missing);
        return OK;
    }
    fprintf(app->out, "run %s: %lld samples and %lld verdicts imported", j->run.name,
            (long long)c->samples, (long long)c->verdicts);
    if (c->same)
        fprintf(app->out, ", %lld were there already", (long long)c->same);
    if (c->empty)
        fprintf(app->out, ", %lld lines had no result", (long long)c->empty);
    fprintf(app->out, "\n");
    if (missing)
        fprintf(app->out, "%lld answers are missing\n", (long long)missing);
    fprintf(app->out,
            "\n  judge    audition judge %s --judge JUDGE\n  look     audition board %s\n",
            j->run.name, j->run.name);
    return OK;
}

static enum status import(struct app *app, const struct opt_args *args, const void *values,
                          struct err *e)
{
    const struct import_values *v = values;
    struct job j = {.app = app, .file = {.path = args->v[0], .model = v->model}};

    if ((args->n == 2) == (v->suite != NULL))
        return err_set(e, E_USAGE,
                       "say where to: a RUN that is there, or --suite SUITE for a new one");
    if (exchange_survey(app->arena, &j.file, &j.survey, e) != OK ||
        (v->suite ? load_suite(&j, v->suite, e) : load_run(&j, args->v[1], e)) != OK ||
        import_all(&j, e) != OK)
        return e->code;
    return print_counts(&j, e);
}

/* clang-format off */
static const struct opt opts[] = {
    {"suite", 0, OPT_TEXT, offsetof(struct import_values, suite), "SUITE",
     "make a new run of this suite", 0, 0},
    {"model", 'm', OPT_TEXT, offsetof(struct import_values, model), "NAME",
     "the model of lines that name none", 0, 0},
    {NULL, 0, OPT_FLAG, 0, NULL, NULL, 0, 0},
};
/* clang-format on */

const struct command cmd_import_command = {
    .name = "import",
    .need = STORE_WRITE,
    .args = "FILE RUN | FILE --suite SUITE",
    .summary = "take in answers and verdicts made elsewhere",
    .details =
        "FILE holds JSON lines or one JSON list. A sample has \"model\", \"item\" and \"answer\" "
        "(or "
        "\"text\", \"reply\", \"output\", \"response\"), and may have \"repeat\" from 0; a verdict "
        "has \"judge\", "
        "\"model\", \"item\", \"repeat\" and \"marks\". Answers are taken as they are. Either "
        "every line "
        "is imported or none; lines that are there already are passed over.\n\n"
        "    audition import answers.jsonl --suite suites/live-chat.yaml --model my-finetune\n"
        "    audition import verdicts.jsonl 3f9c\n",
    .opts = opts,
    .size = sizeof(struct import_values),
    .min_args = 1,
    .max_args = 2,
    .run = import,
};
