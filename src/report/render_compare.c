#include "report/render_compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/message.h"
#include "math/band.h"
#include "report/grid.h"
#include "report/markdown.h"
#include "report/table.h"

enum { ITEMS_SHOWN = 20, NAME_MOST = 32, ANSWER_SHOWN = 200, NOTES_MAX = 1 << 20 };

static int decimals_of(const struct compare *c)
{
    double most = 0;

    for (size_t i = 0; i < c->nmodels; i++)
        most = fmax(most, fmax(c->models[i].now, c->models[i].then)); /* fmax ignores NaN */
    return most < 1.5 ? 3 : 2;
}

static const char *model_name(struct arena *a, const struct compare_model *m)
{
    if (strcmp(m->name, m->against) == 0)
        return m->name;
    return arena_printf(a, "%s %s %s", m->name, words_of(message_language(), COLUMN_AGAINST),
                        m->against);
}

/* Remarks for the reader, one sentence per line. */
static void notes(struct arena *a, const struct compare *c, struct buf *out)
{
    if (c->only_now || c->only_then)
        buf_fmt(out, _("Only in one of the runs: %lld item%s of %s, %lld of %s.\n"),
                (long long)c->only_now, message_s(c->only_now), c->run.name,
                (long long)c->only_then, c->baseline.name);
    if (c->forms)
        buf_fmt(out,
                _("Form %lld (%s) against form %lld (%s); 0 is the published form. A model that "
                  "does better on the published form may have seen it before.\n"),
                (long long)c->form_now, c->run.name, (long long)c->form_then, c->baseline.name);
    if (c->forms && c->edited)
        buf_fmt(out, _("Identical in both forms, so not compared: %lld item%s.\n"),
                (long long)c->edited, message_s(c->edited));
    else if (c->edited)
        buf_fmt(out, _("Edited since the baseline, and not compared: %lld item%s.\n"),
                (long long)c->edited, message_s(c->edited));
    if (c->band)
        buf_text(out, _("In brackets: the band of the mean.\n"));
    for (size_t i = 0; i < c->nmodels; i++)
        if (isfinite(c->models[i].needed))
            buf_fmt(
                out,
                _("Detecting a difference of %g in %s in 80 of 100 runs takes about %.0f items.\n"),
                c->least, c->models[i].name, c->models[i].needed);
    buf_text(out, compare_whose(a, c, message_language()));
}

/* ---- tables ---- */

static const enum word changes[COMPARE_CHANGES] = {[COMPARE_REGRESSED] = COLUMN_REGRESSED,
                                                   [COMPARE_IMPROVED] = COLUMN_IMPROVED,
                                                   [COMPARE_UNCHANGED] = COLUMN_UNCHANGED};

/* The mean of a model; with its band, if the suite has bands: "4.31 (4.5)". */
static struct table_cell mean(struct arena *a, const struct compare *c, double v)
{
    struct table_cell cell = table_number(v);

    if (c->band && isfinite(v))
        cell.text = arena_printf(a, " (%.1f)", band_of_mean(v));
    return cell;
}

/* clang-format off */
#define DIFFERENCE(type)                                                                           \
    {{.key = "difference", .ends = TABLE_ENDS_ROW, .word = COLUMN_DIFFERENCE, .kind = TABLE_INTERVAL, .look = TABLE_SPLIT, .decimals = 2, .flags = TABLE_SIGNED}, TABLE_OF(type, difference)}, \
    {{.key = "compared", .kind = TABLE_COUNT}, TABLE_OF(type, difference.clusters)}
/* clang-format on */

static struct table_cell *add_number(struct table *t, const char *key, enum word head, int decimals)
{
    return table_add(t, .key = key, .word = head, .kind = TABLE_SCORE, .decimals = decimals);
}

struct table *render_compare_models(struct arena *a, const struct compare *c)
{
    static const struct table_field sides[] = {
        {{.key = "model"}, TABLE_OF(struct compare_model, name)},
        {{.key = "against"}, TABLE_OF(struct compare_model, against)},
    };
    static const struct table_field apart[] = {DIFFERENCE(struct compare_model)};
    int decimals = decimals_of(c);
    struct table *t = table_new(a, NULL, c->nmodels);
    struct table_cell *names = table_add(t, .word = WORD_MODEL, .kind = TABLE_LINK), *now, *then;

