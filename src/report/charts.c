#include "report/charts.h"

#include <math.h>

#include "base/asset.h"
#include "eval/bouts.h"
#include "report/chart.h"
#include "report/charts_pairs.h"
#include "report/over_time.h"
#include "report/tables.h"
#include "report/values.h"
#include "report/wording.h"
#include "store/store_compare.h"

enum { BINS = 10, WIDTH = 760, MARGIN = 16 };

typedef int draw_fn(struct html *h, const struct chart_grid *g);

/* Name and style of each kind; without `draw`, it is drawn like the board. */
enum { STEPS = 1, DIAGONAL = 2, NAMELESS = 4 }; /* see struct chart_grid */

static charts_fn contradictions, matrix;

static const struct kind {
    const char *name;
    draw_fn *draw;
    charts_fn *gather; /* NULL: below */
    enum word axis;    /* 0: the columns say it */
    enum word up;      /* label of the vertical axis; 0: the headline, if there is one */
    unsigned how;
    enum word title;
} kinds[] = {
    /* clang-format off */
    [CHARTS_LEADERBOARD]  = {"leaderboard", NULL, NULL, 0, 0, 0, SEE_LEADERBOARD},
    [CHARTS_DIMENSIONS]   = {"dimensions", chart_heat, NULL, CHART_MARKS, 0, 0, WORD_DIMENSIONS},
    [CHARTS_ITEMS]        = {"items", chart_heat, NULL, CHART_VALUES, 0, 0, SEE_ITEMS},
    [CHARTS_DISTRIBUTION] = {"distribution", chart_bars, NULL, CHART_VALUES, CHART_ANSWERS, 0, CHART_IS_DISTRIBUTION},
    [CHARTS_MATRIX]       = {"matrix", chart_heat, matrix, CHART_DIFFERENCE, 0, 0, SEE_MATRIX},
    [CHARTS_COST]         = {"cost", chart_scatter, charts_pairs_cost, 0, 0, 0, CHART_IS_COST},
    [CHARTS_LATENCY]      = {"latency", chart_scatter, charts_pairs_latency, 0, 0, 0, CHART_IS_LATENCY},
    [CHARTS_HISTORY]      = {"history", chart_course, charts_pairs_history, CHART_RUNS, 0, 0, CHART_IS_HISTORY},
    [CHARTS_HUMAN]        = {"human", chart_scatter, charts_pairs_human, 0, 0, DIAGONAL | NAMELESS, CHART_IS_HUMAN},
    [CHARTS_RELIABILITY]  = {"reliability", chart_scatter, charts_pairs_reliability, 0, 0, DIAGONAL, CHART_IS_RELIABILITY},
    [CHARTS_CONTRADICTIONS] = {"contradictions", NULL, contradictions, 0, 0, 0, SITTING_CONTRADICTIONS},
    [CHARTS_DRIFT]        = {"drift", chart_course, NULL, OVER_TURNS, CHART_MARKS, 0, OVER_DRIFT},
    [CHARTS_SURVIVAL]     = {"survival", chart_course, NULL, OVER_TURNS, OVER_IN_ROLE, STEPS, OVER_SURVIVAL},
    [CHARTS_MEMORY]       = {"memory", chart_course, NULL, OVER_DISTANCE, OVER_KNOWN, 0, OVER_MEMORY},
    /* clang-format on */
};

const char *charts_name(enum charts_kind k)
{
    return kinds[k].name;
}

/* ---- values of answers ---- */

/* Sums and counts of values by row and model. */
struct values {
    struct party_list models; /* in the order of the report */
    struct item_names items;  /* in the order of the run: ids ascend */
    struct arena *a;
    struct show_range range;        /* of the marks */
    struct interval_cluster *cells; /* [row][model] */
    bool bins;                      /* rows are bins of values, not items */
    bool any;
};

static size_t row_of(const struct values *t, const struct score_value *v)
{
    double part = (v->value - t->range.lo) / (t->range.hi - t->range.lo);
    size_t low = 0, high = t->items.n;

    if (t->bins)
        return (size_t)fmin(fmax(floor(part * BINS), 0), BINS - 1);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->items.v[middle].id < v->item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->items.n && t->items.v[low].id == v->item ? low : SIZE_MAX;
}

static enum status add_value(void *user, const struct score_value *v, struct err *e)
{
    struct values *t = user;
    size_t row = row_of(t, v), model = readings_place(&t->models, v->model);

