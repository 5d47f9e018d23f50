#include "report/accord_table.h"

#include <math.h>

#include "base/json.h"
#include "report/grid.h"
#include "report/show.h"

enum { NAME_MOST = 30, NAME_LEAST = 8, PATH_MOST = 60, DECIMALS = 3 };

/* Krippendorff 2004, section 11.4.2. */
static const double rely = 0.8, tentative = 0.667;

const char *accord_table_level(enum agree_level level)
{
    static const char *const names[] = {"nominal", "ordinal", "interval", "ratio"};

    return names[level];
}

/* ---- what there is to show ---- */

struct figure {
    const char *head; /* of its column */
    const char *key;  /* in JSON */
    double (*value)(const struct accord *a);
};

static double agreement(const struct accord *a)
{
    return a->many.agreement;
}

static double fleiss(const struct accord *a)
{
    return a->many.fleiss;
}

static double ac1(const struct accord *a)
{
    return a->many.ac1;
}

static double even(const struct accord *a)
{
    return a->many.even;
}

static double kappa_plain(const struct accord *a)
{
    return a->kappa[KAPPA_PLAIN];
}

static double kappa_linear(const struct accord *a)
{
    return a->kappa[KAPPA_LINEAR];
}

static double kappa_quadratic(const struct accord *a)
{
    return a->kappa[KAPPA_QUADRATIC];
}

static double concordance(const struct accord *a)
{
    return a->concordance;
}

/* Beside alpha, in this order. */
static const struct figure figures[] = {
    {"agreed", "agreement", agreement},
    {"AC1", "ac1", ac1},
    {"Fleiss", "fleiss", fleiss},
    {"kappa", "kappa", kappa_plain},
    {"linear", "kappa_linear", kappa_linear},
    {"quadratic", "kappa_quadratic", kappa_quadratic},
    {"B-P", "brennan_prediger", even},
    {"W", "kendall_w", concordance},
};

static const char *const icc_names[2][ICC_FORMS] = {{"1,1", "2,1", "3,1"}, {"1,k", "2,k", "3,k"}};

static struct icc_value icc_at(const struct accord *a, size_t mean, size_t form)
{
    return mean ? a->icc.mean[form] : a->icc.single[form];
}

/* Why something is missing, or NULL. */
static const char *note_of(const struct accord_table *t, const struct accord *a)
{
    if (a->alpha.clusters == 0)
        return "no unit has two ratings, so that there is nothing to compare";
    if (isnan(a->alpha.value))
        return "all values are the same, so that there is nothing to agree about";
    return t->how->level == AGREE_NOMINAL ? NULL : a->icc.why;
}

/* ---- terminal ---- */

struct canvas {
    struct arena *a;
    const struct accord_table *t;
    const struct render_terminal *how;
    struct buf *out;
    size_t name; /* columns of the longest */
};

static const char *dash(const struct canvas *c)
{
    return c->how->unicode ? "–" : "-";
}

static struct str rounded(const struct canvas *c, double v, int decimals)
{
    char text[SHOW_MAX];

    return arena_str(c->a, str_of(show_number(text, v, decimals, "-")));
}

static struct str number(const struct canvas *c, double v)
{
    return rounded(c, v, DECIMALS);
}

static struct str count(const struct canvas *c, size_t n)
{
    return str_of(arena_printf(c->a, "%zu", n));
}

static void column(struct grid *g, const char *head, bool left)
{
    g->rows[0].cells[grid_column(g, left, false)] = str_of(head);
}

static struct str name_of(const struct canvas *c, size_t i)
{
    const char *name = c->t->set->v[i].name;

    return name ? grid_text(c->a, str_of(name), c->name, c->how->unicode ? "…" : "..") : STR("all");
}

static bool any_value(const struct accord_table *t, const struct figure *f)
{
    for (size_t i = 0; i < t->set->n; i++)
        if (!isnan(f->value(&t->v[i])))
            return true;
    return false;
}

static const char *reading(double alpha)
{
    if (isnan(alpha))
        return "-";
    return alpha >= rely ? "rely on it" : alpha >= tentative ? "tentative" : "too low";
}

static struct str span(const struct canvas *c, double low, double high)
{
    struct str from = number(c, low), to = number(c, high);

    if (isnan(low))
        return STR("-");
    return str_of(arena_printf(c->a, "%.*s%s%.*s", STR_ARG(from),
                               low < 0 || high < 0 ? " to " : dash(c), STR_ARG(to)));
}

