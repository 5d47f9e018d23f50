#include "report/rank_table.h"

#include <math.h>

#include "base/message.h"
#include "report/grid.h"
#include "report/table.h"
#include "report/whisker.h"

enum { PATH_MOST = 60, MATRIX_MODELS = 15 /* most models in a win matrix */ };

struct canvas {
    struct arena *a;
    const struct rank_table *t;
    const struct render_terminal *how;
    const struct whisker_signs *signs;
    struct buf *out;
};

static const char *const systems[] = {RATING_SYSTEMS(RATING_NAME)};

static void print(const struct canvas *c, const struct table *t)
{
    buf_char(c->out, '\n');
    (void)table_terminal(t, c->how, c->out);
}

/* ---- how it was made, in words ---- */

static const char *made_by(const struct rank_table *t)
{
    static const char *const ties[] = {N_("ties as halves"), N_("ties after Davidson"),
                                       N_("ties dropped")};
    static const char *const periods[] = {N_("each battle a period, updated one after the other"),
                                          N_("each battle a period, updated at once"),
                                          N_("one period")};

    switch (t->how->system) {
    case RATING_BT:
        return ties[t->how->ties];
    case RATING_GLICKO:
        return t->how->by_run ? N_("each run a period") : periods[t->how->glicko.period];
    case RATING_ELO:
        break;
    }
    return N_("in the order of the file");
}

static void title(const struct canvas *c)
{
    const struct rank_table *t = c->t;
    const char *dot = c->signs->dot;
    struct str path = grid_text(c->a, str_of(t->path), PATH_MOST, c->signs->more);

    buf_fmt(c->out, _("%.*s %s %zu battle%s %s %zu models %s %s, %s"), STR_ARG(path), dot,
            t->set->n - t->set->split, message_s(t->set->n - t->set->split), dot, t->set->models,
            dot, systems[t->how->system], message_of(made_by(t)));
    if (t->how->system == RATING_GLICKO && t->how->glicko.volatility == GLICKO_DEEPY)
        buf_text(c->out, _(", volatility as in deepy"));
    buf_char(c->out, '\n');
}

/* ---- tables ---- */

#define OF(member) TABLE_OF(struct rating, member)

/* clang-format off */
static const struct table_field fields[] = {
    {{.key = "rd", .head = "RD", .kind = TABLE_SCORE}, OF(rd)},
    {{.key = "volatility", .kind = TABLE_SCORE}, OF(volatility)},
    {{.key = "order_lo", .kind = TABLE_SCORE}, OF(order_lo)},
    {{.key = "order_hi", .kind = TABLE_SCORE}, OF(order_hi)},
    {{.key = "games", .word = COLUMN_GAMES, .kind = TABLE_COUNT}, OF(games)},
    {{.key = "wins", .kind = TABLE_COUNT}, OF(wins)},
    {{.key = "losses", .kind = TABLE_COUNT}, OF(losses)},
    {{.key = "ties", .kind = TABLE_COUNT}, OF(ties)},
    {{.key = "win_rate", .ends = TABLE_ENDS_APART, .word = COLUMN_WON, .kind = TABLE_INTERVAL, .look = TABLE_INLINE, .decimals = 2}, OF(won)},
};
/* clang-format on */

#undef OF

static void add_rank(const struct rank_table *t, const struct rating_group *g, struct table *out)
{
    static const struct table_column places[] = {
        {.word = WORD_RANK, .kind = TABLE_INTERVAL, .look = TABLE_RANGE},
        {.key = "rank_best", .kind = TABLE_COUNT},
        {.key = "rank_worst", .kind = TABLE_COUNT},
        {.word = COLUMN_SHUFFLED,
         .kind = TABLE_INTERVAL,
         .look = TABLE_RANGE,
         .flags = TABLE_SPARSE},
        {.word = COLUMN_WLT},
    };
    struct table_cell *cells[COUNT(places)];

    for (size_t c = 0; c < COUNT(places); c++)
        cells[c] = table_column(out, &places[c]);
    for (size_t i = 0; i < g->n; i++) {
        const struct rating *r = &g->v[i];
        if (r->rank_best) {
            cells[0][i] = table_between(NAN, (double)r->rank_best, (double)r->rank_worst);
            cells[1][i] = table_count((int64_t)r->rank_best);
            cells[2][i] = table_count((int64_t)r->rank_worst);
        }
        if (t->ratings->shuffles)
            cells[3][i] = table_between(NAN, r->order_lo, r->order_hi);
        cells[4][i] = table_text(arena_printf(out->a, "%lld/%lld/%lld", (long long)r->wins,
                                              (long long)r->losses, (long long)r->ties));
    }
    if (t->how->system == RATING_ELO)
        out->columns[out->ncolumns - COUNT(places)].word = 0;
}

