/* Runs, newest first. */
#include "base/clock.h"
#include "base/json.h"
#include "base/message.h"
#include "cmd/cmd.h"
#include "report/grid.h"
#include "report/remark.h"
#include "suite/mark.h"

enum { TABLE_BYTES_MAX = 64 << 20 };

struct list_values {
    struct opt_list suites, models, judges, tags, states;
    const char *since, *until;
};

/* A run and how its work stands. */
struct line {
    const struct run_row *run;
    struct party_list models, judges;
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

/* ---- which ---- */

static bool among(const struct opt_list *l, const char *name)
{
    bool found = l->n == 0;

    for (size_t i = 0; i < l->n && !found; i++)
        found = strcmp(l->v[i], name) == 0;
    return found;
}

static bool any_of(const struct opt_list *wanted, const struct party_list *there)
{
    bool found = wanted->n == 0;

    for (size_t i = 0; i < there->n && !found; i++)
        found = among(wanted, there->v[i].name);
    return found;
}

/* Begin and end of the time in question. */
struct span {
    int64_t since, until;
};

static enum status read_day(const char *option, const char *text, int64_t *out, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *whole = strlen(text) == 10 ? arena_printf(a, "%sT00:00:00Z", text) : text;

    if (clock_read(str_of(whole), out))
        return OK;
    return err_set(e, E_USAGE, "--%s: \"%s\" is no day; write 2026-11-15 or 2026-11-15T08:30:00Z",
                   option, text);
}

static enum status read_span(const struct list_values *v, struct span *out, struct err *e)
{
    *out = (struct span){INT64_MIN, INT64_MAX};
    if (v->since && read_day("since", v->since, &out->since, e) != OK)
        return e->code;
    return v->until ? read_day("until", v->until, &out->until, e) : OK;
}

/* "done" is also done with some unscored. */
static bool in_state(const struct opt_list *states, const char *state)
{
    bool found = among(states, state);

    for (size_t i = 0; i < states->n && !found; i++)
        found = strcmp(states->v[i], "done") == 0 && strncmp(state, "done", 4) == 0;
    return found;
}

static bool is_wanted(const struct list_values *v, const struct span *span, const struct line *l)
{
    bool tagged = true;

    for (size_t i = 0; i < v->tags.n; i++)
        tagged = tagged && remark_has(l->run, v->tags.v[i]);
    return tagged && among(&v->suites, l->run->suite) && any_of(&v->models, &l->models) &&
           any_of(&v->judges, &l->judges) && l->run->created_ms >= span->since &&
           l->run->created_ms < span->until && in_state(&v->states, state_of(l).name);
}

/* ---- the table ---- */

/* Columns that nobody has filled are left out. */
struct shape_of_list {
    bool names, tags;
};

static void add_heads(struct grid *g, struct shape_of_list of)
{
    const struct {
        enum word word;
        bool left, there;
    } heads[] = {
        {WORD_RUN, true, true},     {COLUMN_NAME, true, of.names}, {COLUMN_SUITE, true, true},
        {COLUMN_WHEN, true, true},  {COLUMN_SAMPLES, false, true}, {COLUMN_VERDICTS, false, true},
        {COLUMN_STATE, true, true}, {COLUMN_TAGS, true, of.tags},  {COLUMN_MODELS, true, true}};
    struct grid_row *row = grid_row(g, GRID_HEAD);

    for (size_t i = 0; i < COUNT(heads); i++)
        if (heads[i].there)
            row->cells[grid_column(g, heads[i].left, false)] =
                str_of(words_of(message_language(), heads[i].word));
}

static const char *names_of(struct arena *a, const struct party_list *l)
{
    const char *out = "";

    for (size_t i = 0; i < l->n; i++)
        out = arena_printf(a, "%s%s%s", out, i ? ", " : "", l->v[i].name);
    return out;
}

static void add_row(struct arena *a, struct grid *g, const struct line *l, struct shape_of_list of)
{
    struct grid_row *row = grid_row(g, GRID_PLAIN);
    const struct state_counts *samples = &l->counts->samples, *verdicts = &l->counts->verdicts;
    char when[CLOCK_TEXT];
    size_t n = 0;

    clock_text(l->run->created_ms, when);
    when[10] = ' ';
    row->cells[n++] = str_of(l->run->name);
    if (of.names)
        row->cells[n++] = str_of(l->run->label);
    row->cells[n++] = str_of(l->run->suite);
    row->cells[n++] = str_of(arena_printf(a, "%.16s", when));
    row->cells[n++] = str_of(arena_printf(a, "%lld/%lld", (long long)samples->by[STATE_DONE],
                                          (long long)samples->total));
    row->cells[n++] = str_of(arena_printf(a, "%lld/%lld", (long long)verdicts->by[STATE_DONE],
                                          (long long)verdicts->by[STATE_UNSCORED]));
    row->cells[n++] = str_of(words_of(message_language(), state_of(l).word));
    if (of.tags)
        row->cells[n++] = str_of(remark_tags(a, l->run));
    row->cells[n] = str_of(names_of(a, &l->models));
}

static json_t *line_json(const struct line *l)
{
    json_t *models = json_array(), *judges = json_array(), *o;
    char when[CLOCK_TEXT];

    clock_text(l->run->created_ms, when);
    for (size_t i = 0; i < l->models.n; i++)
        (void)json_array_append_new(models, json_string(l->models.v[i].name));
    for (size_t i = 0; i < l->judges.n; i++)
        (void)json_array_append_new(judges, json_string(l->judges.v[i].name));
    o = json_pack("{s:s, s:s, s:s, s:o, s:s, s:{s:I, s:I, s:I}, s:{s:I, s:I, s:I, s:I}}", "run",
                  l->run->name, "suite", l->run->suite, "created", when, "models", models, "state",
                  state_of(l).name, "samples", "total", (json_int_t)l->counts->samples.total,
                  "done", (json_int_t)l->counts->samples.by[STATE_DONE], "failed",
                  (json_int_t)l->counts->samples.by[STATE_FAILED], "verdicts", "total",
                  (json_int_t)l->counts->verdicts.total, "done",
                  (json_int_t)l->counts->verdicts.by[STATE_DONE], "unscored",
                  (json_int_t)l->counts->verdicts.by[STATE_UNSCORED], "failed",
                  (json_int_t)l->counts->verdicts.by[STATE_FAILED]);
    json_put(o, "judges", judges);
    remark_json(o, l->run);
    return o;
}

/* ---- */

/* Those of a run, from a list of many runs in the same order. */
static struct party_list of_run(const struct party_list *all, size_t *at, int64_t run)
{
    struct party_list out;

