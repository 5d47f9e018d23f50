#include "report/table.h"

#include <assert.h>
#include <math.h>

#include "base/message.h"

/* ---- building ---- */

struct table *table_new(struct arena *a, const char *language, size_t rows)
{
    struct table *t = NEW(a, struct table);

    *t =
        (struct table){.a = a, .language = language ? language : message_language(), .nrows = rows};
    t->dim = NEW_N(a, bool, rows);
    return t;
}

struct table_cell *table_column(struct table *t, const struct table_column *c)
{
    size_t cap = t->columns_cap;

    t->columns = arena_grow(t->a, t->columns, &t->columns_cap, t->ncolumns + 1, sizeof *t->columns);
    t->cells = arena_grow(t->a, t->cells, &cap, t->ncolumns + 1, sizeof(struct table_cell *));
    t->columns[t->ncolumns] = *c;
    return t->cells[t->ncolumns++] = NEW_N(t->a, struct table_cell, t->nrows);
}

void table_note(struct table *t, const char *sentence)
{
    if (!sentence)
        return;
    t->notes = arena_grow(t->a, t->notes, &t->notes_cap, t->nnotes + 1, sizeof *t->notes);
    t->notes[t->nnotes++] = sentence;
}

struct table_cell table_text(const char *text)
{
    return (struct table_cell){.there = text != NULL, .text = text};
}

struct table_cell table_count(int64_t n)
{
    return (struct table_cell){.there = true, .value = (double)n, .n = n, .lo = NAN, .hi = NAN};
}

struct table_cell table_number(double v)
{
    return (struct table_cell){.there = isfinite(v), .value = v, .lo = NAN, .hi = NAN};
}

struct table_cell table_between(double v, double lo, double hi)
{
    return (struct table_cell){
        .there = isfinite(v) || isfinite(lo), .value = v, .lo = lo, .hi = hi};
}

struct table_cell table_score(const struct score_row *row)
{
    if (!row)
        return (struct table_cell){.there = false};
    return (struct table_cell){.there = true,
                               .value = row->value,
                               .lo = row->lo,
                               .hi = row->hi,
                               .n = row->n,
                               .clusters = row->clusters,
                               .metric = row->metric,
                               .method = row->method ? row->method : "",
                               .why = row->why && row->why[0] ? row->why : NULL};
}

struct table_cell table_interval(struct interval i)
{
    struct table_cell c = table_between(i.value, i.low, i.high);

    c.n = (int64_t)i.n;
    c.clusters = (int64_t)i.clusters;
    c.why = i.why ? interval_why_name(i.why) : NULL;
    return c;
}

static struct table_cell member(const struct table_field *f, const char *thing)
{
    const char *at = thing + f->at;
    const struct score_row *row;

    switch (f->member) {
    case TABLE_INT:
        return table_count(*(const int64_t *)(const void *)at);
    case TABLE_SIZE:
        return table_count((int64_t) * (const size_t *)(const void *)at);
    case TABLE_REAL:
        return table_number(*(const double *)(const void *)at);
    case TABLE_CHARS:
        return table_text(*(const char *const *)(const void *)at);
    case TABLE_BOUNDS:
        return table_interval(*(const struct interval *)(const void *)at);
    case TABLE_ROW:
    case TABLE_N:
        break;
    }
    row = *(const struct score_row *const *)(const void *)at;
    return f->member == TABLE_N ? table_count(row ? row->n : 0) : table_score(row);
}

void table_fields(struct table *t, const struct table_field *f, size_t n, const void *things,
                  size_t size)
{
    for (size_t i = 0; i < n; i++) {
        struct table_cell *cells = table_column(t, &f[i].column);
        assert(table_is_words(&f[i].column) == (f[i].member == TABLE_CHARS));
        for (size_t row = 0; row < t->nrows; row++)
            cells[row] = member(&f[i], (const char *)things + row * size);
    }
}

/* ---- what people see ---- */

