#include "exchange/battle_file.h"

#include <math.h>
#include <stdlib.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "base/map.h"
#include "math/bt_style.h"
#include "math/graph.h"

enum {
    RECORD_MAX = 4 << 20, /* bytes; replies and reviews may stand beside the winner */
    LIST_MAX = 256 << 20, /* of a file that is one JSON list */
    SHOWN = 60,           /* code points of a value in a message */
};

static const double weight_max = 1e9;

/* Style has a pair of columns for each property, and last one for the answers themselves. */
enum { STYLE_PAIRS = STYLE_FEATURES + 1 };
enum column {
    COLUMN_A,
    COLUMN_B,
    COLUMN_WINNER,
    COLUMN_WEIGHT,
    COLUMN_PREFERENCE,
    COLUMN_FIRST,  /* the winner in one order */
    COLUMN_SECOND, /* ... and in the other */
    COLUMN_CLUSTER,
    COLUMN_RUN,
    COLUMN_STYLE,
    COLUMNS = COLUMN_STYLE + 2 * STYLE_PAIRS
};
enum { NAMED = COLUMN_CLUSTER, SPELLINGS = 5 };

/* Spellings in use, ours first. */
static const char *const spellings[COLUMNS][SPELLINGS + 1] = {
    [COLUMN_A] = {"model_a", "left", "model_id_A", "model_1", "generator_1"},
    [COLUMN_B] = {"model_b", "right", "model_id_B", "model_2", "generator_2"},
    [COLUMN_WINNER] = {"winner"},
    [COLUMN_WEIGHT] = {"weight"},
    [COLUMN_PREFERENCE] = {"preference"},
    [COLUMN_FIRST] = {"g1_winner"},
    [COLUMN_SECOND] = {"g2_winner"},
    [COLUMN_CLUSTER] = {"prompt", "question_id", "situation_id", "instruction"},
    [COLUMN_RUN] = {"run"},
    /* clang-format off */
    [COLUMN_STYLE] = {"length_a"}, {"length_b"},
    {"action_a"}, {"action_b"},
    {"emoji_a"}, {"emoji_b"},
    {"markup_a"}, {"markup_b"},
    {"answer_a", "output_1"}, {"answer_b", "output_2"},
    /* clang-format on */
};

struct reader {
    struct arena *arena;
    struct csv csv; /* its lines are those of JSON, too */
    struct battle_set set;
    const char **names; /* [models.n] */
    size_t cap, names_cap;
    struct map models, clusters, runs; /* names to numbers */
    const char *cluster; /* the column; NULL: none was named, and none was found yet */
    bool must_cluster;   /* it was asked for by name */
    bool run, style;     /* are wanted */
    bool by_answer;      /* style is counted here */
    size_t run_cap, style_cap, longer_cap;

    size_t width;       /* of the header */
    size_t at[COLUMNS]; /* CSV: SIZE_MAX: absent */
};

/* ---- one battle ---- */

static enum status model_number(struct reader *r, struct str name, const char *column,
                                uint32_t *out, struct err *e)
{
    size_t known = r->models.n;

    if (name.n == 0)
        return err_set(e, E_INPUT, "%s is empty", column);
    if (name.n > BATTLE_NAME_MAX)
        return err_set(e, E_INPUT, "%s is longer than %d bytes", column, BATTLE_NAME_MAX);
    *out = map_number(&r->models, name);
    if (r->models.n > BATTLE_MODELS_MAX)
        return err_set(e, E_INPUT, "more than %d different models", BATTLE_MODELS_MAX);
    if (r->models.n > known) {
        r->names = mem_grow(r->names, &r->names_cap, known + 1, sizeof *r->names);
        r->names[known] = arena_text(r->arena, name);
    }
    return OK;
}

