#include "base/doc.h"

#include <libfyaml.h>

#include "base/asset.h"
#include "base/file.h"
#include "base/message.h"

enum {
    DEPTH_MAX = 64,
    NODES_MAX = 500000,
    FOUND_MAX = 40, /* code points of a key in a message */
};

/* A list or map that is still open. */
struct frame {
    struct node *node, *last;
    struct node *key; /* of the next value */
    bool drop;        /* that value belongs to a duplicate key */
    char opener;      /* its first byte: a bracket, or anything for a block */
    struct map seen;
};

/* A byte offset with its line and column. It moves from node to node, so that a long line is
 * scanned once and not once per node. */
struct cursor {
    size_t pos;
    int line, column;
};

struct builder {
    struct arena *arena, *scratch;
    const struct source *source;
    struct str text; /* of the source, without BOM */
    struct diags *diags;
    struct cursor cursor;
    struct place last; /* of the previous node: for things without a place of their own */
    struct frame stack[DEPTH_MAX];
    size_t depth, nodes;
    struct node *root;
    bool stopped; /* by a fault after which there is no tree */
};

static void diag_freep(struct fy_diag **d)
{
    fy_diag_destroy(*d);
}

static void parser_freep(struct fy_parser **p)
{
    fy_parser_destroy(*p);
}

static struct cursor cursor_to(struct cursor c, struct str text, size_t pos)
{
    bool crossed = false; /* backwards into the line before */

    while (c.pos < pos && c.pos < text.n) {
        unsigned char b = (unsigned char)text.p[c.pos++];
        c.column = b == '\n' ? 1 : c.column + ((b & 0xC0) != 0x80);
        c.line += b == '\n';
    }
    while (c.pos > pos) {
        unsigned char b = (unsigned char)text.p[--c.pos];
        c.column -= (b & 0xC0) != 0x80;
        c.line -= b == '\n';
        crossed = crossed || b == '\n';
    }
    if (crossed) {
        size_t start = pos;
        while (start > 0 && text.p[start - 1] != '\n')
            start--;
        c.column = 1 + (int)utf8_count((struct str){text.p + start, pos - start});
    }
    return c;
}

/* The place of bytes [from, to), up to the end of the first line. */
static struct place mark_of(struct builder *b, size_t from, size_t to)
{
    struct str part;
    const char *end;

    b->cursor = cursor_to(b->cursor, b->text, from);
    if (to > b->text.n)
        to = b->text.n;
    part = (struct str){b->text.p + b->cursor.pos, to > b->cursor.pos ? to - b->cursor.pos : 0};
    end = part.n ? memchr(part.p, '\n', part.n) : NULL;
    if (end)
        part.n = (size_t)(end - part.p);
    return (struct place){.source = b->source,
                          .line = b->cursor.line,
                          .column = b->cursor.column,
                          .width = part.n ? (int)utf8_count(str_trim(part)) : 1};
}

static bool is_quoted(enum fy_scalar_style style)
{
    return style != FYSS_PLAIN && style != FYSS_ANY;
}

/* The place of an event, including quotes, without indentation. */
static struct place event_mark(struct builder *b, struct fy_event *event)
{
    const struct fy_mark *start = fy_event_start_mark(event), *end = fy_event_end_mark(event);
    size_t from, to;

    if (!start || !end)
        return b->last;
    from = start->input_pos;
    to = end->input_pos;
    if (event->type == FYET_SCALAR) {
        enum fy_scalar_style style = fy_scalar_token_get_style(event->scalar.value);
        if ((style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) && from > 0) {
            from--;
            to++;
        }
        while (is_quoted(style) && from < to && from < b->text.n && b->text.p[from] == ' ')
            from++;
    }
    b->last = mark_of(b, from, to);
    return b->last;
}

static void stop(struct builder *b, struct place at, const char *what)
{
    diags_error(b->diags, at, "%s", what);
    b->stopped = true;
}

static struct frame *top(struct builder *b)
{
    return b->depth ? &b->stack[b->depth - 1] : NULL;
}

static bool expects_key(struct builder *b)
{
    struct frame *f = top(b);

    return f && f->node->kind == NODE_MAP && !f->key;
}

static void take_key(struct builder *b, struct node *key)
{
    struct frame *f = top(b);

    f->drop = node_has(f->node, key, &f->seen, b->scratch);
    if (f->drop)
        diags_error(b->diags, key->at, "the key '%.*s' appears twice in this map",
                    STR_ARG(utf8_head(key->text, FOUND_MAX)));
    f->key = key;
}

static void take_value(struct builder *b, struct node *n)
{
    struct frame *f = top(b);

    if (!f) {
        b->root = n;
        return;
    }
    n->key = f->key;
    f->key = NULL;
    if (f->drop) {
        f->drop = false;
        return;
    }
    if (f->last)
        f->last->next = n;
    else
        f->node->first = n;
    f->last = n;
    f->node->n++;
}

static struct node *add_node(struct builder *b, enum node_kind kind, struct place at)
{
    struct node *n = node_new(b->arena, kind, at);

