#include "cmd/closing.h"

#include <math.h>

#include "base/json.h"
#include "base/message.h"
#include "cmd/term.h"
#include "gauge/kin.h"
#include "report/table.h"
#include "suite/endpoint.h"
#include "suite/mark.h"
#include "suite/models.h"
#include "suite/template.h"
#include "text/rune.h"

enum { TEXT_MAX = 4 << 20 };

/* ---- before ---- */

static enum status header_judges(struct app *app, const struct party_list *judges, struct buf *b,
                                 struct err *e)
{
    if (judges->n)
        buf_fmt(b, _(" %s judge%s"), app->common.plain ? "|" : "·", message_s(judges->n));
    for (size_t i = 0; i < judges->n; i++) {
        struct template t;
        if (template_thaw(app->arena, judges->v[i].template, &t, e) != OK)
            return e->code;
        buf_fmt(b, "%s %s (%s)", i ? "," : "", judges->v[i].name, t.name);
    }
    return OK;
}

static enum status header_urls(struct app *app, const struct party_list *l, const char *what,
                               struct err *e)
{
    for (size_t i = 0; i < l->n; i++) {
        struct endpoint ep;
        if (models_thaw(app->arena, l->v[i].config, &ep, e) != OK)
            return e->code;
        fprintf(app->err, "  %s %s%s%s\n", what, l->v[i].name, _(": "),
                message_show(app->arena, NULL, models_source(&ep)));
    }
    return OK;
}

static void say_kin(const struct app *app, const struct party *judge, const struct party *model,
                    enum kin kin, bool own_family)
{
    bool family = *judge->family && strcmp(judge->family, model->family) == 0;

    if (family && !own_family)
        fprintf(app->err,
                _("  %s does not judge %s: both belong to family %s (--own-family allows it)\n"),
                judge->name, model->name, judge->family);
    else if (kin == KIN_SELF)
        fprintf(app->err, _("  %s judges itself (%s): models tend to prefer their own words\n"),
                judge->name, model->name);
    else if (kin == KIN_FAMILY)
        fprintf(app->err,
                _("  %s judges %s of its own family %s: models tend to prefer their kin\n"),
                judge->name, model->name, judge->family);
}

static void header_kin(struct app *app, const struct closing_asked *asked,
                       const struct party_list *models, const struct party_list *judges)
{
    for (size_t j = 0; j < judges->n; j++)
        for (size_t m = 0; m < models->n; m++)
            say_kin(app, &judges->v[j], &models->v[m],
                    kin_of(app->arena, &judges->v[j], &models->v[m]), asked->own_family);
}

/* The judges of the run that are asked. */
static enum status header_who(struct app *app, const struct closing_asked *asked,
                              struct party_list *judges, struct err *e)
{
    size_t n = 0;

    if (store_party_list(app->arena, app->store, PARTY_JUDGE, asked->run->id, judges, e) != OK)
        return e->code;
    for (size_t i = 0; i < judges->n; i++)
        if (!asked->jury || jury_has(asked->jury, judges->v[i].name))
            judges->v[n++] = judges->v[i];
    judges->n = n;
    return OK;
}

static enum status header_line(struct app *app, const struct closing_asked *asked,
                               const struct party_list *models, const struct party_list *judges,
                               struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(TEXT_MAX);
    const char *times = app->common.plain ? "x" : "×", *dot = app->common.plain ? "|" : "·";
    int64_t items, repeats = asked->run->repeats;

    if (store_item_count(app->store, asked->run->id, &items, e) != OK)
        return e->code;
    buf_fmt(&b, _("%s %s %zu model%s %s %lld item%s %s %lld repeat%s %s seed %llu"),
            asked->suite->id, dot, models->n, message_s(models->n), times, (long long)items,
            message_s(items), times, (long long)repeats, message_s(repeats), dot,
            (unsigned long long)asked->run->seed);
    if (header_judges(app, judges, &b, e) != OK)
        return e->code;
    fprintf(app->err, "%s\n", b.p);
    return OK;
}

enum status closing_header(struct app *app, const struct closing_asked *asked, struct err *e)
{
    int64_t run = asked->run->id;
    bool dialogue = asked->suite->elicit.kind == ELICIT_DIALOGUE;
    struct party_list models, judges, others;

    if (store_party_list(app->arena, app->store, PARTY_MODEL, run, &models, e) != OK ||
        header_who(app, asked, &judges, e) != OK ||
        store_party_list(app->arena, app->store, PARTY_EXAMINER, run, &others, e) != OK ||
        header_line(app, asked, &models, &judges, e) != OK ||
        (!asked->judge_only &&
         (header_urls(app, &models, _("model"), e) != OK ||
          header_urls(app, &others, dialogue ? _("user") : _("examiner"), e) != OK)) ||
        header_urls(app, &judges, _("judge"), e) != OK)
        return e->code;
    header_kin(app, asked, &models, &judges);
    return OK;
}