static bool outcome_of(struct str winner, struct str a, struct str b, uint32_t *out)
{
    static const struct {
        const char *word;
        uint32_t outcome;
    } words[] = {
        {"a", DUEL_WON},       {"b", DUEL_LOST},       {"tie", DUEL_TIED},
        {"model_a", DUEL_WON}, {"model_b", DUEL_LOST}, {"draw", DUEL_TIED},
        {"left", DUEL_WON},    {"right", DUEL_LOST},   {"tie (bothbad)", DUEL_TIED},
        {"model_1", DUEL_WON}, {"model_2", DUEL_LOST},
    };

    if (str_eq(winner, a) || str_eq(winner, b)) {
        *out = str_eq(winner, a) ? DUEL_WON : DUEL_LOST;
        return true;
    }
    for (size_t i = 0; i < COUNT(words); i++)
        if (str_is_nocase(winner, words[i].word)) {
            *out = words[i].outcome;
            return true;
        }
    return false;
}

static enum status weight_of(struct str text, double *out, struct err *e)
{
    struct str shown = utf8_head(text, SHOWN);

    if (!str_double(text, out) || !(*out > 0) || *out > weight_max)
        return err_set(e, E_INPUT, "weight \"%.*s\" is not a number above 0 and at most %g",
                       STR_ARG(shown), weight_max);
    return OK;
}

static enum status cluster_of(struct reader *r, struct str name, uint32_t *out, struct err *e)
{
    if (name.n == 0)
        return err_set(e, E_INPUT, "%s is empty", r->cluster);
    *out = map_number(&r->clusters, name);
    return OK;
}

static enum status unknown_winner(struct str winner, struct str a, struct str b, struct err *e)
{
    struct str shown = utf8_head(winner, SHOWN), one = utf8_head(a, SHOWN),
               other = utf8_head(b, SHOWN);

    return err_set(e, E_INPUT, "winner \"%.*s\" is neither \"%.*s\" nor \"%.*s\", nor a, b or tie",
                   STR_ARG(shown), STR_ARG(one), STR_ARG(other));
}

/* Whoever judged gave no verdict: a call that failed, a reply that could not be read. */
static bool is_unjudged(struct str text)
{
    static const char *const words[] = {"", "error", "nan", "null", "none", NULL};

    return str_any(text, str_eq_nocase, words);
}

/* *lost: the probability that the second one won, where it is neither 0 nor 1. */
static enum status preference_of(struct str text, uint32_t *out, double *lost, struct err *e)
{
    struct str shown = utf8_head(text, SHOWN);
    double v;

    if (!str_double(text, &v) || !(v == 0 || (v >= 1 && v <= 2)))
        return err_set(e, E_INPUT,
                       "preference \"%.*s\" is not a number from 1 to 2, or 0 for a draw",
                       STR_ARG(shown));
    *out = v == 0 ? DUEL_TIED : v < 1.5 ? DUEL_WON : v > 1.5 ? DUEL_LOST : DUEL_TIED;
    if (*out != DUEL_TIED && v > 1 && v < 2)
        *lost = v - 1;
    return OK;
}

/* What the battle's verdict says, in whichever form the file has it. *judged is false when there is
 * none. */
static enum status verdict_of(const struct str *values, uint32_t *out, double *lost, bool *judged,
                              struct err *e)
{
    struct str a = values[COLUMN_A], b = values[COLUMN_B], first = values[COLUMN_FIRST],
               second = values[COLUMN_SECOND], winner = values[COLUMN_WINNER];
    uint32_t other;

    *judged = true;
    if (winner.p)
        return outcome_of(winner, a, b, out) ? OK : unknown_winner(winner, a, b, e);
    if (values[COLUMN_PREFERENCE].p) {
        *judged = !is_unjudged(values[COLUMN_PREFERENCE]);
        return *judged ? preference_of(values[COLUMN_PREFERENCE], out, lost, e) : OK;
    }
    *judged = !is_unjudged(first) && !is_unjudged(second);
    if (!*judged)
        return OK;
    if (!outcome_of(first, a, b, out))
        return unknown_winner(first, a, b, e);
    if (!outcome_of(second, a, b, &other))
        return unknown_winner(second, a, b, e);
    if (other != *out)
        *out = DUEL_TIED;
    return OK;
}

/* ---- its style ---- */

static bool has_pair(const struct str *values, size_t pair)
{
    return values[COLUMN_STYLE + 2 * pair].p && values[COLUMN_STYLE + 2 * pair + 1].p;
}

