#include "exchange/marks_file.h"

#include <stdlib.h>

#include "base/csv.h"
#include "base/doc.h"
#include "base/json.h"
#include "base/map.h"
#include "base/message.h"

enum {
    RECORD_MAX = 4 << 20, /* bytes; texts and comments may stand beside the value */
    SHOWN = 60,           /* code points of a value in a message */
};

static const double value_max = 1e12; /* squares and their sums keep digits enough */

enum column { COLUMN_UNIT, COLUMN_RATER, COLUMN_VALUE, COLUMN_DIMENSION, COLUMNS };

static const char *const column_names[COLUMNS] = {"unit", "rater", "value", "dimension"};

/* What people call them too. */
static const struct {
    const char *name;
    enum column column;
} aliases[] = {{"item", COLUMN_UNIT},       {"question", COLUMN_UNIT}, {"judge", COLUMN_RATER},
               {"annotator", COLUMN_RATER}, {"score", COLUMN_VALUE},   {"mark", COLUMN_VALUE},
               {"rating", COLUMN_VALUE}};

static bool names_column(struct str name, enum column c)
{
    if (str_is_nocase(name, column_names[c]))
        return true;
    for (size_t i = 0; i < COUNT(aliases); i++)
        if (aliases[i].column == c && str_is_nocase(name, aliases[i].name))
            return true;
    return false;
}

/* Names and their numbers, in the order in which they came. */
struct index {
    struct map map; /* name -> struct entry */
    struct entry **list;
    size_t n, cap;
};

struct entry {
    const char *name;
    uint32_t number;
    uint32_t local; /* in the present dimension, one more than its number; 0: not seen yet */
};

struct row {
    uint32_t dimension, unit, rater;
    double value;
    struct csv_place at;
};

struct reader {
    struct arena *a;
    const char *path;
    enum agree_level level;
    struct index dimensions, units, raters, labels;
    struct row *rows;
    size_t n, cap, blank;
    bool dimensioned; /* by the header, or by the first line */

    struct csv csv;
    size_t at[COLUMNS]; /* CSV: SIZE_MAX: absent */
    size_t width;
    struct str line; /* JSONL */
    int64_t number;
};

/* ---- places ---- */

/* JSONL: read the line again, with places. That takes longer and is seldom needed. */
static struct csv_place member_place(const struct reader *r, enum column c)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct source source = {r->path, r->line, (int)r->number};
    struct csv_place at = {r->number, 1};
    struct diags ignored;
    const struct node *tree, *member;

    diags_init(&ignored, scratch);
    tree = doc_parse(scratch, &source, &ignored);
    member = tree ? node_get(tree, column_names[c]) : NULL;
    if (member)
        at.column = member->at.column;
    return at;
}

static struct csv_place place_of(const struct reader *r, enum column c)
{
    if (!r->csv.lines.in)
        return member_place(r, c);
    return r->at[c] < r->csv.n ? csv_place(&r->csv, r->at[c]) : (struct csv_place){r->csv.line, 1};
}

static enum status fault_at(const struct reader *r, struct csv_place at, struct err *e)
{
    return err_wrap(e, "%s:%lld:%lld", r->path, (long long)at.line, (long long)at.column);
}

/* ---- one rating ---- */

static uint32_t index_number(struct index *x, struct str name)
{
    struct entry *known = map_room(&x->map, name, sizeof *known);

    if (!known->name) {
        *known = (struct entry){arena_text(x->map.arena, name), (uint32_t)x->n, 0};
        x->list = arena_grow(x->map.arena, x->list, &x->cap, x->n + 1, sizeof(struct entry *));
        x->list[x->n++] = known;
    }
    return known->number;
}

static enum status name_number(struct reader *r, struct index *x, struct str name, enum column c,
                               uint32_t *out, struct err *e)
{
    if (name.n == 0 || name.n > MARKS_NAME_MAX) {
        if (name.n == 0)
            (void)err_set(e, E_INPUT, "%s is empty", column_names[c]);
        else
            (void)err_set(e, E_INPUT, "%s is longer than %d bytes", column_names[c],
                          MARKS_NAME_MAX);
        return fault_at(r, place_of(r, c), e);
    }
    *out = index_number(x, name);
    return OK;
}

/* Words that are numbers are compared as numbers: 1 and 1.0 are one category. */
static double category_of(struct reader *r, struct str text)
{
    double number;

    if (str_double(text, &number)) {
        char shortest[32];
        int n = snprintf(shortest, sizeof shortest, "%.17g", number + 0.0);
        return index_number(&r->labels, (struct str){shortest, (size_t)n});
    }
    return index_number(&r->labels, text);
}

