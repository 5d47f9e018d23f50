#include "report/tables.h"

#include "base/hash.h"
#include "base/version.h"
#include "report/noise_table.h"
#include "report/over_time.h"
#include "report/panels.h"
#include "report/sittings.h"

enum { TABLES_MOST = 16 }; /* plus one for each dimension */

void tables_add(struct tables *l, enum tables_about about, const char *id, struct table *t)
{
    l->v[l->n].about = about;
    l->v[l->n].id = id;
    l->v[l->n++].table = t;
}

static struct table *models_of(struct arena *a, const struct report *r,
                               const struct tables_how *how, size_t from)
{
    struct table *t = table_new(a, how->language, r->nmodels);
    struct table_cell *names = table_add(t, .key = "name", .word = WORD_MODEL, .kind = TABLE_LINK);

    for (size_t i = 0; i < r->nmodels; i++) {
        names[i] = table_text(r->models[i].name);
        names[i].href = how->links ? arena_printf(a, "%s%zu", how->links, from + i + 1) : NULL;
    }
    return t;
}

static struct table_column *find(struct table *t, const char *key)
{
    for (size_t c = 0; c < t->ncolumns; c++)
        if (t->columns[c].key && strcmp(t->columns[c].key, key) == 0)
            return &t->columns[c];
    return NULL;
}

/* Links numbers to their details, except zeros. */
static void lead(struct table *t, const char *key, const char *href)
{
    struct table_cell *cells = t->cells[find(t, key) - t->columns];

    for (size_t i = 0; i < t->nrows; i++)
        cells[i].href = cells[i].value > 0 ? href : NULL;
}

/* ---- the board ---- */

#define OF(member) TABLE_OF(struct report_model, member)

/* clang-format off */
static const struct table_field board[] = {
    {{.key = "score", .kind = TABLE_INTERVAL, .look = TABLE_PLOT}, OF(score)},
    {{.key = "score_unrounded", .kind = TABLE_INTERVAL}, OF(unrounded)},
    {{.key = "planned", .kind = TABLE_COUNT}, OF(planned)},
    {{.key = "done", .kind = TABLE_COUNT}, OF(done)},
    {{.key = "unjudged", .word = WORD_UNJUDGED, .kind = TABLE_COUNT, .flags = TABLE_SPARSE}, OF(unjudged)},
    {{.word = WORD_ANSWERS, .kind = TABLE_COUNT}, TABLE_N, offsetof(struct report_model, score)},
    {{.key = "duplicates", .word = WORD_DUPLICATES, .kind = TABLE_COUNT}, OF(duplicates)},
    {{.key = "unscored", .word = WORD_UNSCORED, .kind = TABLE_COUNT}, OF(unscored)},
    {{.key = "left_out", .word = WORD_RULED_OUT, .kind = TABLE_COUNT, .flags = TABLE_SPARSE}, OF(left_out)},
    {{.key = "failed", .word = WORD_FAILED, .kind = TABLE_COUNT, .flags = TABLE_SPARSE}, OF(failed)},
    {{.key = "tokens", .word = WORD_TOKENS, .kind = TABLE_COUNT, .flags = TABLE_ROOMY | TABLE_SPARSE}, OF(tokens)},
    {{.key = "cost", .word = WORD_COST, .kind = TABLE_MONEY, .flags = TABLE_ROOMY | TABLE_SPARSE}, OF(cost)},
};
/* clang-format on */

/* How long the role lasts in dialogues; for programs it is in the table of sittings. */
static const struct table_field lasting[] = {
    {{.word = SITTING_UNBROKEN, .kind = TABLE_INTERVAL, .decimals = 1}, OF(unbroken)},
};

#undef OF

static void add_rates(struct table *t, const struct report *r)
{
    for (size_t c = 0; c < r->nclassifiers; c++) {
        struct table_cell *cells =
            table_add(t, .key = r->classifiers[c], .in = "rates", .head = r->classes[c],
                      .kind = TABLE_INTERVAL, .look = TABLE_BRIEF, .decimals = SHOW_RATE,
                      .flags = TABLE_NAMED);
        for (size_t i = 0; i < r->nmodels; i++)
            cells[i] = table_score(r->models[i].rates[c]);
    }
}

