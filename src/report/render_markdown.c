#include <math.h>

#include "base/json.h"
#include "report/battles.h"
#include "report/markdown.h"
#include "report/report.h"
#include "report/show.h"
#include "report/wording.h"

enum { SHARED_SHOWN = 80 }; /* code points of a flag's evidence */

struct page {
    struct arena *a;
    const struct report *r;
    struct buf *out;
    const char *language;
    int decimals;
};

static const char *word(const struct page *p, enum word w)
{
    return words_of(p->language, w);
}

static void put(const struct page *p, struct str text)
{
    markdown_text(p->a, p->out, text);
}

static void put_number(const struct page *p, double v)
{
    char text[SHOW_MAX];

    buf_text(p->out, show_number(text, v, p->decimals, "–"));
}

static void put_row(const struct page *p, const struct score_row *row)
{
    put_number(p, show_value(row));
    if (!row || !isfinite(row->lo) || !isfinite(row->hi))
        return;
    buf_text(p->out, " [");
    put_number(p, row->lo);
    buf_text(p->out, ", ");
    put_number(p, row->hi);
    buf_char(p->out, ']');
}

static void put_headline(const struct page *p, const struct score_row *row)
{
    struct page with = *p;

    with.decimals = show_headline(p->r);
    put_row(&with, row);
}

static void heading(const struct page *p, enum word w)
{
    buf_fmt(p->out, "\n## %s\n\n", word(p, w));
}

/* "|---|--:|--:|" under a head of n columns, the first of names. */
static void rule(const struct page *p, size_t n)
{
    buf_text(p->out, "|---|");
    while (--n)
        buf_text(p->out, "--:|");
    buf_char(p->out, '\n');
}

static void column(const struct page *p, enum word w, size_t *n)
{
    buf_fmt(p->out, "%s %s |", *n == 0 ? "|" : "", word(p, w));
    (*n)++;
}

static void rates(const struct page *p, const struct report_model *m)
{
    char text[SHOW_MAX];

    for (size_t i = 0; i < p->r->nclassifiers; i++)
        buf_fmt(p->out, " %s |", show_number(text, show_value(m->rates[i]), SHOW_RATE, "-"));
}

static void board_rows(const struct page *p)
{
    size_t n = 0;

    column(p, WORD_MODEL, &n);
    column(p, wording_headline(&p->r->suite), &n);
    column(p, WORD_ANSWERS, &n);
    if (show_duplicates(p->r))
        column(p, WORD_DUPLICATES, &n);
    column(p, WORD_UNSCORED, &n);
    column(p, WORD_FAILED, &n);
    for (size_t i = 0; i < p->r->nclassifiers; i++, n++) {
        buf_char(p->out, ' ');
        put(p, str_of(p->r->classifiers[i]));
        buf_text(p->out, " |");
    }
    buf_char(p->out, '\n');
    rule(p, n);
    for (size_t i = 0; i < p->r->nmodels; i++) {
        const struct report_model *m = &p->r->models[i];
        buf_text(p->out, "| ");
        put(p, str_of(m->name));
        buf_text(p->out, " | ");
        put_headline(p, m->score);
        buf_fmt(p->out, " | %lld |", (long long)(m->score ? m->score->n : 0));
        if (show_duplicates(p->r))
            buf_fmt(p->out, " %lld |", (long long)m->duplicates);
        buf_fmt(p->out, " %lld | %lld |", (long long)m->unscored, (long long)m->failed);
        rates(p, m);
        buf_char(p->out, '\n');
    }
}

/* One table; or one for each group of models that met. */
static void board(const struct page *p)
{
    struct report slice;
    size_t from = 0;

    heading(p, WORD_BOARD);
    if (p->r->nmodels == 0) {
        buf_fmt(p->out, "%s\n", word(p, WORD_NO_MODELS));
        return;
    }
    while (show_group(p->r, &from, &slice)) {
        struct page of_slice = *p;
        int64_t group = slice.models[0].battles.group;
        of_slice.r = &slice;
        if (slice.nmodels < p->r->nmodels)
            buf_fmt(p->out, "\n%s\n\n",
                    group ? words_with(p->a, p->language, WORD_GROUP,
                                       arena_printf(p->a, "%lld", (long long)group))
                          : word(p, WORD_NOTHING_SCORED));
        board_rows(&of_slice);
    }
    buf_fmt(p->out, "\n%s\n", word(p, wording_method(&p->r->suite)));
    if (p->r->nclassifiers)
        buf_fmt(p->out, "\n%s\n", word(p, WORD_RATES));
}