/* The first battle says which properties are known of all of them. */
static enum status find_style(struct reader *r, const struct str *values, struct err *e)
{
    bool any = r->by_answer = has_pair(values, STYLE_FEATURES);

    for (size_t f = 0; f < STYLE_FEATURES; f++)
        any |= r->set.styled[f] = r->by_answer || has_pair(values, f);
    return any ? OK
               : err_set(e, E_INPUT,
                         "no style information; expected answer_a and answer_b, or counts such as "
                         "length_a and length_b");
}

static enum status count_of(const struct str *values, size_t column, double *out, struct err *e)
{
    struct str text = values[column], shown = utf8_head(text, SHOWN);

    if (!text.p)
        return err_set(e, E_INPUT, "%s is missing", spellings[column][0]);
    if (!str_double(text, out) || !(*out >= 0))
        return err_set(e, E_INPUT, "%s \"%.*s\" is not a number of at least 0",
                       spellings[column][0], STR_ARG(shown));
    return OK;
}

static enum status style_of_side(const struct reader *r, const struct str *values, size_t side,
                                 struct style *out, struct err *e)
{
    size_t column = COLUMN_STYLE + 2 * STYLE_FEATURES + side;

    if (r->by_answer && !values[column].p)
        return err_set(e, E_INPUT, "%s is missing", spellings[column][0]);
    *out = r->by_answer ? style_of(values[column]) : (struct style){0};
    for (size_t f = 0; f < STYLE_FEATURES && !r->by_answer; f++)
        if (r->set.styled[f] && count_of(values, COLUMN_STYLE + 2 * f + side, &out->v[f], e) != OK)
            return e->code;
    return OK;
}

static enum status add_style(struct reader *r, const struct str *values, struct err *e)
{
    struct style side[2] = {0};

    if (!r->style)
        return OK;
    if (r->set.n == 0 && find_style(r, values, e) != OK)
        return e->code;
    for (size_t i = 0; i < 2; i++)
        if (style_of_side(r, values, i, &side[i], e) != OK)
            return e->code;
    r->set.style = mem_grow(r->set.style, &r->style_cap, r->set.n + 1, sizeof *r->set.style);
    for (size_t f = 0; f < STYLE_FEATURES; f++)
        r->set.style[r->set.n][f] = bt_style_contrast(side[0].v[f], side[1].v[f]);
    if (r->set.styled[STYLE_LENGTH]) {
        r->set.longer = mem_grow(r->set.longer, &r->longer_cap, r->set.n + 1, sizeof(double));
        r->set.longer[r->set.n] = side[0].v[STYLE_LENGTH] - side[1].v[STYLE_LENGTH];
    }
    return OK;
}

static enum status add_run(struct reader *r, struct str name, struct err *e)
{
    if (!r->run)
        return OK;
    if (name.n == 0)
        return err_set(e, E_INPUT, "no run to use as a rating period");
    r->set.run = mem_grow(r->set.run, &r->run_cap, r->set.n + 1, sizeof *r->set.run);
    r->set.run[r->set.n] = map_number(&r->runs, name);
    if (r->runs.n > BATTLE_RUNS_MAX)
        return err_set(e, E_INPUT, "more than %d different runs", BATTLE_RUNS_MAX);
    return OK;
}

/* values[COLUMNS]: p is NULL where a column is absent. */
static enum status put_duel(struct reader *r, const struct str *values, struct duel d,
                            struct err *e)
{
    if (add_run(r, values[COLUMN_RUN], e) != OK || add_style(r, values, e) != OK)
        return e->code;
    r->set.weighted |= d.weight != 1;
    r->set.v = mem_grow(r->set.v, &r->cap, r->set.n + 1, sizeof *r->set.v);
    r->set.v[r->set.n++] = d;
    return OK;
}

static enum status add_battle(struct reader *r, const struct str *values, struct err *e)
{
    struct str a = values[COLUMN_A], b = values[COLUMN_B];
    struct duel d = {.cluster = (uint32_t)(r->set.n - r->set.split), .weight = 1};
    double lost = NAN;
    bool judged;

