#include "report/rank_table.h"

#include <math.h>

#include "base/json.h"
#include "report/grid.h"
#include "report/whisker.h"
#include "text/rune.h"

enum {
    NAME_MOST = 40,
    NAME_GOOD = 22,
    NAME_LEAST = 8,
    PLOT_MOST = 41,
    PLOT_GOOD = 17,
    PLOT_LEAST = 9,
    PATH_MOST = 60,
    MATRIX_MODELS = 15, /* in the matrix of who beats whom */
};

/* A group on its way to the terminal. */
struct canvas {
    struct arena *a;
    const struct rank_table *t;
    const struct render_terminal *how;
    const struct whisker_signs *signs;
    const struct rating_group *g;
    struct show_range range; /* of the whiskers */
    size_t name, plot;       /* widths; plot 0: no whiskers */
    bool close;              /* columns stand close together */
    struct buf *out;
};

const char *rank_table_system(enum rating_system s)
{
    static const char *const names[] = {"bradley-terry", "glicko2", "elo"};

    return names[s];
}

/* ---- how it was made, in words ---- */

static const char *made_by(const struct rank_table *t)
{
    static const char *const ties[] = {"ties as halves", "ties after Davidson", "ties dropped"};
    static const char *const periods[] = {"each battle a period, updated one after the other",
                                          "each battle a period, updated at once", "one period"};

    switch (t->how->system) {
    case RATING_BT:
        return ties[t->how->ties];
    case RATING_GLICKO:
        return t->how->by_run ? "each run a period" : periods[t->how->glicko.period];
    case RATING_ELO:
        break;
    }
    return "in the order of the file";
}

static void title(const struct canvas *c)
{
    const struct rank_table *t = c->t;
    const char *dot = c->signs->dot;
    struct str path = grid_text(c->a, str_of(t->path), PATH_MOST, c->signs->more);

    buf_fmt(c->out, "%.*s %s %zu battle%s %s %zu models %s %s, %s", STR_ARG(path), dot, t->set->n,
            t->set->n == 1 ? "" : "s", dot, t->set->models, dot, rank_table_system(t->how->system),
            made_by(t));
    if (t->how->system == RATING_GLICKO && t->how->glicko.volatility == GLICKO_DEEPY)
        buf_text(c->out, ", volatility as in deepy");
    buf_char(c->out, '\n');
}

/* ---- whiskers ---- */

static struct show_range range_of(const struct rating_group *g)
{
    struct show_range range = {INFINITY, -INFINITY};

    for (size_t i = 0; i < g->n; i++) {
        show_reach(&range, g->v[i].rating);
        show_reach(&range, g->v[i].lo);
        show_reach(&range, g->v[i].hi);
    }
    if (!(range.hi - range.lo > 0)) {
        range.lo -= 1;
        range.hi += 1;
    }
    return range;
}

static struct str whiskers(const struct canvas *c, const struct rating *r)
{
    struct whisker_scale scale = {c->range, c->plot, c->signs};

    if (c->plot == 0)
        return str_of(c->signs->dash);
    return whisker_draw(c->a, &scale, &(struct whisker){r->rating, r->lo, r->hi});
}

/* ---- the table ---- */

static struct str whole(const struct canvas *c, double v)
{
    char text[SHOW_MAX];

    return arena_str(c->a, str_of(show_number(text, v, 0, "-")));
}

static struct str count(const struct canvas *c, int64_t n)
{
    return str_of(arena_printf(c->a, "%lld", (long long)n));
}

static struct str span(const struct canvas *c, double lo, double hi)
{
    struct str from = whole(c, lo), to = whole(c, hi);

    if (str_eq(from, to))
        return from;
    return str_of(arena_printf(c->a, "%.*s%s%.*s", STR_ARG(from), c->signs->dash, STR_ARG(to)));
}

static bool has_interval(const struct canvas *c)
{
    return c->t->how->system != RATING_ELO;
}

static struct str model_name(const struct canvas *c, const struct rating *r)
{
    return grid_name(c->a, str_of(c->t->set->names[r->model]), c->name, c->signs->more);
}

static void column(struct grid *g, const char *head, bool left, bool tight)
{
    g->rows[0].cells[grid_column(g, left, tight)] = str_of(head);
}