static void add_controlled(const struct rank_table *t, const struct rating_group *g,
                           struct table *out)
{
    struct table_cell *cells =
        table_add(out, .key = "controlled", .ends = TABLE_ENDS_APART, .word = WORD_CONTROLLED,
                  .kind = TABLE_INTERVAL, .look = TABLE_SPLIT);

    for (size_t i = 0; i < g->n && t->control && t->control->any; i++)
        cells[i] = table_interval(t->control->ratings[g->v[i].model]);
    cells = table_add(out, .key = "length_controlled", .ends = TABLE_ENDS_APART,
                      .word = COLUMN_WON_LENGTH, .kind = TABLE_INTERVAL, .look = TABLE_INLINE,
                      .decimals = 2);
    for (size_t i = 0; i < g->n && t->control && t->control->won; i++)
        cells[i] = table_interval(t->control->won[g->v[i].model]);
}

static struct table *names(struct arena *a, const struct rank_table *t,
                           const struct rating_group *g, enum word head)
{
    struct table *out = table_new(a, NULL, g->n);
    struct table_cell *cells = table_add(out, .key = "model", .word = head, .kind = TABLE_LINK);

    for (size_t i = 0; i < g->n; i++)
        cells[i] = table_text(t->set->names[g->v[i].model]);
    return out;
}

static struct table *group_table(struct arena *a, const struct rank_table *t, size_t number)
{
    const struct rating_group *g = &t->ratings->groups[number];
    bool intervals = t->how->system != RATING_ELO;
    struct table *out = names(a, t, g, WORD_MODEL);
    struct table_cell *groups = table_add(out, .key = "group", .kind = TABLE_COUNT),
                      *ratings = table_add(out, .key = "rating", .ends = TABLE_ENDS_ROW,
                                           .word = WORD_RATING, .kind = TABLE_INTERVAL,
                                           .look = intervals ? TABLE_PLOT : TABLE_BRIEF);

    for (size_t i = 0; i < g->n; i++) {
        ratings[i] = table_between(g->v[i].rating, g->v[i].lo, g->v[i].hi);
        ratings[i].why = g->v[i].why ? interval_why_name(g->v[i].why) : NULL;
        if (t->ratings->ngroups > 1)
            groups[i] = table_count((int64_t)number + 1);
    }
    table_fields(out, fields, COUNT(fields), g->v, sizeof *g->v);
    if (t->how->system != RATING_GLICKO) /* for the other systems it is in the interval */
        out->columns[out->ncolumns - COUNT(fields)].head = NULL;
    add_rank(t, g, out);
    return out;
}

/* If win rates have intervals, they get a table of their own, below the ratings. */
static void win_rates(const struct canvas *c, const struct rating_group *g, struct table *ratings)
{
    struct table *t = names(c->a, c->t, g, WORD_MODEL);
    struct table_cell *won = table_add(t, .word = COLUMN_WON, .kind = TABLE_INTERVAL,
                                       .look = TABLE_SPLIT, .decimals = 2);
    bool any = false;

    for (size_t i = 0; i < g->n; i++) {
        won[i] = table_interval(g->v[i].won);
        any |= isfinite(g->v[i].won.low);
    }
    for (size_t k = 0; k < ratings->ncolumns && any; k++)
        if (ratings->columns[k].word == COLUMN_WON)
            ratings->columns[k].word = 0;
    (void)table_terminal(ratings, c->how, c->out);
    if (!any)
        return;
    print(c, t);
}

/* ---- who beats whom ---- */

static double as_seen(const struct rating_pair *p)
{
    int64_t games = p->wins + p->losses + p->ties;

    return games ? ((double)p->wins + (double)p->ties / 2) / (double)games : (double)NAN;
}

