/* table.h - one table of numbers, and the five forms in which it is written.
 *
 * Whoever has numbers to show builds a table: columns that say what they hold, and cells that hold
 * values instead of text. How a value looks is up to the writers alone: decimals, intervals, what
 * is missing, what is too wide. A column with a head is for people (terminal, HTML, Markdown), one
 * with a key for programs (CSV, JSON); one with both, the usual case, stands in all five.
 *
 * A table and its cells live in the arena in which it was made; texts are borrowed and have to live
 * as long. Texts of models and raters are cleaned and escaped by each writer. Nothing here computes
 * a statistic, reads a store or prints. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/json.h"
#include "math/interval.h"
#include "report/html.h"
#include "report/show.h"
#include "report/wording.h"

enum table_kind {
    TABLE_TEXT,
    TABLE_LINK,     /* text that leads somewhere */
    TABLE_COUNT,    /* a whole number */
    TABLE_SCORE,    /* a number with decimals */
    TABLE_SHARE,    /* so many of n: "3 / 88" */
    TABLE_MONEY,    /* USD */
    TABLE_INTERVAL, /* a number, and between which two it lies */
};

/* How people see an interval. */
enum table_look {
    TABLE_INLINE, /* 8.12 [7.61, 8.63] */
    TABLE_SPLIT,  /* 8.12 and 7.61–8.63, a column each */
    TABLE_PLOT,   /* the same, drawn where there is room */
    TABLE_BRIEF,  /* the number alone on a terminal; with its interval elsewhere */
    TABLE_RANGE,  /* 7.61–8.63, without the number */
};

/* JSON: where the ends of an interval are. */
enum table_ends {
    TABLE_ENDS_WITHIN, /* the key is an object with value, lo, hi, n */
    TABLE_ENDS_ROW,    /* the key is the value; lo and hi are members of the row */
    TABLE_ENDS_APART,  /* the key is the value; lo and hi are in the object KEY_interval */
};

enum table_flags {
    TABLE_SIGNED = 1, /* +0.50 */
    TABLE_LOWER = 2,  /* lower is better: the head says so */
    TABLE_SPARSE = 4, /* people do not see it where every cell is 0 or empty */
    TABLE_VARIED = 8, /* ... where every cell is the same */
    TABLE_NAMED = 16, /* the head is somebody's text: cut where it is long */
    TABLE_ROOMY = 32, /* people see it on pages alone, where there is room */
    TABLE_ASIDE = 64, /* says nothing by itself: a row that holds no more is as good as empty */
    TABLE_ZERO = 128, /* people do not see it where every cell is empty: 0 is a result */
};

struct table_column {
    const char *key; /* for programs; NULL: for people alone */
    const char *in;  /* JSON: the object in the row that holds it; NULL: the row itself */
    enum table_ends ends;
    const char *head; /* for people; or, in the table's language: */
    enum word word;   /* 0: none */
    enum table_kind kind;
    enum table_look look;
    int decimals;
    unsigned flags;
    struct show_range
        range; /* of the whiskers or, in HTML, of the bar; lo < hi, or there is none */
};

/* All 0: there is nothing, which is a dash for people, null in JSON, and no line in CSV. */
struct table_cell {
    bool there;
    bool whole;           /* shown without decimals, whatever its column says */
    double value, lo, hi; /* NaN: undefined */
    int64_t n, clusters;
    const char *text;   /* of text; what people are told right behind a number, or instead of NaN */
    const char *href;   /* HTML: where it leads; NULL: nowhere */
    const char *metric; /* CSV: instead of the column's key */
    const char *method; /* of the interval; NULL: not told */
    const char *why; /* why there is no interval, or what it cannot tell: a footnote. NULL: none */
    size_t mark;     /* the number of that footnote in the form that is being written; 0: none */
};

