#include "base/message.h"
#include "cmd/drive.h"
#include "cmd/dry.h"
#include "store/store_compare.h"
#include "suite/endpoint.h"
#include "suite/item.h"

#define AT(member) offsetof(struct drive_values, member)

/* clang-format off */
static const struct opt opts[] = {
    {"model",        'm', OPT_LIST,  AT(models),       "MODEL", "a name in models.yaml; repeat -m for each model", 0, 0},
    {"judge",        0,   OPT_LIST,  AT(judges),       "MODEL", "judge; repeat for a panel [none: answers only]", 0, 0},
    {"examiner",     0,   OPT_TEXT,  AT(examiner),     "MODEL", "interviews: who asks the follow-ups: a model, 'script' (the prepared ones) or 'person' (people, in the browser) [set by the suite]", 0, 0},
    {"repeat",       0,   OPT_COUNT, AT(repeat),       "N",     "answers per item [set by the suite]", 1, 1000},
    {"limit",        0,   OPT_COUNT, AT(limit),        "N",     "only the first N items [all]", 1, 0},
    {"seed",         0,   OPT_COUNT, AT(seed),         "S",     "random seed [set by the suite]", 0, 0},
    {"form",         0,   OPT_COUNT, AT(form),         "N",     "a fresh form of the items that have slots, drawn by this number [0: as published]", 0, 1000000000},
    {"no-cache",     0,   OPT_FLAG,  AT(no_cache),     NULL,    "a new run that reuses no earlier reply", 0, 0},
    {"resume",       0,   OPT_TEXT,  AT(resume),       "RUN",   "resume this run; with -m, add a model to it", 0, 0},
    {"retry-failed", 0,   OPT_FLAG,  AT(retry_failed), NULL,    "retry what failed or could not be scored", 0, 0},
    {"detach",       0,   OPT_FLAG,  AT(detach),       NULL,    "only plan the run: batch files or other processes work it off", 0, 0},
    {"dry-run",      0,   OPT_FLAG,  AT(dry_run),      NULL,    "show what would be asked, and whom; ask and store nothing", 0, 0},
    DRIVE_OPTS,
    {NULL, 0, OPT_FLAG, 0, NULL, NULL, 0, 0},
};
/* clang-format on */

/* What a run is made from. */
struct request {
    struct roster roster;
    const struct endpoint **models;
    size_t nmodels;
    const struct endpoint *examiner; /* NULL: nobody */
    struct drive_judges judges;
};

static enum status no_model(struct app *app, const struct roster *r, struct err *e)
{
    if (!r->there)
        return err_set(e, E_USAGE,
                       "no model: name one with -m (there is no %s; `audition init` creates one, "
                       "or set OPENAI_BASE_URL and give the model's id)",
                       r->path);
    return err_set(e, E_USAGE, "no model: name one with -m; available in %s: %s", r->path,
                   suite_args_names(app->arena, r));
}

static enum status find_models(struct app *app, const struct drive_values *v, struct request *q,
                               struct diags *d, struct err *e)
{
    q->nmodels = v->models.n;
    q->models = NEW_N(app->arena, const struct endpoint *, v->models.n);
    for (size_t i = 0; i < v->models.n; i++)
        if (suite_args_find(app, &q->roster, "model", v->models.v[i], &q->models[i], d, e) != OK)
            return e->code;
    return OK;
}

static enum status find_everybody(struct app *app, const struct drive_values *v, struct request *q,
                                  struct diags *d, struct err *e)
{
    if (suite_args_roster(app, &q->roster, d, e) != OK || find_models(app, v, q, d, e) != OK)
        return e->code;
    return drive_judges_find(app, v, &q->roster, &q->judges, d, e);
}

/* ---- a suite ---- */

/* Who writes the follow-ups of an interview. */
static enum status find_examiner(struct app *app, const struct drive_values *v, struct suite *s,
                                 struct request *q, struct diags *d, struct err *e)
{
    enum examiner_kind *kind = &s->elicit.interview.examiner;

    if (s->elicit.kind != ELICIT_INTERVIEW)
        return v->examiner
                   ? err_set(e, E_USAGE, "--examiner is for interviews, and %s is not one", s->id)
                   : OK;
    if (!v->examiner && *kind == EXAMINER_MODEL)
        return err_set(e, E_USAGE,
                       "the suite leaves follow-up questions to an examiner: name one with "
                       "--examiner, use the prepared ones with --examiner script, or let people "
                       "ask in the browser with --examiner person");
    if (v->examiner)
        *kind = strcmp(v->examiner, "script") == 0   ? EXAMINER_SCRIPT
                : strcmp(v->examiner, "person") == 0 ? EXAMINER_PERSON
                                                     : EXAMINER_MODEL;
    if (*kind != EXAMINER_MODEL)
        return OK;
    return suite_args_find(app, &q->roster, "examiner", v->examiner, &q->examiner, d, e);
}

