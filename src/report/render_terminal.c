#include <math.h>

#include "report/battles.h"
#include "report/grid.h"
#include "report/report.h"
#include "report/whisker.h"
#include "report/wording.h"
#include "text/rune.h"

/* The command speaks English; only what the suite wrote is in the suite's language. */
#define LANGUAGE "en"

enum {
    NAME_MOST = 32,
    NAME_GOOD = 18,
    NAME_LEAST = 6,
    HEAD_NARROW = 6,
    PLOT_MOST = 41,
    PLOT_GOOD = 21,
    PLOT_LEAST = 9,
    TITLE_MOST = 16
};

struct board {
    struct arena *a;
    const struct report *r;
    const struct render_terminal *how;
    const struct whisker_signs *signs;
    struct buf *out;
    struct show_range range;
    bool ranged;
    int decimals;
    size_t name, plot; /* widths; plot 0: none is drawn */
    bool narrow;       /* close columns with short heads */
};

static const char *word(enum word w)
{
    return words_of(LANGUAGE, w);
}

static struct str headline(const struct board *b, double v)
{
    char text[SHOW_MAX];

    return arena_str(b->a, str_of(show_number(text, v, show_headline(b->r), "-")));
}

static struct str rate(const struct board *b, const struct score_row *row)
{
    char text[SHOW_MAX];

    return arena_str(b->a, str_of(show_number(text, show_value(row), SHOW_RATE, "-")));
}

static struct str count(const struct board *b, int64_t n)
{
    return str_of(arena_printf(b->a, "%lld", (long long)n));
}

static struct str name(const struct board *b, const char *text, size_t columns)
{
    return grid_name(b->a, str_of(text), columns, b->signs->more);
}

static void heading(const struct board *b, const char *text)
{
    buf_fmt(b->out, b->how->colour ? "\n\033[1m%s\033[0m\n" : "\n%s\n", text);
}

/* ---- the line above the board ---- */

static void header(const struct board *b)
{
    const struct report *r = b->r;
    const char *dot = b->signs->dot;
    struct str title = r->suite.title.n ? r->suite.title : str_of(r->suite.id);
    size_t most = b->how->columns > 20 ? (size_t)b->how->columns : 20;

    buf_add(b->out, grid_text(b->a, title, most, b->signs->more));
    buf_fmt(b->out, " %s run %s %s %lld %s", dot, r->run.name, dot, (long long)r->items,
            r->items == 1 ? "item" : "items");
    if (r->run.repeats > 1)
        buf_fmt(b->out, " %s %lld repeats", b->signs->times, (long long)r->run.repeats);
    if (r->njudges)
        buf_fmt(b->out, " %s %s", dot, r->njudges > 1 ? "judges" : "judge");
    for (size_t i = 0; i < r->njudges; i++) {
        struct str judge = name(b, r->judges[i].name, NAME_MOST);
        buf_fmt(b->out, "%s %.*s", i ? "," : "", STR_ARG(judge));
    }
    buf_text(b->out, "\n\n");
}

/* ---- the board ---- */

static struct str whiskers(const struct board *b, const struct score_row *s)
{
    struct whisker_scale scale = {b->range, b->plot, b->signs};
    struct whisker w = {NAN, NAN, NAN};

    if (s)
        w = (struct whisker){s->value, s->lo, s->hi};
    if (b->plot == 0)
        return str_of(isfinite(w.lo) && isfinite(w.hi) ? b->signs->dash : "");
    return whisker_draw(b->a, &scale, &w);
}

/* The ends of the common scale, under the whiskers. */
static struct str scale(const struct board *b)
{
    struct str lo = headline(b, b->range.lo), hi = headline(b, b->range.hi);

    if (lo.n + hi.n + 1 > b->plot)
        return STR("");
    return str_of(arena_printf(b->a, "%.*s%*s%.*s", STR_ARG(lo), (int)(b->plot - lo.n - hi.n), "",
                               STR_ARG(hi)));
}

enum fit { LEFT = 1, TIGHT = 2 }; /* how a column stands; numbers stand to the right */

static void column(const struct board *b, struct grid *g, const char *title, int fit)
{
    size_t at = grid_column(g, fit & LEFT, fit & TIGHT);

    g->rows[0].cells[at] = grid_text(b->a, str_of(title), b->narrow ? HEAD_NARROW : SIZE_MAX, ".");
}