    (void)e;
    if (row == SIZE_MAX || model == t->models.n || !isfinite(v->value))
        return OK;
    t->cells[row * t->models.n + model].sum += v->value;
    t->cells[row * t->models.n + model].n++;
    t->any = true;
    return OK;
}

/* The range of possible values of an answer. */
static struct show_range marks_range(const struct instrument *in)
{
    struct show_range range = {INFINITY, -INFINITY};

    for (size_t d = 0; d < in->ndimensions; d++)
        show_reach(&range, in->dimensions[d].min, in->dimensions[d].max);
    return range;
}

/* The models' rows, in the order of the board. */
static enum status models_of(struct arena *a, struct store *s, const struct report *r,
                             struct party_list *out, struct err *e)
{
    struct party_list all;

    if (store_party_list(a, s, PARTY_MODEL, r->run.id, &all, e) != OK)
        return e->code;
    *out = (struct party_list){NEW_N(a, struct party, all.n + 1), 0};
    for (size_t i = 0; i < r->nmodels; i++) {
        const struct party *model = store_party_named(&all, r->models[i].name);
        if (model)
            out->v[out->n++] = *model;
    }
    return OK;
}

static enum status gather(struct store *s, const struct report *r, struct values *t, struct err *e)
{
    if (models_of(t->a, s, r, &t->models, e) != OK)
        return e->code;
    t->cells = NEW_N(t->a, struct interval_cluster, ((size_t)r->items + BINS) * (t->models.n + 1));
    t->range = marks_range(&r->suite.instrument);
    if (!show_pair(r) && t->range.lo < t->range.hi &&
        (store_item_names(t->a, s, r->run.id, &t->items, e) != OK ||
         score_value_each(s, &r->run, &r->suite, &r->jury, add_value, t, e) != OK))
        return e->code;
    return t->any
               ? OK
               : err_set(e, E_INPUT, "run %s has no values of single answers to draw", r->run.name);
}

/* ---- tables ---- */

static struct table *items_table(const struct report *r, const struct values *t)
{
    struct table *out = table_new(t->a, r->suite.language, t->items.n);
    struct table_cell *cells = table_add(out, .key = "item", .word = WORD_ITEM, .kind = TABLE_LINK);
    double times = values_times(&r->suite);

    for (size_t i = 0; i < t->items.n; i++)
        cells[i] = table_text(t->items.v[i].name);
    for (size_t m = 0; m < t->models.n; m++) {
        cells = table_add(out, .key = t->models.v[m].name, .head = t->models.v[m].name,
                          .kind = TABLE_SCORE, .decimals = 2, .flags = TABLE_NAMED,
                          .range = {times * t->range.lo, times * t->range.hi});
        for (size_t i = 0; i < t->items.n; i++) {
            const struct interval_cluster *c = &t->cells[i * t->models.n + m];
            if (c->n)
                cells[i] = table_number(times * c->sum / (double)c->n);
        }
    }
    return out;
}

/* A row per model, a column per bin of values. */
static struct table *bins_table(const struct report *r, const struct values *t)
{
    struct table *out = table_new(t->a, r->suite.language, t->models.n);
    struct table_cell *cells =
        table_add(out, .key = "model", .word = WORD_MODEL, .kind = TABLE_LINK);
    double times = values_times(&r->suite), low = times * t->range.lo;
    double step = (times * t->range.hi - low) / BINS;

    for (size_t m = 0; m < t->models.n; m++)
        cells[m] = table_text(t->models.v[m].name);
    for (size_t b = 0; b < BINS; b++) {
        const char *head =
            arena_printf(t->a, "%g–%g", low + step * (double)b, low + step * (double)(b + 1));
        cells = table_add(out, .key = head, .head = head, .kind = TABLE_COUNT);
        for (size_t m = 0; m < t->models.n; m++)
            cells[m] = table_count((int64_t)t->cells[b * t->models.n + m].n);
    }
    return out;
}

static enum status none_over_time(const struct report *r, enum charts_kind k, struct err *e)
{
    bool lasted = k == CHARTS_SURVIVAL && r->suite.elicit.kind == ELICIT_DIALOGUE;

    for (size_t i = 0; i < r->nmodels && lasted; i++)
        if (r->models[i].unbroken)
            return err_set(e, E_INPUT, "run %s: no role broke, so there is no curve to draw",
                           r->run.name);
    return err_set(e, E_INPUT, "run %s has no %s to draw", r->run.name, charts_name(k));
}

enum status charts_table(struct arena *a, struct store *s, const struct report *r,
                         enum charts_kind k, struct table **out, struct err *e)
{
    const struct tables_how how = {.language = r->suite.language, .dash = "–"};
    struct values t = {.a = a, .bins = k == CHARTS_DISTRIBUTION};
    struct tables beside;