static void battles(const struct page *p)
{
    struct battles_table tables[BATTLES_TABLES];
    size_t n = battles_tables(p->a, p->r, p->language, "–", tables);

    for (size_t i = 0; i < n; i++) {
        const struct battles_table *t = &tables[i];
        buf_fmt(p->out, "\n## %s\n\n|", t->title);
        for (size_t c = 0; c < t->columns; c++)
            buf_fmt(p->out, " %s |", t->heads[c]);
        buf_char(p->out, '\n');
        rule(p, t->columns);
        for (size_t k = 0; k < t->nrows; k++) {
            buf_char(p->out, '|');
            for (size_t c = 0; c < t->columns; c++) {
                buf_char(p->out, ' ');
                put(p, str_of(t->rows[k][c]));
                buf_text(p->out, " |");
            }
            buf_char(p->out, '\n');
        }
        for (size_t k = 0; k < t->nnotes; k++)
            buf_fmt(p->out, "\n%s\n", t->notes[k]);
    }
}

static void dimensions(const struct page *p, bool totals)
{
    const struct instrument *in = &p->r->suite.instrument;
    size_t n = 0;

    heading(p, totals ? WORD_TOTALS : WORD_DIMENSIONS);
    column(p, WORD_MODEL, &n);
    for (size_t d = 0; d < in->ndimensions; d++) {
        buf_char(p->out, ' ');
        put(p, in->dimensions[d].title);
        buf_text(p->out, " |");
    }
    buf_char(p->out, '\n');
    rule(p, n + in->ndimensions);
    for (size_t i = 0; i < p->r->nmodels; i++) {
        const struct score_row **rows = totals ? p->r->models[i].totals : p->r->models[i].marks;
        struct page cell = *p;
        if (!totals)
            cell.decimals = show_marks(p->r, &p->r->models[i]);
        buf_text(p->out, "| ");
        put(p, str_of(p->r->models[i].name));
        buf_text(p->out, " |");
        for (size_t d = 0; d < in->ndimensions; d++) {
            buf_char(p->out, ' ');
            put_row(&cell, rows ? rows[d] : NULL);
            buf_text(p->out, " |");
        }
        buf_char(p->out, '\n');
    }
    if (show_ruled(p->r))
        buf_fmt(p->out, "\n%s\n", word(p, WORD_AS_JUDGED));
}

static void judges(const struct page *p)
{
    char text[SHOW_MAX];
    size_t n = 0;

    if (p->r->njudges == 0)
        return;
    heading(p, WORD_JUDGES);
    column(p, WORD_JUDGE, &n);
    column(p, WORD_VERDICTS, &n);
    column(p, WORD_UNSCORED, &n);
    column(p, WORD_FAILED, &n);
    column(p, WORD_REPAIRED, &n);
    column(p, WORD_DIFFERS, &n);
    if (show_panel(p->r))
        column(p, WORD_AGREEMENT, &n);
    buf_char(p->out, '\n');
    rule(p, n);
    for (size_t i = 0; i < p->r->njudges; i++) {
        const struct report_judge *j = &p->r->judges[i];
        buf_text(p->out, "| ");
        put(p, str_of(j->name));
        buf_fmt(p->out, " | %lld / %lld | %lld | %lld | %lld | %lld / %lld |", (long long)j->done,
                (long long)j->planned, (long long)j->unscored, (long long)j->failed,
                (long long)j->repaired, (long long)j->differs, (long long)j->compared);
        if (show_panel(p->r))
            buf_fmt(p->out, " %s |", show_number(text, j->agreement, SHOW_AGREEMENT, "–"));
        buf_char(p->out, '\n');
    }
    if (show_panel(p->r))
        buf_fmt(p->out, "\n%s\n",
                words_with(p->a, p->language, WORD_AGREEMENT_IS,
                           show_number(text, p->r->agreement, SHOW_AGREEMENT, "–")));
}