/* ---- how it ended ---- */

/* Conversations that people hold in a browser are not this command's work. */
static int64_t samples_open(const struct closing *c)
{
    return c->judge_only || vocab_is_held(&c->report.suite) ? 0
                                                            : store_counts_left(&c->after.samples);
}

static int64_t work_open(const struct closing *c)
{
    return samples_open(c) + store_counts_left(&c->after.verdicts);
}

static int64_t work_bad(const struct closing *c)
{
    return c->after.samples.by[STATE_FAILED] + c->after.verdicts.by[STATE_FAILED] +
           c->after.verdicts.by[STATE_UNSCORED];
}

static int exit_of(const struct closing *c)
{
    if (c->unsearched || (c->outcome.interrupted && work_open(c)))
        return EXIT_STOPPED;
    if (c->outcome.halted)
        return EXIT_FAILED;
    return c->outcome.budget_reached || work_open(c) || work_bad(c) ? EXIT_LEFT : EXIT_DONE;
}

static const char *bad_text(const struct app *app, const struct closing *c)
{
    int64_t failed = c->after.samples.by[STATE_FAILED];
    int64_t unscored = c->after.verdicts.by[STATE_FAILED] + c->after.verdicts.by[STATE_UNSCORED];

    if (!failed)
        return arena_printf(app->arena, N_("%lld verdict%s unscored"), (long long)unscored,
                            unscored == 1 ? " is" : "s are");
    if (!unscored)
        return arena_printf(app->arena, N_("%lld sample%s failed"), (long long)failed,
                            failed == 1 ? " has" : "s have");
    return arena_printf(app->arena, N_("%lld sample%s failed and %lld verdict%s unscored"),
                        (long long)failed, failed == 1 ? " has" : "s have", (long long)unscored,
                        unscored == 1 ? " is" : "s are");
}

static const char *open_text(const struct app *app, const struct closing *c)
{
    int64_t samples = samples_open(c), verdicts = store_counts_left(&c->after.verdicts);

    if (!verdicts && samples)
        return arena_printf(app->arena, N_("%lld sample%s"), (long long)samples,
                            message_s(samples));
    if (!samples && verdicts)
        return arena_printf(app->arena, N_("%lld verdict%s"), (long long)verdicts,
                            message_s(verdicts));
    return arena_printf(app->arena, N_("%lld sample%s and %lld verdict%s"), (long long)samples,
                        message_s(samples), (long long)verdicts, message_s(verdicts));
}

/* A run without any answer may have asked the wrong model. Its own command, given again, reads
 * models.yaml anew and begins a new run if the model has changed; `run --resume` would not. */
static const char *again_text(const struct app *app, const struct closing *c)
{
    if (c->after.samples.by[STATE_DONE] == 0 && !c->judge_only && !strstr(app->line, " --resume"))
        return arena_printf(app->arena, "%s%s", app->line,
                            strstr(app->line, " --retry-failed") ? "" : " --retry-failed");
    return arena_printf(app->arena, "%s run --resume %s --retry-failed%s%s", app->self,
                        c->report.run.name, app->who, app->where);
}

/* What is left to do, and the command that does it; NULL when all is done. */
static const char *left_text(const struct app *app, const struct closing *c)
{
    struct arena *a = app->arena;

    if (c->outcome.halted)
        return arena_printf(a, N_("%s left; once fixed, resume with: %s"), open_text(app, c),
                            app->line);
    if (c->outcome.interrupted && work_open(c))
        return arena_printf(a, N_("interrupted: %s left; resume with: %s"), open_text(app, c),
                            app->line);
    if (c->outcome.ordered && work_open(c) && strcmp(c->outcome.ordered, c->report.run.orders) == 0)
        return arena_printf(a,
                            N_("%s on request: %s left; undo it with `%s resume %s%s`, then: %s"),
                            c->outcome.ordered, open_text(app, c), app->self, c->report.run.name,
                            app->where, app->line);
    if (c->outcome.ordered && work_open(c)) /* the order was for this process alone */
        return arena_printf(a, N_("%s on request: %s left; resume with: %s"), c->outcome.ordered,
                            open_text(app, c), app->line);
    if (c->unsearched)
        return arena_printf(a, "%s: %s board %s%s", c->unsearched, app->self, c->report.run.name,
                            app->where);
    if (c->outcome.budget_reached)
        return arena_printf(a, N_("the budget is used up: %s left; raise --budget in: %s"),
                            open_text(app, c), app->line);
    if (c->mailed && work_open(c))
        return arena_printf(
            a, N_("%s left; write their requests to files with: %s batch export %s FOLDER%s"),
            open_text(app, c), app->self, c->report.run.name, app->where);
    if (work_open(c))
        return arena_printf(
            a, N_("%s left, started by another process in the meantime; resume with: %s"),
            open_text(app, c), app->line);
    if (work_bad(c))
        return arena_printf(a, N_("%s; retry with: %s"), bad_text(app, c), again_text(app, c));
    return NULL;
}