    if (verdict_of(values, &d.outcome, &lost, &judged, e) != OK)
        return e->code;
    if (!judged) {
        r->set.unjudged++;
        return OK;
    }
    if (model_number(r, a, spellings[COLUMN_A][0], &d.a, e) != OK ||
        model_number(r, b, spellings[COLUMN_B][0], &d.b, e) != OK)
        return e->code;
    if (d.a == d.b)
        return err_set(e, E_INPUT, "\"%s\" is paired with itself", r->names[d.a]);
    if (values[COLUMN_WEIGHT].p && weight_of(values[COLUMN_WEIGHT], &d.weight, e) != OK)
        return e->code;
    if (values[COLUMN_CLUSTER].p && cluster_of(r, values[COLUMN_CLUSTER], &d.cluster, e) != OK)
        return e->code;
    if (r->set.n >= BATTLE_MAX)
        return err_set(e, E_INPUT, "more than %d battles", BATTLE_MAX);
    if (isnan(lost))
        return put_duel(r, values, d, e);
    r->set.split++;
    d.outcome = DUEL_WON;
    d.weight *= 1 - lost;
    if (put_duel(r, values, d, e) != OK)
        return e->code;
    d.outcome = DUEL_LOST;
    d.weight *= lost / (1 - lost);
    return put_duel(r, values, d, e);
}

/* ---- CSV ---- */

/* The column that a battle needs and that is not there[NAMED]; NULL: none is missing. */
static const char *missing(const bool *there)
{
    for (size_t c = 0; c < COLUMN_WINNER; c++)
        if (!there[c])
            return spellings[c][0];
    return there[COLUMN_WINNER] || there[COLUMN_PREFERENCE] ||
                   (there[COLUMN_FIRST] && there[COLUMN_SECOND])
               ? NULL
               : spellings[COLUMN_WINNER][0];
}

static size_t find_column(const struct reader *r, size_t column)
{
    size_t at = SIZE_MAX;

    for (const char *const *name = spellings[column]; *name && at == SIZE_MAX; name++)
        at = csv_column(&r->csv, *name);
    return at;
}

static void find_cluster(struct reader *r)
{
    for (const char *const *name = spellings[COLUMN_CLUSTER]; *name && !r->cluster; name++)
        if (csv_column(&r->csv, *name) != SIZE_MAX)
            r->cluster = *name;
    r->at[COLUMN_CLUSTER] = r->cluster ? csv_column(&r->csv, r->cluster) : SIZE_MAX;
    r->set.cluster = r->at[COLUMN_CLUSTER] == SIZE_MAX ? NULL : r->cluster;
}

static enum status read_header(struct reader *r, struct err *e)
{
    bool there[NAMED];
    const char *absent;

    for (size_t c = 0; c < COLUMNS; c++)
        r->at[c] = c < COLUMN_STYLE || r->style ? find_column(r, c) : SIZE_MAX;
    for (size_t c = 0; c < NAMED; c++)
        there[c] = r->at[c] != SIZE_MAX;
    absent = missing(there);
    if (absent)
        return err_set(e, E_INPUT, "no column %s; a battle is model_a,model_b,winner; found: %s",
                       absent, csv_named(r->arena, &r->csv));
    find_cluster(r);
    if (!r->set.cluster && r->must_cluster)
        return err_set(e, E_INPUT, "no column %s to cluster by", r->cluster);
    for (size_t c = 0; c < COLUMNS; c++)
        if (r->at[c] != SIZE_MAX && csv_twice(&r->csv, r->at[c]))
            return err_set(e, E_INPUT, "a second column %s",
                           arena_text(r->arena, str_trim(r->csv.fields[r->at[c]])));
    r->width = r->csv.n;
    return OK;
}

static enum status read_record(struct reader *r, struct err *e)
{
    struct str values[COLUMNS] = {{0}};

    if (r->csv.n == 1 && str_trim(r->csv.fields[0]).n == 0)
        return OK;
    if (r->width == 0)
        return read_header(r, e);
    if (r->csv.n != r->width)
        return err_set(e, E_INPUT, "%zu fields, but the header has %zu", r->csv.n, r->width);
    for (size_t c = 0; c < COLUMNS; c++)
        if (r->at[c] != SIZE_MAX)
            values[c] = str_trim(r->csv.fields[r->at[c]]);
    return add_battle(r, values, e);
}