static enum status value_of(struct reader *r, struct str text, double *out, struct err *e)
{
    struct str shown = utf8_head(text, SHOWN);

    if (r->level == AGREE_NOMINAL) {
        uint32_t number = 0;
        if (text.n > MARKS_NAME_MAX)
            return name_number(r, &r->labels, text, COLUMN_VALUE, &number, e);
        *out = category_of(r, text);
        return OK;
    }
    if (!str_double(text, out))
        (void)err_set(e, E_INPUT,
                      "value \"%.*s\" is not a number; text values need --level nominal",
                      STR_ARG(shown));
    else if (!(*out >= -value_max && *out <= value_max))
        (void)err_set(e, E_INPUT, "value %.*s is beyond %g", STR_ARG(shown), value_max);
    else if (r->level == AGREE_RATIO && *out < 0)
        (void)err_set(e, E_INPUT, "value %.*s is below 0, which the ratio level does not allow",
                      STR_ARG(shown));
    else
        return OK;
    return fault_at(r, place_of(r, COLUMN_VALUE), e);
}

static enum status dimension_of(struct reader *r, struct str name, uint32_t *out, struct err *e)
{
    *out = 0;
    if (!r->dimensioned)
        return OK;
    if (name_number(r, &r->dimensions, name, COLUMN_DIMENSION, out, e) != OK)
        return e->code;
    if (r->dimensions.n <= MARKS_DIMENSIONS_MAX)
        return OK;
    (void)err_set(e, E_INPUT, "more than %d different dimensions", MARKS_DIMENSIONS_MAX);
    return fault_at(r, place_of(r, COLUMN_DIMENSION), e);
}

/* Words that tables write where nobody rated. As a category they would count as agreement. */
static bool is_missing(struct str value)
{
    static const char *const words[] = {"", "na", "n/a", "nan", "null", NULL};

    return str_any(value, str_eq_nocase, words);
}

/* values[COLUMNS], trimmed. */
static enum status add_rating(struct reader *r, const struct str *values, struct csv_place at,
                              struct err *e)
{
    struct row row = {.at = at};

    if (name_number(r, &r->units, values[COLUMN_UNIT], COLUMN_UNIT, &row.unit, e) != OK ||
        name_number(r, &r->raters, values[COLUMN_RATER], COLUMN_RATER, &row.rater, e) != OK)
        return e->code;
    if (is_missing(values[COLUMN_VALUE])) {
        r->blank++;
        return OK;
    }
    if (dimension_of(r, values[COLUMN_DIMENSION], &row.dimension, e) != OK ||
        value_of(r, values[COLUMN_VALUE], &row.value, e) != OK)
        return e->code;
    if (r->n == MARKS_MAX) {
        (void)err_set(e, E_INPUT, "more than %d ratings", MARKS_MAX);
        return fault_at(r, at, e);
    }
    r->rows = arena_grow(r->a, r->rows, &r->cap, r->n + 1, sizeof *r->rows);
    r->rows[r->n++] = row;
    return OK;
}

/* ---- CSV ---- */

static enum status read_header(struct reader *r, struct err *e)
{
    r->width = r->csv.n;
    for (size_t c = 0; c < COLUMNS; c++) {
        r->at[c] = SIZE_MAX;
        for (size_t i = 0; i < r->csv.n; i++)
            if (names_column(str_trim(r->csv.fields[i]), (enum column)c)) {
                if (r->at[c] != SIZE_MAX) {
                    (void)err_set(e, E_INPUT, "a second column %s", column_names[c]);
                    return fault_at(r, csv_place(&r->csv, i), e);
                }
                r->at[c] = i;
            }
        if (r->at[c] == SIZE_MAX && c != COLUMN_DIMENSION) {
            (void)err_set(e, E_INPUT,
                          "no column %s; a rating is unit,rater,value[,dimension]; found: %s",
                          column_names[c], csv_named(r->a, &r->csv));
            return fault_at(r, csv_place(&r->csv, 0), e);
        }
    }
    r->dimensioned = r->at[COLUMN_DIMENSION] != SIZE_MAX;
    return OK;
}

static enum status read_record(struct reader *r, struct err *e)
{
    struct str values[COLUMNS] = {{0}};

    if (r->csv.n != r->width) {
        (void)err_set(e, E_INPUT, "%zu field%s, but the header has %zu", r->csv.n,
                      r->csv.n == 1 ? "" : "s", r->width);
        return fault_at(r, csv_place(&r->csv, r->csv.n > r->width ? r->width : r->csv.n - 1), e);
    }
    for (size_t c = 0; c < COLUMNS; c++)
        if (r->at[c] != SIZE_MAX)
            values[c] = str_trim(r->csv.fields[r->at[c]]);
    return add_rating(r, values, place_of(r, COLUMN_UNIT), e);
}