/* Win probabilities: as expected from the ratings, or as observed. */
static void matrix(const struct canvas *c, const struct rating_group *g, bool rated)
{
    struct table *m = names(c->a, c->t, g, rated ? COLUMN_AS_RATED : COLUMN_AS_SEEN);
    struct table_cell *numbers = table_add(m, .head = "", .kind = TABLE_COUNT);

    for (size_t j = 0; j < g->n; j++) {
        struct table_cell *cells =
            table_add(m, .head = arena_printf(c->a, "%zu", j + 1), .kind = TABLE_SCORE);
        numbers[j] = table_count((int64_t)j + 1);
        for (size_t i = 0; i < g->n; i++) {
            const struct rating_pair *p = &g->pairs[i * g->n + j];
            if (i != j)
                cells[i] = table_number(100 * (rated ? p->expected : as_seen(p)));
        }
    }
    print(c, m);
}

/* Each pair once, the better model first. */
static struct table *pair_table(struct arena *a, const struct rank_table *t,
                                const struct rating_group *g)
{
    /* clang-format off */
    static const struct table_field pair[] = {
        {{.key = "wins", .kind = TABLE_COUNT}, TABLE_OF(struct rating_pair, wins)},
        {{.key = "losses", .kind = TABLE_COUNT}, TABLE_OF(struct rating_pair, losses)},
        {{.key = "ties", .kind = TABLE_COUNT}, TABLE_OF(struct rating_pair, ties)},
        {{.key = "expected", .kind = TABLE_SCORE}, TABLE_OF(struct rating_pair, expected)},
        {{.key = "better", .kind = TABLE_SCORE}, TABLE_OF(struct rating_pair, better)},
    };
    /* clang-format on */
    size_t n = g->pairs ? g->n * (g->n - 1) / 2 : 0, at = 0;
    struct rating_pair *pairs = NEW_N(a, struct rating_pair, n);
    struct table *out = table_new(a, NULL, n);
    struct table_cell *first = table_add(out, .key = "a"), *second = table_add(out, .key = "b"),
                      *rates = table_add(out, .key = "win_rate", .kind = TABLE_SCORE);

    for (size_t i = 0; i < g->n && n; i++)
        for (size_t j = i + 1; j < g->n; j++, at++) {
            pairs[at] = g->pairs[i * g->n + j];
            first[at] = table_text(t->set->names[g->v[i].model]);
            second[at] = table_text(t->set->names[g->v[j].model]);
            rates[at] = table_number(as_seen(&pairs[at]));
        }
    table_fields(out, pair, COUNT(pair), pairs, sizeof *pairs);
    return out;
}

/* ---- style ---- */

static struct table *effect_table(struct arena *a, const struct control *k)
{
    struct table *out = table_new(a, NULL, STYLE_FEATURES);
    struct table_cell *features = table_add(out, .key = "feature", .word = COLUMN_STYLE),
                      *worth = table_add(out, .key = "coefficient", .ends = TABLE_ENDS_ROW,
                                         .word = WORD_LOGITS, .kind = TABLE_INTERVAL,
                                         .look = TABLE_SPLIT, .decimals = 2, .flags = TABLE_SIGNED);

    out->nrows = 0;
    for (int f = 0; f < STYLE_FEATURES; f++) {
        if (!isfinite(k->effects[f].value))
            continue;
        features[out->nrows] = table_text(style_name((enum style_feature)f));
        worth[out->nrows++] = table_interval(k->effects[f]);
    }
    return out;
}

/* Raw and controlled ratings of the largest group, sorted by the raw ones. */
static void style(const struct canvas *c)
{
    const struct rating_group *g = &c->t->ratings->groups[0];
    struct table *t = names(c->a, c->t, g, COLUMN_CONTROLLED_FOR);
    struct table_cell *raw =
        table_add(t, .word = COLUMN_RAW, .kind = TABLE_SCORE, .flags = TABLE_ASIDE);

    if (!c->t->control || !c->t->control->any)
        return;
    for (size_t i = 0; i < t->nrows; i++)
        raw[i] = table_number(g->v[i].rating);
    add_controlled(c->t, g, t);
    t->sparse_rows = true;
    print(c, t);
    print(c, effect_table(c->a, c->t->control));
}

/* The method of the intervals; NULL: all were refused. */
static const char *style_method(const struct rank_table *t)
{
    for (size_t m = 0; m < t->set->models; m++)
        if (isfinite(t->control->ratings[m].low))
            return t->control->method;
    return NULL;
}