static void board_columns(const struct board *b, struct grid *g)
{
    (void)grid_row(g, GRID_HEAD);
    column(b, g, word(WORD_MODEL), LEFT);
    column(b, g, word(wording_headline(&b->r->suite)), 0);
    column(b, g, word(WORD_INTERVAL), 0);
    column(b, g, "", LEFT | TIGHT);
    column(b, g, "", TIGHT);
    column(b, g, word(WORD_ANSWERS), 0);
    if (show_duplicates(b->r))
        column(b, g, word(WORD_DUPLICATES), 0);
    column(b, g, word(WORD_UNSCORED), 0);
    if (show_failed(b->r))
        column(b, g, word(WORD_FAILED), 0);
    for (size_t i = 0; i < b->r->nclassifiers; i++) {
        struct str classifier = name(b, b->r->classifiers[i], TITLE_MOST);
        column(b, g, classifier.p, 0);
    }
}

static void board_row(const struct board *b, struct grid *g, const struct report_model *m)
{
    struct grid_row *row = grid_row(g, GRID_PLAIN);
    size_t at = 0;

    row->cells[at++] = name(b, m->name, b->name);
    row->cells[at++] = headline(b, show_value(m->score));
    row->cells[at++] = headline(b, m->score ? m->score->lo : NAN);
    row->cells[at++] = whiskers(b, m->score);
    row->cells[at++] = headline(b, m->score ? m->score->hi : NAN);
    row->cells[at++] = count(b, m->score ? m->score->n : 0);
    if (show_duplicates(b->r))
        row->cells[at++] = count(b, m->duplicates);
    row->cells[at++] = count(b, m->unscored);
    if (show_failed(b->r))
        row->cells[at++] = count(b, m->failed);
    for (size_t i = 0; i < b->r->nclassifiers; i++)
        row->cells[at++] = rate(b, m->rates[i]);
}

static void fill_board(const void *user, struct grid *g)
{
    const struct board *b = user;

    grid_init(g, b->a);
    g->close = b->narrow;
    board_columns(b, g);
    for (size_t i = 0; i < b->r->nmodels; i++)
        board_row(b, g, &b->r->models[i]);
    if (b->plot && b->ranged)
        grid_row(g, GRID_DIM)->cells[3] = scale(b);
}

/* Whiskers and names give way by turns; then whiskers vanish, heads are cut, and names at last. */
static void one_board(struct board *b)
{
    struct grid_form form = {fill_board, b, (size_t)b->how->columns};

    b->name = NAME_MOST;
    b->plot = b->ranged ? PLOT_MOST : 0;
    grid_form_shrink(&form, &b->plot, PLOT_GOOD);
    grid_form_shrink(&form, &b->name, NAME_GOOD);
    grid_form_shrink(&form, &b->plot, PLOT_LEAST);
    if (!grid_form_fits(&form))
        b->plot = 0;
    b->narrow = !grid_form_fits(&form);
    grid_form_shrink(&form, &b->name, NAME_LEAST);
    grid_form_print(&form, b->how->colour, b->out);
}

/* One board; or one for each group of models that met, on a scale of its own. */
static void models(struct board *b)
{
    const struct report *all = b->r;
    struct show_range range = b->range;
    struct report slice;
    size_t from = 0;

    while (show_group(all, &from, &slice)) {
        bool grouped = slice.nmodels < all->nmodels;
        b->r = &slice;
        b->ranged = show_range(&slice, &b->range);
        if (grouped)
            heading(b, slice.models[0].battles.group
                           ? words_with(b->a, LANGUAGE, WORD_GROUP,
                                        count(b, slice.models[0].battles.group).p)
                           : word(WORD_NOTHING_SCORED));
        one_board(b);
    }
    b->r = all;
    b->range = range;
    b->ranged = show_range(all, &b->range);
}

/* ---- battles ---- */

