#include "suite/slot.h"

#include "base/hash.h"
#include "base/rng.h"
#include "suite/field.h"
#include "suite/prompt.h"
#include "suite/sum.h"

enum {
    TABLES_MAX = 50,
    COLUMNS_MAX = 20,
    ROWS_MAX = 1000,
    SLOTS_MAX = 200,
    HOLDS_MAX = 50,
    COMBINATIONS_MAX = 100000,
    FORMULA_DEPTH = 8,
    FORMULA_STEPS = 10000, /* formulas within one: each may use another many times */
};

/* Columns whose values are drawn together. */
struct table {
    const struct node *member;
    size_t nrows;
    int64_t draw; /* random key, independent of the item's other tables */
};

struct slot {
    struct str name;
    const struct node *key;
    size_t table, column; /* unless it has a formula */
    struct str formula;   /* "n * each"; empty: none */
    bool used;
};

struct slots {
    struct arena *a;
    struct diags *d;
    struct table tables[TABLES_MAX];
    size_t ntables, row[TABLES_MAX]; /* current row of each table */
    bool touched[TABLES_MAX];        /* tables used by the current expression */
    struct slot v[SLOTS_MAX];
    size_t n;
    int depth, steps;
};

/* A text under such a key is an ordinary value for templates, as before slots existed. */
static const struct node *own(const struct node *item, const char *key)
{
    const struct node *n = field_get(item, key);

    return n && n->kind != NODE_SCALAR ? n : NULL;
}

bool slot_varies(const struct node *item)
{
    return own(item, "slots");
}

/* ---- reading ---- */

static struct slot *find(struct slots *s, struct str name)
{
    for (size_t i = 0; i < s->n; i++)
        if (str_eq(s->v[i].name, name))
            return &s->v[i];
    return NULL;
}

static void add_slot(struct slots *s, const struct node *key, struct slot one)
{
    one.key = key;
    if (!sum_is_name(one.name))
        diags_error(s->d, key->at, "a slot's name is letters, digits and '_', not '%.*s'",
                    STR_ARG(utf8_head(one.name, 40)));
    else if (find(s, one.name))
        diags_error(s->d, key->at, "two slots are called '%.*s'", STR_ARG(one.name));
    else if (s->n == SLOTS_MAX)
        diags_error(s->d, key->at, "an item has at most %d slots", SLOTS_MAX);
    else
        s->v[s->n++] = one;
}

static void check_row(struct slots *s, const struct node *row, size_t columns)
{
    bool good =
        columns == 1 ? row->kind == NODE_SCALAR : row->kind == NODE_LIST && row->n == columns;

    for (const struct node *m = good && columns > 1 ? row->first : NULL; m; m = m->next)
        good = good && m->kind == NODE_SCALAR;
    if (!good && columns == 1)
        diags_error(s->d, row->at, "expected one text or number");
    else if (!good)
        diags_error(s->d, row->at, "expected a list of %zu texts, one for each name", columns);
}

static bool same_row(const struct node *a, const struct node *b)
{
    if (a->kind != b->kind || a->kind == NODE_SCALAR)
        return a->kind == b->kind && str_eq(str_trim(a->text), str_trim(b->text));
    for (a = a->first, b = b->first; a && b && same_row(a, b); a = a->next)
        b = b->next;
    return !a && !b;
}

/* who: [...], or "n, beasts": [[...], ...]. */
static void read_table(struct slots *s, const struct node *m)
{
    struct str names = m->key->text, name;
    size_t columns = 0;

    if (m->kind != NODE_LIST || m->n < 2 || m->n > ROWS_MAX || s->ntables == TABLES_MAX) {
        diags_error(s->d, m->at,
                    "expected a list of values, the published one first and at least one other, or "
                    "a formula: \"= n * 2\"");
        return;
    }
    while (str_part(&names, ',', &name) && columns < COLUMNS_MAX)
        add_slot(s, m->key,
                 (struct slot){.name = str_trim(name), .table = s->ntables, .column = columns++});
    for (const struct node *row = m->first; row; row = row->next) {
        check_row(s, row, columns);
        if (row != m->first && same_row(row, m->first))
            diags_error(s->d, row->at,
                        "this is the published value again, which no other form may have");
    }
    s->tables[s->ntables++] = (struct table){m, m->n, (int64_t)hash_u64_of(str_trim(m->key->text))};
}

static void read_slots(struct slots *s, const struct node *map)
{
    if (map->kind != NODE_MAP || map->n == 0) {
        diags_error(s->d, map->at, "expected slots with their values: {who: [Nan, Wat]}");
        return;
    }
    for (const struct node *m = map->first; m; m = m->next) {
        struct str text = m->kind == NODE_SCALAR ? str_trim(m->text) : STR("");
        if (str_starts(text, STR("=")))
            add_slot(s, m->key,
                     (struct slot){.name = str_trim(m->key->text), .formula = str_from(text, 1)});
        else
            read_table(s, m);
    }
}