/* ---- for people ---- */

static void add_duration(struct buf *b, int64_t ms)
{
    int64_t s = ms / 1000;

    if (s >= 3600)
        buf_fmt(b, _("%lld h %lld min"), (long long)(s / 3600), (long long)(s / 60 % 60));
    else if (s >= 60)
        buf_fmt(b, _("%lld min %lld s"), (long long)(s / 60), (long long)(s % 60));
    else
        buf_fmt(b, "%.1f s", (double)ms / 1000);
}

static void summary(const struct app *app, const struct closing *c, struct buf *b)
{
    const char *dot = app->common.plain ? "|" : "·";
    const struct state_counts *s = &c->after.samples, *v = &c->after.verdicts;

    buf_fmt(b, _("\nrun %s %s "), c->report.run.name, dot);
    add_duration(b, c->wall_ms);
    buf_fmt(b, _(" %s %lld sample%s"), dot, (long long)s->by[STATE_DONE],
            message_s(s->by[STATE_DONE]));
    if (s->by[STATE_FAILED])
        buf_fmt(b, _(" %s %lld failed"), dot, (long long)s->by[STATE_FAILED]);
    buf_fmt(b, _(" %s %lld verdict%s"), dot, (long long)v->by[STATE_DONE],
            message_s(v->by[STATE_DONE]));
    if (v->by[STATE_UNSCORED])
        buf_fmt(b, _(" %s %lld unscored"), dot, (long long)v->by[STATE_UNSCORED]);
    if (v->by[STATE_FAILED])
        buf_fmt(b, _(" %s %lld failed"), dot, (long long)v->by[STATE_FAILED]);
    buf_char(b, '\n');
}

/* If battles were chosen: how many it took, and how many a round robin would have. */
static void chosen(const struct closing *c, struct buf *b)
{
    const struct report *r = &c->report;

    if (!r->chosen || !r->largest_rd || !r->round_robin)
        return;
    buf_fmt(b, _("%.0f of %lld battle%s judged, largest RD %.1f"), r->chosen->value,
            (long long)r->chosen->n, message_s(r->chosen->n), r->largest_rd->value);
    if (isfinite(r->round_robin->value))
        buf_fmt(b, _("; a round robin would have needed about %.0f"), r->round_robin->value);
    buf_char(b, '\n');
}

static void next_commands(const struct app *app, const struct closing *c, struct buf *b)
{
    const char *run = c->report.run.name, *db = app->where, *self = app->self;
    bool judged = c->report.njudges > 0;

    if (vocab_is_held(&c->report.suite) && store_counts_left(&c->after.samples))
        buf_fmt(b, _("\n  examine  %s campaign new FILE.yaml --run %s%s && %s serve%s"), self, run,
                db, self, db);
    buf_fmt(b, _("\n  report   %s report %s -o %s.html%s\n"), self, run, c->report.suite.id, db);
    if (!judged && !vocab_is_held(&c->report.suite))
        buf_fmt(b, _("  people   %s campaign new FILE.yaml --run %s%s\n"), self, run, db);
    buf_fmt(b, _("  look     %s show %s%s\n"), self, run, db);
    if (!c->full)
        buf_fmt(b, _("  more     %s board %s --full%s\n"), self, run, db);
    if (c->after.samples.by[STATE_DONE])
        buf_fmt(b,
                judged ? _("  again    %s judge %s --judge ANOTHER%s%s\n")
                       : _("  judge    %s judge %s --judge JUDGE%s%s\n"),
                self, run, app->who, db);
}

/* Why there was nothing to do. */
static void nothing_done(const struct app *app, const struct closing *c, const char *left,
                         struct buf *b)
{
    const char *run = c->report.run.name;
    long long held = (long long)store_counts_left(&c->after.samples);

    if (vocab_is_held(&c->report.suite) && held)
        buf_fmt(b, _("run %s is waiting for people: %lld conversation%s to hold\n\n"), run, held,
                message_s(held));
    else if (!c->idle || left)
        return;
    else if (!c->judge_only)
        buf_fmt(b,
                _("run %s is complete: nothing left to ask (--seed or --no-cache starts a new "
                  "one)\n\n"),
                run);
    else if (c->after.samples.by[STATE_DONE])
        buf_fmt(b,
                _("run %s is judged: nothing left to ask (another --judge or --judge-template "
                  "adds verdicts)\n\n"),
                run);
    else
        buf_fmt(b,
                _("run %s has no answer to judge; ask the models with: %s run --resume %s%s%s\n\n"),
                run, app->self, run, app->who, app->where);
}