/* Names each judge that judged itself or its family, below its numbers. */
static void note_kin(struct table *t, const struct report *r, const char *language)
{
    for (size_t i = 0; i < r->njudges; i++)
        if (r->judges[i].kin)
            table_note(
                t, words_with(t->a, language, WORD_KIN_NOTE,
                              arena_printf(t->a, "%s → %s", r->judges[i].name, r->judges[i].kin)));
}

struct table *tables_board(struct arena *a, const struct report *r, const struct tables_how *how,
                           size_t from)
{
    struct table *t = models_of(a, r, how, from);
    struct table_column *score;

    table_fields(t, board, COUNT(board), r->models, sizeof *r->models);
    if (r->suite.elicit.kind == ELICIT_DIALOGUE && !show_pair(r))
        table_fields(t, lasting, COUNT(lasting), r->models, sizeof *r->models);
    score = find(t, "score");
    score->word = wording_headline(&r->suite);
    score->decimals = show_headline(r);
    (void)show_range(r, &score->range);
    if (!r->suite.rules.of[RULE_DUPLICATE].on)
        find(t, "duplicates")->word = 0;
    for (size_t c = 0; c < t->ncolumns && r->jury.masked; c++)
        if (t->columns[c].key &&
            t->columns[c].kind == TABLE_COUNT) { /* counts per model would reveal who it is */
            t->columns[c].word = 0;
            memset(t->cells[c], 0, t->nrows * sizeof *t->cells[c]);
        }
    if (how->told)
        find(t, "unscored")->flags |= TABLE_SPARSE;
    lead(t, "duplicates", "#flags");
    lead(t, "unscored", "#unscored");
    lead(t, "failed", "#unscored");
    add_rates(t, r);
    note_kin(t, r, how->language);
    if (r->jury.masked)
        table_note(t, words_with(a, how->language, WORD_MASKED, r->jury.name));
    if (r->hushed)
        table_note(t, words_of(how->language, WORD_HUSHED));
    if (!r->jury.masked && r->npanels == 1 && r->panels[0].masked)
        table_note(t, words_with(a, how->language, WORD_PANEL_MASKED, r->panels[0].name));
    return t;
}

/* ---- dimensions ---- */

static struct table *dimensions(struct arena *a, const struct report *r,
                                const struct tables_how *how, bool totals)
{
    const struct instrument *in = &r->suite.instrument;
    const char *object = totals ? "totals" : "marks";
    struct table *t = models_of(a, r, how, 0);

    t->title = words_of(how->language, totals ? WORD_TOTALS : WORD_DIMENSIONS);
    (void)table_add(t, .in = object); /* even without dimensions */
    for (size_t d = 0; d < in->ndimensions; d++) {
        const struct dimension *dim = &in->dimensions[d];
        struct table_column c = {.key = dim->id,
                                 .in = object,
                                 .head = arena_text(a, dim->title),
                                 .kind = TABLE_INTERVAL,
                                 .look = TABLE_BRIEF,
                                 .decimals = show_decimals(r),
                                 .flags = TABLE_NAMED | (dim->lower_is_better ? TABLE_LOWER : 0)};
        struct table_cell *cells;
        if (!totals)
            c.range = (struct show_range){dim->min, dim->max};
        cells = table_column(t, &c);
        for (size_t i = 0; i < r->nmodels; i++) {
            const struct report_model *m = &r->models[i];
            const struct score_row **rows = totals ? m->totals : m->marks;
            cells[i] = table_score(rows ? rows[d] : NULL);
            cells[i].whole = !totals && show_whole(r, m);
        }
    }
    if (show_ruled(r))
        table_note(t, words_of(how->language, WORD_AS_JUDGED));
    return t;
}

/* ---- judges ---- */

#define OF(member) TABLE_OF(struct report_judge, member)