    if (++b->nodes > NODES_MAX)
        stop(b, at, N_("the document has too many parts"));
    return n;
}

static void on_open(struct builder *b, enum node_kind kind, struct place at)
{
    struct str rest = str_from(b->text, b->cursor.pos);
    char opener = '\0';
    struct node *n;

    if (rest.n)
        opener = rest.p[0];

    if (expects_key(b)) {
        stop(b, at, N_("a key must be text, not a list or a map"));
        return;
    }
    if (b->depth == DEPTH_MAX) {
        stop(b, at, N_("the document is nested too deeply"));
        return;
    }
    n = add_node(b, kind, at);
    take_value(b, n);
    b->stack[b->depth++] = (struct frame){.node = n, .opener = opener};
}

static void on_scalar(struct builder *b, struct fy_event *event, struct place at)
{
    struct fy_token *token = event->type == FYET_SCALAR ? event->scalar.value : NULL;
    struct node *n = add_node(b, NODE_SCALAR, at);
    struct str text = {"", 0};

    if (token) {
        text.p = fy_token_get_text(token, &text.n);
        n->quoted = is_quoted(fy_scalar_token_get_style(token));
    }
    if (!text.p || utf8_check(text) != text.n || memchr(text.p, '\0', text.n)) {
        stop(b, at, N_("an escape in this text makes a character that text cannot hold"));
        return;
    }
    n->text = arena_str(b->arena, text);
    if (expects_key(b))
        take_key(b, n);
    else
        take_value(b, n);
}

static void refuse_extras(struct builder *b, struct fy_event *event, struct place at)
{
    if (event->type == FYET_ALIAS)
        diags_error(b->diags, at, "aliases (*name) are not supported; write the value out");
    else if (fy_event_get_anchor_token(event))
        diags_error(b->diags, at, "anchors (&name) are not supported");
    else if (fy_event_get_tag_token(event))
        diags_error(b->diags, at, "tags (!name) are not supported");
}

static void on_event(struct builder *b, struct fy_event *event)
{
    struct place at = event_mark(b, event);

    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (b->root)
            stop(b, at, N_("a second document begins here; a file holds one"));
        break;
    case FYET_MAPPING_START:
    case FYET_SEQUENCE_START:
        refuse_extras(b, event, at);
        on_open(b, event->type == FYET_MAPPING_START ? NODE_MAP : NODE_LIST, at);
        break;
    case FYET_SCALAR:
    case FYET_ALIAS:
        refuse_extras(b, event, at);
        on_scalar(b, event, at);
        break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        if (b->depth)
            b->depth--;
        break;
    case FYET_NONE:
    case FYET_STREAM_START:
    case FYET_STREAM_END:
    case FYET_DOCUMENT_END:
        break;
    }
}

/* The most common mistakes: the library's words, ours, and how many columns before the library's
 * place the fault is. */
struct wording {
    const char *theirs, *ours;
    int before;
};

static const struct wording *wording_of(const char *msg)
{
    static const struct wording table[] = {
        {"invalid multiline plain key",
         N_("bad indentation, or a ':' is missing: this text runs on into a line that has a key"),
         0},
        {"invalid nested block mapping on the same line",
         N_("a value that contains ': ' must be in quotes"), 0},
        {"plain scalar cannot start", N_("text that begins with this must be in quotes"), 0},
        {"block sequence on the same line as a mapping key",
         N_("a list written with '-' must begin on a new line"), 0},
        {"quoted scalar without closing quote", N_("the quote opened here is not closed"), 1},
        {"wrong indendation in sequence while in mapping", N_("bad indentation"), 0},
        {"invalid indentation in mapping", N_("bad indentation"), 0},
        {"invalid scalar at the end of block sequence", N_("bad indentation, or a '-' is missing"),
         0},
        {"missing document start", N_("text after the end of the document"), 0},
    };

    for (size_t i = 0; i < COUNT(table); i++)
        if (strstr(msg, table[i].theirs))
            return &table[i];
    return NULL;
}

/* Whether the fault is that the text ends too early. */
static bool at_end(struct builder *b, const struct fy_diag_error *error)
{
    size_t n = b->text.n;

    while (n > 0 && str_trim((struct str){b->text.p + n - 1, 1}).n == 0)
        n--;
    struct cursor end = cursor_to((struct cursor){0, 1, 1}, b->text, n);
    return error->line > end.line || (error->line == end.line && error->column >= end.column);
}

/* Column of a tab in the indentation of a line, both from 1; 0: none. */
static int tab_in(struct builder *b, int number)
{
    struct str rest = b->text, line = {0};
    size_t spaces = 0;

    for (int i = 0; i < number; i++)
        if (!str_line(&rest, &line))
            return 0;
    while (spaces < line.n && line.p[spaces] == ' ')
        spaces++;
    return spaces < line.n && line.p[spaces] == '\t' ? (int)spaces + 1 : 0;
}

/* The library counts lines from 1, within the text that it was given. */
static struct place place_at(const struct builder *b, int line, int column)
{
    return (struct place){.source = b->source,
                          .line = line + b->source->first_line - 1,
                          .column = column > 0 ? column : 1,
                          .width = 1};
}

