/* Runs, newest first. */
#include "base/clock.h"
#include "base/json.h"
#include "base/message.h"
#include "cmd/cmd.h"
#include "suite/mark.h"

/* A run and how its work stands. */
struct line {
    const struct run_row *run;
    struct party_list models;
    const struct run_counts *counts;
    const char *state;
};

static int64_t waiting(const struct state_counts *c)
{
    return c->by[STATE_PLANNED] + c->by[STATE_LEASED];
}

static const char *state_of(const struct line *l)
{
    if (l->counts->samples.by[STATE_LEASED] + l->counts->verdicts.by[STATE_LEASED])
        return "working";
    if (waiting(&l->counts->samples) + waiting(&l->counts->verdicts))
        return "unfinished";
    if (l->counts->samples.by[STATE_DONE] == 0)
        return "no answers";
    if (l->counts->samples.by[STATE_FAILED] + l->counts->verdicts.by[STATE_FAILED] +
        l->counts->verdicts.by[STATE_UNSCORED])
        return "done, some unscored";
    return l->counts->verdicts.total ? "done" : "not judged";
}

static void print_text(FILE *out, const struct line *l, int suite_width)
{
    char when[CLOCK_TEXT], samples[48], verdicts[48];

    clock_text(l->run->created_ms, when);
    (void)snprintf(samples, sizeof samples, "%lld/%lld",
                   (long long)l->counts->samples.by[STATE_DONE],
                   (long long)l->counts->samples.total);
    (void)snprintf(verdicts, sizeof verdicts, "%lld/%lld",
                   (long long)l->counts->verdicts.by[STATE_DONE],
                   (long long)l->counts->verdicts.by[STATE_UNSCORED]);
    when[10] = ' ';
    fprintf(out, "%-6s  %-*s  %.16s  %11s  %18s  %-19s", l->run->name, suite_width, l->run->suite,
            when, samples, verdicts, l->state);
    for (size_t i = 0; i < l->models.n; i++)
        fprintf(out, "%s %s", i ? "," : " ", l->models.v[i].name);
    fprintf(out, "\n");
}

static json_t *line_json(const struct line *l)
{
    json_t *models = json_array();
    char when[CLOCK_TEXT];

    clock_text(l->run->created_ms, when);
    for (size_t i = 0; i < l->models.n; i++)
        (void)json_array_append_new(models, json_string(l->models.v[i].name));
    return json_pack("{s:s, s:s, s:s, s:o, s:s, s:{s:I, s:I, s:I}, s:{s:I, s:I, s:I, s:I}}", "run",
                     l->run->name, "suite", l->run->suite, "created", when, "models", models,
                     "state", l->state, "samples", "total", (json_int_t)l->counts->samples.total,
                     "done", (json_int_t)l->counts->samples.by[STATE_DONE], "failed",
                     (json_int_t)l->counts->samples.by[STATE_FAILED], "verdicts", "total",
                     (json_int_t)l->counts->verdicts.total, "done",
                     (json_int_t)l->counts->verdicts.by[STATE_DONE], "unscored",
                     (json_int_t)l->counts->verdicts.by[STATE_UNSCORED], "failed",
                     (json_int_t)l->counts->verdicts.by[STATE_FAILED]);
}

static int widest_suite(const struct run_list *runs)
{
    size_t n = strlen("suite");

    for (size_t i = 0; i < runs->n; i++)
        n = strlen(runs->v[i].suite) > n ? strlen(runs->v[i].suite) : n;
    return (int)n;
}

static enum status list(struct app *app, const struct opt_args *args, const void *values,
                        struct err *e)
{
    AUTO(json_freep) json_t *all = json_array();
    struct run_counts *counts;
    struct party_list models = {0};
    struct run_list runs;
    size_t at = 0;
    int width;

    (void)args;
    (void)values;
    if (store_run_list(app->arena, app->store, &runs, e) != OK)
        return e->code;
    counts = NEW_N(app->arena, struct run_counts, runs.n);
    if (store_run_counts(app->store, runs.v, runs.n, NULL, counts, e) != OK)
        return e->code;
    if (runs.n && store_party_span(app->arena, app->store, PARTY_MODEL, runs.v[runs.n - 1].id,
                                   runs.v[0].id, &models, e) != OK)
        return e->code;
    width = widest_suite(&runs);
    if (!app->common.json && runs.n)
        fprintf(app->out, "%-6s  %-*s  %-16s  %11s  %18s  %-19s  %s\n", "run", width, "suite",
                "when (UTC)", "samples", "verdicts/unscored", "state", "models");
    for (size_t i = 0; i < runs.n; i++) {
        struct line l = {.run = &runs.v[i], .counts = &counts[i], .models = {models.v + at, 0}};
        for (; at < models.n && models.v[at].run == l.run->id; at++)
            l.models.n++;
        l.state = state_of(&l);
        if (app->common.json)
            (void)json_array_append_new(all, line_json(&l));
        else
            print_text(app->out, &l, width);
    }
    if (app->common.json)
        fprintf(app->out, "%s\n", json_text(app->arena, all));
    else if (runs.n == 0)
        fprintf(app->err, _("no runs yet; `audition run SUITE -m MODEL` creates one\n"));
    return OK;
}

const struct command cmd_list_command = {
    .name = "list",
    .need = STORE_READ,
    .summary = "list runs, newest first",
    .run = list,
};