static enum status read_records(struct reader *r, struct err *e)
{
    bool more = true;

    while (csv_next(&r->csv, &more, e) == OK && more)
        if (read_record(r, e) != OK)
            return err_wrap(e, "%s:%lld", r->csv.lines.path, (long long)r->csv.line);
    return more ? e->code : OK;
}

/* ---- JSON ---- */

/* A string, or a number as text; null is empty. */
static struct str member(struct arena *a, const json_t *object, const char *name)
{
    const json_t *v = json_object_get(object, name);

    if (json_is_string(v))
        return json_str(v);
    if (json_is_null(v))
        return STR("");
    return json_is_number(v) ? str_of(json_text(a, v)) : (struct str){0};
}

/* The same in whichever spelling the object has; p is NULL where it has none. */
static struct str member_of(struct arena *a, const json_t *object, size_t column)
{
    struct str value = {0};

    for (const char *const *name = spellings[column]; *name && !value.p; name++)
        value = member(a, object, *name);
    return value;
}

/* The first battle decides what clusters are. */
static enum status member_cluster(struct reader *r, struct arena *a, const json_t *object,
                                  struct str *out, struct err *e)
{
    for (const char *const *name = spellings[COLUMN_CLUSTER]; *name && r->set.n == 0 && !r->cluster;
         name++)
        if (member(a, object, *name).p)
            r->cluster = *name;
    if (!r->cluster)
        return OK;
    *out = member(a, object, r->cluster);
    if (r->set.n == 0 && out->p)
        r->set.cluster = r->cluster;
    if (!out->p && (r->must_cluster || r->set.cluster))
        return err_set(e, E_INPUT, "no \"%s\" to cluster by", r->cluster);
    if (!r->set.cluster)
        *out = (struct str){0};
    return OK;
}

static enum status add_object(struct reader *r, const json_t *object, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct str values[COLUMNS] = {{0}};
    bool there[NAMED];
    const char *absent;

    for (size_t c = 0; c < (r->style ? COLUMNS : COLUMN_STYLE); c++)
        if (c != COLUMN_CLUSTER)
            values[c] = member_of(scratch, object, c);
    for (size_t c = 0; c < NAMED; c++)
        there[c] = values[c].p != NULL;
    absent = missing(there);
    if (absent)
        return err_set(e, E_INPUT, "\"%s\" is missing", absent);
    if (json_object_get(object, spellings[COLUMN_WEIGHT][0]) && !values[COLUMN_WEIGHT].p)
        return err_set(e, E_INPUT, "weight is not a number");
    if (member_cluster(r, scratch, object, &values[COLUMN_CLUSTER], e) != OK)
        return e->code;
    return add_battle(r, values, e);
}

static enum status read_object(struct reader *r, struct str line, struct err *e)
{
    AUTO(json_freep) json_t *object = NULL;

    if (json_read(line, &object, e) != OK)
        return e->code;
    return add_object(r, object, e);
}

/* The whole file is one list, which begins with `line`. */
static enum status read_list(struct reader *r, struct str line, struct err *e)
{
    AUTO(buf_done) struct buf text = BUF_MAX(LIST_MAX);
    AUTO(json_freep) json_t *list = NULL;
    struct lines *l = &r->csv.lines;
    bool more = true;

    while (more) {
        buf_add(&text, line);
        buf_char(&text, '\n');
        if (text.full)
            return err_set(e, E_INPUT, "%s: a list of more than %d MB; write one battle per line",
                           l->path, LIST_MAX >> 20);
        if (lines_next(l, &line, &more, e) != OK)
            return e->code;
    }
    if (json_read(buf_str(&text), &list, e) != OK)
        return err_wrap(e, "%s", l->path);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (add_object(r, json_array_get(list, i), e) != OK)
            return err_wrap(e, "%s: element %zu", l->path, i + 1);
    return OK;
}

/* ---- the file ---- */

