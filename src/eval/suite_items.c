/* Items, one by one, from wherever they are.
 *
 * Data files are large and nearly always good, so a line is read the fast way, without places, and
 * its faults are thrown away; only when there were any is the line read again slowly, by the parser
 * that knows columns, to say them properly. */
#include <stdlib.h>

#include "base/csv.h"
#include "base/file.h"
#include "base/map.h"
#include "eval/id_set.h"
#include "eval/paper.h"
#include "eval/prompt.h"
#include "eval/suite_read.h"
#include "eval/tag.h"

enum {
    LINE_BYTES_MAX = 1 << 20,
    ITEMS_MAX = 10000000,
    TURNS_MAX = 1000,
    VARS_MAX = 1000,
    KEYS_MAX = 10000, /* keys that are remembered as looked at */
    NEED_FAULTS = 20, /* items named per missing name of a template */
    ITEM_ID_MAX = 200,
};

/* A name of the template, or of a system message by tag, that items must fill themselves. */
struct need {
    struct str name;
    const struct str *system; /* only items that get this message; NULL: all */
    int faults;
    struct need *next;
};

struct item_reader {
    const struct suite *suite;
    const struct item_source *from;
    struct diags *d;
    struct arena *scratch; /* of one item */
    struct arena *kept;    /* of the reader */
    struct need *needs;
    struct map keys; /* unknown keys that were looked at */
    struct id_set ids;
    struct suite_draw *draw; /* NULL: every item is used */
    int64_t position;        /* of the item last read, from 1 */
    int64_t used;            /* items handed out */
    int untagged;            /* items reported for having no system message */
    const struct node *file; /* the suite's; may be NULL */
    bool wants_topic;        /* a template names it */
    bool ended;
    bool open; /* `from` is being read */
    bool told; /* why there are no items */
    const struct node *inline_next;
    struct lines lines;
    struct csv csv;
    struct str *columns; /* of the CSV file */
    size_t ncolumns;
};

/* Whether faults are only looked for, or said. */
enum pass { PASS_PROBE, PASS_REPORT };

struct check {
    struct item_reader *r;
    struct diags *d;
    enum pass pass;
};

/* ---- one item ---- */

static const char *const item_keys[] = {"id", "prompt", "reference", "character", "turns"};

static bool is_item_key(struct str key)
{
    for (size_t i = 0; i < COUNT(item_keys); i++)
        if (str_is(key, item_keys[i]))
            return true;
    return false;
}

/* A key of the user's own is welcome; one that looks like a slip for ours gets one warning. */
static void look_at_key(struct check *c, const struct node *key)
{
    struct item_reader *r = c->r;
    const char *near;

    if (map_get(&r->keys, key->text) || r->keys.n >= KEYS_MAX)
        return;
    near = diag_suggest(key->text, item_keys, COUNT(item_keys));
    if (near)
        diags_warn(c->d, key->at, "the key '%.*s' is not '%s': is that what was meant?",
                   STR_ARG(utf8_head(key->text, 40)), near);
    else if (suite_knows(key->text))
        diags_warn(c->d, key->at, "templates take '%.*s' from the suite, not from the item",
                   STR_ARG(key->text));
    if (c->pass == PASS_REPORT || (!near && !suite_knows(key->text)))
        (void)map_put(&r->keys, key->text, r);
}

static bool has_var(const struct item *item, struct str name)
{
    for (size_t i = 0; i < item->nvars; i++)
        if (str_is(name, item->vars[i].name))
            return true;
    return false;
}

/* The second half of a tag; where tags choose the system message there always is one. */
static void add_topic(struct check *c, struct item_var *vars, struct item *out)
{
    struct str topic = tag_read(tag_member(out, "tag")).topic;

    if (c->r->wants_topic && !has_var(out, STR("topic")) &&
        (has_var(out, STR("tag")) || c->r->suite->elicit.systems))
        vars[out->nvars++] = (struct item_var){"topic", topic};
}

static void read_vars(struct check *c, const struct node *n, struct item *out)
{
    struct arena *a = c->r->scratch;
    struct item_var *vars = NEW_N(a, struct item_var, n->n + 1); /* and a topic */

    if (n->n > VARS_MAX) {
        diags_error(c->d, n->at, "an item has at most %d keys", VARS_MAX);
        return;
    }
    for (const struct node *m = n->first; m; m = m->next) {
        if (is_item_key(m->key->text))
            continue;
        look_at_key(c, m->key);
        if (m->kind != NODE_SCALAR)
            diags_warn(c->d, m->key->at, "'%.*s' is a %s, which no template can name: passed over",
                       STR_ARG(utf8_head(m->key->text, 40)), m->kind == NODE_LIST ? "list" : "map");
        else if (!node_is_null(m))
            vars[out->nvars++] =
                (struct item_var){arena_text(a, m->key->text), field_plain(a, m, c->d)};
    }
    out->vars = vars;
    add_topic(c, vars, out);
}