    if (kinds[k].gather)
        return kinds[k].gather(a, s, r, out, e);
    if (k == CHARTS_LEADERBOARD) {
        *out = tables_board(a, r, &how, 0);
        return OK;
    }
    if (k >= CHARTS_DRIFT) {
        *out = over_time_table(a, r, (enum over_time)(k - CHARTS_DRIFT), how.language);
        return *out ? OK : none_over_time(r, k, e);
    }
    if (k == CHARTS_DIMENSIONS) {
        tables_beside(a, r, &how, &beside);
        *out = beside.v[0].table;
        return r->suite.instrument.ndimensions
                   ? OK
                   : err_set(e, E_INPUT, "run %s has no dimensions to draw", r->run.name);
    }
    if (gather(s, r, &t, e) != OK)
        return e->code;
    *out = k == CHARTS_ITEMS ? items_table(r, &t) : bins_table(r, &t);
    return OK;
}

/* ---- who is ahead of whom ---- */

enum status charts_battles(struct arena *a, struct store *s, const struct report *r,
                           struct values_matrix *out, struct err *e)
{
    const struct bouts_want want = {
        .store = s, .run = r->run.id, .suite = &r->suite, .jury = &r->jury, .flags = true};
    size_t n = r->nmodels;
    struct interval_cluster **won = NEW_N(a, struct interval_cluster *, n * n + 1);
    struct bouts b;

    if (bouts_read(a, &want, &b, e) != OK)
        return e->code;
    for (size_t i = 0; i < b.set.n; i++) {
        const struct duel *d = &b.set.v[i];
        const struct report_model *x = report_model_named(r, b.set.names[d->a]),
                                  *y = report_model_named(r, b.set.names[d->b]);
        struct interval_cluster **one, **other;
        if (!x || !y)
            continue;
        one = &won[(size_t)(x - r->models) * n + (size_t)(y - r->models)];
        other = &won[(size_t)(y - r->models) * n + (size_t)(x - r->models)];
        if (!*one) { /* of many models, most never meet */
            *one = NEW_N(a, struct interval_cluster, b.set.clusters);
            *other = NEW_N(a, struct interval_cluster, b.set.clusters);
        }
        (*one)[d->cluster].sum += (double)d->outcome / 2;
        (*other)[d->cluster].sum += 1 - (double)d->outcome / 2;
        (*one)[d->cluster].n++;
        (*other)[d->cluster].n++;
    }
    *out = values_apart(a, won, n, b.set.clusters, interval_share, 100);
    return OK;
}

static enum status matrix_of(struct arena *a, struct store *s, const struct report *r,
                             struct values_matrix *out, struct err *e)
{
    struct values t = {.a = a};
    struct values_map map;

    if (show_pair(r))
        return charts_battles(a, s, r, out, e);
    if (gather(s, r, &t, e) != OK)
        return e->code;
    map = (struct values_map){t.cells, t.items.n, t.models.n};
    *out = values_matrix(a, &r->suite, r->run.repeats, &map);
    return OK;
}

enum status charts_lead(struct arena *a, struct store *s, struct report *r, struct err *e)
{
    struct values_matrix *x = NEW(a, struct values_matrix);
    struct err nothing = {0};

    if (!r->jury.masked && matrix_of(a, s, r, x, &nothing) == E_INPUT)
        nothing = (struct err){0}; /* nothing to compare */
    r->lead = x->v ? x : NULL;
    if (nothing.code != OK)
        *e = nothing;
    return nothing.code;
}

/* Difference: row minus column. */
static enum status matrix(struct arena *a, struct store *s, const struct report *r,
                          struct table **out, struct err *e)
{
    struct table *t = table_new(a, r->suite.language, r->nmodels);
    struct table_cell *names = table_add(t, .key = "model", .word = WORD_MODEL, .kind = TABLE_LINK);
    struct values_matrix x = {0};

    if (matrix_of(a, s, r, &x, e) != OK)
        return e->code;
    for (size_t k = 0; k < x.n; k++) {
        const char *name = r->models[k].name;
        struct table_cell *column =
            table_add(t, .key = name, .head = name, .kind = TABLE_INTERVAL,
                      .decimals = show_decimals(r), .flags = TABLE_NAMED | TABLE_SIGNED);
        names[k] = table_text(name);
        for (size_t i = 0; i < x.n; i++)
            if (i != k && isfinite(x.v[i * x.n + k].value))
                column[i] = table_interval(x.v[i * x.n + k]);
    }
    table_note(t, words_of(r->suite.language, show_pair(r) ? SEE_MATRIX_BATTLES : SEE_MATRIX_NOTE));
    *out = t;
    return OK;
}