/* A JSON list may be a single line as long as the file. */
static void limit_lines(struct lines *l)
{
    int first = getc(l->in);

    if (first != EOF)
        (void)ungetc(first, l->in);
    l->max = first == '[' ? LIST_MAX : RECORD_MAX;
}

static enum status read_lines(struct reader *r, struct err *e)
{
    struct lines *l = &r->csv.lines;
    bool more = true, first = true;
    struct str line;

    while (lines_next(l, &line, &more, e) == OK && more) {
        if (str_trim(line).n == 0)
            continue;
        if (first && str_trim(line).p[0] == '[')
            return read_list(r, line, e);
        if (first && str_trim(line).p[0] != '{') {
            lines_again(l);
            return read_records(r, e);
        }
        first = false;
        if (read_object(r, line, e) != OK)
            return err_wrap(e, "%s:%lld", l->path, (long long)l->number);
    }
    return more ? e->code : OK;
}

enum status battle_read(struct arena *a, const char *path, const struct battle_want *want,
                        struct battle_set *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct reader *r = NEW(scratch, struct reader);
    enum status st;

    *r = (struct reader){
        .arena = a,
        .cluster = want->cluster,
        .must_cluster = want->cluster != NULL,
        .run = want->run,
        .style = want->style,
    };
    if (csv_open(&r->csv, path, RECORD_MAX, e) != OK)
        return e->code;
    limit_lines(&r->csv.lines);
    map_init(&r->models, scratch);
    map_init(&r->clusters, scratch);
    map_init(&r->runs, scratch);
    st = read_lines(r, e);
    if (st == OK && r->set.n == 0)
        st = err_set(e, E_INPUT, "%s: no battles", path);
    if (st == OK) {
        r->set.models = r->models.n;
        r->set.names = arena_copy(a, r->names, r->models.n, sizeof *r->set.names);
        r->set.clusters = r->set.cluster ? r->clusters.n : r->set.n - r->set.split;
        if (r->set.split && !r->set.cluster) /* the two halves of one are alike */
            r->set.cluster = "battle";
        r->set.runs = r->runs.n;
        *out = r->set;
    } else {
        battle_done(&r->set);
    }
    csv_close(&r->csv);
    free(r->names);
    return st;
}

void battle_done(struct battle_set *s)
{
    free(s->v);
    free(s->run);
    free(s->style);
    free(s->longer);
    *s = (struct battle_set){0};
}

size_t battle_groups(const struct battle_set *s, bool drop_ties, uint32_t *group)
{
    struct graph_arc *arcs = mem_new(s->n * sizeof *arcs);
    size_t n = 0, groups;

    for (size_t i = 0; i < s->n; i++)
        if (!drop_ties || s->v[i].outcome != DUEL_TIED)
            arcs[n++] = (struct graph_arc){s->v[i].a, s->v[i].b};
    groups = graph_groups(arcs, n, s->models, group);
    free(arcs);
    return groups;
}

/* A battle is known by a hash of 64 bits: of 20 million, hardly ever do two share one. */
static uint64_t mixed(uint64_t x, uint64_t y)
{
    x = (x ^ y) * 0x9e3779b97f4a7c15U;
    return x ^ x >> 29;
}

size_t battle_repeats(const struct battle_set *s)
{
    size_t room = 16, repeats = 0;
    uint64_t *seen;

    if (!s->cluster)
        return 0;
    while (room < 2 * s->n)
        room *= 2;
    seen = mem_new(room * sizeof *seen);
    for (size_t i = 0; i < s->n; i++) {
        const struct duel *d = &s->v[i];
        uint64_t key =
            mixed(mixed((uint64_t)d->a << 32 | d->b, 1), (uint64_t)d->cluster << 2 | d->outcome);
        size_t at;
        key = mixed(key, s->run ? s->run[i] + 1 : 0) | 1; /* 0: empty */
        at = (size_t)(key >> 20) & (room - 1);
        while (seen[at] && seen[at] != key)
            at = (at + 1) & (room - 1);
        repeats += seen[at] == key && d->weight >= 1; /* not the halves of a battle */
        seen[at] = key;
    }
    free(seen);
    return repeats;
}
