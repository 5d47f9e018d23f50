/* Imports samples and verdicts that were made elsewhere. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/message.h"
#include "cmd/refresh.h"
#include "cmd/suite_args.h"
#include "eval/plan.h"
#include "exchange/exchange.h"
#include "exchange/peer.h"
#include "suite/endpoint.h"
#include "suite/mark.h"
#include "suite/models.h"

enum { FILES_MAX = 1000 };

struct import_values {
    const char *suite, *model, *output;
    int64_t turn;
};

/* What is being imported, and into what. */
struct job {
    struct app *app;
    struct exchange_files files;
    struct exchange_survey survey;
    struct run_row run;
    struct suite *suite;
    struct item_source *items; /* of a suite, for a new run; NULL: the run exists */
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

static enum status endpoint_of(struct job *j, size_t model, const struct endpoint **out,
                               struct err *e)
{
    struct arena *a = j->app->arena;
    struct endpoint *ep = NEW(a, struct endpoint);
    AUTO(json_freep)
    json_t *config = json_pack("{s:s, s:s, s:s}", "name", j->survey.models[model], "kind",
                               "recorded", "file", j->survey.from[model]);

    *out = ep;
    return models_thaw(a, str_of(json_text(a, config)), ep, e);
}

/* Plan a run of the suite whose models are those of the files. */
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
        if (endpoint_of(j, i, &models[i], e) != OK)
            return e->code;
    if (plan_run_within(a, j->app->store, &p, &j->run, &resumed, &d, e) != OK)
        return d.errors ? suite_args_faults(j->app, &d, j->suite->path, e) : e->code;
    return OK;
}

/* Import everything or nothing. */
static enum status import_all(struct job *j, struct err *e)
{
    struct store *s = j->app->store;

    if (store_atomically(s, e,
                         (j->items && make_run(j, e) != OK) ||
                                 exchange_import(s, &j->run, j->suite, &j->files, &j->survey,
                                                 &j->counts, e) != OK
                             ? e->code
                             : OK) != OK)
        return e->code;
    j->run.stale = true;
    return refresh_run(j->app, s, &j->run, e);
}

static void print_json(const struct job *j, int64_t missing)
{
    const struct exchange_counts *c = &j->counts;

    fprintf(j->app->out,
            "{\"run\":\"%s\",\"samples\":%lld,\"verdicts\":%lld,\"unscored\":%lld,"
            "\"same\":%lld,\"without_result\":%lld,\"missing\":%lld,\"other_winner\":%lld}\n",
            j->run.name, (long long)c->samples, (long long)c->verdicts, (long long)c->unscored,
            (long long)c->same, (long long)c->empty, (long long)missing, (long long)c->differ);
}

/* Verdicts whose recorded winner is not what we read in the judge's text. */
static void print_differences(const struct job *j)
{
    const struct exchange_counts *c = &j->counts;

    for (int64_t i = 0; i < c->differ && i < EXCHANGE_LINES_SHOWN; i++)
        fprintf(j->app->err, _("%s:%lld: the judge's text picks the other one, not \"winner\"\n"),
                c->differ_at[i].path, (long long)c->differ_at[i].line);
    if (c->differ)
        fprintf(
            j->app->err,
            _("%lld verdict%s against the winner recorded in the file; the judge's text counts\n"),
            (long long)c->differ, c->differ == 1 ? " goes" : "s go");
}

static void print_text(const struct job *j, int64_t missing)
{
    const struct exchange_counts *c = &j->counts;
    FILE *out = j->app->out;

    fprintf(out, _("run %s: %lld sample%s and %lld verdict%s imported"), j->run.name,
            (long long)c->samples, message_s(c->samples), (long long)c->verdicts,
            message_s(c->verdicts));
    if (c->unscored)
        fprintf(out, _(" (%lld unscored)"), (long long)c->unscored);
    if (c->same)
        fprintf(out, _(", %lld already present"), (long long)c->same);
    if (c->empty)
        fprintf(out, _(", %lld line%s without a result"), (long long)c->empty, message_s(c->empty));
    fprintf(out, "\n");
    if (missing)
        fprintf(out, _("%lld answer%s missing\n"), (long long)missing,
                missing == 1 ? " is" : "s are");
    fprintf(out, _("\n  judge    %s judge %s --judge JUDGE%s\n  look     %s board %s%s\n"),
            j->app->self, j->run.name,
            arena_printf(j->app->arena, "%s%s", j->app->who, j->app->where), j->app->self,
            j->run.name, j->app->where);
}