/* ---- contradictions ---- */

static enum status contradictions(struct arena *a, struct store *s, const struct report *r,
                                  struct table **out, struct err *e)
{
    static const struct table_field fields[] = {
        {{.key = "name", .word = WORD_MODEL, .kind = TABLE_LINK},
         TABLE_OF(struct report_model, name)},
        {{.key = "contradictions",
          .word = SITTING_CONTRADICTIONS,
          .kind = TABLE_INTERVAL,
          .decimals = 2,
          .flags = TABLE_LOWER},
         TABLE_OF(struct report_model, contradictions)},
    };
    bool any = false;

    (void)s;
    for (size_t i = 0; i < r->nmodels; i++)
        any = any || r->models[i].contradictions;
    if (!any)
        return err_set(e, E_INPUT, "run %s has no %s to draw", r->run.name,
                       charts_name(CHARTS_CONTRADICTIONS));
    *out = table_new(a, r->suite.language, r->nmodels);
    (*out)->title = charts_title(r, CHARTS_CONTRADICTIONS);
    table_fields(*out, fields, COUNT(fields), r->models, sizeof *r->models);
    return OK;
}

static int draw_contradictions(struct html *h, const struct report *r)
{
    struct chart_row *v = NEW_N(h->scratch, struct chart_row, r->nmodels);
    struct chart_rows rows = {.v = v, .n = r->nmodels, .range = {0, 1}, .decimals = 2};

    rows.label = rows.axis = charts_title(r, CHARTS_CONTRADICTIONS);
    for (size_t i = 0; i < r->nmodels; i++) {
        const struct score_row *c = r->models[i].contradictions;
        v[i] = (struct chart_row){r->models[i].name, c, NULL};
        if (c)
            show_reach(&rows.range, c->value, c->lo, c->hi);
    }
    return chart_rows(h, &rows);
}

/* ---- SVG ---- */

const char *charts_title(const struct report *r, enum charts_kind k)
{
    return words_of(r->suite.language, kinds[k].title);
}

int charts_draw(struct html *h, const struct report *r, enum charts_kind k, const struct table *t)
{
    const struct kind *kind = &kinds[k];
    struct chart_grid g = {
        .t = t,
        .label = charts_title(r, k),
        .axis = kind->axis ? words_of(r->suite.language, kind->axis) : NULL,
        .up = words_of(r->suite.language, kind->up ? kind->up : wording_headline(&r->suite)),
        .steps = kind->how & STEPS,
        .diagonal = kind->how & DIAGONAL,
        .nameless = kind->how & NAMELESS};

    if (k == CHARTS_CONTRADICTIONS)
        return draw_contradictions(h, r);
    return kind->draw ? kind->draw(h, &g) : chart_scores(h, r, false);
}

void charts_svg(const struct report *r, enum charts_kind k, const struct table *t, struct buf *out)
{
    AUTO(buf_done) struct buf inner = BUF_MAX(64 << 20);
    struct html in = {.out = &inner, .scratch = t->a}, h = {.out = out, .scratch = t->a};
    struct str title = r->suite.title.n ? r->suite.title : str_of(r->suite.id);
    int height = charts_draw(&in, r, k, t);

    html_open(&h, "svg", "xmlns", "http://www.w3.org/2000/svg", "width", arena_int(t->a, WIDTH),
              "height", arena_int(t->a, height + 2 * MARGIN + 24), "viewBox",
              arena_printf(t->a, "0 0 %d %d", WIDTH, height + 2 * MARGIN + 24), "lang",
              r->suite.language);
    html_open(&h, "title", NULL);
    html_str(&h, title);
    html_fmt(&h, " · %s · %s", r->run.name, charts_name(k));
    html_close(&h);
    html_style(&h, asset_find("share/web/chart.css")->bytes);
    html_leaf(&h, "rect", "class", "paper", "width", "100%", "height", "100%");
    html_quote(&h, "text", title, "class", "heading", "x", arena_int(t->a, MARGIN), "y", "28");
    html_open(&h, "svg", "x", arena_int(t->a, MARGIN), "y", arena_int(t->a, MARGIN + 24), "width",
              arena_int(t->a, WIDTH - 2 * MARGIN), "height", arena_int(t->a, height));
    buf_add(out, buf_str(&inner));
    html_close_n(&h, 2);
}