/* ---- below the tables ---- */

static void wrapped(const struct canvas *c, const char *text)
{
    grid_wrap(c->a, text, (size_t)c->how->columns, c->out);
}

static void interval_footer(const struct canvas *c, const char *method)
{
    if (method)
        wrapped(c, arena_printf(c->a, _("95 %% from: %s."), message_show(c->a, NULL, method)));
}

static void style_footer(const struct canvas *c)
{
    const struct control *k = c->t->control;

    if (!k)
        return;
    if (!k->any) {
        wrapped(c, _("style: all answers look the same, so there is nothing to control for."));
        return;
    }
    wrapped(c,
            _("style: the advantage, in logits, of an answer with one standard deviation more of "
              "it."));
    interval_footer(c, style_method(c->t));
    if (k->ridged)
        wrapped(c, _("note: these battles alone cannot tell style and models apart: a ridge prior "
                     "stabilises the controlled ratings."));
    if (c->t->ratings->ngroups > 1)
        wrapped(c, _("note: style is controlled for in the largest group only."));
}

static void footer(const struct canvas *c)
{
    const struct rating_table *r = c->t->ratings;

    buf_char(c->out, '\n');
    interval_footer(c, r->method);
    if (r->nu > 0)
        wrapped(c, arena_printf(c->a, "Davidson's nu: %.4f.", r->nu));
    if (r->shuffles)
        wrapped(c,
                arena_printf(c->a,
                             _("shuffled: where 95 %% of %zu shuffled orders of the same battles "
                               "put the rating."),
                             r->shuffles));
    style_footer(c);
    for (size_t i = 0; i < r->nnotes; i++)
        wrapped(c, arena_printf(c->a, _("note: %s."), message_show(c->a, NULL, r->notes[i])));
}

void rank_table_terminal(const struct rank_table *t, const struct render_terminal *how,
                         struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct canvas c = {
        .a = a,
        .t = t,
        .how = how,
        .signs = whisker_signs(how->unicode),
        .out = out,
    };

    title(&c);
    for (size_t i = 0; i < t->ratings->ngroups; i++) {
        const struct rating_group *g = &t->ratings->groups[i];
        buf_char(out, '\n');
        if (t->ratings->ngroups > 1)
            buf_fmt(out, _("group %zu of %zu\n\n"), i + 1, t->ratings->ngroups);
        win_rates(&c, g, group_table(a, t, i));
        for (int rated = 1; rated >= 0 && g->n > 1 && g->n <= MATRIX_MODELS && g->pairs; rated--)
            matrix(&c, g, rated);
    }
    style(&c);
    footer(&c);
}

/* ---- JSON ---- */

void rank_table_json(const struct rank_table *t, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *all = json_object();
    const struct rating_table *r = t->ratings;
    json_t *ratings, *pairs, *notes;

    json_put_text(all, "system", systems[t->how->system]);
    json_put_int(all, "battles", (int64_t)(t->set->n - t->set->split));
    json_put_text(all, "made", made_by(t));
    json_put_text(all, "interval", r->method);
    json_put_real(all, "nu", r->nu > 0 ? r->nu : (double)NAN);
    json_put_int(all, "shuffles", (int64_t)r->shuffles);
    if (t->control && t->control->any) {
        json_t *style = json_put_object(all, "style");
        json_put_text(style, "interval", style_method(t));
        json_put_bool(style, "ridge", t->control->ridged);
        table_json(effect_table(a, t->control), json_put_list(style, "effects"));
    }
    ratings = json_put_list(all, "ratings");
    pairs = json_put_list(all, "pairs");
    notes = json_put_list(all, "notes");
    for (size_t g = 0; g < r->ngroups; g++) {
        AUTO(json_freep) json_t *some = json_array(), *met = json_array();
        struct table *group = group_table(a, t, g);
        add_controlled(t, &r->groups[g], group);
        table_json(group, some);
        table_json(pair_table(a, t, &r->groups[g]), met);
        (void)json_array_extend(ratings, some);
        (void)json_array_extend(pairs, met);
    }
    for (size_t i = 0; i < r->nnotes; i++)
        (void)json_array_append_new(notes, json_string(r->notes[i]));
    buf_fmt(out, "%s\n", json_text(a, all));
}