/* Suite and models; all faults of both, and of the items where the suite has any, are shown. */
static enum status load(struct app *app, const char *path, const struct drive_values *v,
                        struct request *q, struct plan *p, struct err *e)
{
    struct item_source *items = NULL;
    struct suite *suite;
    struct diags d;

    diags_init(&d, app->arena);
    suite = suite_load(app->arena, path, &items, &d);
    if (find_everybody(app, v, q, &d, e) != OK)
        return e->code;
    if (q->nmodels == 0 && d.errors == 0)
        return no_model(app, &q->roster, e);
    if (suite && d.errors)
        (void)suite_args_items(suite, items, &d);
    else if (suite && find_examiner(app, v, suite, q, &d, e) != OK)
        return e->code;
    if (suite_args_faults(app, &d, path, e) != OK)
        return e->code;
    if (!suite)
        return err_set(e, E_INPUT, "%s contains no suite", path);
    if (drive_goal_fits(v, suite, e) != OK)
        return e->code;
    if (v->repeat)
        suite->elicit.repeats = (int)v->repeat;
    if (v->seed >= 0)
        suite->seed = (uint64_t)v->seed;
    suite->form = v->form;
    *p = (struct plan){
        .suite = suite,
        .items = items,
        .models = q->models,
        .nmodels = q->nmodels,
        .examiner = q->examiner,
        .limit = v->limit,
        .fresh = v->no_cache,
    };
    return OK;
}

static enum status run_suite(struct app *app, const char *path, const struct drive_values *v,
                             struct err *e)
{
    struct request q = {0};
    struct run_row run;
    struct diags d;
    struct plan p;
    bool resumed = false;

    if (load(app, path, v, &q, &p, e) != OK)
        return e->code;
    diags_init(&d, app->arena);
    if (v->dry_run) {
        dry_run(app, &p, &q.judges, v, &d);
        return suite_args_faults(app, &d, path, e);
    }
    if (store_open(&app->store, app->common.db, DB_WRITE, e) != OK)
        return e->code;
    if (plan_run(app->arena, app->store, &p, &run, &resumed, &d, e) != OK)
        return d.errors ? suite_args_faults(app, &d, path, e) : e->code;
    return drive_run(app,
                     &(struct drive_job){
                         .run = &run,
                         .suite = p.suite,
                         .judges = &q.judges,
                         .resumed = resumed,
                     },
                     v, e);
}

/* ---- a run that is there ---- */

static bool same_model(struct app *app, const struct endpoint *a, const struct endpoint *b)
{
    return strcmp(models_identity(app->arena, a), models_identity(app->arena, b)) == 0;
}

/* Where and how everybody is served today, as long as it is still the same model. */
static enum status bring_up_to_date(struct app *app, enum party_kind kind,
                                    const struct run_row *run, const struct roster *r,
                                    struct err *e)
{
    struct party_list l;

    if (store_party_list(app->arena, app->store, kind, run->id, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++) {
        const struct endpoint *found;
        struct endpoint then, today;
        if (models_thaw(app->arena, l.v[i].config, &then, e) != OK)
            return err_wrap(e, "%s", l.v[i].name);
        found = models_find(&r->models, then.name);
        if (!found)
            continue;
        today = kind == PARTY_MODEL ? *found : models_untemplated(found);
        if (!same_model(app, &then, &today)) {
            (void)fprintf(
                app->err,
                _("warning: %s in %s is not the model that run %s began with (model id, parameters "
                  "or template differ); the run continues with the original\n"),
                then.name, r->path, run->name);
            continue;
        }
        l.v[i].config = str_of(models_freeze(app->arena, &today));
        if (store_party_put(app->store, kind, run->id, &l.v[i], e) != OK)
            return e->code;
    }
    return OK;
}

/* A model that comes later: its template meets items that are stored already. */
struct newcomer {
    struct arena *scratch; /* of one item */
    const struct suite *suite;
    const struct endpoint *model;
    struct diags *d;
};

static enum status meet_item(void *user, const struct item_fact *f, struct err *e)
{
    const struct newcomer *n = user;
    struct item item;