static enum status print_counts(const struct job *j, struct err *e)
{
    struct run_counts c;

    if (store_run_counts(j->app->store, &j->run, 1, NULL, &c, e) != OK)
        return e->code;
    print_differences(j);
    if (j->app->common.json)
        print_json(j, c.samples.by[STATE_PLANNED]);
    else
        print_text(j, c.samples.by[STATE_PLANNED]);
    return OK;
}

/* Turn a log of another tool into a folder with a suite, items and answers, which are then
 * imported. */
static enum status unfold(struct app *app, const char *log, const struct import_values *v,
                          const char **suite, const char **answers, struct err *e)
{
    struct arena *a = app->arena;
    const char *items = arena_printf(a, "%s/items.jsonl", v->output);
    struct peer p;
    enum status st;

    *suite = arena_printf(a, "%s/suite.yaml", v->output);
    *answers = arena_printf(a, "%s/answers.jsonl", v->output);
    if (access(*suite, F_OK) == 0)
        return err_set(e, E_USAGE, "%s already exists; name another folder", *suite);
    st = peer_read(a, log, &(struct peer_want){v->model, v->turn}, &p, e);
    if (st == OK && mkdir(v->output, 0777) != 0 && errno != EEXIST)
        st = err_set(e, E_SYSTEM, "%s: %s", v->output, strerror(errno));
    if (st == OK)
        st = file_write(items, buf_str(&p.items), e);
    if (st == OK)
        st = file_write(*answers, buf_str(&p.answers), e);
    if (st == OK && p.begun.n)
        st = file_write(arena_printf(a, "%s/beginnings.jsonl", v->output), buf_str(&p.begun), e);
    if (st == OK)
        st = file_write(*suite, buf_str(&p.suite), e);
    if (st == OK && !app->common.json)
        fprintf(app->out,
                _("%s log: %zu item%s, %zu answer%s, %zu verdict%s; %zu %s without text\n"), p.tool,
                p.nitems, message_s(p.nitems), p.samples, message_s(p.samples), p.verdicts,
                message_s(p.verdicts), p.silent, p.silent == 1 ? _("entry") : _("entries"));
    peer_done(&p);
    return st;
}

static enum status import(struct app *app, struct err *e)
{
    const struct import_values *v = app->values;
    struct job j = {.app = app, .files = {app->args.v, app->args.n, v->model}};
    const char *suite = v->suite, *answers;

    if (!v->suite)
        j.files.n--; /* the last argument is the run */
    if (v->output) {
        if (app->args.n != 1 || v->suite)
            return err_set(e, E_USAGE, "-o takes one log of another tool and no --suite");
        if (unfold(app, app->args.v[0], v, &suite, &answers, e) != OK)
            return e->code;
        j.files = (struct exchange_files){&answers, 1, NULL};
    }
    if (v->turn && !v->output)
        return err_set(e, E_USAGE, "--turn needs -o: it is for logs of another tool");
    if (j.files.n == 0)
        return err_set(e, E_USAGE,
                       "choose where to import: an existing RUN, or --suite SUITE for a new one");
    if (exchange_survey(app->arena, &j.files, &j.survey, e) != OK ||
        (suite && load_suite(&j, suite, e) != OK) ||
        store_open(&app->store, app->common.db, suite ? DB_WRITE : DB_CHANGE, e) != OK ||
        (!suite && load_run(&j, app->args.v[j.files.n], e) != OK) || import_all(&j, e) != OK)
        return e->code;
    return print_counts(&j, e);
}

const struct command cmd_import_command = {
    .name = "import",
    .need = NO_STORE, /* opened once the files are known to contain something */
    .args = "FILE... RUN | FILE... --suite SUITE | LOG -o DIR",
    .summary = "import answers and verdicts made elsewhere",
    /* clang-format off */
    .opts = OPTS(
        {"suite", 0, OPT_TEXT, offsetof(struct import_values, suite), "SUITE",
         "create a new run of this suite", 0, 0},
        {"model", 'm', OPT_TEXT, offsetof(struct import_values, model), "NAME",
         "model for lines that name none", 0, 0},
        {"output", 'o', OPT_TEXT, offsetof(struct import_values, output), "DIR",
         "log of another tool: directory for the suite, items and answers", 0, 0},
        {"turn", 0, OPT_COUNT, offsetof(struct import_values, turn), "K",
         "with -o: of conversations, only the answer at turn K [every one]", 1, 100000}),
    /* clang-format on */
    .size = sizeof(struct import_values),
    .nargs = {1, FILES_MAX},
    .run = import,
};
