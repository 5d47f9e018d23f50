#include "report/grid.h"

#include <assert.h>
#include <stdlib.h>

#include "text/rune.h"

enum { MARGIN = 2, GAP = 3, CLOSE_GAP = 2, TIGHT_GAP = 1 };

void grid_done(struct grid *g)
{
    free(g->rows);
}

size_t grid_column(struct grid *g, bool left, bool tight)
{
    assert(g->columns < GRID_COLUMNS);
    g->left[g->columns] = left;
    g->tight[g->columns] = tight;
    return g->columns++;
}

struct grid_row *grid_row(struct grid *g, enum grid_style style)
{
    g->rows = mem_grow(g->rows, &g->cap, g->nrows + 1, sizeof *g->rows);
    g->rows[g->nrows] = (struct grid_row){.style = style};
    return &g->rows[g->nrows++];
}

static size_t column_width(const struct grid *g, size_t column)
{
    size_t most = 0;

    for (size_t i = 0; i < g->nrows; i++) {
        size_t w = rune_columns(g->rows[i].cells[column]);
        most = w > most ? w : most;
    }
    return most;
}

static size_t gap_before(const struct grid *g, size_t column)
{
    return column == 0 ? MARGIN : g->tight[column] ? TIGHT_GAP : g->close ? CLOSE_GAP : GAP;
}

static void spaces(struct buf *out, size_t n)
{
    while (n--)
        buf_char(out, ' ');
}

/* Spaces are written only when text follows, so that no line ends in spaces. */
static void print_row(const struct grid *g, const struct grid_row *row, const size_t *widths,
                      struct buf *out)
{
    size_t owed = 0;

    for (size_t c = 0; c < g->columns; c++) {
        size_t w = rune_columns(row->cells[c]), pad = widths[c] - w;
        owed += gap_before(g, c) + (g->left[c] ? 0 : pad);
        if (w) {
            spaces(out, owed);
            buf_add(out, row->cells[c]);
            owed = 0;
        }
        owed += w ? (g->left[c] ? pad : 0) : widths[c] - (g->left[c] ? 0 : pad);
    }
}

size_t grid_width(const struct grid *g)
{
    size_t total = 0;

    for (size_t c = 0; c < g->columns; c++)
        total += gap_before(g, c) + column_width(g, c);
    return total;
}

void grid_print(const struct grid *g, bool colour, struct buf *out)
{
    size_t widths[GRID_COLUMNS] = {0};

    for (size_t c = 0; c < g->columns; c++)
        widths[c] = column_width(g, c);
    for (size_t i = 0; i < g->nrows; i++) {
        bool styled = colour && g->rows[i].style != GRID_PLAIN;
        if (styled)
            buf_text(out, g->rows[i].style == GRID_HEAD ? "\033[1m" : "\033[2m");
        print_row(g, &g->rows[i], widths, out);
        if (styled)
            buf_text(out, "\033[0m");
        buf_char(out, '\n');
    }
}

/* Replaces line breaks and tabs by single spaces. */
static struct str one_line(struct arena *a, struct str s)
{
    char *out = arena_alloc(a, s.n + 1);
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++) {
        bool blank = s.p[i] == '\n' || s.p[i] == '\t' || s.p[i] == ' ';
        if (!blank)
            out[n++] = s.p[i];
        else if (n && out[n - 1] != ' ')
            out[n++] = ' ';
    }
    return str_trim((struct str){out, n});
}

/* The longest beginning that fits into `room` columns. */
static struct str beginning(struct str s, size_t room)
{
    struct str rest = s;
    size_t width = 0;

    while (rest.n) {
        size_t bytes = rune_cluster(rest);
        width += rune_columns((struct str){rest.p, bytes});
        if (width > room)
            break;
        rest = str_from(rest, bytes);
    }
    return (struct str){s.p, s.n - rest.n};
}

static struct str ending(struct str s, size_t room)
{
    size_t width = rune_columns(s);

    while (s.n && width > room) {
        size_t bytes = rune_cluster(s);
        width -= rune_columns((struct str){s.p, bytes});
        s = str_from(s, bytes);
    }
    return s;
}