static void faults(const struct page *p)
{
    heading(p, WORD_UNSCORED_WHY);
    if (p->r->faults.n == 0)
        buf_fmt(p->out, "%s\n",
                word(p, show_all_scored(p->r) ? WORD_ALL_SCORED : WORD_NO_FAULT_YET));
    for (size_t i = 0; i < p->r->faults.n; i++) {
        const struct fault_count *f = &p->r->faults.v[i];
        buf_fmt(p->out, "- %lld × %s ", (long long)f->n,
                word(p, f->state == STATE_UNSCORED ? WORD_UNSCORED : WORD_FAILED));
        put(p, str_of(f->who));
        buf_text(p->out, ": ");
        put(p, str_of(f->why && *f->why ? f->why : f->fault));
        buf_fmt(p->out, " → %s\n", wording_advice(p->language, f->fault, f->state));
    }
}

/* Why, and the words that gave it away. */
static void flag_reason(const struct page *p, const struct flag_row *f)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e = {0};
    struct str why, where, shared;

    if (f->evidence.n == 0 || json_read(f->evidence, &j, &e) != OK)
        return;
    why = json_str_at(j, "why", STR(""));
    if (why.n == 0)
        return;
    where = json_str_at(j, "where", STR(""));
    shared = json_str_at(j, "shared", STR(""));
    buf_fmt(p->out, ", %s", wording_flag_why(p->language, arena_text(p->a, why)));
    if (where.n) {
        buf_text(p->out, ", ");
        put(p, where);
    }
    if (shared.n) {
        buf_text(p->out, ": ");
        put(p, utf8_head(shared, SHARED_SHOWN));
    }
}

static void flags(const struct page *p)
{
    if (p->r->flags.n == 0)
        return;
    heading(p, WORD_FLAGS);
    for (size_t i = 0; i < p->r->flags.n; i++) {
        const struct flag_row *f = &p->r->flags.v[i];
        buf_text(p->out, "- ");
        put(p, str_of(f->model_name));
        buf_text(p->out, " · ");
        put(p, str_of(f->item_name));
        buf_fmt(p->out, " · %s: %s", wording_repeat(p->a, p->language, f->repeat),
                wording_flag(p->language, f->kind));
        if (isfinite(f->value))
            buf_fmt(p->out, " (%s %.2f)", wording_flag_value(p->language, f->kind), f->value);
        flag_reason(p, f);
        if (f->overruled_by) {
            buf_fmt(p->out, ", %s ", word(p, WORD_OVERRULED));
            put(p, str_of(f->overruled_by));
        }
        buf_char(p->out, '\n');
    }
}

void render_markdown(const struct report *r, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct page p = {a, r, out, r->suite.language, show_decimals(r)};
    const char *reading[WORDING_READING];
    size_t n;

    buf_text(out, "# ");
    put(&p, r->suite.title.n ? r->suite.title : str_of(r->suite.id));
    buf_fmt(out, "\n\n%s %s · %s\n", word(&p, WORD_RUN), r->run.name,
            wording_extent(a, p.language, r->items, r->run.repeats));
    board(&p);
    if (r->nmodels && r->suite.instrument.ndimensions > 1)
        dimensions(&p, false);
    if (r->nmodels && r->suite.score.kind == SCORE_TOTALS)
        dimensions(&p, true);
    battles(&p);
    judges(&p);
    faults(&p);
    flags(&p);
    if (r->withheld)
        buf_fmt(out, "\n%s\n", word(&p, WORD_WITHHELD));
    heading(&p, WORD_HOW_TO_READ);
    n = wording_reading(a, &r->suite, reading);
    for (size_t i = 0; i < n; i++)
        buf_fmt(out, "- %s\n", reading[i]);
    markdown_sittings(a, r, out);
}