bool table_is_words(const struct table_column *c)
{
    return c->kind == TABLE_TEXT || c->kind == TABLE_LINK;
}

static bool empty(const struct table_column *c, const struct table_cell *cell)
{
    if (!cell->there)
        return true;
    return table_is_words(c) ? !*cell->text : c->flags & TABLE_SPARSE && cell->value == 0;
}

static bool same(const struct table_cell *a, const struct table_cell *b, bool words)
{
    if (words)
        return strcmp(a->there ? a->text : "", b->there ? b->text : "") == 0;
    return a->there == b->there && (!a->there || a->value == b->value);
}

bool table_seen(const struct table *t, const struct table_style *s, size_t column)
{
    const struct table_column *c = &t->columns[column];
    bool words = table_is_words(c), sparse = c->flags & (TABLE_SPARSE | TABLE_ZERO),
         varied = c->flags & TABLE_VARIED;

    if ((!c->head && !c->word) || (c->flags & TABLE_ROOMY && !s->roomy))
        return false;
    for (size_t i = 0; i < t->nrows && (sparse || varied); i++) {
        if (!empty(c, &t->cells[column][i]))
            sparse = false;
        if (!same(&t->cells[column][i], &t->cells[column][0], words))
            varied = false;
    }
    return t->nrows == 0 || (!sparse && !(varied && t->nrows > 1));
}

bool table_row_seen(const struct table *t, size_t row)
{
    if (!t->sparse_rows)
        return true;
    for (size_t c = 1; c < t->ncolumns; c++)
        if (t->cells[c][row].there && !(t->columns[c].flags & TABLE_ASIDE))
            return true;
    return false;
}

const char *table_head(const struct table *t, const struct table_style *s, size_t column)
{
    const struct table_column *c = &t->columns[column];
    const char *head = c->head ? c->head : words_of(t->language, c->word);

    return c->flags & TABLE_LOWER ? arena_printf(t->a, "%s %s", head, s->lower) : head;
}

size_t table_parts(const struct table *t, const struct table_style *s, struct table_shown **out)
{
    static const enum table_part whole[TABLE_PARTS] = {PART_VALUE};
    struct table_shown *v = NEW_N(t->a, struct table_shown, TABLE_PARTS * t->ncolumns);
    size_t n = 0;

    for (size_t i = 0; i < t->ncolumns; i++) {
        const struct table_column *c = &t->columns[i];
        const enum table_part *parts = c->kind == TABLE_INTERVAL ? s->parts[c->look] : whole;
        for (size_t k = 0; k < TABLE_PARTS && parts[k] && table_seen(t, s, i); k++) {
            bool ends = parts[k] == PART_RANGE || parts[k] == PART_LO;
            if (parts[k] == PART_DRAWN && s->scaled && !(c->range.lo < c->range.hi))
                continue;
            v[n++] = (struct table_shown){i, parts[k],
                                          k == 0 ? table_head(t, s, i)
                                          : ends ? words_of(t->language, WORD_INTERVAL)
                                                 : ""};
        }
    }
    *out = v;
    return n;
}

static const char *number(const struct table *t, const struct table_column *c, bool whole, double v,
                          const char *none)
{
    int decimals = whole || c->kind == TABLE_COUNT || c->kind == TABLE_SHARE ? 0
                   : c->kind == TABLE_MONEY                                  ? 4
                                                                             : c->decimals;
    char text[SHOW_MAX];

    return arena_text(t->a, str_of((c->flags & TABLE_SIGNED ? show_signed : show_number)(
                                text, v, decimals, none)));
}

/* "(2)", after a missing interval. */
static const char *mark(const struct table *t, const struct table_cell *cell)
{
    return cell->mark ? arena_printf(t->a, "(%zu)", cell->mark) : "";
}