    arena_reset(n->scratch);
    if (item_thaw(n->scratch, f->body, &item, e) != OK)
        return e->code;
    suite_check_filled(n->suite, n->model, &item, n->d);
    return OK;
}

static enum status meet_items(struct app *app, const struct run_row *run, const struct suite *suite,
                              const struct endpoint *model, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct diags d;
    struct newcomer n = {scratch, suite, model, &d};

    if (!model->template.user.p || suite->elicit.kind == ELICIT_INTERVIEW)
        return OK;
    diags_init(&d, app->arena);
    if (store_item_each(app->store, run->id, meet_item, &n, e) != OK)
        return e->code;
    return suite_args_faults(app, &d, model->name, e);
}

static enum status add_models(struct app *app, const struct run_row *run, const struct suite *suite,
                              const struct request *q, struct err *e)
{
    struct party_list l;

    if (store_party_list(app->arena, app->store, PARTY_MODEL, run->id, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < q->nmodels; i++) {
        for (size_t m = 0; m < l.n; m++) {
            struct endpoint then;
            if (strcmp(l.v[m].name, q->models[i]->name) != 0)
                continue;
            if (models_thaw(app->arena, l.v[m].config, &then, e) != OK)
                return e->code;
            if (!same_model(app, &then, q->models[i]))
                return err_set(e, E_USAGE,
                               "run %s has another model called %s (model id, parameters or "
                               "template differ); give the new one its own name in %s",
                               run->name, then.name, q->roster.path);
        }
        if (meet_items(app, run, suite, q->models[i], e) != OK ||
            plan_model(app->arena, app->store, run, q->models[i], e) != OK)
            return e->code;
    }
    return OK;
}

static enum status resume(struct app *app, const struct drive_values *v, struct err *e)
{
    struct request q = {0};
    struct run_row run;
    struct suite suite;
    struct diags d;

    diags_init(&d, app->arena);
    if (find_everybody(app, v, &q, &d, e) != OK ||
        suite_args_faults(app, &d, q.roster.path, e) != OK ||
        store_open(&app->store, app->common.db, DB_CHANGE, e) != OK ||
        store_run_get(app->arena, app->store, v->resume, &run, e) != OK ||
        suite_thaw(app->arena, run.frozen, &suite, e) != OK)
        return e->code;
    if (bring_up_to_date(app, PARTY_MODEL, &run, &q.roster, e) != OK ||
        bring_up_to_date(app, PARTY_JUDGE, &run, &q.roster, e) != OK ||
        bring_up_to_date(app, PARTY_EXAMINER, &run, &q.roster, e) != OK ||
        add_models(app, &run, &suite, &q, e) != OK)
        return e->code;
    return drive_run(app,
                     &(struct drive_job){
                         .run = &run,
                         .suite = &suite,
                         .judges = &q.judges,
                         .resumed = true,
                     },
                     v, e);
}

/* ---- */

static enum status run(struct app *app, const struct opt_args *args, const void *values,
                       struct err *e)
{
    const struct drive_values *v = values;
    struct drive_budget budget;

    if (drive_budget_read(v->budget, &budget, e) != OK)
        return e->code;
    if (!v->resume)
        return args->n ? run_suite(app, args->v[0], v, e)
                       : err_set(e, E_USAGE, "which suite? audition run SUITE -m MODEL");
    if (args->n)
        return err_set(e, E_USAGE, "--resume continues a run as planned: leave out %s", args->v[0]);
    if (v->repeat || v->limit || v->seed >= 0 || v->form || v->no_cache || v->dry_run ||
        v->examiner)
        return err_set(e, E_USAGE,
                       "--resume continues a run as planned: it cannot be combined with --repeat, "
                       "--limit, --seed, --form, --no-cache, --dry-run or --examiner");
    return resume(app, v, e);
}

const struct command cmd_run_command = {
    .name = "run",
    /* Opened by the command itself: a faulty suite or --dry-run shall leave no database behind. */
    .need = NO_STORE,
    .args = "SUITE -m MODEL [-m MODEL] [--judge MODEL]",
    .summary = "ask the models, judge their answers and show the scores; resumes",
    .details = "Every answer is stored before it counts. After an interruption or a crash, the "
               "same command resumes where it stopped: nothing already answered is asked again. "
               "The first Ctrl-C waits for the requests in progress, the second quits at once. "
               "Several processes may work on one run: they share the work, each exits when the "
               "run is done, and the others take over what one leaves behind.\n"
               "\n"
               "Models and judges are names in models.yaml. Without that file, a name is the "
               "model's id at $OPENAI_BASE_URL, with the key in $OPENAI_API_KEY; .env is read.\n"
               "\n"
               "    audition run suites/live-chat.yaml -m qwen-rp -m gpt-4o --judge deepseek\n"
               "    audition run suites/live-chat.yaml -m qwen-rp --limit 3 --dry-run\n"
               "    audition run --resume latest --retry-failed\n"
               "    audition run --resume 3f9c -m another-model\n",
    .opts = opts,
    .size = sizeof(struct drive_values),
    .defaults = drive_defaults,
    .max_args = 1,
    .run = run,
};