/* clang-format off */
static const struct table_field judge[] = {
    {{.key = "name", .word = WORD_JUDGE, .kind = TABLE_LINK}, OF(name)},
    {{.key = "kin", .word = WORD_JUDGE_KIN, .kind = TABLE_TEXT, .flags = TABLE_SPARSE}, OF(kin)},
    {{.key = "planned", .kind = TABLE_COUNT}, OF(planned)},
    {{.key = "done", .word = WORD_VERDICTS, .kind = TABLE_SHARE}, OF(done)},
    {{.key = "unscored", .word = WORD_UNSCORED, .kind = TABLE_COUNT}, OF(unscored)},
    {{.key = "failed", .word = WORD_FAILED, .kind = TABLE_COUNT}, OF(failed)},
    {{.key = "repaired", .word = WORD_REPAIRED, .kind = TABLE_COUNT}, OF(repaired)},
    {{.key = "overall_differs", .word = WORD_DIFFERS, .kind = TABLE_SHARE, .flags = TABLE_SPARSE}, OF(differs)},
    {{.key = "overall_compared", .kind = TABLE_COUNT}, OF(compared)},
    {{.key = "tokens", .word = WORD_TOKENS, .kind = TABLE_COUNT, .flags = TABLE_ROOMY | TABLE_SPARSE}, OF(tokens)},
    {{.key = "cost", .word = WORD_COST, .kind = TABLE_MONEY, .flags = TABLE_ROOMY | TABLE_SPARSE}, OF(cost)},
};
static const struct table_field panel[] = {
    {{.key = "agreement", .word = WORD_AGREEMENT, .kind = TABLE_SCORE, .decimals = SHOW_AGREEMENT}, OF(agreement)},
};
/* clang-format on */

#undef OF

/* "88 / 90": sets the denominator from another column. */
static void out_of(struct table *t, const char *key, const char *all)
{
    struct table_cell *cells = t->cells[find(t, key) - t->columns],
                      *of = t->cells[find(t, all) - t->columns];

    for (size_t i = 0; i < t->nrows; i++)
        cells[i].n = of[i].n;
}

static struct table *judges(struct arena *a, const struct report *r, const struct tables_how *how)
{
    struct table *t = table_new(a, how->language, r->njudges);
    char text[SHOW_MAX];

    t->title = words_of(how->language, WORD_JUDGES);
    table_fields(t, judge, COUNT(judge), r->judges, sizeof *r->judges);
    out_of(t, "done", "planned");
    out_of(t, "overall_differs", "overall_compared");
    lead(t, "unscored", "#unscored");
    lead(t, "failed", "#unscored");
    if (show_panel(r)) {
        table_fields(t, panel, COUNT(panel), r->judges, sizeof *r->judges);
        table_note(t, words_with(a, how->language, WORD_AGREEMENT_IS,
                                 show_number(text, r->agreement, SHOW_AGREEMENT, "–")));
    }
    return t;
}

/* ---- where it comes from ---- */

/* Options for participants other than the models. */
static void put_others(struct buf *b, const struct report *r)
{
    const struct elicit *e = &r->suite.elicit;
    bool interview = e->kind == ELICIT_INTERVIEW;
    const char *option = interview ? "examiner" : "user";

    for (size_t i = 0; i < r->others.n; i++)
        buf_fmt(b, " --%s %s", option, r->others.v[i].name);
    if (vocab_is_talk(&r->suite) && !vocab_asks_others(&r->suite) && !e->dialogue.cast.nmembers)
        buf_fmt(b, " --%s %s", option,
                interview ? vocab_examiners[e->interview.examiner] : vocab_users[e->dialogue.by]);
}

/* The command that repeats the run, as far as the run knows it; none for a campaign that is
 * masked. */
static const char *command(struct arena *a, const struct report *r)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);

    if (r->jury.masked)
        return "";
    buf_fmt(&b, "audition run %s.yaml", r->suite.id);
    for (size_t i = 0; i < r->nmodels; i++)
        buf_fmt(&b, " -m %s", r->models[i].name);
    put_others(&b, r);
    for (size_t i = 0; i < r->njudges && !r->jury.campaign; i++)
        buf_fmt(&b, " --judge %s", r->judges[i].name);
    buf_fmt(&b, " --repeat %lld --seed %llu", (long long)r->run.repeats,
            (unsigned long long)r->run.seed);
    return arena_text(a, buf_str(&b));
}