static void read_turn(struct check *c, const struct node *n, struct item_turn *out)
{
    static const char *const keys[] = {"role", "text"}, *const roles[] = {"user", "assistant"};

    *out = (struct item_turn){.role = roles[0], .text = STR("")};
    if (!node_keys(n, keys, COUNT(keys), c->d))
        return;
    if (!field_get(n, "role") || !field_get(n, "text"))
        diags_error(c->d, n->at, "a turn has a 'role' (user, assistant) and a 'text'");
    out->role = roles[node_choice(field_get(n, "role"), roles, COUNT(roles), 0, c->d)];
    out->text = field_plain(c->r->scratch, field_get(n, "text"), c->d);
}

static void read_turns(struct check *c, const struct node *n, struct item *out)
{
    struct item_turn *turns;

    if (!n)
        return;
    if (n->kind != NODE_LIST || n->n > TURNS_MAX) {
        diags_error(c->d, n->at, "expected a list of at most %d turns {role, text}", TURNS_MAX);
        return;
    }
    turns = NEW_N(c->r->scratch, struct item_turn, n->n);
    for (const struct node *m = n->first; m; m = m->next)
        read_turn(c, m, &turns[out->nturns++]);
    out->turns = turns;
}

/* The prompt; where there is none, the user turn at the end of the dialogue is the prompt, or,
 * where tags choose the system message, the tag as it was written. */
static void read_prompt(struct check *c, const struct node *n, struct item *out)
{
    const struct node *prompt = field_get(n, "prompt"), *tag = field_get(n, "tag");

    out->prompt = field_plain(c->r->scratch, prompt, c->d);
    if (!prompt && out->nturns && strcmp(out->turns[out->nturns - 1].role, "user") == 0)
        out->prompt = out->turns[--out->nturns].text;
    else if (!prompt && tag && c->r->suite->elicit.systems)
        out->prompt = field_plain(c->r->scratch, tag, c->d);
    else if (!prompt)
        diags_error(c->d, n->at, "the item has no 'prompt'");
    else if (out->prompt.n == 0 && prompt->kind == NODE_SCALAR)
        diags_error(c->d, prompt->at, "the prompt is empty");
}

static void read_id(struct check *c, const struct node *n, struct item *out)
{
    const struct node *id = field_get(n, "id");
    struct arena *a = c->r->scratch;
    struct str text = node_text(id, STR(""), c->d);
    bool good = text.n <= ITEM_ID_MAX && str_trim(text).n == text.n;

    out->id = arena_printf(a, "%lld", (long long)c->r->position);
    for (size_t i = 0; i < text.n; i++)
        good = good && (unsigned char)text.p[i] >= ' ' && text.p[i] != 0x7F;
    if (id && text.n == 0 && id->kind == NODE_SCALAR)
        diags_error(c->d, id->at, "the id is empty");
    else if (id && !good)
        diags_error(c->d, id->at,
                    "an id is at most %d bytes, without control characters or space around it",
                    ITEM_ID_MAX);
    else if (text.n)
        out->id = arena_text(a, text);
    if (id_set_has(&c->r->ids, str_of(out->id)))
        diags_error(c->d, id ? id->at : n->at, "another item has the id '%s'", out->id);
}

static void read_item_character(struct check *c, const struct node *n, struct item *out)
{
    const struct suite *s = c->r->suite;
    const struct node *m = field_get(n, "character");
    struct str id = node_text(m, STR(""), c->d);
    const char **ids, *near;

    if (!m || m->kind != NODE_SCALAR)
        return;
    ids = (const char **)arena_array(c->r->scratch, s->ncharacters + 1, sizeof *ids);
    for (size_t i = 0; i < s->ncharacters; i++) {
        ids[i] = s->characters[i].id;
        if (str_is(id, ids[i])) {
            out->character = ids[i];
            return;
        }
    }
    near = diag_suggest(id, ids, s->ncharacters);
    if (near)
        diags_error(c->d, m->at, "the suite has no character '%.*s' (did you mean '%s'?)",
                    STR_ARG(utf8_head(id, 40)), near);
    else
        diags_error(c->d, m->at, "the suite has no character '%.*s'", STR_ARG(utf8_head(id, 40)));
}

