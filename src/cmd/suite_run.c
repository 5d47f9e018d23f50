#include "cmd/suite_run.h"

#include "base/message.h"
#include "cmd/analyse.h"
#include "cmd/dry.h"
#include "cmd/patient.h"
#include "cmd/progress.h"
#include "suite/endpoint.h"

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

enum status suite_run_find(struct app *app, const struct drive_values *v,
                           struct suite_run_people *q, struct diags *d, struct err *e)
{
    q->nmodels = v->models.n;
    if (suite_args_roster(app, &q->roster, d, e) != OK ||
        suite_args_find(app, &q->roster, "model", &v->models, &q->models, d, e) != OK)
        return e->code;
    return drive_judges_find(app, v, &q->roster, &q->judges, d, e);
}

/* Models that are not measured: they examine, play the user, or play and direct in a cast. */
static enum status find_others(struct app *app, const struct opt_list *names, const char *what,
                               struct suite_run_people *q, struct diags *d, struct err *e)
{
    q->nothers = names->n;
    return suite_args_find(app, &q->roster, what, names, &q->others, d, e);
}

/* Who writes the follow-ups of an interview. */
static enum status find_examiner(struct app *app, const struct drive_values *v, struct suite *s,
                                 struct suite_run_people *q, struct diags *d, struct err *e)
{
    enum examiner_kind *kind = &s->elicit.interview.examiner;
    const char *name = v->examiner;
    const struct opt_list named = {&name, 1};

    if (s->elicit.kind != ELICIT_INTERVIEW)
        return v->examiner && !v->several
                   ? err_set(e, E_USAGE, "--examiner is for interviews, but %s is not one", s->id)
                   : OK;
    if (!v->examiner && *kind == EXAMINER_MODEL)
        return err_set(e, E_USAGE,
                       "in this suite an examiner asks follow-up questions: name one with "
                       "--examiner, use the prepared questions with --examiner script, or let "
                       "people ask in the browser with --examiner person");
    if (v->examiner)
        *kind = strcmp(v->examiner, "script") == 0   ? EXAMINER_SCRIPT
                : strcmp(v->examiner, "person") == 0 ? EXAMINER_PERSON
                                                     : EXAMINER_MODEL;
    if (*kind != EXAMINER_MODEL)
        return OK;
    return find_others(app, &named, "examiner", q, d, e);
}

/* Who plays the user of a dialogue. */
static enum status find_user(struct app *app, const struct drive_values *v, struct suite *s,
                             struct suite_run_people *q, struct diags *d, struct err *e)
{
    const char *user = v->users.n ? v->users.v[0] : NULL;
    enum user_by *by = &s->elicit.dialogue.by;

    if (s->elicit.kind != ELICIT_DIALOGUE)
        return v->users.n && !v->several
                   ? err_set(e, E_USAGE, "--user is for dialogues, but %s is not one", s->id)
                   : OK;
    if (s->elicit.dialogue.cast.nmembers) {
        if (!vocab_asks_others(s))
            return v->users.n && !v->several
                       ? err_set(e, E_USAGE,
                                 "nobody in the cast of %s needs --user: there is no director, and "
                                 "no member says 'by: other'",
                                 s->id)
                       : OK;
        return v->users.n ? find_others(app, &v->users, "user", q, d, e)
                          : err_set(e, E_USAGE,
                                    "the cast of %s needs another model, as director or as a "
                                    "fellow player: name it with --user",
                                    s->id);
    }
    if (v->users.n > 1)
        return err_set(e, E_USAGE, "a dialogue has one user: give --user once");
    if (!user && *by == USER_MODEL)
        return err_set(
            e, E_USAGE,
            "in this suite a model plays the user: name one with --user, use the user's own lines "
            "with --user script, or let people talk in the browser with --user person");
    if (user)
        *by = strcmp(user, "script") == 0     ? USER_SCRIPT
              : strcmp(user, "recorded") == 0 ? USER_RECORDED
              : strcmp(user, "person") == 0   ? USER_PERSON
                                              : USER_MODEL;
    for (size_t i = 0; i < s->elicit.dialogue.nusers; i++)
        if ((*by == USER_SCRIPT || *by == USER_RECORDED) && s->elicit.dialogue.users[i].nlines == 0)
            return err_set(e, E_USAGE, "the user '%s' has no 'lines' to say",
                           s->elicit.dialogue.users[i].id);
    if (*by != USER_MODEL)
        return OK;
    return find_others(app, &v->users, "user", q, d, e);
}