    while (*at < all->n && all->v[*at].run > run)
        ++*at;
    out = (struct party_list){all->v + *at, 0};
    for (; *at < all->n && all->v[*at].run == run; ++*at)
        out.n++;
    return out;
}

static enum status find_lines(struct app *app, const struct list_values *v, struct line **out,
                              size_t *n, struct err *e)
{
    struct party_list models = {0}, judges = {0};
    struct run_counts *counts;
    struct run_list runs;
    struct span span;
    size_t m = 0, j = 0;

    *n = 0;
    if (read_span(v, &span, e) != OK || store_run_list(app->arena, app->store, &runs, e) != OK)
        return e->code;
    counts = NEW_N(app->arena, struct run_counts, runs.n);
    *out = NEW_N(app->arena, struct line, runs.n);
    if (store_run_counts(app->store, runs.v, runs.n, NULL, counts, e) != OK)
        return e->code;
    if (runs.n && (store_party_span(app->arena, app->store, PARTY_MODEL, runs.v[runs.n - 1].id,
                                    runs.v[0].id, &models, e) != OK ||
                   store_party_span(app->arena, app->store, PARTY_JUDGE, runs.v[runs.n - 1].id,
                                    runs.v[0].id, &judges, e) != OK))
        return e->code;
    for (size_t i = 0; i < runs.n; i++) {
        struct line l = {.run = &runs.v[i], .counts = &counts[i]};
        l.models = of_run(&models, &m, l.run->id);
        l.judges = of_run(&judges, &j, l.run->id);
        if (is_wanted(v, &span, &l))
            (*out)[(*n)++] = l;
    }
    return OK;
}

static enum status list(struct app *app, const struct opt_args *args, const void *values,
                        struct err *e)
{
    AUTO(json_freep) json_t *all = json_array();
    AUTO(buf_done) struct buf out = BUF_MAX(TABLE_BYTES_MAX);
    AUTO(grid_done) struct grid g;
    struct shape_of_list of = {false, false};
    struct line *lines;
    size_t n;

    (void)args;
    grid_init(&g, app->arena);
    if (find_lines(app, values, &lines, &n, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++) {
        of.names = of.names || *lines[i].run->label;
        of.tags = of.tags || *lines[i].run->tags;
    }
    add_heads(&g, of);
    for (size_t i = 0; i < n; i++) {
        if (app->common.json)
            (void)json_array_append_new(all, line_json(&lines[i]));
        else
            add_row(app->arena, &g, &lines[i], of);
    }
    if (app->common.json)
        fprintf(app->out, "%s\n", json_text(app->arena, all));
    else if (n == 0)
        fprintf(app->err, _("no runs yet; `audition run SUITE -m MODEL` creates one\n"));
    else
        grid_print(&g, false, &out);
    if (out.n)
        (void)fwrite(out.p, 1, out.n, app->out);
    return OK;
}

#define AT(member) offsetof(struct list_values, member)

/* clang-format off */
static const struct opt opts[] = {
    {"suite", 0,   OPT_LIST, AT(suites), "ID",    "only runs of this suite; repeat for several", 0, 0},
    {"model", 'm', OPT_LIST, AT(models), "MODEL", "only runs with this model", 0, 0},
    {"judge", 0,   OPT_LIST, AT(judges), "MODEL", "only runs with this judge", 0, 0},
    {"tag",   0,   OPT_LIST, AT(tags),   "TAG",   "only runs with all of these tags", 0, 0},
    {"state", 0,   OPT_LIST, AT(states), "STATE", "only runs that are done, unfinished, working, \"not judged\" or \"no answers\"", 0, 0},
    {"since", 0,   OPT_TEXT, AT(since),  "DAY",   "only runs from this day on, such as 2026-11-15 (UTC)", 0, 0},
    {"until", 0,   OPT_TEXT, AT(until),  "DAY",   "only runs before this day", 0, 0},
    {NULL,    0,   OPT_FLAG, 0,          NULL,    NULL, 0, 0},
};
/* clang-format on */

const struct command cmd_list_command = {
    .name = "list",
    .need = STORE_READ,
    .summary = "list runs, newest first",
    .opts = opts,
    .size = sizeof(struct list_values),
    .run = list,
};

const struct command cmd_runs_command = {
    .name = "runs",
    .need = STORE_READ,
    .summary = "the same as list",
    .details =
        "    audition runs --suite live-chat --model qwen-rp --since 2026-11-01 --state done\n",
    .opts = opts,
    .size = sizeof(struct list_values),
    .run = list,
};