/* ---- values ---- */

static struct str cell(const struct slots *s, const struct slot *slot, size_t row)
{
    const struct node *n = s->tables[slot->table].member->first;

    while (row--)
        n = n->next;
    if (n->kind == NODE_LIST) {
        n = n->first;
        for (size_t i = 0; i < slot->column; i++)
            n = n->next;
    }
    return n->text;
}

/* Expressions may use other expressions; FORMULA_DEPTH catches cycles. */
static bool number_of(void *user, struct str name, double *out)
{
    struct slots *s = user;
    struct slot *slot = find(s, name);
    const char *fault;
    bool good;

    if (!slot)
        return false;
    slot->used = true;
    if (!slot->formula.n) {
        s->touched[slot->table] = true;
        return str_double(str_trim(cell(s, slot, s->row[slot->table])), out);
    }
    if (s->depth == 0)
        s->steps = 0;
    if (s->depth == FORMULA_DEPTH || s->steps++ == FORMULA_STEPS)
        return false;
    s->depth++;
    good = sum_value(slot->formula, number_of, s, out, &fault);
    s->depth--;
    return good;
}

static struct str value_of(struct slots *s, struct slot *slot)
{
    const char *fault = NULL;
    double v = 0;

    slot->used = true;
    if (!slot->formula.n)
        return cell(s, slot, s->row[slot->table]);
    if (!sum_value(slot->formula, number_of, s, &v, &fault))
        diags_error(s->d, slot->key->at, "the formula of '%.*s' cannot be computed: %s",
                    STR_ARG(slot->name), fault);
    return str_of(arena_printf(s->a, "%.15g", v));
}

/* ---- conditions ---- */

/* Number of combinations of rows of the touched tables. */
static size_t combinations(const struct slots *s)
{
    size_t n = 1;

    for (size_t t = 0; t < s->ntables && n <= COMBINATIONS_MAX; t++)
        n *= s->touched[t] ? s->tables[t].nrows : 1;
    return n;
}

/* Advances to the next combination; false after the last. */
static bool step(struct slots *s)
{
    for (size_t t = 0; t < s->ntables; t++) {
        if (!s->touched[t])
            continue;
        if (++s->row[t] < s->tables[t].nrows)
            return true;
        s->row[t] = 0;
    }
    return false;
}

static const char *row_text(struct slots *s)
{
    const char *out = "";

    for (size_t i = 0; i < s->n; i++)
        if (!s->v[i].formula.n && s->touched[s->v[i].table])
            out = arena_printf(s->a, "%s%s%.*s: %.*s", out, *out ? ", " : "", STR_ARG(s->v[i].name),
                               STR_ARG(cell(s, &s->v[i], s->row[s->v[i].table])));
    return out;
}

/* Checks a condition, or that an expression can be evaluated, for every possible form. */
static void check_hold(struct slots *s, struct str text, struct place at, bool compares)
{
    const char *fault = NULL;
    double v = 0;

    memset(s->touched, 0, sizeof s->touched);
    do {
        if (!sum_value(text, number_of, s, &v, &fault))
            diags_error(s->d, at, "'%.*s' cannot be computed: %s", STR_ARG(utf8_head(text, 80)),
                        fault);
        else if (compares && v != 1)
            diags_error(s->d, at, "'%.*s' does not hold with %s", STR_ARG(utf8_head(text, 80)),
                        row_text(s));
        else if (combinations(s) > COMBINATIONS_MAX)
            diags_error(s->d, at, "too many combinations: at most %d are allowed",
                        COMBINATIONS_MAX);
        else
            continue;
        break;
    } while (step(s));
    memset(s->row, 0, sizeof s->row);
}

static void check_holds(struct slots *s, const struct node *n)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i].formula.n)
            check_hold(s, s->v[i].formula, s->v[i].key->at, false);
    if (!n)
        return;
    if (n->kind != NODE_LIST || n->n > HOLDS_MAX) {
        diags_error(s->d, n->at, "expected a list of at most %d statements: [\"a + b = c\"]",
                    HOLDS_MAX);
        return;
    }
    for (const struct node *m = n->first; m; m = m->next)
        if (m->kind != NODE_SCALAR || !sum_compares(m->text))
            diags_error(s->d, m->at, "expected a comparison: \"a + b = c\", \"a < b\"");
        else
            check_hold(s, m->text, m->at, true);
}

/* ---- filling ---- */

static bool stays(struct str key)
{
    return str_is(key, "id") || str_is(key, "character") || str_is(key, "card");
}

static bool is_own(struct str key)
{
    return str_is(key, "slots") || str_is(key, "holds");
}