static void columns(const struct canvas *c, struct grid *g)
{
    (void)grid_row(g, GRID_HEAD);
    column(g, "model", true, false);
    column(g, "rating", false, false);
    if (c->t->how->system == RATING_GLICKO)
        column(g, "RD", false, false);
    if (has_interval(c)) {
        column(g, "95 %", false, false);
        column(g, "", true, true);
        column(g, "", false, true);
        column(g, "rank", false, false);
    }
    if (c->t->ratings->shuffles)
        column(g, "shuffled", false, false);
    column(g, "games", false, false);
    column(g, "w/l/t", false, false);
}

static void row(const struct canvas *c, struct grid *g, const struct rating *r)
{
    struct grid_row *line = grid_row(g, GRID_PLAIN);
    size_t at = 0;

    line->cells[at++] = model_name(c, r);
    line->cells[at++] = whole(c, r->rating);
    if (c->t->how->system == RATING_GLICKO)
        line->cells[at++] = whole(c, r->rd);
    if (has_interval(c)) {
        line->cells[at++] = whole(c, r->lo);
        line->cells[at++] = whiskers(c, r);
        line->cells[at++] = whole(c, r->hi);
        line->cells[at++] =
            r->rank_best ? span(c, (double)r->rank_best, (double)r->rank_worst) : STR("-");
    }
    if (c->t->ratings->shuffles)
        line->cells[at++] = span(c, r->order_lo, r->order_hi);
    line->cells[at++] = count(c, r->games);
    line->cells[at++] = str_of(arena_printf(c->a, "%lld/%lld/%lld", (long long)r->wins,
                                            (long long)r->losses, (long long)r->ties));
}

static void fill(const void *user, struct grid *g)
{
    const struct canvas *c = user;

    grid_init(g, c->a);
    g->close = c->close;
    columns(c, g);
    for (size_t i = 0; i < c->g->n; i++)
        row(c, g, &c->g->v[i]);
}

static size_t longest_name(const struct canvas *c)
{
    size_t most = 0;

    for (size_t i = 0; i < c->g->n; i++) {
        size_t n = rune_columns(model_name(c, &c->g->v[i]));
        most = n > most ? n : most;
    }
    return most;
}

/* Whiskers and names give way by turns; at last whiskers vanish. */
static void fit(struct canvas *c, const struct grid_form *form)
{
    c->name = NAME_MOST;
    c->name = longest_name(c);
    c->plot = has_interval(c) ? PLOT_MOST : 0;
    c->close = false;
    grid_form_shrink(form, &c->plot, PLOT_GOOD);
    c->close = !grid_form_fits(form);
    grid_form_shrink(form, &c->name, NAME_GOOD);
    grid_form_shrink(form, &c->plot, PLOT_LEAST);
    if (!grid_form_fits(form))
        c->plot = 0;
    grid_form_shrink(form, &c->name, NAME_LEAST);
}

/* ---- who beats whom ---- */

typedef double pair_value(const struct rating_pair *p);

static double as_rated(const struct rating_pair *p)
{
    return p->expected;
}

static double as_seen(const struct rating_pair *p)
{
    int64_t games = p->wins + p->losses + p->ties;

    return games ? ((double)p->wins + (double)p->ties / 2) / (double)games : (double)NAN;
}

static void matrix(const struct canvas *c, const char *head, pair_value *value)
{
    struct grid g;
    size_t n = c->g->n;

    grid_init(&g, c->a);
    (void)grid_row(&g, GRID_HEAD);
    column(&g, "", false, false);
    column(&g, head, true, true);
    for (size_t j = 0; j < n; j++)
        column(&g, arena_printf(c->a, "%zu", j + 1), false, false);
    g.close = true;
    for (size_t i = 0; i < n; i++) {
        struct grid_row *line = grid_row(&g, GRID_PLAIN);
        line->cells[0] = count(c, (int64_t)i + 1);
        line->cells[1] = model_name(c, &c->g->v[i]);
        for (size_t j = 0; j < n; j++) {
            double v = i == j ? (double)NAN : value(&c->g->pairs[i * n + j]);
            line->cells[2 + j] = isnan(v) ? str_of(c->signs->none) : whole(c, 100 * v);
        }
    }
    if (grid_width(&g) <= (size_t)c->how->columns) {
        buf_char(c->out, '\n');
        grid_print(&g, c->how->colour, c->out);
    }
    grid_done(&g);
}

static void group(struct canvas *c)
{
    struct grid_form form = {fill, c, (size_t)c->how->columns};

    c->range = range_of(c->g);
    fit(c, &form);
    buf_char(c->out, '\n');
    grid_form_print(&form, c->how->colour, c->out);
    if (c->g->n > 1 && c->g->n <= MATRIX_MODELS && c->g->pairs) {
        matrix(c, "% won against, as rated", as_rated);
        matrix(c, "% won against, as seen", as_seen);
    }
}