/* A name in the template that no item fills would be said once per item: stop after some. */
static void check_needs(struct check *c, const struct node *n, const struct item *item)
{
    const struct str *system = tag_system(&c->r->suite->elicit, item);

    for (struct need *need = c->r->needs; need; need = need->next) {
        const char *near;
        if ((need->system && need->system != system) || has_var(item, need->name))
            continue;
        if (need->faults >= NEED_FAULTS) {
            c->d->errors++;
            continue;
        }
        need->faults += c->pass == PASS_REPORT;
        near = diag_suggest(need->name, suite_names, SUITE_NAMES);
        diags_error(c->d, n->at, "the item has no '%.*s', which the template '%s' names%s%s%s",
                    STR_ARG(utf8_head(need->name, 40)),
                    need->system ? "systems" : c->r->suite->elicit.template.name,
                    near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    }
}

/* Where tags choose the system message, every item must find one. */
static void check_system(struct check *c, const struct node *n, const struct item *item)
{
    const struct elicit *e = &c->r->suite->elicit;
    const struct node *tag = field_get(n, "tag");
    const char **kinds, *near;
    struct str kind;

    if (tag_system(e, item))
        return;
    if (c->r->untagged >= NEED_FAULTS) {
        c->d->errors++;
        return;
    }
    c->r->untagged += c->pass == PASS_REPORT;
    kinds = (const char **)arena_array(c->r->scratch, e->nsystems, sizeof *kinds);
    for (size_t i = 0; i < e->nsystems; i++)
        kinds[i] = arena_text(c->r->scratch, e->systems[i].kind);
    kind = utf8_head(tag_read(tag_member(item, "tag")).kind, 40);
    near = diag_suggest(kind, kinds, e->nsystems);
    if (!tag)
        diags_error(c->d, n->at, "the item has no 'tag', and 'systems' has no default");
    else
        diags_error(
            c->d, tag->at, "'systems' has no message for the kind '%.*s'%s%s%s, and no default",
            STR_ARG(kind), near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

/* False when the item has a fault. */
static bool read_item(struct check *c, const struct node *n, struct item *out)
{
    size_t errors = c->d->errors;
    struct item item = {.reference = STR("")};

    if (n->kind != NODE_MAP) {
        diags_error(c->d, n->at, "expected an item: a map with 'prompt', 'reference', ...");
        return false;
    }
    read_id(c, n, &item);
    read_turns(c, field_get(n, "turns"), &item);
    read_prompt(c, n, &item);
    item.reference = field_plain(c->r->scratch, field_get(n, "reference"), c->d);
    read_item_character(c, n, &item);
    read_vars(c, n, &item);
    check_needs(c, n, &item);
    check_system(c, n, &item);
    if (c->d->errors != errors)
        return false;
    *out = item;
    return true;
}

/* ---- from files ---- */

/* An item as a data file has it. */
struct raw {
    struct str text; /* as shown with a fault */
    int64_t line;
    const json_t *json; /* NULL: the CSV record at hand */
};

static struct node *csv_node(struct item_reader *r, struct place at)
{
    struct node *map = NEW(r->scratch, struct node), **tail = &map->first;

    map->kind = NODE_MAP;
    map->at = at;
    for (size_t i = 0; i < r->ncolumns && i < r->csv.n; i++) {
        struct node *both;
        if (r->csv.fields[i].n == 0)
            continue; /* an empty cell is no value */
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

static const struct node *raw_node(struct item_reader *r, const struct raw *raw, struct place at)
{
    return raw->json ? doc_from_json(r->scratch, raw->json, at) : csv_node(r, at);
}

/* Part of a file, kept as long as the faults that show it. */
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
    struct check say = {.r = r, .d = r->d, .pass = PASS_REPORT};
    const struct node *n = NULL;
    struct diags probe;

    diags_init(&probe, r->scratch);
    if (raw->json)
        n = doc_parse(r->scratch, source, &probe);
    if (!n || probe.errors) /* good JSON need not be good YAML */
        n = raw_node(r, raw, (struct place){.source = source, .line = source->first_line});
    return read_item(&say, n, out);
}

static bool accept_raw(struct item_reader *r, const struct raw *raw, struct item *out)
{
    struct diags probe;
    struct check look = {.r = r, .d = &probe, .pass = PASS_PROBE};
    bool good;

    diags_init(&probe, r->scratch);
    good = read_item(&look, raw_node(r, raw, (struct place){0}), out);
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
    if (r->from->format == ITEMS_JSONL)
        lines_close(&r->lines);
    else if (r->from->format == ITEMS_CSV)
        csv_close(&r->csv);
    r->from = r->from->next;
    r->open = false;
}

/* A fault after which the rest of the file cannot be read. */
static void give_up_source(struct item_reader *r, const struct err *e)
{
    diags_error(r->d, (struct place){0}, "%s", e->msg);
    r->told = true;
    leave_source(r);
}

/* ---- JSONL ---- */

static bool jsonl_item(struct item_reader *r, struct str line, struct item *out)
{
    struct json_fault fault = {0};
    AUTO(json_freep) json_t *j = json_read_at(line, &fault);
    struct raw raw = {.text = line, .line = r->lines.number, .json = j};
    struct place at = {.line = (int)raw.line, .column = fault.column, .width = 1};

    if (j)
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

    if (lines_next(&r->lines, &line, &more, &e) != OK) {
        give_up_source(r, &e);
        return false;
    }
    if (!more) {
        leave_source(r);
        return false;
    }
    if (str_trim(line).n == 0)
        return false;
    r->position++;
    return jsonl_item(r, line, out);
}

/* ---- CSV ---- */

static void csv_fault(struct item_reader *r, const char *what)
{
    struct source *source;

    if (!has_room(r->d)) {
        r->d->errors++;
        return;
    }
    source = keep_source(r, STR(""), r->csv.line);
    diags_error(r->d, (struct place){.source = source, .line = source->first_line}, "%s", what);
}

/* The header row. */
static void csv_columns(struct item_reader *r)
{
    const char *fault = r->csv.n > VARS_MAX ? "too many columns" : NULL;

    r->columns = NEW_N(r->kept, struct str, r->csv.n);
    r->ncolumns = fault ? 0 : r->csv.n;
    for (size_t i = 0; i < r->ncolumns; i++) {
        r->columns[i] = arena_str(r->kept, str_trim(r->csv.fields[i]));
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

    if (csv_next(&r->csv, &more, &e) != OK) {
        give_up_source(r, &e);
        return false;
    }
    if (!more) {
        leave_source(r);
        return false;
    }
    if (!r->columns) {
        csv_columns(r);
        return false;
    }
    return (r->csv.n != 1 || r->csv.fields[0].n != 0) && csv_item(r, out);
}

/* ---- the reader ---- */

static bool inline_next(struct item_reader *r, struct item *out)
{
    struct check say = {.r = r, .d = r->d, .pass = PASS_REPORT};
    const struct node *n = r->inline_next;

    r->inline_next = n->next;
    if (!n->next)
        leave_source(r);
    r->position++;
    return read_item(&say, n, out);
}

/* The next sitting. */
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

/* One line or node; true when it held a good item. */
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

static void add_needs(struct item_reader *r, struct str text, const struct str *system)
{
    size_t at = 0, begin;
    struct str name;

    while (prompt_next(text, &at, &name, &begin)) {
        struct need *need = r->needs;
        while (need && (need->system != system || !str_eq(need->name, name)))
            need = need->next;
        if (need || suite_knows(name) || suite_hides(name))
            continue;
        need = NEW(r->kept, struct need);
        *need = (struct need){.name = name, .system = system, .next = r->needs};
        r->needs = need;
        r->wants_topic = r->wants_topic || str_is(name, "topic");
    }
}

/* One that hands out every item. */
static struct item_reader *reader_new(const struct suite *s, const struct item_source *from,
                                      struct diags *d)
{
    const struct elicit *e = &s->elicit;
    struct item_reader *r = mem_new(sizeof *r);

    r->suite = s;
    r->file = from ? from->suite : NULL;
    r->from = from;
    r->told = !from; /* suite_load() has said why */
    r->d = d;
    r->scratch = arena_new();
    r->kept = arena_new();
    map_init(&r->keys, r->kept);
    add_needs(r, e->template.system, e->nsystems ? &e->template.system : NULL);
    add_needs(r, e->template.user, NULL);
    for (size_t i = 0; i < e->nsystems; i++)
        add_needs(r, e->systems[i].text, &e->systems[i].text);
    return r;
}

/* Any item that is good, used or not. */
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
        id_set_add(&r->ids, str_of(out->id));
    } else if (r->position == 0 && !r->told) {
        diags_error(r->d, (struct place){0}, "the item files hold no items");
        r->told = true;
    }
    return found;
}

/* Look at all items once to see which are drawn. What is wrong with items is said by the reader who
 * hands them out; while there are faults, a group may be short for that reason alone. */
static struct suite_draw *draw(struct item_reader *r)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct suite_draw *out = suite_pick_draw(r->kept, r->suite);
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

/* A divided sum is meant to end where a scale of 0 to 10 does. */
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

bool item_reader_next(struct item_reader *r, struct item *out)
{
    while (next_good(r, out)) {
        if (r->draw && !suite_pick_has(r->draw, out))
            continue;
        r->used++;
        return true;
    }
    if (!r->ended)
        check_sum(r);
    r->ended = true;
    return false;
}

void item_reader_free(struct item_reader *r)
{
    if (!r)
        return;
    if (r->open)
        leave_source(r);
    id_set_done(&r->ids);
    arena_free(r->scratch);
    arena_free(r->kept);
    free(r);
}