static const char *range(const struct table *t, const struct table_style *s,
                         const struct table_column *c, const struct table_cell *cell)
{
    const char *lo = number(t, c, cell->whole, cell->lo, s->none),
               *hi = number(t, c, cell->whole, cell->hi, s->none), *note = mark(t, cell);

    if (!cell->there || !isfinite(cell->lo) || !isfinite(cell->hi))
        return *note ? arena_printf(t->a, "%s %s", s->none, note) : s->none;
    if (c->look == TABLE_RANGE && strcmp(lo, hi) == 0)
        return lo;
    if (c->flags & TABLE_SIGNED || cell->lo < 0) /* a dash would look like a minus */
        return arena_printf(t->a, "[%s, %s]%s%s", lo, hi, *note ? " " : "", note);
    return arena_printf(t->a, "%s%s%s%s%s", lo, s->between, hi, *note ? " " : "", note);
}

static const char *inlined(const struct table *t, const struct table_style *s,
                           const struct table_column *c, const struct table_cell *cell)
{
    const char *v = number(t, c, cell->whole, cell->value, s->none), *note = mark(t, cell);

    if (isfinite(cell->lo) && isfinite(cell->hi))
        return arena_printf(t->a, "%s [%s, %s]%s%s", v,
                            number(t, c, cell->whole, cell->lo, s->none),
                            number(t, c, cell->whole, cell->hi, s->none), *note ? " " : "", note);
    return *note ? arena_printf(t->a, "%s %s", v, note) : v;
}

const char *table_show(const struct table *t, const struct table_style *s,
                       const struct table_shown *p, size_t row)
{
    const struct table_column *c = &t->columns[p->column];
    const struct table_cell *cell = &t->cells[p->column][row];
    const char *text;

    if (!cell->there)
        return table_is_words(c) ? "" : s->none;
    if (table_is_words(c) || (isnan(cell->value) && cell->text))
        return cell->text;
    if (c->kind == TABLE_SHARE && cell->n == 0)
        return s->none; /* of nothing */
    if (p->part == PART_LO || (p->part == PART_HI && !cell->mark))
        return number(t, c, cell->whole, p->part == PART_LO ? cell->lo : cell->hi, s->none);
    if (p->part == PART_HI)
        return isfinite(cell->hi)
                   ? arena_printf(t->a, "%s %s", number(t, c, cell->whole, cell->hi, s->none),
                                  mark(t, cell))
                   : mark(t, cell);
    if (p->part == PART_RANGE)
        return range(t, s, c, cell);
    text = p->part == PART_INLINE ? inlined(t, s, c, cell)
                                  : number(t, c, cell->whole, cell->value, s->none);
    if (c->kind == TABLE_SHARE)
        text = arena_printf(t->a, "%s / %lld", text, (long long)cell->n);
    return cell->text ? arena_printf(t->a, "%s%s", text, cell->text) : text;
}

/* The number of a reason in the list `met`, which it is added to. */
static size_t number_of(const char **met, const char *why)
{
    size_t n = 0;

    while (met[n] && strcmp(met[n], why) != 0)
        n++;
    met[n] = why;
    return n + 1;
}

const char **table_footnotes(const struct table *t, const struct table_style *s)
{
    const char **notes = NEW_N(t->a, const char *, t->ncolumns * t->nrows + 1);

    for (size_t c = 0; c < t->ncolumns; c++) {
        bool alone = t->columns[c].kind != TABLE_INTERVAL ||
                     (s->brief && t->columns[c].look == TABLE_BRIEF) || !table_seen(t, s, c);
        for (size_t i = 0; i < t->nrows; i++) {
            struct table_cell *cell = &t->cells[c][i];
            bool told = !alone && cell->there && cell->why && table_row_seen(t, i);
            cell->mark = told ? number_of(notes, cell->why) : 0;
        }
    }
    for (size_t i = 0; notes[i]; i++)
        notes[i] = arena_printf(t->a, "(%zu) %s", i + 1, wording_interval(t->language, notes[i]));
    return notes;
}