static void alpha_grid(const struct canvas *c, struct grid *g)
{
    (void)grid_row(g, GRID_HEAD);
    column(g, "dimension", true);
    column(g, "units", false);
    column(g, "raters", false);
    column(g, "ratings", false);
    column(g, "alpha", false);
    column(g, "95 %", false);
    column(g, "reading", true);
    for (size_t i = 0; i < c->t->set->n; i++) {
        const struct accord *a = &c->t->v[i];
        struct grid_row *line = grid_row(g, GRID_PLAIN);
        size_t at = 0;
        line->cells[at++] = name_of(c, i);
        line->cells[at++] = count(c, a->units);
        line->cells[at++] = count(c, a->raters);
        line->cells[at++] = count(c, a->values);
        line->cells[at++] = number(c, a->alpha.value);
        line->cells[at++] = span(c, a->alpha.low, a->alpha.high);
        line->cells[at++] = str_of(reading(a->alpha.value));
    }
}

static void figure_grid(const struct canvas *c, struct grid *g)
{
    size_t at = 1;

    (void)grid_row(g, GRID_HEAD);
    column(g, "on categories", true);
    for (size_t i = 0; i < c->t->set->n; i++)
        grid_row(g, GRID_PLAIN)->cells[0] = name_of(c, i);
    for (size_t f = 0; f < COUNT(figures); f++) {
        if (!any_value(c->t, &figures[f]))
            continue;
        column(g, figures[f].head, false);
        for (size_t i = 0; i < c->t->set->n; i++)
            g->rows[i + 1].cells[at] = number(c, figures[f].value(&c->t->v[i]));
        at++;
    }
}

/* A dimension has a line for each form. */
static void icc_grid(const struct canvas *c, struct grid *g)
{
    static const char *const heads[] = {"form", "one", "95 %", "k", "mean of k", "95 %"};

    (void)grid_row(g, GRID_HEAD);
    column(g, "ICC", true);
    for (size_t i = 0; i < COUNT(heads); i++)
        column(g, heads[i], false);
    for (size_t i = 0; i < c->t->set->n; i++)
        for (size_t form = 0; form < ICC_FORMS; form++) {
            const struct icc_value one = c->t->v[i].icc.single[form],
                                   mean = c->t->v[i].icc.mean[form];
            struct grid_row *line = grid_row(g, GRID_PLAIN);
            size_t at = 0;
            line->cells[at++] = form ? STR("") : name_of(c, i);
            line->cells[at++] = count(c, form + 1);
            line->cells[at++] = number(c, one.value);
            line->cells[at++] = span(c, one.low, one.high);
            line->cells[at++] = rounded(c, c->t->v[i].icc.k, 1);
            line->cells[at++] = number(c, mean.value);
            line->cells[at++] = span(c, mean.low, mean.high);
        }
}

static bool any_incomplete(const struct accord_table *t)
{
    for (size_t i = 0; i < t->set->n; i++)
        if (!t->v[i].icc.complete)
            return true;
    return false;
}

static bool any_icc(const struct accord_table *t)
{
    for (size_t i = 0; i < t->set->n; i++)
        if (!isnan(t->v[i].icc.single[ICC_1].value))
            return true;
    return false;
}

typedef void fill_grid(const struct canvas *c, struct grid *g);

static size_t width(const struct canvas *c, fill_grid *fill, bool close)
{
    struct grid g;
    size_t w;

    grid_init(&g, c->a);
    fill(c, &g);
    g.close = close;
    w = grid_width(&g);
    grid_done(&g);
    return w;
}

/* Where there is not enough room, columns stand closer, and then names give way. */
static void print(struct canvas *c, fill_grid *fill)
{
    size_t room = (size_t)c->how->columns;
    struct grid g;
    bool close;

    c->name = NAME_MOST;
    close = width(c, fill, false) > room;
    while (c->name > NAME_LEAST && width(c, fill, close) > room)
        c->name--;
    grid_init(&g, c->a);
    fill(c, &g);
    g.close = close;
    buf_char(c->out, '\n');
    grid_print(&g, c->how->colour, c->out);
    grid_done(&g);
}

static void wrapped(const struct canvas *c, const char *text)
{
    grid_wrap(c->a, text, (size_t)c->how->columns, c->out);
}