/* ---- style ---- */

static struct str decimals(const struct canvas *c, double v)
{
    return isfinite(v) ? str_of(arena_printf(c->a, "%+.2f", v)) : STR("-");
}

/* Raw and controlled ratings side by side, in the order of the raw ones. */
static void controlled(const struct canvas *c)
{
    struct grid g;

    grid_init(&g, c->a);
    (void)grid_row(&g, GRID_HEAD);
    column(&g, "controlled for style", true, false);
    column(&g, "raw", false, false);
    column(&g, "controlled", false, false);
    column(&g, "95 %", false, false);
    for (size_t i = 0; i < c->t->ratings->ngroups; i++)
        for (size_t k = 0; k < c->t->ratings->groups[i].n; k++) {
            const struct rating *r = &c->t->ratings->groups[i].v[k];
            const struct control_value *v = &c->t->control->ratings[r->model];
            struct grid_row *line;
            if (!isfinite(v->value))
                continue;
            line = grid_row(&g, GRID_PLAIN);
            line->cells[0] =
                grid_name(c->a, str_of(c->t->set->names[r->model]), NAME_GOOD, c->signs->more);
            line->cells[1] = whole(c, r->rating);
            line->cells[2] = whole(c, v->value);
            line->cells[3] = span(c, v->lo, v->hi);
        }
    buf_char(c->out, '\n');
    grid_print(&g, c->how->colour, c->out);
    grid_done(&g);
}

static void effects(const struct canvas *c)
{
    struct grid g;

    grid_init(&g, c->a);
    (void)grid_row(&g, GRID_HEAD);
    column(&g, "style", true, false);
    column(&g, "logits", false, false);
    column(&g, "95 %", false, false);
    column(&g, "", false, true);
    for (int f = 0; f < STYLE_FEATURES; f++) {
        const struct control_value *v = &c->t->control->effects[f];
        struct grid_row *line;
        if (!isfinite(v->value))
            continue;
        line = grid_row(&g, GRID_PLAIN);
        line->cells[0] = str_of(style_name((enum style_feature)f));
        line->cells[1] = decimals(c, v->value);
        line->cells[2] = decimals(c, v->lo);
        line->cells[3] = decimals(c, v->hi);
    }
    buf_char(c->out, '\n');
    grid_print(&g, c->how->colour, c->out);
    grid_done(&g);
}

static void style(const struct canvas *c)
{
    if (!c->t->control || !c->t->control->any)
        return;
    controlled(c);
    effects(c);
}

/* ---- below the tables ---- */

static void wrapped(const struct canvas *c, const char *text)
{
    grid_wrap(c->a, text, (size_t)c->how->columns, c->out);
}

static void style_footer(const struct canvas *c)
{
    const struct control *k = c->t->control;

    if (!k)
        return;
    if (!k->any) {
        wrapped(c, "style: all answers look the same, so that there is nothing to control for.");
        return;
    }
    wrapped(c, arena_printf(c->a,
                            "style: the advantage, in logits, of an answer with one standard "
                            "deviation more of it; 95 %% from: %s.",
                            k->method));
    if (k->ridged)
        wrapped(c, "note: style and models cannot be told apart by these battles alone: a ridge "
                   "prior holds the controlled ratings together.");
    if (c->t->ratings->ngroups > 1)
        wrapped(c, "note: style is controlled for in the largest group only.");
}

static void footer(const struct canvas *c)
{
    const struct rating_table *r = c->t->ratings;

    buf_char(c->out, '\n');
    if (r->method)
        wrapped(c, arena_printf(c->a, "95 %% from: %s.", r->method));
    if (r->nu > 0)
        wrapped(c, arena_printf(c->a, "Davidson's nu: %.4f.", r->nu));
    if (r->shuffles)
        wrapped(c, arena_printf(c->a,
                                "shuffled: where 95 %% of %zu shuffled orders of the same battles "
                                "put the rating.",
                                r->shuffles));
    style_footer(c);
    for (size_t i = 0; i < r->nnotes; i++)
        wrapped(c, arena_printf(c->a, "note: %s.", r->notes[i]));
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
        c.g = &t->ratings->groups[i];
        if (t->ratings->ngroups > 1)
            buf_fmt(out, "\ngroup %zu of %zu\n", i + 1, t->ratings->ngroups);
        group(&c);
    }
    style(&c);
    footer(&c);
}

/* ---- JSON ---- */