/* Id of the suite and hash of its frozen form. */
static const char *suite_of(struct arena *a, const struct report *r)
{
    char frozen[HASH_HEX];

    hash_hex_of(r->run.frozen, frozen);
    return arena_printf(a, "%s %s", r->suite.id, frozen);
}

static const char *templates(struct arena *a, const struct report *r)
{
    AUTO(buf_done) struct buf b = BUF_MAX(1 << 16);

    for (size_t i = 0; i < r->njudges; i++) {
        buf_fmt(&b, "%s%s", i ? ", " : "", r->judges[i].name);
        if (r->judges[i].template)
            buf_fmt(&b, " (%s)", r->judges[i].template);
    }
    return arena_text(a, buf_str(&b));
}

struct table *tables_provenance(struct arena *a, const struct report *r,
                                const struct tables_how *how)
{
    const struct {
        enum word what;
        const char *value;
    } rows[] = {
        {PROVENANCE_RUN, arena_printf(a, "%s (%s)", r->run.name, r->run.key)},
        {PROVENANCE_SUITE, suite_of(a, r)},
        {PROVENANCE_SEED, arena_printf(a, "%llu", (unsigned long long)r->run.seed)},
        {PROVENANCE_TEMPLATE, templates(a, r)},
        {PROVENANCE_PROGRAM, "audition " VERSION},
        {PROVENANCE_COMMAND, command(a, r)},
    };
    struct table *t = table_new(a, how->language, COUNT(rows));
    struct table_cell *what = table_add(t, .word = PROVENANCE_WHAT, .kind = TABLE_LINK),
                      *value = table_add(t, .word = PROVENANCE_VALUE);

    t->title = words_of(how->language, PROVENANCE);
    t->sparse_rows = true;
    for (size_t i = 0; i < COUNT(rows); i++) {
        what[i] = table_text(words_of(how->language, rows[i].what));
        value[i] = table_text(*rows[i].value ? rows[i].value : NULL);
    }
    return t;
}

struct table *tables_sources(struct arena *a, const struct report *runs, size_t n,
                             const char *language)
{
    struct table *t = table_new(a, language, n);
    struct table_cell *run = table_add(t, .key = "run", .word = PROVENANCE_RUN, .kind = TABLE_LINK);
    struct table_cell *suite = table_add(t, .key = "suite", .word = PROVENANCE_SUITE);
    struct table_cell *seed = table_add(t, .key = "seed", .word = PROVENANCE_SEED);
    struct table_cell *judges = table_add(t, .key = "judges", .word = PROVENANCE_TEMPLATE);

    for (size_t i = 0; i < n; i++) {
        run[i] = table_text(runs[i].run.name);
        suite[i] = table_text(suite_of(a, &runs[i]));
        seed[i] = table_text(arena_printf(a, "%llu", (unsigned long long)runs[i].run.seed));
        judges[i] = table_text(templates(a, &runs[i]));
    }
    return t;
}

/* ---- all of them ---- */

void tables_beside(struct arena *a, const struct report *r, const struct tables_how *how,
                   struct tables *out)
{
    bool several = r->nmodels && r->suite.instrument.ndimensions > 1;

    *out = (struct tables){
        .v = NEW_N(a, struct tables_one, TABLES_MOST + r->suite.instrument.ndimensions)};
    tables_add(out, ABOUT_MODELS, several ? "dimensions" : NULL, dimensions(a, r, how, false));
    if (r->nmodels && r->models[0].totals)
        tables_add(out, ABOUT_MODELS, r->suite.score.kind == SCORE_TOTALS ? "totals" : NULL,
                   dimensions(a, r, how, true));
    tables_add(out, ABOUT_MODELS, r->npanels > 1 && !r->jury.masked ? "panels" : NULL,
               panels_table(a, r, how->language));
    tables_pair(a, r, how, out);
    sittings_tables(a, r, how, out);
    over_time_tables(a, r, how, out);
    tables_add(out, ABOUT_JUDGES, r->njudges ? "judges" : NULL, judges(a, r, how));
    tables_add(out, ABOUT_NOISE, r->noise.n > 1 ? "noise" : NULL,
               noise_table(a, &r->noise, r->jury.campaign != 0, how->language));
}