static enum status read_csv(struct reader *r, struct err *e)
{
    bool more = true;

    if (csv_open(&r->csv, r->path, RECORD_MAX, e) != OK || csv_next(&r->csv, &more, e) != OK)
        return e->code;
    if (!more)
        return OK;
    if (read_header(r, e) != OK)
        return e->code;
    while (csv_next(&r->csv, &more, e) == OK && more)
        if (read_record(r, e) != OK)
            return e->code;
    return more ? e->code : OK;
}

/* ---- JSONL ---- */

/* A string, or a number, true or false as text; empty when it is null or absent. */
static enum status member(const struct reader *r, struct arena *a, const json_t *object,
                          enum column c, struct str *out, struct err *e)
{
    const json_t *v = json_object_get(object, column_names[c]);

    *out = STR("");
    if (json_is_string(v))
        *out = str_trim(json_str(v));
    else if (json_is_number(v) || json_is_boolean(v))
        *out = str_of(json_text(a, v));
    else if (v && !json_is_null(v)) {
        (void)err_set(e, E_INPUT, "%s is neither text nor a number", column_names[c]);
        return fault_at(r, place_of(r, c), e);
    }
    return OK;
}

static enum status read_object(struct reader *r, struct arena *scratch, struct err *e)
{
    struct json_fault fault = {0};
    AUTO(json_freep) json_t *object = json_read_at(r->line, &fault);
    struct csv_place at = {r->number, object ? 1 : fault.column};
    struct str values[COLUMNS];

    if (!json_is_object(object)) {
        (void)err_set(e, E_INPUT, "%s", object ? N_("not an object") : fault.what);
        return fault_at(r, at, e);
    }
    for (size_t c = 0; c < COLUMNS; c++)
        if (member(r, scratch, object, (enum column)c, &values[c], e) != OK)
            return e->code;
    if (r->n + r->blank == 0)
        r->dimensioned = values[COLUMN_DIMENSION].n > 0;
    if (!r->dimensioned && values[COLUMN_DIMENSION].n) {
        (void)err_set(e, E_INPUT, "a dimension is given, but the first line has none");
        return fault_at(r, place_of(r, COLUMN_DIMENSION), e);
    }
    return add_rating(r, values, at, e);
}

static enum status read_jsonl(struct reader *r, struct err *e)
{
    AUTO(lines_close) struct lines in = {0};
    AUTO(arena_freep) struct arena *scratch = arena_new();
    bool more = true;

    if (lines_open(&in, r->path, RECORD_MAX, e) != OK)
        return e->code;
    for (; lines_next(&in, &r->line, &more, e) == OK && more; arena_reset(scratch)) {
        r->number = in.number;
        if (str_trim(r->line).n && read_object(r, scratch, e) != OK)
            return e->code;
    }
    return more ? e->code : OK;
}

/* ---- the whole ---- */

/* Units and raters by name, so that the order of lines decides nothing. */
static int by_name(const void *x, const void *y)
{
    const struct entry *const *a = x, *const *b = y;

    return strcmp((*a)->name, (*b)->name);
}

static uint32_t *ranks_of(struct arena *a, struct index *x)
{
    uint32_t *rank = NEW_N(a, uint32_t, x->n + 1);

    if (x->n)
        qsort(x->list, x->n, sizeof(struct entry *), by_name);
    for (size_t i = 0; i < x->n; i++)
        rank[x->list[i]->number] = (uint32_t)i;
    return rank;
}