    table_fields(t, sides, COUNT(sides), c->models, sizeof *c->models);
    now = add_number(t, "now", COLUMN_NOW, decimals);
    then = add_number(t, "before", COLUMN_BEFORE, decimals);
    table_fields(t, apart, COUNT(apart), c->models, sizeof *c->models);
    t->columns[t->ncolumns - COUNT(apart)].decimals = decimals;
    for (size_t i = 0; i < c->nmodels; i++) {
        names[i] = table_text(model_name(a, &c->models[i]));
        now[i] = mean(a, c, c->models[i].now);
        then[i] = mean(a, c, c->models[i].then);
    }
    for (int k = 0; k < COMPARE_CHANGES; k++) {
        struct table_cell *cells = table_add(t, .key = compare_change_name((enum compare_change)k),
                                             .word = changes[k], .kind = TABLE_COUNT);
        for (size_t i = 0; i < c->nmodels; i++)
            cells[i] = table_count((int64_t)c->models[i].counts[k]);
    }
    return t;
}

struct table *render_compare_marks(struct arena *a, const struct compare *c,
                                   const struct compare_model *only)
{
    /* clang-format off */
    static const struct table_field fields[] = {
        {{.key = "now", .word = COLUMN_NOW, .kind = TABLE_SCORE, .decimals = 2}, TABLE_OF(struct compare_mark, now)},
        {{.key = "before", .word = COLUMN_BEFORE, .kind = TABLE_SCORE, .decimals = 2}, TABLE_OF(struct compare_mark, then)},
        DIFFERENCE(struct compare_mark),
    };
    /* clang-format on */
    size_t models = only ? 1 : c->nmodels, n = models * c->ndimensions;
    struct table *t = table_new(a, NULL, n);
    struct table_cell *names = table_add(t, .word = WORD_MODEL, .kind = TABLE_LINK),
                      *titles = table_add(t, .word = COLUMN_DIMENSION);
    struct compare_mark *marks = NEW_N(a, struct compare_mark, n);

    t->title = words_of(t->language, c->band ? COLUMN_SUB_SCORES
                                             : COLUMN_DIMENSIONS); /* an interview has sub-scores */
    for (size_t i = 0; i < n; i++) {
        const struct compare_model *m = only ? only : &c->models[i / c->ndimensions];
        names[i] = table_text(model_name(a, m));
        titles[i] = table_text(arena_text(a, c->dimensions[i % c->ndimensions].title));
        marks[i] = m->marks[i % c->ndimensions];
    }
    table_fields(t, fields, COUNT(fields), marks, sizeof *marks);
    return t;
}

static int by_change(const void *x, const void *y)
{
    const struct compare_item *a = x, *b = y;
    double one = fabs(a->now - a->then), other = fabs(b->now - b->then);

    return one != other ? (one > other ? -1 : 1) : strcmp(a->name, b->name);
}

const struct compare_item *render_compare_items(struct arena *a, const struct compare_model *m,
                                                enum compare_change change)
{
    struct compare_item *changed = NEW_N(a, struct compare_item, m->counts[change] + 1);
    size_t n = 0;

    for (size_t i = 0; i < m->nitems; i++)
        if (m->items[i].change == change)
            changed[n++] = m->items[i];
    qsort(changed, n, sizeof *changed, by_change);
    return changed;
}

struct table *render_compare_changed(struct arena *a, const struct compare *c,
                                     const struct compare_model *m, enum compare_change change)
{
    size_t n = m->counts[change] < ITEMS_SHOWN ? m->counts[change] : ITEMS_SHOWN;
    const struct compare_item *items = render_compare_items(a, m, change);
    int decimals = decimals_of(c);
    struct table *t = table_new(a, NULL, n);
    struct table_cell *names = table_add(t, .key = "item", .word = WORD_ITEM, .kind = TABLE_LINK),
                      *then = add_number(t, "before", COLUMN_BEFORE, decimals),
                      *now = add_number(t, "now", COLUMN_NOW, decimals), *gain;

    gain = add_number(t, "change", COLUMN_CHANGE, decimals);
    t->columns[t->ncolumns - 1].flags = TABLE_SIGNED;
    for (size_t i = 0; i < n; i++) {
        names[i] = table_text(items[i].name);
        then[i] = table_number(items[i].then);
        now[i] = table_number(items[i].now);
        gain[i] = table_number(items[i].now - items[i].then);
    }
    t->title = arena_printf(a, "%s, %s", grid_name(a, str_of(model_name(a, m)), NAME_MOST, "..").p,
                            words_of(t->language, changes[change]));
    if (n < m->counts[change])
        table_note(t, arena_printf(a, _("  and %zu more"), m->counts[change] - n));
    return t;
}