static void footer(const struct canvas *c)
{
    buf_char(c->out, '\n');
    wrapped(c,
            "alpha (Krippendorff): 1 is perfect agreement, 0 what chance would give. Rely on 0.800 "
            "and above; from 0.667 on draw tentative conclusions only; below that, none. Taste "
            "often has 0.2 to 0.5: then look at how reliable the mean of several raters is.");
    if (any_icc(c->t))
        wrapped(c,
                "ICC: form 1, any raters; 2, a sample of raters, whose severity counts as error; "
                "3, these raters, severity left out. Below 0.5 poor, to 0.75 moderate, to 0.9 "
                "good (Koo and Li), read at the lower end of the interval.");
    if (any_icc(c->t) && any_incomplete(c->t))
        wrapped(c, "Where not everybody rated everything, ICC is from variance components "
                   "(Henderson's method 3), with approximate intervals.");
    wrapped(c, arena_printf(c->a,
                            "95 %% of alpha: units drawn with replacement, %zu rounds, seed "
                            "%llu.",
                            c->t->how->rounds, (unsigned long long)c->t->how->seed));
    if (c->t->set->blank)
        wrapped(c, arena_printf(c->a, "note: %zu line%s without a value passed over.",
                                c->t->set->blank, c->t->set->blank == 1 ? "" : "s"));
    for (size_t i = 0; i < c->t->set->n; i++) {
        const char *note = note_of(c->t, &c->t->v[i]);
        struct str name = name_of(c, i);
        if (note)
            wrapped(c, arena_printf(c->a, "note: %.*s: %s.", STR_ARG(name), note));
    }
}

void accord_table_terminal(const struct accord_table *t, const struct render_terminal *how,
                           struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct canvas c = {.a = a, .t = t, .how = how, .out = out};
    const char *dot = how->unicode ? "·" : "|";
    struct str path = grid_text(a, str_of(t->path), PATH_MOST, how->unicode ? "…" : "..");

    buf_fmt(out, "%.*s %s %zu ratings %s %s\n", STR_ARG(path), dot, t->set->ratings, dot,
            accord_table_level(t->how->level));
    print(&c, alpha_grid);
    print(&c, figure_grid);
    if (any_icc(t))
        print(&c, icc_grid);
    footer(&c);
}

/* ---- JSON ---- */

static void put_real(json_t *o, const char *key, double v)
{
    if (isfinite(v))
        (void)json_object_set_new(o, key, json_real(v));
}

static void put_count(json_t *o, const char *key, size_t n)
{
    (void)json_object_set_new(o, key, json_integer((json_int_t)n));
}

static void put_text(json_t *o, const char *key, const char *text)
{
    if (text)
        (void)json_object_set_new(o, key, json_string(text));
}

static void put_icc(json_t *o, const struct accord *a)
{
    json_t *value = json_object(), *low = json_object(), *high = json_object();

    for (size_t mean = 0; mean < 2; mean++)
        for (size_t form = 0; form < ICC_FORMS; form++) {
            struct icc_value v = icc_at(a, mean, form);
            put_real(value, icc_names[mean][form], v.value);
            put_real(low, icc_names[mean][form], v.low);
            put_real(high, icc_names[mean][form], v.high);
        }
    (void)json_object_set_new(o, "icc", value);
    (void)json_object_set_new(o, "icc_lo", low);
    (void)json_object_set_new(o, "icc_hi", high);
    put_real(o, "icc_k", a->icc.k);
}

static json_t *dimension_json(const struct accord_table *t, size_t i)
{
    const struct accord *a = &t->v[i];
    json_t *o = json_object();

    put_text(o, "dimension", t->set->v[i].name);
    put_text(o, "level", accord_table_level(t->how->level));
    put_count(o, "units", a->units);
    put_count(o, "raters", a->raters);
    put_count(o, "values", a->values);
    put_real(o, "alpha", a->alpha.value);
    put_real(o, "alpha_lo", a->alpha.low);
    put_real(o, "alpha_hi", a->alpha.high);
    if (!isnan(a->icc.single[ICC_1].value))
        put_icc(o, a);
    for (size_t f = 0; f < COUNT(figures); f++)
        put_real(o, figures[f].key, figures[f].value(a));
    put_text(o, "note", note_of(t, a));
    return o;
}

void accord_table_json(const struct accord_table *t, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    for (size_t i = 0; i < t->set->n; i++, arena_reset(a)) {
        AUTO(json_freep) json_t *o = dimension_json(t, i);
        buf_text(out, json_text(a, o));
        buf_char(out, '\n');
    }
}
