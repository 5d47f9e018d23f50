/* Reads items one by one from any source.
 *
 * Data files are large and nearly always valid, so each line is first parsed quickly, without
 * locations and with its errors discarded. Only if there were any is the line parsed again by the
 * slower YAML parser, which knows columns, to report them. */
#include <stdlib.h>

#include "base/csv.h"
#include "base/file.h"
#include "suite/endpoint.h"
#include "suite/item.h"
#include "suite/item_form.h"
#include "suite/paper.h"
#include "suite/suite_read.h"

enum {
    LINE_BYTES_MAX = 1 << 20,
    ITEMS_MAX = 10000000,
};

struct item_reader {
    const struct suite *suite;
    const struct item_source *from;
    struct diags *d;
    struct arena *scratch; /* for one item */
    struct item_form form;
    struct suite_draw *draw; /* NULL: all items are used */
    int64_t position;        /* number of the last item read, from 1 */
    int64_t used;            /* items returned */
    const struct node *file; /* the suite file; may be NULL */
    bool ended;
    bool open;          /* `from` is being read */
    bool told;          /* the absence of items has been explained */
    struct place first; /* where the suite names the first of the files */
    const struct node *inline_next;
    struct lines lines;
    struct csv csv;
    struct str *columns; /* of the CSV file */
    size_t ncolumns;
};

static bool read_node(struct item_reader *r, const struct node *n, enum item_pass pass,
                      struct diags *d, struct item *out)
{
    const struct item_check c = {
        .form = &r->form, .a = r->scratch, .d = d, .pass = pass, .position = r->position};

    return item_form_read(&c, n, out);
}

/* ---- from files ---- */

/* An item in a data file. */
struct raw {
    struct str text; /* shown with errors */
    int64_t line;
    const struct node *node; /* parsed without locations; NULL: the current CSV record */
};

static struct node *csv_node(struct item_reader *r, struct place at)
{
    struct node *map = NEW(r->scratch, struct node), **tail = &map->first;

    map->kind = NODE_MAP;
    map->at = at;
    for (size_t i = 0; i < r->ncolumns && i < r->csv.n; i++) {
        struct node *both;
        if (r->csv.fields[i].n == 0)
            continue; /* an empty cell is absent */
        both = NEW_N(r->scratch, struct node, 2);
        both[0] =
            (struct node){.kind = NODE_SCALAR, .quoted = true, .text = r->columns[i], .at = at};
        both[1] = (struct node){.kind = NODE_SCALAR,
                                .quoted = true,
                                .text = r->csv.fields[i],
                                .at = at,
                                .key = &both[0]};
        *tail = &both[1];
        tail = &both[1].next;
        map->n++;
    }
    return map;
}

/* A part of a file, kept as long as the errors that show it. */
static struct source *keep_source(struct item_reader *r, struct str text, int64_t line)
{
    struct arena *a = r->d->arena;
    struct source *s = NEW(a, struct source);

    *s = (struct source){.path = arena_text(a, str_of(r->from->path)),
                         .text = arena_str(a, text),
                         .first_line = (int)line};
    return s;
}

static bool has_room(const struct diags *d)
{
    return d->errors + d->warnings < DIAGS_MAX;
}

static bool report(struct item_reader *r, const struct raw *raw, struct item *out)
{
    struct source *source = keep_source(r, raw->text, raw->line);
    struct place at = {.source = source, .line = source->first_line};
    const struct node *n = NULL;
    struct json_fault none;
    struct diags probe;

    diags_init(&probe, r->scratch);
    if (raw->node)
        n = doc_parse(r->scratch, source, &probe);
    if (!n || probe.errors) /* valid JSON need not be valid YAML */
        n = raw->node ? json_tree_at(r->scratch, raw->text, at, &none) : csv_node(r, at);
    return read_node(r, n, ITEM_REPORT, r->d, out);
}

static bool accept_raw(struct item_reader *r, const struct raw *raw, struct item *out)
{
    struct diags probe;
    bool good;

    diags_init(&probe, r->scratch);
    good = read_node(r, raw->node ? raw->node : csv_node(r, (struct place){0}), ITEM_PROBE, &probe,
                     out);
    if (probe.errors + probe.warnings == 0)
        return good;
    if (has_room(r->d))
        return report(r, raw, out);
    r->d->errors += probe.errors;
    r->d->warnings += probe.warnings;
    return good;
}

static void leave_source(struct item_reader *r)
{
    lines_close(&r->lines);
    csv_close(&r->csv);
    r->from = r->from->next;
    r->open = false;
}

/* After an error that makes the rest of the file unreadable. */
static void give_up_source(struct item_reader *r, const struct err *e)
{
    diags_error(r->d, (struct place){0}, "%s", e->msg);
    r->told = true;
    leave_source(r);
}

