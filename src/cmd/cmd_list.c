/* Runs, newest first. */
#include "base/clock.h"
#include "base/json.h"
#include "base/message.h"
#include "cmd/term.h"
#include "report/remark.h"
#include "suite/mark.h"

struct list_values {
    struct opt_list suites, models, judges, tags, states;
    const char *since, *until;
};

/* A run and the state of its work. */
struct line {
    const struct run_row *run;
    struct party_list models, judges, people;
    const struct run_counts *counts;
};

/* States: the name for programs, the word for people, and the broader state that it belongs to. */
static const struct standing {
    const char *name;
    enum word word;
    const char *of;
} standings[] = {
    {"done", COLUMN_DONE, "done"},
    {"unfinished", COLUMN_UNFINISHED, "unfinished"},
    {"queued", COLUMN_QUEUED, "unfinished"},
    {"paused", SEE_PAUSED, "unfinished"},
    {"cancelled", SEE_CANCELLED, "unfinished"},
    {"working", COLUMN_WORKING, "working"},
    {"not judged", COLUMN_NOT_JUDGED, "not judged"},
    {"no answers", COLUMN_NO_ANSWERS, "no answers"},
    {"done, some unscored", COLUMN_SOME_UNSCORED, "done"},
};

static const char *name_of(const struct line *l)
{
    if (l->counts->samples.by[STATE_LEASED] + l->counts->verdicts.by[STATE_LEASED])
        return "working";
    if (store_counts_left(&l->counts->samples) + store_counts_left(&l->counts->verdicts))
        return l->run->orders;
    if (l->counts->samples.by[STATE_DONE] == 0)
        return "no answers";
    if (l->counts->samples.by[STATE_FAILED] + l->counts->verdicts.by[STATE_FAILED] +
        l->counts->verdicts.by[STATE_UNSCORED])
        return "done, some unscored";
    return l->counts->verdicts.total || l->people.n ? "done" : "not judged";
}

