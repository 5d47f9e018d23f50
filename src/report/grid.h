/* grid.h - a table of text for a terminal, its columns as wide as what they show.
 *
 * Cells are filled row by row and live in the arena; they hold cleaned text of one line. Widths are
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
    bool left[GRID_COLUMNS];  /* aligned to the left; numbers go to the right */
    bool tight[GRID_COLUMNS]; /* stands close to the column before it */
    bool close;               /* all columns stand closer, for a narrow window */
    struct grid_row *rows;
    size_t nrows, cap;
};

/* Add a column; returns its index. */
size_t grid_column(struct grid *g, bool left, bool tight);
struct grid_row *grid_row(struct grid *g, enum grid_style style);

/* A table that is filled again while it is made to fit a window of so many columns. */
struct grid_form {
    void (*fill)(const void *user, struct grid *g); /* which is empty */
    const void *user;
    size_t columns;
};
bool grid_form_fits(const struct grid_form *f);
/* Make *part, a width that fill() goes by, smaller until the table fits, but not below `least`. */
void grid_form_shrink(const struct grid_form *f, size_t *part, size_t least);
void grid_form_print(const struct grid_form *f, bool colour, struct buf *out);

/* Text of a model or a judge on one line of at most `columns`: control characters are replaced,
 * line breaks become spaces, and what is too long ends in `more`. */
struct str grid_text(struct arena *a, struct str text, size_t columns, const char *more);
/* The same for a name, of which the middle is left out: what tells versions apart stands at its
 * end. */
struct str grid_name(struct arena *a, struct str name, size_t columns, const char *more);

/* A text in lines that break at spaces and between wide characters. The first begins in column
 * `at`, the others are indented. */
void grid_lines(struct buf *out, struct str text, size_t columns, size_t at, size_t indent);
/* Parts with dots between them, in lines that break behind a dot, and within a part where it has no
 * room on a line. */
void grid_headline(struct buf *out, struct str text, const char *dot, size_t columns);
/* A sentence in lines of the window's width, all but the first indented; ends in a line break. */
void grid_wrap(struct arena *a, const char *text, size_t columns, struct buf *out);
/* The same, standing back where there is colour. */
void grid_note(struct arena *a, const char *text, size_t columns, bool colour, struct buf *out);

#endif