struct table {
    struct arena *a;
    const char *title;    /* above it; NULL: none */
    const char *language; /* of heads that are words, and of footnotes */
    const char **notes;   /* sentences below it */
    size_t nnotes;
    struct table_column *columns; /* the first one names the row */
    struct table_cell **cells;    /* [column][row] */
    size_t ncolumns, columns_cap, notes_cap, nrows;
    bool *dim;        /* rows that stand back */
    bool sparse_rows; /* people do not see rows that hold nothing */
    size_t name;      /* terminal: most columns of a name; 0: as usual */
};

/* Language NULL: that of the process. */
struct table *table_new(struct arena *a, const char *language, size_t rows);
/* Add a column; returns its cells, one a row, all empty. */
struct table_cell *table_column(struct table *t, const struct table_column *c);
/* table_add(t, .key = "n", .word = WORD_ANSWERS, .kind = TABLE_COUNT) */
#define table_add(t, ...) table_column((t), &(struct table_column){__VA_ARGS__})
void table_note(struct table *t, const char *sentence); /* NULL: none */

struct table_cell table_text(const char *text); /* NULL: nothing */
struct table_cell table_count(int64_t n);
struct table_cell table_number(double v); /* NaN: nothing */
struct table_cell table_between(double v, double lo, double hi);
struct table_cell table_score(const struct score_row *row); /* NULL: nothing */
struct table_cell table_interval(struct interval i);

/* A column whose cells are a member of a struct each:
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
        TABLE_N, /* how many stand behind a row; 0 without one */
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
/* `things`: as many structs of `size` bytes as there are rows. */
void table_fields(struct table *t, const struct table_field *f, size_t n, const void *things,
                  size_t size);

/* ---- for the writers ---- */

/* A part of a column as people see it: each stands under a head of its own. */
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
/* What the forms for people differ in. */
enum { TABLE_LOOKS = TABLE_RANGE + 1, TABLE_PARTS = 4 };
struct table_style {
    enum table_part parts[TABLE_LOOKS][TABLE_PARTS]; /* of an interval, by its look */
    bool scaled;                /* nothing is drawn where the column has no range */
    const char *none, *between; /* instead of a number; between the ends of a range */
    const char *lower;          /* behind the head of a column where lower is better */
    bool brief;                 /* TABLE_BRIEF is the number alone */
    bool roomy;                 /* there is room for what is not needed */
};

/* By people. */
bool table_seen(const struct table *t, const struct table_style *s, size_t column);
bool table_row_seen(const struct table *t, size_t row);
bool table_is_words(const struct table_column *c); /* its cells are text */
const char *table_head(const struct table *t, const struct table_style *s, size_t column);
/* All parts that are seen; returns how many. */
size_t table_parts(const struct table *t, const struct table_style *s, struct table_shown **out);
/* One cell's part, in the arena. */
const char *table_show(const struct table *t, const struct table_style *s,
                       const struct table_shown *p, size_t row);
/* Mark the cells that have a footnote, from 1 in the order in which they are met, before any is
 * shown. Returns the footnotes, "(1) all items ...", and NULL behind the last one. */
const char **table_footnotes(const struct table *t, const struct table_style *s);

/* ---- writers: append to out ---- */

/* As wide as the window; what does not fit goes below. Returns the columns that names took, so that
 * tables below can do likewise. */
size_t table_terminal(const struct table *t, const struct render_terminal *how, struct buf *out);
/* A list of things: a row that has no room on a line becomes some lines, and others do likewise. */
void table_terminal_list(const struct table *t, const struct render_terminal *how, struct buf *out);
void table_html(const struct table *t, struct html *h);
void table_markdown(const struct table *t, struct buf *out);
/* A line a number: the lead ("run,suite"), the row's name, metric, value, lo, hi, n, clusters,
 * method. The tables are about the same rows. */
void table_csv(const struct table *const *v, size_t n, const char *const *lead, struct buf *out);
/* An object a row, in a list; tables about the same rows add to the same objects. A number that is
 * not known is null, never left out. */
void table_json(const struct table *t, json_t *list);
json_t *table_json_score(const struct score_row *row); /* as in a table; NULL: null */
/* Why an interval is refused or needs a caution. Counts and Elo ratings have none to refuse. */
void table_json_why(json_t *o, double value, double lo, const char *why);

#endif