/* Handles the result of reading a line or record; true if there is one. */
static bool goes_on(struct item_reader *r, enum status st, const bool *more, const struct err *e)
{
    if (st != OK)
        give_up_source(r, e);
    else if (!*more)
        leave_source(r);
    return st == OK && *more;
}

/* ---- JSONL ---- */

static bool jsonl_item(struct item_reader *r, struct str line, struct item *out)
{
    struct json_fault fault = {0};
    struct raw raw = {.text = line,
                      .line = r->lines.number,
                      .node = json_tree_at(r->scratch, line, (struct place){0}, &fault)};
    struct place at = {.line = (int)raw.line, .column = fault.column, .width = 1};

    if (raw.node)
        return accept_raw(r, &raw, out);
    if (has_room(r->d))
        at.source = keep_source(r, utf8_check(line) == line.n ? line : STR(""), raw.line);
    diags_error(r->d, at, "not JSON: %s", fault.what);
    return false;
}

static bool jsonl_next(struct item_reader *r, struct item *out)
{
    struct err e = {0};
    struct str line;
    bool more;

    if (!goes_on(r, lines_next(&r->lines, &line, &more, &e), &more, &e) || str_trim(line).n == 0)
        return false;
    r->position++;
    return jsonl_item(r, line, out);
}

/* ---- CSV ---- */

static void csv_fault(struct item_reader *r, const char *what)
{
    struct place at = {.line = (int)r->csv.line};

    if (has_room(r->d))
        at.source = keep_source(r, STR(""), r->csv.line);
    diags_error(r->d, at, "%s", what);
}

/* Accepts common column names of spreadsheets if our own name is not among the columns. */
static struct str column_name(struct item_reader *r, struct str name)
{
    static const struct {
        const char *theirs, *ours;
    } names[] = {{"question", "prompt"}, {"item", "id"}};

    for (size_t i = 0; i < COUNT(names); i++)
        if (str_is_nocase(name, names[i].theirs) &&
            csv_column(&r->csv, names[i].ours) == SIZE_MAX && !item_form_needs(&r->form, name))
            return str_of(names[i].ours);
    return arena_str(r->form.kept, name);
}

/* The header row. */
static void csv_columns(struct item_reader *r)
{
    const char *fault = r->csv.n > ITEM_VARS_MAX ? "too many columns" : NULL;

    r->columns = NEW_N(r->form.kept, struct str, r->csv.n);
    r->ncolumns = fault ? 0 : r->csv.n;
    for (size_t i = 0; i < r->ncolumns; i++) {
        r->columns[i] = column_name(r, str_trim(r->csv.fields[i]));
        if (r->columns[i].n == 0)
            fault = "a column has no name in the first row";
        for (size_t k = 0; k < i; k++)
            if (str_eq(r->columns[k], r->columns[i]))
                fault = "two columns have the same name in the first row";
    }
    if (fault)
        csv_fault(r, fault);
}

static bool csv_item(struct item_reader *r, struct item *out)
{
    AUTO(buf_done) struct buf shown = BUF_MAX((size_t)2 * LINE_BYTES_MAX);
    struct raw raw = {.line = r->csv.line};

    r->position++;
    if (r->csv.n > r->ncolumns) {
        csv_fault(r, "the row has more fields than the first row has names");
        return false;
    }
    for (size_t i = 0; has_room(r->d) && i < r->csv.n; i++)
        csv_put(&shown, r->csv.fields[i], i == 0);
    raw.text = buf_str(&shown);
    return accept_raw(r, &raw, out);
}

static bool csv_step(struct item_reader *r, struct item *out)
{
    struct err e = {0};
    bool more;

    if (!goes_on(r, csv_next(&r->csv, &more, &e), &more, &e))
        return false;
    if (!r->columns) {
        csv_columns(r);
        return false;
    }
    return (r->csv.n != 1 || r->csv.fields[0].n != 0) && csv_item(r, out);
}

/* ---- the reader ---- */

static bool inline_next(struct item_reader *r, struct item *out)
{
    const struct node *n = r->inline_next;

    r->inline_next = n->next;
    if (!n->next)
        leave_source(r);
    r->position++;
    return read_node(r, n, ITEM_REPORT, r->d, out);
}

/* Returns the next sitting. */
static bool bank_next(struct item_reader *r, struct item *out)
{
    struct err e = {0};

    if (r->position == r->suite->elicit.interview.sittings) {
        leave_source(r);
        return false;
    }
    if (paper_item(r->scratch, r->suite, r->from->bank, (size_t)r->position, out, &e) != OK) {
        give_up_source(r, &e);
        return false;
    }
    r->position++;
    return true;
}