/* 0: one rater's rating of the same unit. */
static int compare_places(const struct row *a, const struct row *b)
{
    if (a->dimension != b->dimension)
        return a->dimension < b->dimension ? -1 : 1;
    if (a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    return (a->rater > b->rater) - (a->rater < b->rater);
}

static int by_place(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    int order = compare_places(a, b);

    return order ? order : (a->at.line > b->at.line) - (a->at.line < b->at.line);
}

static enum status repeated(const struct reader *r, const char *dimension, const struct row *first,
                            const struct row *again, struct err *e)
{
    struct str unit = utf8_head(str_of(r->units.list[again->unit]->name), SHOWN),
               rater = utf8_head(str_of(r->raters.list[again->rater]->name), SHOWN),
               asked = utf8_head(str_of(dimension), SHOWN);

    (void)err_set(e, E_INPUT, "rater \"%.*s\" has already rated unit \"%.*s\"%s%.*s on line %lld",
                  STR_ARG(rater), STR_ARG(unit), dimension ? " for " : "", STR_ARG(asked),
                  (long long)first->at.line);
    return fault_at(r, again->at, e);
}

/* No rater rates a unit twice. Rows are sorted; the repetition that comes first in the file is
 * told. */
static enum status check_once(const struct reader *r, const struct marks_set *set, struct err *e)
{
    const struct row *worst = NULL;

    for (size_t i = 1; i < r->n; i++)
        if (compare_places(&r->rows[i - 1], &r->rows[i]) == 0 &&
            (!worst || r->rows[i].at.line < worst->at.line))
            worst = &r->rows[i];
    if (!worst)
        return OK;
    return repeated(r, set->v[worst->dimension].name, worst - 1, worst, e);
}

/* The number of a unit or rater in the present dimension. */
static uint32_t local_number(struct entry *x, size_t *n)
{
    if (x->local == 0)
        x->local = (uint32_t)++ * n;
    return x->local - 1;
}

static void forget(struct index *x)
{
    for (size_t i = 0; i < x->n; i++)
        x->list[i]->local = 0;
}

/* Rows [from, to) are of one dimension. */
static struct cells cells_of(struct reader *r, size_t from, size_t to)
{
    struct cell *v = NEW_N(r->a, struct cell, to - from);
    struct cells c = {v, to - from, 0, 0};

    forget(&r->units);
    forget(&r->raters);
    for (size_t i = from; i < to; i++)
        v[i - from] = (struct cell){local_number(r->units.list[r->rows[i].unit], &c.units),
                                    local_number(r->raters.list[r->rows[i].rater], &c.raters),
                                    r->rows[i].value};
    cell_sort(v, c.n);
    return c;
}

/* At the ratio level the time goes with the square of the different values. */
static enum status check_levels(const struct reader *r, const struct marks_dimension *d,
                                struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    double *levels;
    size_t n = 0;

    if (r->level != AGREE_RATIO)
        return OK;
    (void)cell_coded(scratch, &d->cells, &levels, &n);
    if (n <= MARKS_RATIO_MAX)
        return OK;
    return err_set(e, E_INPUT,
                   "%s: more than %d different values%s%s at the ratio level; round them", r->path,
                   MARKS_RATIO_MAX, d->name ? " of " : "", d->name ? d->name : "");
}

static enum status take_all(struct reader *r, struct marks_set *out, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    const uint32_t *units = ranks_of(scratch, &r->units), *raters = ranks_of(scratch, &r->raters);
    size_t n = r->dimensioned ? r->dimensions.n : 1;
    struct marks_set set = {NEW_N(r->a, struct marks_dimension, n), n, r->n, r->blank};

    for (size_t i = 0; i < r->n; i++) {
        r->rows[i].unit = units[r->rows[i].unit];
        r->rows[i].rater = raters[r->rows[i].rater];
    }
    qsort(r->rows, r->n, sizeof *r->rows, by_place);
    for (size_t d = 0; d < n && r->dimensioned; d++)
        set.v[d].name = r->dimensions.list[d]->name;
    if (check_once(r, &set, e) != OK)
        return e->code;
    for (size_t from = 0, to = 0; from < r->n; from = to) {
        struct marks_dimension *d = &set.v[r->rows[from].dimension];
        while (to < r->n && r->rows[to].dimension == r->rows[from].dimension)
            to++;
        d->cells = cells_of(r, from, to);
        if (check_levels(r, d, e) != OK)
            return e->code;
    }
    *out = set;
    return OK;
}

/* The first character of a stream, since only one can be put back. Other pipes cannot be looked
 * into at all and are taken for CSV. */
static int first_of(const char *path)
{
    int c;

    if (strcmp(path, "-") != 0)
        return file_begins(path);
    c = getc(stdin);
    return c == EOF ? EOF : ungetc(c, stdin);
}

enum status marks_file_read(struct arena *a, const char *path, enum agree_level level,
                            struct marks_set *out, struct err *e)
{
    struct reader r = {.a = a, .path = path, .level = level};
    struct index *all[] = {&r.dimensions, &r.units, &r.raters, &r.labels};
    enum status st;

    for (size_t i = 0; i < COUNT(all); i++)
        map_init(&all[i]->map, a);
    st = first_of(path) == '{' ? read_jsonl(&r, e) : read_csv(&r, e);
    csv_close(&r.csv);
    if (st != OK)
        return st;
    if (r.n == 0)
        return err_set(e, E_INPUT, "%s: no ratings", path);
    return take_all(&r, out, e);
}
