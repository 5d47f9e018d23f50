/* grid.h - a text table for a terminal, with columns as wide as their contents.
 *
 * Cells are filled row by row, live in the arena and hold one line of cleaned text. Widths are
 * terminal columns, so that names in Chinese and Japanese line up. */
#ifndef REPORT_GRID_H
#define REPORT_GRID_H

#include "base/mem.h"

enum { GRID_COLUMNS = 24 };
enum grid_style { GRID_PLAIN, GRID_HEAD, GRID_DIM };

struct grid_row {
    enum grid_style style;
    struct str cells[GRID_COLUMNS];
};

struct grid {
    size_t columns;
    bool left[GRID_COLUMNS];  /* left-aligned; numbers are right-aligned */
    bool tight[GRID_COLUMNS]; /* narrow gap before this column */
    bool close;               /* narrow gaps between all columns, for a small window */
    struct grid_row *rows;
    size_t nrows, cap;
};

/* Add a column; returns its index. */
size_t grid_column(struct grid *g, bool left, bool tight);
struct grid_row *grid_row(struct grid *g, enum grid_style style);

size_t grid_width(const struct grid *g);
void grid_print(const struct grid *g, bool colour, struct buf *out);
void grid_done(struct grid *g);

/* Text of a model or a judge on one line of at most `columns`: control characters are replaced,
 * line breaks become spaces, and text that is too long is cut and ends in `more`. */
struct str grid_text(struct arena *a, struct str text, size_t columns, const char *more);
/* The same for a name, which is cut in the middle: its end tells versions apart. */
struct str grid_name(struct arena *a, struct str name, size_t columns, const char *more);

/* Writes text in lines that break at spaces and between wide characters. The first line begins
 * in column `at`; the others are indented. */
void grid_lines(struct buf *out, struct str text, size_t columns, size_t at, size_t indent);
/* Writes parts separated by dots, breaking lines after a dot, and inside a part only if it does
 * not fit on a line. */
void grid_headline(struct buf *out, struct str text, const char *dot, size_t columns);
/* Writes a sentence in lines as wide as the window, all but the first indented. */
void grid_wrap(struct arena *a, const char *text, size_t columns, struct buf *out);
/* The same, dimmed if there is colour. */
void grid_note(struct arena *a, const char *text, size_t columns, bool colour, struct buf *out);

#endif