static void print_results(struct app *app, const struct closing *c, const char *left)
{
    AUTO(buf_done) struct buf b = BUF_MAX(TEXT_MAX);
    const struct render_terminal how = term_board(app, c->full);
    long long answers = (long long)c->after.samples.by[STATE_DONE];

    nothing_done(app, c, left, &b);
    render_terminal(&c->report, &how, &b);
    if (answers && !c->report.models[0].planned) /* before the first verdict nothing is counted */
        buf_fmt(&b, _("\n%lld answer%s not judged yet\n"), answers, message_s(answers));
    summary(app, c, &b);
    chosen(c, &b);
    next_commands(app, c, &b);
    fputs(b.p, app->out);
    (void)fflush(app->out);
}

/* Translated and made harmless: it may quote a server. */
static const char *shown(const struct app *app, const char *text)
{
    return rune_clean(app->arena, str_of(message_show(app->arena, NULL, text))).p;
}

static void print_text(struct app *app, const struct closing *c, const char *left)
{
    const char *halted = c->outcome.halted;
    bool any = c->after.samples.by[STATE_DONE] || c->after.samples.by[STATE_FAILED];

    if (any || !halted) /* nothing to be seen where nobody has answered */
        print_results(app, c, left);
    if (left)
        fprintf(app->err, "\naudition: %s%s%s\n", halted ? shown(app, halted) : "",
                halted ? "\n" : "", shown(app, left));
}

/* ---- for scripts ---- */

static void put_scores(struct arena *a, const struct report *r, json_t *list)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "model"}, TABLE_OF(struct report_model, name)},
        {{.key = "score", .ends = TABLE_ENDS_ROW, .kind = TABLE_INTERVAL}, TABLE_OF(struct report_model, score)},
        {{.key = "n", .kind = TABLE_COUNT}, TABLE_N, offsetof(struct report_model, score)},
    };
    /* clang-format on */
    struct table *t = table_new(a, NULL, r->nmodels);

    table_fields(t, fields, COUNT(fields), r->models, sizeof *r->models);
    table_json(t, list);
}

static json_t *counts_json(const struct state_counts *c, bool verdicts)
{
    json_t *j = json_object();

    json_put_int(j, "planned", c->total);
    json_put_int(j, "done", c->by[STATE_DONE]);
    if (verdicts)
        json_put_int(j, "unscored", c->by[STATE_UNSCORED]);
    json_put_int(j, "failed", c->by[STATE_FAILED]);
    return j;
}

static json_t *chosen_json(const struct report *r)
{
    json_t *j = json_object();

    json_put_int(j, "battles", (int64_t)r->chosen->value);
    json_put_int(j, "possible", r->chosen->n);
    json_put_real(j, "largest_rd", r->largest_rd ? r->largest_rd->value : NAN);
    json_put_real(j, "round_robin", r->round_robin ? r->round_robin->value : NAN);
    return j;
}

static void print_json(struct app *app, const struct closing *c, const char *left)
{
    AUTO(json_freep) json_t *j = json_object();
    const struct run_progress *p = &c->outcome.progress;

    json_put_text(j, "run", c->report.run.name);
    json_put(j, "samples", counts_json(&c->after.samples, false));
    json_put(j, "verdicts", counts_json(&c->after.verdicts, true));
    json_put_int(j, "requests", p->requests);
    json_put_int(j, "retries", p->retries);
    json_put_int(j, "throttled", p->throttled);
    json_put_int(j, "cached", p->cached);
    json_put(j, "tokens",
             json_pack("{s:I, s:I, s:I}", "in", (json_int_t)p->tokens_in, "out",
                       (json_int_t)p->tokens_out, "total",
                       (json_int_t)p->tokens_in + p->tokens_out));
    json_put_real(j, "cost", p->cost);
    json_put_real(j, "wall_s", (double)c->wall_ms / 1000);
    json_put_bool(j, "resumed", c->resumed);
    json_put_int(j, "exit", app->exit);
    put_scores(app->arena, &c->report, json_put_list(j, "scores"));
    if (c->report.chosen)
        json_put(j, "pairing", chosen_json(&c->report));
    if (c->files)
        (void)json_object_set(j, "files", c->files);
    if (left && c->outcome.halted)
        left = arena_printf(app->arena, "%s\n%s", c->outcome.halted, left);
    if (left)
        json_put_text(j, "message", left);
    fprintf(app->out, "%s\n", json_text(app->arena, j));
}

void closing_print(struct app *app, const struct closing *c)
{
    const char *left = left_text(app, c);

    app->exit = exit_of(c);
    if (app->common.json && c->several)
        return; /* one document, the board over all of them, comes at the end */
    if (app->common.json)
        print_json(app, c, left);
    else
        print_text(app, c, left);
}