/* True if the fault is a tab. The library points after it, takes its line for a continuation of the
 * text above, or blames what follows. */
static bool take_tab(struct builder *b, const struct fy_diag_error *error)
{
    bool named = strstr(error->msg, "tab ") || strstr(error->msg, "tabs ");
    bool above = strstr(error->msg, "invalid multiline plain key");
    bool behind = strstr(error->msg, "plain scalar cannot start");
    int line = error->line + above, column = tab_in(b, line);

    if (!named && !((above || behind) && column))
        return false;
    stop(b, place_at(b, line, column ? column : error->column),
         N_("a tab in the indentation, where YAML allows only spaces; replace it with spaces"));
    return true;
}

static void take_error(struct builder *b, const struct fy_diag_error *error)
{
    const struct wording *w = wording_of(error->msg);
    const struct frame *f = top(b);

    if (at_end(b, error) && f && (f->opener == '[' || f->opener == '{')) {
        diags_error(b->diags, f->node->at, "this '%c' is not closed", f->opener);
        b->stopped = true;
        return;
    }
    if (!take_tab(b, error))
        stop(b, place_at(b, error->line, error->column - (w ? w->before : 0)),
             w ? w->ours : error->msg);
}

static void run_parser(struct builder *b)
{
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    AUTO(diag_freep) struct fy_diag *diag = fy_diag_create(&quiet);
    fy_diag_set_collect_errors(diag, true);
    struct fy_parse_cfg cfg = {
        .flags = FYPCF_QUIET | FYPCF_JSON_NONE | FYPCF_SLOPPY_FLOW_INDENTATION, .diag = diag};
    AUTO(parser_freep) struct fy_parser *parser = fy_parser_create(&cfg);
    const struct fy_diag_error *error;
    struct fy_event *event;
    void *at = NULL;

    if (!parser || fy_parser_set_string(parser, b->text.p, b->text.n) != 0) {
        stop(b, (struct place){.source = b->source}, N_("cannot start the YAML parser"));
        return;
    }
    while (!b->stopped && (event = fy_parser_parse(parser)) != NULL) {
        on_event(b, event);
        fy_parser_event_free(parser, event);
    }
    while (!b->stopped && (error = fy_diag_errors_iterate(diag, &at)) != NULL)
        if (error->type == FYET_ERROR)
            take_error(b, error);
    if (!b->stopped && fy_parser_get_stream_error(parser))
        stop(b, b->last, "not YAML");
}

/* Refuses what the parser would take for the end of the text, and directives, each of which it
 * compares with all others. */
static bool is_text(struct builder *b)
{
    size_t bad = utf8_check(b->text);

    if (bad < b->text.n) {
        stop(b, mark_of(b, bad, bad + 1), N_("not valid UTF-8; save the file as UTF-8"));
        return false;
    }
    for (size_t i = 0; i < b->text.n; i++) {
        unsigned char c = (unsigned char)b->text.p[i];
        const char *what = NULL;
        if (c < ' ' && c != '\t' && c != '\n' && c != '\r')
            what = N_("a control character is not text");
        else if (c == '%' && (i == 0 || b->text.p[i - 1] == '\n' || b->text.p[i - 1] == '\r'))
            what = "a line that begins with '%' is a directive, which is not used here";
        if (what) {
            stop(b, mark_of(b, i, i + 1), what);
            return false;
        }
    }
    return true;
}

struct node *doc_parse(struct arena *a, const struct source *source, struct diags *d)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct builder *b = NEW(scratch, struct builder);

    b->arena = a;
    b->scratch = scratch;
    b->source = source;
    b->diags = d;
    b->text = str_unmarked(source->text);
    b->cursor = (struct cursor){0, source->first_line, 1};
    b->last = (struct place){.source = source, .line = source->first_line, .column = 1};
    if (b->text.n > DOC_MAX)
        stop(b, (struct place){.source = source}, N_("the file is too large"));
    else if (str_trim(b->text).n == 0)
        stop(b, (struct place){.source = source}, "the file is empty");
    else if (is_text(b))
        run_parser(b);
    if (!b->stopped && !b->root)
        stop(b, (struct place){.source = source}, "the file is empty");
    return b->stopped ? NULL : b->root;
}

struct node *doc_load(struct arena *a, const char *path, struct place from, struct diags *d)
{
    struct source *source = NEW(a, struct source);
    struct err e = {0};

    source->path = arena_text(a, str_of(path));
    source->first_line = 1;
    if (file_read(a, path, DOC_MAX, &source->text, &e) != OK) {
        diags_error(d, from, "%s", e.msg);
        return NULL;
    }
    return doc_parse(a, source, d);
}

struct node *doc_built_in(struct arena *a, const char *name, struct diags *d)
{
    const struct asset *asset = asset_find(name);
    struct source *source = NEW(a, struct source);

    if (!asset)
        return NULL;
    *source = (struct source){.path = asset->name, .text = asset->bytes, .first_line = 1};
    return doc_parse(a, source, d);
}