/* The text with its slots filled or, with `blank`, with a line break for each. */
static struct str fill_text(struct slots *s, const struct node *n, bool blank)
{
    AUTO(buf_done) struct buf b = BUF_MAX(PROMPT_MAX);
    size_t at = 0, from = 0, begin;
    struct str name;

    while (prompt_next(n->text, &at, &name, &begin)) {
        struct slot *slot = blank ? NULL : find(s, name);
        if (!slot && !blank) {
            diags_error(s->d, n->at, "the item has no slot '%.*s'", STR_ARG(utf8_head(name, 40)));
            continue;
        }
        buf_add(&b, (struct str){n->text.p + from, begin - from});
        buf_add(&b, slot ? value_of(s, slot) : STR("\n"));
        from = at;
    }
    if (from == 0)
        return n->text;
    buf_add(&b, str_from(n->text, from));
    return arena_str(s->a, buf_str(&b));
}

static struct node *fill(struct slots *s, const struct node *n, bool top)
{
    struct node *out = arena_copy(s->a, n, 1, sizeof *n), **tail = &out->first;

    out->next = NULL;
    if (n->kind == NODE_SCALAR) {
        out->text = fill_text(s, n, false);
        return out;
    }
    *tail = NULL;
    for (const struct node *m = n->first; m; m = m->next) {
        if (top && is_own(m->key->text)) {
            out->n--;
            continue;
        }
        *tail = top && stays(m->key->text) ? arena_copy(s->a, m, 1, sizeof *m) : fill(s, m, false);
        tail = &(*tail)->next;
        *tail = NULL;
    }
    return out;
}

/* ---- published values outside their slots ---- */

/* True if the text contains the word, as a whole word in scripts that separate words. */
static bool stands_in(struct str text, struct str word)
{
    if (word.n == 0)
        return false;
    for (size_t at = 0, hit; (hit = str_find(str_from(text, at), word)) != SIZE_MAX; at++) {
        at += hit;
        if (!(at > 0 && str_alnum(text.p[at - 1]) && str_alnum(word.p[0])) &&
            !(at + word.n < text.n && str_alnum(text.p[at + word.n]) &&
              str_alnum(word.p[word.n - 1])))
            return true;
    }
    return false;
}

static void look_for_published(struct slots *s, const struct node *n)
{
    struct str text;

    for (const struct node *m = n->kind == NODE_SCALAR ? NULL : n->first; m; m = m->next)
        if (!m->key || (!is_own(m->key->text) && !stays(m->key->text)))
            look_for_published(s, m);
    if (n->kind != NODE_SCALAR)
        return;
    text = fill_text(s, n, true);
    for (size_t i = 0; i < s->n; i++) {
        struct str value = s->v[i].formula.n ? STR("") : str_trim(cell(s, &s->v[i], 0));
        if (utf8_count(value) > 1 && stands_in(text, value))
            diags_warn(s->d, n->at,
                       "'%.*s' appears here outside its slot '%.*s': other forms keep it",
                       STR_ARG(utf8_head(value, 40)), STR_ARG(s->v[i].name));
    }
}

/* ---- forms ---- */

static void draw(struct slots *s, const struct node *item, int64_t form)
{
    struct str id = node_text(field_get(item, "id"), STR(""), s->d);

    for (size_t t = 0; t < s->ntables && form; t++) {
        const int64_t ids[] = {(int64_t)hash_u64_of(id), s->tables[t].draw};
        struct rng rng = rng_keyed((uint64_t)form, "form", ids, COUNT(ids));
        s->row[t] = 1 + (size_t)rng_below(&rng, s->tables[t].nrows - 1);
    }
}

const struct node *slot_fill(struct arena *a, const struct node *item, int64_t form,
                             struct diags *d)
{
    const struct node *map = own(item, "slots"), *holds = own(item, "holds");
    size_t errors = d->errors;
    struct slots *s;
    struct node *out;

    if (!map && holds)
        diags_error(d, holds->key->at, "'holds' is about slots, but the item has none");
    if (!map)
        return d->errors == errors ? item : NULL;
    if (!field_get(item, "id"))
        diags_error(d, item->at, "an item with slots needs an 'id', by which its forms are drawn");
    s = NEW(a, struct slots);
    s->a = a;
    s->d = d;
    read_slots(s, map);
    if (d->errors == errors)
        check_holds(s, holds);
    if (d->errors != errors)
        return NULL;
    look_for_published(s, item);
    draw(s, item, form);
    out = fill(s, item, true);
    for (size_t i = 0; i < s->n && d->errors == errors; i++)
        if (!s->v[i].used)
            diags_error(d, s->v[i].key->at, "nothing uses the slot '%.*s'", STR_ARG(s->v[i].name));
    return d->errors == errors ? out : NULL;
}
