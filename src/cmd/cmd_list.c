/* Runs, newest first. */
#include "base/clock.h"
#include "base/json.h"
#include "base/message.h"
#include "cmd/cmd.h"
#include "report/grid.h"
#include "suite/mark.h"

enum { TABLE_BYTES_MAX = 64 << 20 };

/* A run and how its work stands. */
struct line {
    const struct run_row *run;
    struct party_list models;
    const struct run_counts *counts;
};

static int64_t waiting(const struct state_counts *c)
{
    return c->by[STATE_PLANNED] + c->by[STATE_LEASED];
}

/* Its name for programs, its word for people. */
struct standing {
    const char *name;
    enum word word;
};

static struct standing state_of(const struct line *l)
{
    if (l->counts->samples.by[STATE_LEASED] + l->counts->verdicts.by[STATE_LEASED])
        return (struct standing){"working", COLUMN_WORKING};
    if (waiting(&l->counts->samples) + waiting(&l->counts->verdicts))
        return (struct standing){"unfinished", COLUMN_UNFINISHED};
    if (l->counts->samples.by[STATE_DONE] == 0)
        return (struct standing){"no answers", COLUMN_NO_ANSWERS};
    if (l->counts->samples.by[STATE_FAILED] + l->counts->verdicts.by[STATE_FAILED] +
        l->counts->verdicts.by[STATE_UNSCORED])
        return (struct standing){"done, some unscored", COLUMN_SOME_UNSCORED};
    return l->counts->verdicts.total ? (struct standing){"done", COLUMN_DONE}
                                     : (struct standing){"not judged", COLUMN_NOT_JUDGED};
}

static void add_heads(struct grid *g)
{
    static const struct {
        enum word word;
        bool left;
    } heads[] = {{WORD_RUN, true},        {COLUMN_SUITE, true},     {COLUMN_WHEN, true},
                 {COLUMN_SAMPLES, false}, {COLUMN_VERDICTS, false}, {COLUMN_STATE, true},
                 {COLUMN_MODELS, true}};
    struct grid_row *row = grid_row(g, GRID_HEAD);

    for (size_t i = 0; i < COUNT(heads); i++)
        row->cells[grid_column(g, heads[i].left, false)] =
            str_of(words_of(message_language(), heads[i].word));
}

static void add_row(struct arena *a, struct grid *g, const struct line *l)
{
    struct grid_row *row = grid_row(g, GRID_PLAIN);
    const struct state_counts *samples = &l->counts->samples, *verdicts = &l->counts->verdicts;
    const char *models = "";
    char when[CLOCK_TEXT];

    clock_text(l->run->created_ms, when);
    when[10] = ' ';
    for (size_t i = 0; i < l->models.n; i++)
        models = arena_printf(a, "%s%s%s", models, i ? ", " : "", l->models.v[i].name);
    row->cells[0] = str_of(l->run->name);
    row->cells[1] = str_of(l->run->suite);
    row->cells[2] = str_of(arena_printf(a, "%.16s", when));
    row->cells[3] = str_of(arena_printf(a, "%lld/%lld", (long long)samples->by[STATE_DONE],
                                        (long long)samples->total));
    row->cells[4] = str_of(arena_printf(a, "%lld/%lld", (long long)verdicts->by[STATE_DONE],
                                        (long long)verdicts->by[STATE_UNSCORED]));
    row->cells[5] = str_of(words_of(message_language(), state_of(l).word));
    row->cells[6] = str_of(models);
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
                     "state", state_of(l).name, "samples", "total",
                     (json_int_t)l->counts->samples.total, "done",
                     (json_int_t)l->counts->samples.by[STATE_DONE], "failed",
                     (json_int_t)l->counts->samples.by[STATE_FAILED], "verdicts", "total",
                     (json_int_t)l->counts->verdicts.total, "done",
                     (json_int_t)l->counts->verdicts.by[STATE_DONE], "unscored",
                     (json_int_t)l->counts->verdicts.by[STATE_UNSCORED], "failed",
                     (json_int_t)l->counts->verdicts.by[STATE_FAILED]);
}

static enum status list(struct app *app, const struct opt_args *args, const void *values,
                        struct err *e)
{
    AUTO(json_freep) json_t *all = json_array();
    AUTO(buf_done) struct buf out = BUF_MAX(TABLE_BYTES_MAX);
    AUTO(grid_done) struct grid g;
    struct run_counts *counts;
    struct party_list models = {0};
    struct run_list runs;
    size_t at = 0;

    (void)args;
    (void)values;
    grid_init(&g, app->arena);
    add_heads(&g);
    if (store_run_list(app->arena, app->store, &runs, e) != OK)
        return e->code;
    counts = NEW_N(app->arena, struct run_counts, runs.n);
    if (store_run_counts(app->store, runs.v, runs.n, NULL, counts, e) != OK)
        return e->code;
    if (runs.n && store_party_span(app->arena, app->store, PARTY_MODEL, runs.v[runs.n - 1].id,
                                   runs.v[0].id, &models, e) != OK)
        return e->code;
    for (size_t i = 0; i < runs.n; i++) {
        struct line l = {.run = &runs.v[i], .counts = &counts[i], .models = {models.v + at, 0}};
        for (; at < models.n && models.v[at].run == l.run->id; at++)
            l.models.n++;
        if (app->common.json)
            (void)json_array_append_new(all, line_json(&l));
        else
            add_row(app->arena, &g, &l);
    }
    if (app->common.json)
        fprintf(app->out, "%s\n", json_text(app->arena, all));
    else if (runs.n == 0)
        fprintf(app->err, _("no runs yet; `audition run SUITE -m MODEL` creates one\n"));
    else
        grid_print(&g, false, &out);
    if (out.n)
        (void)fwrite(out.p, 1, out.n, app->out);
    return OK;
}

const struct command cmd_list_command = {
    .name = "list",
    .need = STORE_READ,
    .summary = "list runs, newest first",
    .run = list,
};