enum status suite_run_load(struct app *app, const char *path, const struct drive_values *v,
                           struct suite_run *out, struct err *e)
{
    struct suite_run r = {.path = path, .values = *v};
    struct suite_run_people *q = &r.people;
    struct item_source *items = NULL;
    struct suite *suite;
    struct diags d;

    diags_init(&d, app->arena);
    suite = suite_load(app->arena, path, &items, &d);
    if (!suite && suite_args_faults(app, &d, path, e) != OK)
        return e->code; /* before complaints about who would answer it */
    if (suite_run_find(app, v, q, &d, e) != OK)
        return e->code;
    if (q->nmodels == 0 && d.errors == 0)
        return no_model(app, &q->roster, e);
    if (suite && d.errors)
        (void)suite_args_items(app, suite, items, &d);
    else if (suite && (find_examiner(app, v, suite, q, &d, e) != OK ||
                       find_user(app, v, suite, q, &d, e) != OK))
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
    r.plan = (struct plan){
        .suite = suite,
        .items = items,
        .models = q->models,
        .nmodels = q->nmodels,
        .others = q->others,
        .nothers = q->nothers,
        .limit = v->limit,
        .fresh = v->no_cache,
        .held = v->until != NULL,
    };
    *out = r;
    return OK;
}

enum status suite_run_dry(struct app *app, struct suite_run *r, struct err *e)
{
    struct diags d;

    diags_init(&d, app->arena);
    dry_run(app, &r->plan, &r->people.judges, &r->values, &d);
    return suite_args_faults(app, &d, r->path, e);
}

/* The items that --subset leaves. */
static enum status choose_items(struct app *app, struct suite_run *r, struct err *e)
{
    const char **names;
    struct run_row by;

    if (r->values.subset == 0)
        return OK;
    if (analyse_best(app, r->plan.suite->id, (size_t)r->values.subset, &names, &by, e) != OK)
        return e->code;
    r->plan.only = names;
    r->plan.nonly = (size_t)r->values.subset;
    if (!app->common.quiet)
        fprintf(app->err, _("%lld item%s chosen: the most informative one%s in run %s\n"),
                (long long)r->values.subset, message_were(r->values.subset, r->values.subset),
                message_s(r->values.subset), by.name);
    return OK;
}

/* Say which models have the name that they had in the last run of this suite, and have changed. */
static enum status tell_changed(struct app *app, const struct suite_run *r, struct err *e)
{
    struct party_list l;
    struct run_list runs;
    size_t last = 0;

    if (store_run_list(app->arena, app->store, &runs, e) != OK)
        return e->code;
    while (last < runs.n &&
           (runs.v[last].id == r->run.id || strcmp(runs.v[last].suite, r->run.suite) != 0))
        last++;
    if (last == runs.n)
        return OK;
    if (store_party_list(app->arena, app->store, PARTY_MODEL, runs.v[last].id, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < r->people.nmodels; i++)
        for (size_t m = 0; m < l.n; m++) {
            struct endpoint then;
            if (strcmp(l.v[m].name, r->people.models[i]->name) != 0)
                continue;
            if (models_thaw(app->arena, l.v[m].config, &then, e) != OK)
                return e->code;
            if (strcmp(models_identity(app->arena, &then),
                       models_identity(app->arena, r->people.models[i])) != 0)
                fprintf(app->err,
                        _("%s is not what it was in run %s (model id, parameters or template "
                          "differ): this is a new run, %s\n"),
                        then.name, runs.v[last].name, r->run.name);
        }
    return OK;
}

static enum status plan(struct app *app, struct suite_run *r, bool *resumed, struct diags *d,
                        struct err *e)
{
    struct progress shown;
    enum status st;

    progress_begin(&shown, app, _("planning ..."));
    st = plan_run(app->arena, app->store, &r->plan, &r->run, resumed, d, e);
    progress_done(&shown);
    return st;
}

enum status suite_run_work(struct app *app, struct suite_run *r, struct err *e)
{
    struct patient p = {app, r->values.store_wait * 1000, NULL, {0}};
    bool resumed = false;
    struct diags d;

    diags_init(&d, app->arena);
    if (choose_items(app, r, e) != OK)
        return e->code;
    while (plan(app, r, &resumed, &d, e) != OK)
        if (d.errors || !patient_again(&p, e))
            return d.errors ? suite_args_faults(app, &d, r->path, e) : e->code;
    if (!resumed && tell_changed(app, r, e) != OK)
        return e->code;
    return drive_run(app,
                     &(struct drive_job){
                         .run = &r->run,
                         .suite = r->plan.suite,
                         .values = &r->values,
                         .judges = &r->people.judges,
                         .resumed = resumed,
                     },
                     e);
}