static void open_source(struct item_reader *r)
{
    struct err e = {0};
    enum status st = OK;

    r->open = true;
    r->columns = NULL;
    if (r->from->format == ITEMS_INLINE)
        r->inline_next = r->from->inline_items->first;
    else if (r->from->format == ITEMS_JSONL)
        st = lines_open(&r->lines, r->from->path, LINE_BYTES_MAX, &e);
    else if (r->from->format == ITEMS_CSV)
        st = csv_open(&r->csv, r->from->path, LINE_BYTES_MAX, &e);
    if (st != OK)
        give_up_source(r, &e);
}

/* Reads one line or node; true if it was a valid item. */
static bool step(struct item_reader *r, struct item *out)
{
    if (!r->open) {
        open_source(r);
        return false;
    }
    switch (r->from->format) {
    case ITEMS_INLINE:
        return inline_next(r, out);
    case ITEMS_JSONL:
        return jsonl_next(r, out);
    case ITEMS_CSV:
        return csv_step(r, out);
    case ITEMS_BANK:
        break;
    }
    return bank_next(r, out);
}

/* A reader that returns all items. */
static struct item_reader *reader_new(const struct suite *s, const struct item_source *from,
                                      struct diags *d)
{
    struct item_reader *r = mem_new(sizeof *r);

    r->suite = s;
    r->file = from ? from->suite : NULL;
    r->from = from;
    r->first = from ? from->at : (struct place){0};
    r->told = !from; /* suite_load() has reported why */
    r->d = d;
    r->scratch = arena_new();
    item_form_init(&r->form, s);
    return r;
}

/* The next valid item, used or not. */
static bool next_good(struct item_reader *r, struct item *out)
{
    bool found = false;

    while (r->from && !found) {
        if (r->position >= ITEMS_MAX) {
            diags_error(r->d, r->from->at, "a suite has at most %d items", ITEMS_MAX);
            if (r->open)
                leave_source(r);
            r->from = NULL;
            return false;
        }
        arena_reset(r->scratch);
        found = step(r, out);
    }
    if (found) {
        id_set_add(&r->form.ids, str_of(out->id));
    } else if (r->position == 0 && !r->told) {
        diags_error(r->d, r->first, "the item files contain no items");
        r->told = true;
    }
    return found;
}

/* Reads all items once to decide which are drawn. Their errors are reported by the actual reader;
 * if there are any, a group may be short just because of them, so it is not checked. */
static struct suite_draw *draw(struct item_reader *r)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct suite_draw *out = suite_pick_draw(r->form.kept, r->suite);
    struct item_reader *all;
    struct diags unsaid;
    struct item item;

    diags_init(&unsaid, a);
    all = reader_new(r->suite, r->from, &unsaid);
    while (next_good(all, &item))
        suite_pick_look(out, &item);
    item_reader_free(all);
    if (unsaid.errors == 0)
        suite_pick_check(out, field_get(r->file, "pick"), r->d);
    return out;
}

struct item_reader *item_reader_new(const struct suite *s, const struct item_source *from,
                                    struct diags *d)
{
    struct item_reader *r = reader_new(s, from, d);

    if (s->npicks && from)
        r->draw = draw(r);
    return r;
}

void item_reader_model(struct item_reader *r, const struct endpoint *model)
{
    item_form_model(&r->form, model, r->d);
}

/* A divided sum is meant to give a scale of 0 to 10. */
static void check_sum(struct item_reader *r)
{
    const struct instrument *in = &r->suite->instrument;
    const struct node *divide = field_get(field_get(r->file, "score"), "divide");
    double best = 0, weights = 0, want;

    if (r->suite->score.kind != SCORE_SUM || !divide || r->d->errors)
        return;
    for (size_t i = 0; i < in->ndimensions; i++) {
        best += in->dimensions[i].weight * in->dimensions[i].max;
        weights += in->dimensions[i].weight;
    }
    want = 10 * r->suite->score.divide * weights / best;
    if ((double)r->used != want)
        diags_warn(r->d, divide->at,
                   "sum ÷ %g is a 0–10 scale only with %g items; this suite has %lld",
                   r->suite->score.divide, want, (long long)r->used);
}

/* Without slots, another form would be the published one under another number. */
static void check_form(struct item_reader *r)
{
    if (r->suite->form && !r->form.varies && r->suite->elicit.kind != ELICIT_INTERVIEW &&
        !r->d->errors)
        diags_error(r->d, (struct place){0},
                    "no item has 'slots': there is only the published form of this suite");
}

bool item_reader_next(struct item_reader *r, struct item *out)
{
    while (next_good(r, out)) {
        if (r->draw && !suite_pick_has(r->draw, out))
            continue;
        r->used++;
        return true;
    }
    if (!r->ended) {
        check_sum(r);
        check_form(r);
    }
    r->ended = true;
    return false;
}

void item_reader_free(struct item_reader *r)
{
    if (!r)
        return;
    if (r->open)
        leave_source(r);
    item_form_done(&r->form);
    arena_free(r->scratch);
    free(r);
}
