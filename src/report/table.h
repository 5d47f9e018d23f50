/* table.h - a table of numbers that can be written in five forms.
 *
 * Code that has numbers to show builds a table: columns that describe their contents, and cells
 * that hold values, not text. Only the writers decide how values look: decimals, intervals,
 * missing values, lack of space. A column with a head is for people (terminal, HTML, Markdown),
 * one with a key is for programs (CSV, JSON); most have both and appear in all five.
 *
 * A table and its cells live in the arena it was made in; texts are borrowed and must live as
 * long. The writers clean and escape text of models and raters. Nothing here computes a
 * statistic, reads a store or prints. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/json.h"
#include "math/interval.h"
#include "report/html.h"
#include "report/show.h"
#include "report/wording.h"

enum table_kind {
    TABLE_TEXT,
    TABLE_LINK,     /* text with a link */
    TABLE_COUNT,    /* a whole number */
    TABLE_SCORE,    /* a number with decimals */
    TABLE_SHARE,    /* a count out of n: "3 / 88" */
    TABLE_MONEY,    /* USD */
    TABLE_INTERVAL, /* a number with its interval */
};

/* How people see an interval. */
enum table_look {
    TABLE_INLINE, /* 8.12 [7.61, 8.63] */
    TABLE_SPLIT,  /* 8.12 and 7.61–8.63, a column each */
    TABLE_PLOT,   /* the same, with a drawing if there is room */
    TABLE_BRIEF,  /* only the number on a terminal; elsewhere with its interval */
    TABLE_RANGE,  /* 7.61–8.63, without the number */
};

/* JSON: where the ends of an interval go. */
enum table_ends {
    TABLE_ENDS_WITHIN, /* the key is an object with value, lo, hi, n */
    TABLE_ENDS_ROW,    /* the key is the value; lo and hi are members of the row */
    TABLE_ENDS_APART,  /* the key is the value; lo and hi are in the object KEY_interval */
};

enum table_flags {
    TABLE_SIGNED = 1, /* +0.50 */
    TABLE_LOWER = 2,  /* lower is better: indicated in the head */
    TABLE_SPARSE = 4, /* hidden from people if every cell is 0 or empty */
    TABLE_VARIED = 8, /* hidden from people if all cells are the same */
    TABLE_NAMED = 16, /* the head is text by others: cut if it is long */
    TABLE_ROOMY = 32, /* shown to people only on pages, where there is room */
    TABLE_ASIDE = 64, /* a row that has nothing else counts as empty */
    TABLE_ZERO = 128, /* hidden from people if every cell is empty; 0 is a result */
};

struct table_column {
    const char *key;  /* for programs; NULL: only for people */
    const char *in;   /* JSON: object inside the row; NULL: the row itself */
    const char *head; /* for people; or as a word in the table's language: */
    enum word word;   /* 0: none */
    enum table_kind kind;
    enum table_look look;
    enum table_ends ends;
    int decimals;
    unsigned flags;
    struct show_range range; /* of whiskers or, in HTML, bars; none unless lo < hi */
};

/* All 0: an empty cell, which is a dash for people, null in JSON, and no line in CSV. */
struct table_cell {
    bool there;
    bool whole;           /* shown without decimals, whatever the column says */
    double value, lo, hi; /* NaN: undefined */
    int64_t n, clusters;
    const char *text;   /* the text; or for a number, what people see after it, or instead of NaN */
    const char *href;   /* HTML: link target; NULL: none */
    const char *metric; /* CSV: replaces the column's key */
    const char *method; /* of the interval; NULL: none */
    const char *why;    /* why there is no interval, or a caution: a footnote. NULL: none */
    size_t mark;        /* number of the footnote in the form being written; 0: none */
};

struct table {
    struct arena *a;
    const char *title;    /* above it; NULL: none */
    const char *language; /* of words in heads, and of footnotes */
    const char **notes;   /* sentences below it */
    size_t nnotes;
    struct table_column *columns; /* the first one names the row */
    struct table_cell **cells;    /* [column][row] */
    size_t ncolumns, columns_cap, notes_cap, nrows;
    bool *dim;        /* rows to be dimmed */
    bool sparse_rows; /* empty rows are hidden from people */
    size_t name;      /* terminal: maximum width of a name; 0: default */
};

/* Language NULL: that of the process. */
struct table *table_new(struct arena *a, const char *language, size_t rows);
/* Adds a column; returns its cells, one per row, all empty. */
struct table_cell *table_column(struct table *t, const struct table_column *c);
/* table_add(t, .key = "n", .word = WORD_ANSWERS, .kind = TABLE_COUNT) */
#define table_add(t, ...) table_column((t), &(struct table_column){__VA_ARGS__})
void table_note(struct table *t, const char *sentence); /* NULL: none */

