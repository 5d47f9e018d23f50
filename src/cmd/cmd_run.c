#include "base/message.h"
#include "cmd/collect.h"
#include "cmd/patient.h"
#include "cmd/progress.h"
#include "cmd/suite_run.h"
#include "cmd/until.h"
#include "store/store_compare.h"
#include "suite/endpoint.h"
#include "suite/item.h"

#define AT(member) offsetof(struct drive_values, member)

/* ---- a run that exists ---- */

static bool same_model(struct app *app, const struct endpoint *a, const struct endpoint *b)
{
    return strcmp(models_identity(app->arena, a), models_identity(app->arena, b)) == 0;
}

/* Take over from models.yaml where and how each endpoint of the run is served today, unless it has
 * become another model. */
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
            fprintf(
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

/* Check the template of a model that joins later against the items that are stored already. */
static enum status meet_items(struct app *app, const struct run_row *run, const struct suite *suite,
                              const struct endpoint *model, struct diags *d, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(cursor_close) struct cursor c = {0};
    struct item_fact f;

    if (!model->template.user.p || vocab_is_talk(suite))
        return OK;
    c = store_items(app->store, run->id, e);
    while (store_item_next(&c, &f)) {
        struct item item;
        arena_reset(scratch);
        if (item_thaw(scratch, f.body, &item, e) != OK)
            return e->code;
        suite_check_filled(suite, model, &item, d);
    }
    return cursor_end(&c);
}

/* Add a model and plan all of its samples at once. */
static enum status add_model(struct app *app, const struct run_row *run, const struct suite *suite,
                             const struct endpoint *model, bool known, struct err *e)
{
    struct progress shown;
    struct diags d;
    enum status st;

    diags_init(&d, app->arena);
    progress_begin(&shown, app, _("planning ..."));
    st = meet_items(app, run, suite, model, &d, e);
    if (st == OK && !d.errors)
        st = plan_model(app->arena, app->store, run, model, known, e);
    progress_done(&shown);
    return suite_args_faults(app, &d, model->name, e) == OK ? st : e->code;
}

static enum status add_models(struct app *app, const struct run_row *run, const struct suite *suite,
                              const struct suite_run_people *q, struct err *e)
{
    struct party_list l;

    if (store_party_list(app->arena, app->store, PARTY_MODEL, run->id, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < q->nmodels; i++) {
        bool known = false;
        for (size_t m = 0; m < l.n; m++) {
            struct endpoint then;
            if (strcmp(l.v[m].name, q->models[i]->name) != 0)
                continue;
            known = true;
            if (models_thaw(app->arena, l.v[m].config, &then, e) != OK)
                return e->code;
            if (!same_model(app, &then, q->models[i]))
                return err_set(e, E_USAGE,
                               "run %s has another model called %s (model id, parameters or "
                               "template differ); give the new one its own name in %s",
                               run->name, then.name, q->roster.path);
        }
        if (add_model(app, run, suite, q->models[i], known, e) != OK)
            return e->code;
    }
    return OK;
}

/* Load the run, bring its endpoints up to date and add the models that are new. */
static enum status take_up(struct app *app, const char *name, const struct suite_run_people *q,
                           struct run_row *run, struct suite *suite, struct err *e)
{
    if (store_run_get(app->arena, app->store, name, run, e) != OK ||
        suite_thaw(app->arena, run->frozen, suite, e) != OK ||
        bring_up_to_date(app, PARTY_MODEL, run, &q->roster, e) != OK ||
        bring_up_to_date(app, PARTY_JUDGE, run, &q->roster, e) != OK ||
        bring_up_to_date(app, PARTY_EXAMINER, run, &q->roster, e) != OK)
        return e->code;
    return add_models(app, run, suite, q, e);
}

static enum status resume(struct app *app, const struct drive_values *v, struct err *e)
{
    struct patient p = {app, v->store_wait * 1000, NULL, {0}};
    struct suite_run_people q = {0};
    struct run_row run;
    struct suite suite;
    struct diags d;

    diags_init(&d, app->arena);
    if (suite_run_find(app, v, &q, &d, e) != OK ||
        suite_args_faults(app, &d, q.roster.path, e) != OK || patient_open(&p, DB_CHANGE, e) != OK)
        return e->code;
    while (take_up(app, v->resume, &q, &run, &suite, e) != OK)
        if (!patient_again(&p, e))
            return e->code;
    return drive_run(app,
                     &(struct drive_job){
                         .run = &run,
                         .suite = &suite,
                         .values = v,
                         .judges = &q.judges,
                         .resumed = true,
                     },
                     e);
}

/* ---- suites ---- */

/* Is a suite judged by functions alone? Then --judge is not for it. */
static bool by_functions(const struct collection_suite *s)
{
    for (size_t i = 0; i < s->njudges; i++)
        if (!str_starts(s->judges[i], STR("objective:")))
            return false;
    return true;
}

/* The options of one suite: what the collection says fills in what the command leaves open. */
static struct drive_values values_of(struct app *app, const struct collect *c, size_t i,
                                     const struct drive_values *v)
{
    const struct collection_suite *s = &c->of->suites[i];
    struct drive_values own = *v;

    if (own.models.n == 0)
        own.models = collect_names(app->arena, c->of->models, c->of->nmodels);
    if (s->njudges && (own.judges.n == 0 || by_functions(s)))
        own.judges = collect_names(app->arena, s->judges, s->njudges);
    else if (own.judges.n == 0)
        own.judges = collect_names(app->arena, c->of->judges, c->of->njudges);
    if (!own.examiner && s->examiner && *s->examiner)
        own.examiner = s->examiner;
    if (own.users.n == 0 && s->user && *s->user)
        own.users = collect_names(app->arena, &(struct str){s->user, strlen(s->user)}, 1);
    own.several = c->of->nsuites > 1;
    return own;
}

/* Read all suites before anybody is asked. */
static enum status load_all(struct app *app, const struct collect *c, const struct drive_values *v,
                            struct suite_run *runs, struct err *e)
{
    for (size_t i = 0; i < c->of->nsuites; i++) {
        const struct drive_values own = values_of(app, c, i, v);
        if (suite_run_load(app, c->of->suites[i].path, &own, &runs[i], e) != OK)
            return e->code;
    }
    return OK;
}

/* The worst exit code counts. An interruption ends all suites; a suite that fails does not stop the
 * others. */
static enum status work_all(struct app *app, const struct collect *c, struct suite_run *runs,
                            struct run_row *made, struct err *e)
{
    int worst = EXIT_DONE;

    for (size_t i = 0; i < c->of->nsuites && worst != EXIT_STOPPED; i++) {
        app->exit = EXIT_DONE;
        if (suite_run_work(app, &runs[i], e) != OK || collect_keep(app, c, &runs[i].run, e) != OK)
            return e->code;
        made[i] = runs[i].run;
        if (app->exit == EXIT_STOPPED || worst == EXIT_DONE)
            worst = app->exit;
    }
    app->exit = worst;
    return OK;
}

static enum status run_suites(struct app *app, const struct drive_values *v, struct err *e)
{
    struct suite_run *runs;
    struct run_row *made;
    struct collect c;

    if (collect_suites(app, &app->args, v->form, &c, e) != OK)
        return e->code;
    if (v->about.name && c.of->nsuites > 1)
        return err_set(e, E_USAGE, "--name is for one run: use --tag for several suites");
    runs = NEW_N(app->arena, struct suite_run, c.of->nsuites);
    made = NEW_N(app->arena, struct run_row, c.of->nsuites);
    if (load_all(app, &c, v, runs, e) != OK)
        return e->code;
    for (size_t i = 0; v->dry_run && i < c.of->nsuites; i++)
        if (suite_run_dry(app, &runs[i], e) != OK)
            return e->code;
    if (v->dry_run)
        return OK;
    if (patient_open(&(struct patient){app, v->store_wait * 1000, NULL, {0}}, DB_WRITE, e) != OK ||
        collect_begin(app, &c, e) != OK || work_all(app, &c, runs, made, e) != OK)
        return e->code;
    if (!c.several || v->detach || app->exit == EXIT_STOPPED)
        return OK;
    return collect_close(app, &c, made, e);
}

/* ---- */

static enum status run(struct app *app, struct err *e)
{
    const struct drive_values *v = app->values;
    struct drive_budget budget;
    int64_t wait_ms;
    double half;

    if (drive_budget_read(v->budget, &budget, e) != OK || until_read(v->until, &half, e) != OK ||
        drive_wait_read(v->endpoint_wait, &wait_ms, e) != OK)
        return e->code;
    if (v->subset && (v->limit || v->dry_run || v->resume))
        return err_set(e, E_USAGE,
                       "--subset cannot be combined with --limit, --dry-run or --resume");
    if (v->until && v->detach)
        return err_set(e, E_USAGE, "--until cannot be combined with --detach");
    if (v->detach && v->dry_run)
        return err_set(e, E_USAGE, "--detach cannot be combined with --dry-run");
    if (v->priority >= 0 && !v->detach)
        return err_set(e, E_USAGE, "--priority needs --detach");
    if (!v->resume)
        return app->args.n ? run_suites(app, v, e)
                           : err_set(e, E_USAGE, "which suite? audition run SUITE -m MODEL");
    if (app->args.n)
        return err_set(e, E_USAGE, "--resume continues a run as planned: leave out %s",
                       app->args.v[0]);
    if (v->repeat || v->limit || v->seed >= 0 || v->form || v->no_cache || v->dry_run ||
        v->examiner || v->users.n)
        return err_set(e, E_USAGE,
                       "--resume continues a run as planned: it cannot be combined with --repeat, "
                       "--limit, --seed, --form, --no-cache, --dry-run, --examiner or --user");
    return resume(app, v, e);
}

const struct command cmd_run_command = {
    .name = "run",
    .need = NO_STORE, /* a faulty suite or --dry-run must not leave a database behind */
    .args = "SUITE... -m MODEL [-m MODEL] [--judge MODEL]",
    .summary = "ask the models, judge their answers and show the scores; resumes",
    /* clang-format off */
    .opts = OPTS(
        {"model",        'm', OPT_LIST,  AT(models),       "MODEL", "a name in models.yaml; repeat -m for each model", 0, 0},
        {"judge",        0,   OPT_LIST,  AT(judges),       "MODEL", "judge; repeat for a panel [none: answers only]", 0, 0},
        {"examiner",     0,   OPT_TEXT,  AT(examiner),     "MODEL", "interviews: who asks the follow-ups: a model, 'script' (the prepared ones) or 'person' (people, in the browser) [set by the suite]", 0, 0},
        {"user",         0,   OPT_LIST,  AT(users),        "MODEL", "dialogues: who plays the user: a model, 'script' (the user's own lines), 'recorded' or 'person' (people, in the browser) [set by the suite]; casts: who directs and plays the others; repeat for several", 1, 0},
        {"repeat",       0,   OPT_COUNT, AT(repeat),       "N",     "answers per item [set by the suite]", 1, 1000},
        {"limit",        0,   OPT_COUNT, AT(limit),        "N",     "only the first N items [all]", 1, 0},
        {"subset",       0,   OPT_COUNT, AT(subset),       "N",     "only the N items that best told models apart in the last run of this suite [all]", 1, 0},
        {"until",        0,   OPT_TEXT,  AT(until),        "GOAL",  "ask items in random order until every interval is this narrow: half-width=0.3 [all items]", 0, 0},
        {"seed",         0,   OPT_COUNT, AT(seed),         "S",     "random seed [set by the suite]", 0, 0},
        {"form",         0,   OPT_COUNT, AT(form),         "N",     "fill the slots of items anew, with this number as the seed [0: the published form]", 0, 1000000000},
        {"name",         0,   OPT_TEXT,  AT(about.name),   "NAME",  "name of the run, usable in place of its id", 0, 0},
        {"note",         0,   OPT_TEXT,  AT(about.note),   "TEXT",  "note on the run", 0, 0},
        {"tag",          0,   OPT_LIST,  AT(about.add),    "TAG",   "tag for finding the run; repeat for several", 0, 0},
        {"no-cache",     0,   OPT_FLAG,  AT(no_cache),     NULL,    "a new run that reuses no earlier reply", 0, 0},
        {"resume",       0,   OPT_TEXT,  AT(resume),       "RUN",   "resume this run; with -m, add a model to it", 0, 0},
        {"retry-failed", 0,   OPT_FLAG,  AT(retry_failed), NULL,    "retry what failed or could not be scored", 0, 0},
        {"detach",       0,   OPT_FLAG,  AT(detach),       NULL,    "only plan the run and queue it for workers or batch files", 0, 0},
        {"priority",     0,   OPT_COUNT, AT(priority),     "N",     "with --detach: runs with a higher number come first [as queued before, else 0]", 0, 1000000},
        {"dry-run",      0,   OPT_FLAG,  AT(dry_run),      NULL,    "show what would be asked, and whom; ask and store nothing", 0, 0},
        DRIVE_OPTS),
    /* clang-format on */
    .size = sizeof(struct drive_values),
    .defaults = &(const struct drive_values)DRIVE_DEFAULTS,
    .nargs = {0, 1000},
    .run = run,
};