static void put_real(json_t *o, const char *key, double v)
{
    if (isfinite(v))
        (void)json_object_set_new(o, key, json_real(v));
}

static void put_count(json_t *o, const char *key, int64_t n)
{
    (void)json_object_set_new(o, key, json_integer(n));
}

static void put_text(json_t *o, const char *key, const char *text)
{
    (void)json_object_set_new(o, key, json_string(text));
}

static json_t *rating_json(const struct rank_table *t, const struct rating *r, size_t g)
{
    json_t *o = json_object();

    put_text(o, "model", t->set->names[r->model]);
    if (t->ratings->ngroups > 1)
        put_count(o, "group", (int64_t)g + 1);
    put_real(o, "rating", r->rating);
    put_real(o, "rd", r->rd);
    put_real(o, "volatility", r->volatility);
    put_real(o, "lo", r->lo);
    put_real(o, "hi", r->hi);
    put_real(o, "order_lo", r->order_lo);
    put_real(o, "order_hi", r->order_hi);
    if (r->rank_best) {
        put_count(o, "rank_best", (int64_t)r->rank_best);
        put_count(o, "rank_worst", (int64_t)r->rank_worst);
    }
    if (t->control && t->control->any) {
        const struct control_value *v = &t->control->ratings[r->model];
        put_real(o, "controlled", v->value);
        put_real(o, "controlled_lo", v->lo);
        put_real(o, "controlled_hi", v->hi);
    }
    put_count(o, "games", r->games);
    put_count(o, "wins", r->wins);
    put_count(o, "losses", r->losses);
    put_count(o, "ties", r->ties);
    return o;
}

/* Each pair once, the better model first. */
static void put_pairs(const struct rank_table *t, const struct rating_group *g, json_t *list)
{
    for (size_t i = 0; g->pairs && i < g->n; i++)
        for (size_t j = i + 1; j < g->n; j++) {
            const struct rating_pair *p = &g->pairs[i * g->n + j];
            json_t *o = json_object();
            put_text(o, "a", t->set->names[g->v[i].model]);
            put_text(o, "b", t->set->names[g->v[j].model]);
            put_count(o, "wins", p->wins);
            put_count(o, "losses", p->losses);
            put_count(o, "ties", p->ties);
            put_real(o, "win_rate", as_seen(p));
            put_real(o, "expected", p->expected);
            put_real(o, "better", p->better);
            (void)json_array_append_new(list, o);
        }
}

static json_t *style_json(const struct control *k)
{
    json_t *o = json_object(), *list = json_array();

    put_text(o, "interval", k->method);
    (void)json_object_set_new(o, "ridge", json_boolean(k->ridged));
    (void)json_object_set_new(o, "effects", list);
    for (int f = 0; f < STYLE_FEATURES; f++) {
        json_t *one;
        if (!isfinite(k->effects[f].value))
            continue;
        one = json_object();
        put_text(one, "feature", style_name((enum style_feature)f));
        put_real(one, "coefficient", k->effects[f].value);
        put_real(one, "lo", k->effects[f].lo);
        put_real(one, "hi", k->effects[f].hi);
        (void)json_array_append_new(list, one);
    }
    return o;
}

void rank_table_json(const struct rank_table *t, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(json_freep) json_t *all = json_object();
    json_t *ratings = json_array(), *pairs = json_array(), *notes = json_array();
    const struct rating_table *r = t->ratings;

    put_text(all, "system", rank_table_system(t->how->system));
    put_count(all, "battles", (int64_t)t->set->n);
    put_text(all, "made", made_by(t));
    if (r->method)
        put_text(all, "interval", r->method);
    if (r->nu > 0)
        put_real(all, "nu", r->nu);
    if (r->shuffles)
        put_count(all, "shuffles", (int64_t)r->shuffles);
    if (t->control && t->control->any)
        (void)json_object_set_new(all, "style", style_json(t->control));
    (void)json_object_set_new(all, "ratings", ratings);
    (void)json_object_set_new(all, "pairs", pairs);
    (void)json_object_set_new(all, "notes", notes);
    for (size_t g = 0; g < r->ngroups; g++) {
        for (size_t i = 0; i < r->groups[g].n; i++)
            (void)json_array_append_new(ratings, rating_json(t, &r->groups[g].v[i], g));
        put_pairs(t, &r->groups[g], pairs);
    }
    for (size_t i = 0; i < r->nnotes; i++)
        (void)json_array_append_new(notes, json_string(r->notes[i]));
    buf_text(out, json_text(a, all));
    buf_char(out, '\n');
}