static const struct standing *state_of(const struct line *l)
{
    const char *name = name_of(l);

    for (size_t i = 0; i < COUNT(standings); i++)
        if (strcmp(standings[i].name, name) == 0)
            return &standings[i];
    return &standings[1]; /* unfinished, and nobody ordered anything */
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

/* --since and --until. */
struct span {
    int64_t since, until;
};

static enum status read_day(const char *option, const char *text, int64_t *out, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *whole = strlen(text) == 10 ? arena_printf(a, "%sT00:00:00Z", text) : text;

    if (clock_read(str_of(whole), out))
        return OK;
    return err_set(e, E_USAGE,
                   "--%s: \"%s\" is not a date; write 2026-11-15 or 2026-11-15T08:30:00Z", option,
                   text);
}

static enum status read_span(const struct list_values *v, struct span *out, struct err *e)
{
    *out = (struct span){INT64_MIN, INT64_MAX};
    if (v->since && read_day("since", v->since, &out->since, e) != OK)
        return e->code;
    return v->until ? read_day("until", v->until, &out->until, e) : OK;
}

static enum status check_states(const struct opt_list *l, struct err *e)
{
    size_t row;

    for (size_t i = 0; i < l->n; i++)
        if (opt_choose(&OPT_WORDS("--state", standings), l->v[i], &row, e) != OK)
            return e->code;
    return OK;
}

static bool is_wanted(const struct list_values *v, const struct span *span, const struct line *l)
{
    const struct standing *is = state_of(l);
    bool tagged = true;

    for (size_t i = 0; i < v->tags.n; i++)
        tagged = tagged && remark_has(l->run, v->tags.v[i]);
    return tagged && among(&v->suites, l->run->suite) && any_of(&v->models, &l->models) &&
           (any_of(&v->judges, &l->judges) || any_of(&v->judges, &l->people)) &&
           l->run->created_ms >= span->since && l->run->created_ms < span->until &&
           (among(&v->states, is->name) || among(&v->states, is->of));
}

/* ---- the table ---- */

/* A run as a row of the list, for people and for programs. */
struct row {
    const char *run, *name, *suite, *when, *samples, *verdicts, *standing, *tags, *models;
    const char *created, *state;
    struct run_counts counts;
};

#define OF(member) TABLE_OF(struct row, member)
#define COUNTED(of, name, is)                                                                      \
    {                                                                                              \
        {.key = (name), .in = #of, .kind = TABLE_COUNT}, OF(counts.of.is)                          \
    }

/* clang-format off */
static const struct table_field fields[] = {
    {{.key = "run", .word = WORD_RUN, .kind = TABLE_LINK}, OF(run)},
    {{.word = COLUMN_NAME, .flags = TABLE_SPARSE}, OF(name)},
    {{.key = "suite", .word = COLUMN_SUITE}, OF(suite)},
    {{.key = "created"}, OF(created)},
    {{.word = COLUMN_WHEN}, OF(when)},
    {{.word = COLUMN_SAMPLES}, OF(samples)},
    {{.word = COLUMN_VERDICTS}, OF(verdicts)},
    {{.key = "state"}, OF(state)},
    {{.word = COLUMN_STATE}, OF(standing)},
    {{.word = COLUMN_TAGS, .flags = TABLE_SPARSE}, OF(tags)},
    {{.word = COLUMN_MODELS}, OF(models)},
    COUNTED(samples, "total", total),
    COUNTED(samples, "done", by[STATE_DONE]),
    COUNTED(samples, "failed", by[STATE_FAILED]),
    COUNTED(verdicts, "total", total),
    COUNTED(verdicts, "done", by[STATE_DONE]),
    COUNTED(verdicts, "unscored", by[STATE_UNSCORED]),
    COUNTED(verdicts, "failed", by[STATE_FAILED]),
};
/* clang-format on */

static struct row row_of(struct arena *a, const struct line *l)
{
    const struct state_counts *samples = &l->counts->samples, *verdicts = &l->counts->verdicts;
    int64_t unscored = verdicts->by[STATE_UNSCORED] + verdicts->by[STATE_FAILED];
    char when[CLOCK_TEXT];
    struct row r = {.run = l->run->name,
                    .name = l->run->label,
                    .suite = l->run->suite,
                    .standing = words_of(message_language(), state_of(l)->word),
                    .tags = remark_tags(a, l->run),
                    .models = "",
                    .state = state_of(l)->name,
                    .counts = *l->counts};

    clock_text(l->run->created_ms, when);
    r.created = arena_text(a, str_of(when));
    r.when = show_when(a, l->run->created_ms);
    r.samples =
        arena_printf(a, "%lld/%lld", (long long)samples->by[STATE_DONE], (long long)samples->total);
    r.verdicts =
        arena_printf(a, "%lld/%lld", (long long)verdicts->by[STATE_DONE], (long long)unscored);
    for (size_t i = 0; i < l->models.n; i++)
        r.models = arena_printf(a, "%s%s%s", r.models, i ? ", " : "", l->models.v[i].name);
    return r;
}

static void add_names(json_t *list, const struct party_list *l)
{
    for (size_t i = 0; i < l->n; i++)
        (void)json_array_append_new(list, json_string(l->v[i].name));
}

/* ---- */

/* The parties of a run. `all` has those of many runs, newest run first; *at moves through it. */
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

/* The runs that are wanted; *all: how many there are in total. */
static enum status find_lines(struct app *app, const struct list_values *v, struct line **out,
                              size_t *n, size_t *all, struct err *e)
{
    static const enum party_kind kinds[] = {PARTY_MODEL, PARTY_JUDGE, PARTY_PEOPLE};
    struct party_list all_of[COUNT(kinds)] = {{0}};
    size_t at[COUNT(kinds)] = {0};
    struct run_counts *counts;
    struct run_list runs;
    struct span span;

    *n = 0;
    if (read_span(v, &span, e) != OK || check_states(&v->states, e) != OK ||
        store_run_list(app->arena, app->store, &runs, e) != OK)
        return e->code;
    *all = runs.n;
    counts = NEW_N(app->arena, struct run_counts, runs.n);
    *out = NEW_N(app->arena, struct line, runs.n);
    if (store_run_counts(app->store, runs.v, runs.n, NULL, counts, e) != OK)
        return e->code;
    for (size_t k = 0; runs.n && k < COUNT(kinds); k++)
        if (store_party_span(app->arena, app->store, kinds[k], runs.v[runs.n - 1].id, runs.v[0].id,
                             &all_of[k], e) != OK)
            return e->code;
    for (size_t i = 0; i < runs.n; i++) {
        struct line l = {.run = &runs.v[i], .counts = &counts[i]};
        l.models = of_run(&all_of[0], &at[0], l.run->id);
        l.judges = of_run(&all_of[1], &at[1], l.run->id);
        l.people = of_run(&all_of[2], &at[2], l.run->id);
        if (is_wanted(v, &span, &l))
            (*out)[(*n)++] = l;
    }
    return OK;
}

static const char *as_json(struct arena *a, const struct table *t, const struct line *lines,
                           size_t n)
{
    AUTO(json_freep) json_t *all = json_array();

    table_json(t, all);
    for (size_t i = 0; i < n; i++) {
        json_t *o = json_array_get(all, i);
        json_t *judges;
        add_names(json_put_list(o, "models"), &lines[i].models);
        judges = json_put_list(o, "judges");
        add_names(judges, &lines[i].judges);
        add_names(judges, &lines[i].people);
        remark_json(o, lines[i].run);
    }
    return json_text(a, all);
}

static enum status list(struct app *app, struct err *e)
{
    struct line *lines = NULL;
    struct row *rows;
    struct table *t;
    size_t n, all = 0;

    if (find_lines(app, app->values, &lines, &n, &all, e) != OK)
        return e->code;
    rows = NEW_N(app->arena, struct row, n);
    t = table_new(app->arena, NULL, n);
    for (size_t i = 0; i < n; i++)
        rows[i] = row_of(app->arena, &lines[i]);
    table_fields(t, fields, COUNT(fields), rows, sizeof *rows);
    if (n && !app->common.json)
        return term_draw(app, t, true, e);
    if (app->common.json)
        fprintf(app->out, "%s\n", as_json(app->arena, t, lines, n));
    else if (all)
        fprintf(app->err, _("no run matches; `audition list` shows all of them\n"));
    else
        fprintf(app->err, _("no runs yet; `audition run SUITE -m MODEL` creates one\n"));
    return OK;
}

#define AT(member) offsetof(struct list_values, member)

/* clang-format off */
static const struct opt opts[] = {
    {"suite", 0,   OPT_LIST, AT(suites), "ID",    "only runs of this suite; repeat for several", 0, 0},
    {"model", 'm', OPT_LIST, AT(models), "MODEL", "only runs with this model", 0, 0},
    {"judge", 0,   OPT_LIST, AT(judges), "NAME",  "only runs with this judge, or with people (campaign:NAME)", 0, 0},
    {"tag",   0,   OPT_LIST, AT(tags),   "TAG",   "only runs with all of these tags", 0, 0},
    {"state", 0,   OPT_LIST, AT(states), "STATE", "only runs that are done, unfinished (or queued, paused, cancelled), working, \"not judged\" or \"no answers\"", 0, 0},
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
    .opts = opts,
    .size = sizeof(struct list_values),
    .run = list,
};