/* Cuts the end (or the middle) out of a text that is too long, and puts `more` in its place. */
static struct str shortened(struct arena *a, struct str text, size_t columns, const char *more,
                            bool middle)
{
    struct str s = one_line(a, rune_clean(a, text)), tail = STR("");
    size_t room = columns, more_width = rune_columns(str_of(more));

    if (rune_columns(s) <= columns)
        return s;
    room -= more_width < room ? more_width : room;
    if (middle) {
        tail = ending(s, room / 2);
        room -= rune_columns(tail);
    }
    s = beginning(s, room);
    return str_of(arena_printf(a, "%.*s%s%.*s", STR_ARG(s), more, STR_ARG(tail)));
}

struct str grid_text(struct arena *a, struct str text, size_t columns, const char *more)
{
    return shortened(a, text, columns, more, false);
}

struct str grid_name(struct arena *a, struct str name, size_t columns, const char *more)
{
    return shortened(a, name, columns, more, true);
}

static bool among(const char *set, struct str one)
{
    return one.n && str_holds(str_of(set), one);
}

/* May a line break between the two? Before a wide character that may begin a line, unless an
 * opening bracket precedes it; before other characters only after a wide comma. */
static bool may_break(struct str before, struct str one, bool wide)
{
    if (wide)
        return !among("（「『《〈【〔［｛“‘([", before) &&
               !among("，。、．；：！？％）」』》〉】〕］｝”’…ー々ゝゞ・／ぁぃぅぇぉっゃゅょァィゥ"
                      "ェォッャュョゎヮ",
                      one);
    return among("，。、；：", before) && (str_alnum(one.p[0]) || strchr("\"`$", one.p[0]));
}

/* The next unbreakable piece; *space: it was preceded by a space. */
static struct str next_piece(struct str *text, bool *space)
{
    static const struct str signs[] = {{" × ", 4}, {" % ", 3}};
    struct str piece, before = {0};

    for (*space = false; text->n && *text->p == ' '; *text = str_from(*text, 1))
        *space = true;
    for (piece = (struct str){text->p, 0}; text->n && *text->p != ' ';) {
        struct str rest = *text;
        bool wide = rune_width(utf8_next(&rest)) == 2;
        struct str one = {text->p, text->n - rest.n};
        if (piece.n && may_break(before, one, wide))
            break;
        piece.n += one.n;
        before = one;
        *text = rest;
    }
    /* An operator between two things stays on the line of the first. */
    for (size_t i = 0; i < COUNT(signs); i++)
        if (str_starts(*text, signs[i])) {
            piece.n += signs[i].n - 1;
            *text = str_from(*text, signs[i].n - 1);
        }
    return piece;
}

void grid_lines(struct buf *out, struct str text, size_t columns, size_t at, size_t indent)
{
    bool begun = false, space;

    while (text.n) {
        struct str piece = next_piece(&text, &space);
        size_t width = rune_columns(piece);
        space &= begun;
        if (begun && at + space + width > columns) {
            buf_fmt(out, "\n%*s", (int)indent, "");
            at = indent;
        } else if (space) {
            buf_char(out, ' ');
            at++;
        }
        buf_add(out, piece);
        at += width;
        begun = true;
    }
    buf_char(out, '\n');
}

void grid_headline(struct buf *out, struct str text, const char *dot, size_t columns)
{
    size_t begin = out->n;

    while (text.n) {
        size_t end = str_find(text, str_of(dot)), line = begin, used;
        struct str part = {text.p, end == SIZE_MAX ? text.n : end + strlen(dot)};
        text = str_trim(str_from(text, part.n));
        for (size_t i = begin; i < out->n; i++)
            line = out->p[i] == '\n' ? i + 1 : line;
        used = rune_columns((struct str){out->p + line, out->n - line});
        if (used && used + 1 + rune_columns(part) > columns) {
            buf_text(out, "\n  ");
            used = 2;
        } else if (used) {
            buf_char(out, ' ');
            used++;
        }
        grid_lines(out, part, columns, used, 2);
        out->p[--out->n] = '\0'; /* remove the line break */
    }
    buf_char(out, '\n');
}

void grid_wrap(struct arena *a, const char *text, size_t columns, struct buf *out)
{
    grid_lines(out, grid_text(a, str_of(text), SIZE_MAX, ""), columns > 40 ? columns : 40, 0, 2);
}

void grid_note(struct arena *a, const char *text, size_t columns, bool colour, struct buf *out)
{
    buf_text(out, colour ? "\033[2m" : "");
    grid_wrap(a, text, columns, out);
    buf_text(out, colour ? "\033[0m" : "");
}