/* Sentences, broken at spaces where the window ends. */
static void prose(const struct board *b, const char *text)
{
    struct str rest = str_of(text), one;
    size_t used = 0;

    buf_text(b->out, b->how->colour ? "\033[2m" : "");
    while (str_part(&rest, ' ', &one)) {
        if (used && used + 1 + rune_columns(one) > (size_t)b->how->columns) {
            buf_char(b->out, '\n');
            used = 0;
        } else if (used) {
            buf_char(b->out, ' ');
            used++;
        }
        buf_add(b->out, one);
        used += rune_columns(one);
    }
    buf_text(b->out, b->how->colour ? "\033[0m\n" : "\n");
}

static void battles(const struct board *b)
{
    struct battles_table tables[BATTLES_TABLES];
    size_t n = battles_tables(b->a, b->r, LANGUAGE, b->signs->dash, tables);

    for (size_t i = 0; i < n; i++) {
        const struct battles_table *t = &tables[i];
        struct grid g;
        heading(b, t->title);
        grid_init(&g, b->a);
        (void)grid_row(&g, GRID_HEAD);
        for (size_t c = 0; c < t->columns; c++)
            column(b, &g, t->heads[c], c == 0 ? LEFT : 0);
        for (size_t k = 0; k < t->nrows; k++) {
            struct grid_row *row = grid_row(&g, GRID_PLAIN);
            for (size_t c = 0; c < t->columns; c++)
                row->cells[c] = c == 0 ? name(b, t->rows[k][0], b->name) : str_of(t->rows[k][c]);
        }
        grid_print(&g, b->how->colour, b->out);
        grid_done(&g);
        for (size_t k = 0; k < t->nnotes; k++)
            prose(b, t->notes[k]);
    }
}

/* ---- dimensions ---- */

static const struct score_row *cell_of(const struct report_model *m, bool totals, size_t d)
{
    const struct score_row **rows = totals ? m->totals : m->marks;

    return rows ? rows[d] : NULL;
}

static struct str mark(const struct board *b, const struct report_model *m, bool totals, size_t d)
{
    char text[SHOW_MAX];
    int decimals = totals ? b->decimals : show_marks(b->r, m);

    return arena_str(b->a,
                     str_of(show_number(text, show_value(cell_of(m, totals, d)), decimals, "-")));
}

/* Dimensions from..to as columns. */
static void fill_dimensions(const struct board *b, struct grid *g, bool totals, size_t from,
                            size_t to)
{
    const struct instrument *in = &b->r->suite.instrument;
    struct grid_row *row;

    grid_init(g, b->a);
    (void)grid_column(g, true, false);
    row = grid_row(g, GRID_HEAD);
    row->cells[0] = str_of(word(WORD_MODEL));
    for (size_t d = from; d < to; d++) {
        (void)grid_column(g, false, false);
        row->cells[1 + d - from] =
            grid_text(b->a, in->dimensions[d].title, TITLE_MOST, b->signs->more);
    }
    for (size_t i = 0; i < b->r->nmodels; i++) {
        row = grid_row(g, GRID_PLAIN);
        row->cells[0] = name(b, b->r->models[i].name, b->name);
        for (size_t d = from; d < to; d++)
            row->cells[1 + d - from] = mark(b, &b->r->models[i], totals, d);
    }
}

/* As many columns as fit, then the rest below. */
static void dimensions(const struct board *b, bool totals)
{
    size_t n = b->r->suite.instrument.ndimensions, from = 0, to;
    struct grid g;

    heading(b, totals             ? "totals"
               : show_ruled(b->r) ? "dimensions, as judged: rules act on the score alone"
                                  : "dimensions");
    while (from < n) {
        to = n - from < GRID_COLUMNS - 1 ? n : from + GRID_COLUMNS - 1;
        fill_dimensions(b, &g, totals, from, to);
        while (to > from + 1 && grid_width(&g) > (size_t)b->how->columns) {
            grid_done(&g);
            fill_dimensions(b, &g, totals, from, --to);
        }
        if (from)
            buf_char(b->out, '\n');
        grid_print(&g, b->how->colour, b->out);
        grid_done(&g);
        from = to;
    }
}

/* ---- a panel of judges ---- */

static struct str agreement(const struct board *b, double v)
{
    char text[SHOW_MAX];

    return arena_str(b->a, str_of(show_number(text, v, SHOW_AGREEMENT, "-")));
}