static struct str title_of(struct arena *a, const struct compare *c)
{
    const struct suite_title of = {c->run.suite, c->title, c->run.titles};

    return str_of(store_title(a, of, message_language()));
}

/* ---- terminal ---- */

void render_compare_terminal(const struct compare *c, const struct render_terminal *how,
                             struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf said = BUF_MAX(NOTES_MAX);
    struct str rest, line;

    buf_add(out, grid_text(a, title_of(a, c), (size_t)how->columns, ".."));
    buf_fmt(out, _(" %s run %s against baseline %s\n\n"), how->unicode ? "·" : "|", c->run.name,
            c->baseline.name);
    (void)table_terminal(render_compare_models(a, c), how, out);
    if (c->nmodels && c->models[0].marks)
        (void)table_terminal(render_compare_marks(a, c, NULL), how, out);
    for (size_t i = 0; i < 2 * c->nmodels; i++) {
        enum compare_change change = i % 2 ? COMPARE_IMPROVED : COMPARE_REGRESSED;
        if (c->models[i / 2].counts[change])
            (void)table_terminal(render_compare_changed(a, c, &c->models[i / 2], change), how, out);
    }
    buf_char(out, '\n');
    notes(a, c, &said);
    for (rest = buf_str(&said); str_line(&rest, &line); buf_char(out, '\n'))
        buf_add(out, grid_text(a, line, SIZE_MAX, ""));
    buf_text(out, _("95 % interval of the difference over items that both runs scored\n"));
}

/* ---- Markdown ---- */

static void markdown_answer(struct arena *a, const char *when, struct str answer, struct buf *out)
{
    struct str head = utf8_head(answer, ANSWER_SHOWN);

    if (!answer.n)
        return;
    buf_fmt(out, "  - %s: ", when);
    markdown_fmt(a, out, "%.*s", STR_ARG(head));
    buf_text(out, head.n < answer.n ? " ...\n" : "\n");
}

static void markdown_changed(struct arena *a, const struct compare_model *m,
                             enum compare_change change, int decimals, struct buf *out)
{
    const struct compare_item *item = render_compare_items(a, m, change);
    char then[SHOW_MAX], now[SHOW_MAX];

    if (m->counts[change] == 0)
        return;
    markdown_fmt(a, out, "\n## %s", model_name(a, m));
    buf_fmt(out, ", %s\n\n", words_of(message_language(), changes[change]));
    for (size_t i = 0; i < m->counts[change]; i++, item++) {
        markdown_fmt(a, out, "- %s", item->name);
        buf_fmt(out, ": %s → %s\n", show_number(then, item->then, decimals, "-"),
                show_number(now, item->now, decimals, "-"));
        markdown_answer(a, words_of(message_language(), COLUMN_BEFORE), item->before, out);
        markdown_answer(a, words_of(message_language(), COLUMN_NOW), item->answer, out);
    }
}

void render_compare_markdown(const struct compare *c, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(buf_done) struct buf said = BUF_MAX(NOTES_MAX);
    int decimals = decimals_of(c);
    struct str rest, line, title = title_of(a, c);

    markdown_fmt(a, out, "# %.*s", STR_ARG(title));
    buf_fmt(out, _("\n\nrun %s against baseline %s\n\n"), c->run.name, c->baseline.name);
    table_markdown(render_compare_models(a, c), out);
    if (c->nmodels && c->models[0].marks) {
        struct table *marks = render_compare_marks(a, c, NULL);
        buf_fmt(out, "\n## %s\n\n", marks->title);
        table_markdown(marks, out);
    }
    for (size_t i = 0; i < c->nmodels; i++) {
        markdown_changed(a, &c->models[i], COMPARE_REGRESSED, decimals, out);
        markdown_changed(a, &c->models[i], COMPARE_IMPROVED, decimals, out);
    }
    notes(a, c, &said);
    for (rest = buf_str(&said); str_line(&rest, &line);)
        markdown_fmt(a, out, "\n- %.*s", STR_ARG(line));
    buf_char(out, '\n');
    buf_text(out, _("- The interval is a 95 % interval of the difference over items that "
                    "both runs scored.\n"));
}