struct table_cell table_text(const char *text); /* NULL: empty */
struct table_cell table_count(int64_t n);
struct table_cell table_number(double v); /* NaN: empty */
struct table_cell table_between(double v, double lo, double hi);
struct table_cell table_score(const struct score_row *row); /* NULL: empty */
struct table_cell table_interval(struct interval i);

/* A column whose cells are a member of an array of structs:
 *     {{.key = "failed", .word = WORD_FAILED, .kind = TABLE_COUNT}, TABLE_OF(struct x, failed)} */
struct table_field {
    struct table_column column;
    enum table_member {
        TABLE_INT,
        TABLE_SIZE,
        TABLE_REAL,
        TABLE_CHARS,
        TABLE_ROW,
        TABLE_BOUNDS,
        TABLE_N, /* the n of a score row; 0 without one */
    } member;
    size_t at;
};
#define TABLE_OF(type, path)                                                                       \
    _Generic((type){0}.path,                                                                    \
        int64_t: TABLE_INT,                                                                        \
        size_t: TABLE_SIZE,                                                                        \
        double: TABLE_REAL,                                                                        \
        const char *: TABLE_CHARS,                                                                 \
        const struct score_row *: TABLE_ROW,                                                       \
        struct interval: TABLE_BOUNDS),                                                      \
        offsetof(type, path)
/* `things`: an array of structs of `size` bytes, one per row. */
void table_fields(struct table *t, const struct table_field *f, size_t n, const void *things,
                  size_t size);

/* ---- for the writers ---- */

/* A part of a column as people see it; each part has its own head. */
struct table_shown {
    size_t column;
    enum table_part {
        PART_END,
        PART_VALUE,
        PART_INLINE,
        PART_RANGE,
        PART_LO,
        PART_DRAWN,
        PART_HI
    } part;
    const char *head;
};
/* How the forms for people differ. */
enum { TABLE_LOOKS = TABLE_RANGE + 1, TABLE_PARTS = 4 };
struct table_style {
    enum table_part parts[TABLE_LOOKS][TABLE_PARTS]; /* of an interval, by its look */
    bool scaled;                                     /* do not draw if the column has no range */
    const char *none, *between; /* in place of a missing number; between the ends of a range */
    const char *lower;          /* appended to the head of a column where lower is better */
    bool brief;                 /* TABLE_BRIEF shows only the number */
    bool roomy;                 /* there is room for TABLE_ROOMY columns */
};

/* Is it visible to people? */
bool table_seen(const struct table *t, const struct table_style *s, size_t column);
bool table_row_seen(const struct table *t, size_t row);
bool table_is_words(const struct table_column *c); /* are the cells text? */
const char *table_head(const struct table *t, const struct table_style *s, size_t column);
/* All visible parts; returns their number. */
size_t table_parts(const struct table *t, const struct table_style *s, struct table_shown **out);
/* The text of one part of a cell, in the arena. */
const char *table_show(const struct table *t, const struct table_style *s,
                       const struct table_shown *p, size_t row);
/* Numbers the cells that have a footnote, in the order of columns, from 1; to be called before
 * any cell is shown. Returns the footnotes, "(1) all items ...", with NULL after the last one. */
const char **table_footnotes(const struct table *t, const struct table_style *s);

/* ---- writers: append to out ---- */

/* Fits the width of the window; columns that do not fit go below. Returns the width of the
 * names, for tables below that are to be aligned. */
size_t table_terminal(const struct table *t, const struct render_terminal *how, struct buf *out);
/* A list: if one row does not fit on a line, all rows take several lines. */
void table_terminal_list(const struct table *t, const struct render_terminal *how, struct buf *out);
void table_html(const struct table *t, struct html *h);
void table_markdown(const struct table *t, struct buf *out);
/* One line per number: the lead ("run,suite"), name of the row, metric, value, lo, hi, n,
 * clusters, method. All tables are about the same rows. */
void table_csv(const struct table *const *v, size_t n, const char *const *lead, struct buf *out);
/* Appends one object per row to a list; tables about the same rows add to the same objects. An
 * unknown number is null, never left out. */
void table_json(const struct table *t, json_t *list);
json_t *table_json_score(const struct score_row *row); /* as in a table; NULL: null */
/* Adds "why", if an interval is refused or needs a caution. Counts and Elo ratings have no
 * interval to refuse. */
void table_json_why(json_t *o, double value, double lo, const char *why);

#endif