static void panel(const struct board *b)
{
    static const enum word heads[] = {WORD_JUDGE,    WORD_VERDICTS, WORD_UNSCORED, WORD_FAILED,
                                      WORD_REPAIRED, WORD_COST,     WORD_AGREEMENT};
    char cost[SHOW_MAX];
    struct grid_row *row;
    struct grid g;

    buf_char(b->out, '\n');
    grid_init(&g, b->a);
    (void)grid_row(&g, GRID_HEAD);
    for (size_t i = 0; i < COUNT(heads); i++)
        column(b, &g, word(heads[i]), i == 0 ? LEFT : 0);
    for (size_t i = 0; i < b->r->njudges; i++) {
        const struct report_judge *j = &b->r->judges[i];
        row = grid_row(&g, GRID_PLAIN);
        row->cells[0] = name(b, j->name, b->name);
        row->cells[1] = count(b, j->done);
        row->cells[2] = count(b, j->unscored);
        row->cells[3] = count(b, j->failed);
        row->cells[4] = count(b, j->repaired);
        row->cells[5] = arena_str(b->a, str_of(show_number(cost, j->cost, 4, "-")));
        row->cells[6] = agreement(b, j->agreement);
    }
    row = grid_row(&g, GRID_DIM);
    row->cells[0] = STR("all (Krippendorff's alpha)");
    row->cells[6] = agreement(b, b->r->agreement);
    grid_print(&g, b->how->colour, b->out);
    grid_done(&g);
}

/* ---- what was not scored ---- */

static void faults(const struct board *b)
{
    const struct fault_list *l = &b->r->faults;

    if (l->n == 0)
        return;
    heading(b, "unscored and failed, and why");
    for (size_t i = 0; i < l->n; i++) {
        const struct fault_count *f = &l->v[i];
        struct str who = name(b, f->who, NAME_MOST);
        size_t used = 22 + rune_columns(who);
        size_t room = (size_t)b->how->columns > used + 20 ? (size_t)b->how->columns - used : 20;
        struct str why =
            grid_text(b->a, str_of(f->why && *f->why ? f->why : f->fault), room, b->signs->more);
        buf_fmt(b->out, "%6lld  %s %.*s %s: %.*s\n", (long long)f->n,
                f->is_judge ? "judge" : "model", STR_ARG(who),
                f->state == STATE_UNSCORED ? "unscored" : "failed", STR_ARG(why));
        buf_fmt(b->out, "        %s %s\n", b->signs->then,
                wording_advice(LANGUAGE, f->fault, f->state));
    }
}

static void unjudged(const struct board *b)
{
    int64_t n = 0;

    for (size_t i = 0; i < b->r->nmodels; i++)
        n += b->r->models[i].unjudged;
    if (show_pair(b->r)) /* a battle is counted for both of its models */
        n /= 2;
    if (n)
        buf_fmt(b->out, "\n%lld %s%s not judged yet\n", (long long)n,
                show_pair(b->r) ? "battle" : "answer", n == 1 ? "" : "s");
}

static void method(const struct board *b)
{
    const struct score_row *s = b->r->nmodels ? b->r->models[0].score : NULL;

    if (!b->ranged || !s)
        return;
    buf_fmt(b->out, b->how->colour ? "\n\033[2m%s\033[0m\n" : "\n%s\n",
            s->method && strncmp(s->method, "t, ", 3) != 0 ? s->method
                                                           : word(wording_method(&b->r->suite)));
}

/* What would be nothing but dashes before anything was scored. */
static void details(const struct board *b)
{
    if (b->r->suite.instrument.ndimensions > 1)
        dimensions(b, false);
    if (b->r->suite.score.kind == SCORE_TOTALS)
        dimensions(b, true);
    battles(b);
    if (show_panel(b->r))
        panel(b);
}

void render_terminal(const struct report *r, const struct render_terminal *how, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct board b = {
        .a = a,
        .r = r,
        .how = how,
        .signs = whisker_signs(how->unicode),
        .out = out,
        .decimals = show_decimals(r),
    };

    b.ranged = show_range(r, &b.range);
    header(&b);
    if (r->nmodels == 0) {
        buf_fmt(out, "  %s\n", word(WORD_NO_MODELS));
        return;
    }
    models(&b);
    unjudged(&b);
    if (show_any_scored(r))
        details(&b);
    faults(&b);
    method(&b);
}
