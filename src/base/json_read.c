/* Parses strict JSON to trees, quickly, and from these to jansson values.
 *
 * Replaces jansson's own parser, which takes about 150 instructions for every byte of a string and
 * was half of the cost of a reply. The language is the same: RFC 8259, valid UTF-8, no duplicate
 * keys, no NUL, no lone surrogates, integers exact in 64 bits, finite reals. tests/fuzz/fuzz_json.c
 * compares the two. */

#include "base/doc.h"
#include "base/map.h"
#include "base/message.h"

enum { DEPTH_MAX = 256, LENT_MAX = 1500000 };

struct parser {
    struct arena *arena;
    struct str text;
    bool lent;          /* the tree borrows from the text, and numbers stay as written */
    struct place place; /* place of every node */
    size_t most, made;  /* limit on nodes (0: none), and their number */
    size_t at;
    int depth;
    const char *fault; /* the first one */
    size_t fault_at;
    struct str twice; /* the duplicate name */
    struct buf word;  /* a string whose escapes are being resolved */
};

static struct node *parse_value(struct parser *p);

static struct node *fail_at(struct parser *p, size_t at, const char *fault)
{
    if (!p->fault) {
        p->fault = fault;
        p->fault_at = at;
    }
    return NULL;
}

static struct node *fail(struct parser *p, const char *fault)
{
    return fail_at(p, p->at, fault);
}

/* The next byte, or 0 at the end. NUL is not part of JSON, so the two need not be distinguished. */
static char peek(const struct parser *p)
{
    if (p->at == p->text.n)
        return '\0';
    return p->text.p[p->at];
}

static void skip_space(struct parser *p)
{
    for (;;) {
        char c = peek(p);
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            return;
        p->at++;
    }
}

/* ---- strings ---- */

/* The value of four hexadecimal digits; -1 if there are not four. */
static int32_t hex4(struct parser *p)
{
    int32_t v = 0;

    for (int i = 0; i < 4; i++) {
        int d = str_hex(peek(p));
        if (d < 0)
            return -1;
        v = v * 16 + d;
        p->at++;
    }
    return v;
}

/* What follows \u. */
static bool parse_unicode(struct parser *p)
{
    int32_t v = hex4(p), low;

    if (v < 0)
        return fail(p, N_("expected four hexadecimal digits after \\u")) != NULL;
    if (v == 0)
        return fail(p, N_("\\u0000 is not allowed")) != NULL;
    if (v >= 0xDC00 && v <= 0xDFFF)
        return fail(p, N_("a low surrogate without a high one before it")) != NULL;
    if (v >= 0xD800 && v <= 0xDBFF) {
        if (peek(p) != '\\' || p->at + 1 >= p->text.n || p->text.p[p->at + 1] != 'u')
            return fail(p, N_("a high surrogate without a low one after it")) != NULL;
        p->at += 2;
        low = hex4(p);
        if (low < 0xDC00 || low > 0xDFFF)
            return fail(p, N_("a high surrogate without a low one after it")) != NULL;
        v = 0x10000 + ((v - 0xD800) << 10) + (low - 0xDC00);
    }
    buf_rune(&p->word, (uint32_t)v);
    return true;
}

static bool parse_escape(struct parser *p)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    char c = peek(p);
    const char *hit = c ? strchr(from, c) : NULL;

    if (c == 'u') {
        p->at++;
        return parse_unicode(p);
    }
    if (!hit)
        return fail(p, N_("unknown escape")) != NULL;
    buf_char(&p->word, to[hit - from]);
    p->at++;
    return true;
}

/* The bytes up to a quote, a backslash or a control character. */
static struct str plain_run(struct parser *p)
{
    struct str rest = str_from(p->text, p->at);
    struct str run = {rest.p, json_plain(rest)};

    p->at += run.n;
    return run;
}

/* A string after its opening quote. */
static bool parse_string(struct parser *p, struct str *out)
{
    struct str run = plain_run(p);

    if (peek(p) == '"') {
        p->at++;
        *out = p->lent ? run : arena_str(p->arena, run);
        return true;
    }
    buf_clear(&p->word);
    for (;;) {
        buf_add(&p->word, run);
        if (peek(p) == '"')
            break;
        if (peek(p) != '\\')
            return fail(p, p->at < p->text.n ? N_("a control character inside a string")
                                             : N_("the string is not closed")) != NULL;
        p->at++;
        if (!parse_escape(p))
            return false;
        run = plain_run(p);
    }
    p->at++;
    *out = arena_str(p->arena, buf_str(&p->word));
    return true;
}

static struct node *make(struct parser *p, enum node_kind kind)
{
    if (p->most && p->made++ == p->most)
        return fail(p, N_("too many values"));
    return node_new(p->arena, kind, p->place);
}

static struct node *scalar(struct parser *p, struct str text, bool quoted)
{
    struct node *n = make(p, NODE_SCALAR);

    if (n) {
        n->text = text;
        n->quoted = quoted;
    }
    return n;
}

/* ---- numbers and words ---- */

static size_t skip_digits(struct parser *p)
{
    size_t begin = p->at;

    while (peek(p) >= '0' && peek(p) <= '9')
        p->at++;
    return p->at - begin;
}

/* Scans a number; false after a fault. */
static bool scan_number(struct parser *p, bool *whole, int64_t *v, double *real)
{
    size_t begin = p->at, first;
    struct str written;

    *whole = true;
    if (peek(p) == '-')
        p->at++;
    first = p->at;
    if (skip_digits(p) == 0)
        return fail(p, N_("expected a value")) != NULL;
    if (p->text.p[first] == '0' && p->at - first > 1)
        return fail_at(p, begin, N_("a number must not begin with 0")) != NULL;
    if (peek(p) == '.') {
        *whole = false;
        p->at++;
        if (skip_digits(p) == 0)
            return fail(p, N_("expected a digit after the decimal point")) != NULL;
    }
    if (peek(p) == 'e' || peek(p) == 'E') {
        *whole = false;
        p->at++;
        if (peek(p) == '+' || peek(p) == '-')
            p->at++;
        if (skip_digits(p) == 0)
            return fail(p, N_("expected a digit in the exponent")) != NULL;
    }
    written = (struct str){p->text.p + begin, p->at - begin};
    return (*whole ? str_int(written, v) : str_double(written, real)) ||
           fail_at(p, begin, N_("the number is out of range"));
}

static struct node *parse_number(struct parser *p)
{
    size_t begin = p->at;
    struct str text;
    bool whole;
    int64_t v = 0;
    double real = 0;

    if (!scan_number(p, &whole, &v, &real))
        return NULL;
    text = (struct str){p->text.p + begin, p->at - begin};
    if (!p->lent && whole)
        text = v ? arena_str(p->arena, text) : STR("0"); /* which is also written -0 */
    else if (!p->lent)
        text = arena_str(p->arena, str_of(str_exact((char[STR_EXACT]){0}, real)));
    return scalar(p, text, false);
}

static struct node *parse_word(struct parser *p)
{
    static const struct str words[] = {{"true", 4}, {"false", 5}, {"null", 4}};

    for (size_t i = 0; i < COUNT(words); i++)
        if (peek(p) == words[i].p[0] && str_starts(str_from(p->text, p->at), words[i])) {
            p->at += words[i].n;
            return scalar(p, words[i], false);
        }
    return parse_number(p);
}

/* ---- lists and objects ---- */

/* After an element: true if another one follows. */
static bool another(struct parser *p, char close)
{
    bool more;

    skip_space(p);
    more = peek(p) == ',';
    if (more || peek(p) == close)
        p->at++;
    else
        (void)fail(p, close == ']' ? N_("expected ',' or ']'") : N_("expected ',' or '}'"));
    return more;
}

/* Parses the name of a member and the colon. */
static struct node *parse_name(struct parser *p, const struct node *object, struct map *seen)
{
    struct node *name;
    struct str text;
    size_t begin, end;

    skip_space(p);
    begin = p->at;
    if (peek(p) != '"')
        return fail(p, N_("expected a name in double quotes"));
    p->at++;
    if (!parse_string(p, &text) || !(name = scalar(p, text, true)))
        return NULL;
    end = p->at;
    skip_space(p);
    if (node_has(object, name, seen, p->arena)) {
        p->twice = (struct str){p->text.p + begin + 1, end - begin - 2};
        return fail_at(p, begin, N_("the same name appears twice in one object"));
    }
    if (peek(p) != ':')
        return fail(p, N_("expected ':'"));
    p->at++;
    return name;
}

static struct node *parse_nested(struct parser *p, enum node_kind kind)
{
    struct node *n = make(p, kind), **tail, *name = NULL;
    char close = kind == NODE_MAP ? '}' : ']';
    struct map seen = {0};

    if (!n || p->depth == DEPTH_MAX)
        return fail(p, N_("nested too deeply"));
    tail = &n->first;
    p->depth++;
    p->at++;
    skip_space(p);
    if (peek(p) == close) {
        p->at++;
    } else {
        do {
            if ((kind == NODE_MAP && !(name = parse_name(p, n, &seen))) ||
                !(*tail = parse_value(p)))
                return NULL;
            (*tail)->key = name;
            tail = &(*tail)->next;
            n->n++;
        } while (another(p, close));
    }
    p->depth--;
    return p->fault ? NULL : n;
}

static struct node *parse_value(struct parser *p)
{
    struct str s;
    char c;

    skip_space(p);
    c = peek(p);
    if (c == '[' || c == '{')
        return parse_nested(p, c == '{' ? NODE_MAP : NODE_LIST);
    if (c != '"')
        return parse_word(p);
    p->at++;
    return parse_string(p, &s) ? scalar(p, s, true) : NULL;
}

/* ---- the whole text ---- */

static struct json_fault fault_of(const struct parser *p)
{
    struct str before = {p->text.p, p->fault_at};
    struct json_fault f = {.line = 1, .what = p->fault, .twice = p->twice};
    size_t begin = 0;

    for (size_t i = 0; i < before.n; i++)
        if (before.p[i] == '\n') {
            f.line++;
            begin = i + 1;
        }
    f.column = (int)utf8_count(str_from(before, begin)) + 1;
    return f;
}

static struct node *parse(struct parser *p, struct json_fault *fault)
{
    size_t valid = utf8_check(p->text);
    struct node *n = NULL;

    p->word = (struct buf)BUF_MAX(p->text.n);
    if (valid < p->text.n)
        (void)fail_at(p, valid, N_("invalid UTF-8"));
    else
        n = parse_value(p);
    skip_space(p);
    if (n && p->at < p->text.n)
        n = fail(p, N_("text after the end of the value"));
    buf_done(&p->word);
    if (!n)
        *fault = fault_of(p);
    return n;
}

struct node *json_tree_at(struct arena *a, struct str text, struct place at,
                          struct json_fault *fault)
{
    struct parser p = {.arena = a, .text = text, .place = at};

    return parse(&p, fault);
}

static enum status tree_or_why(struct parser *p, struct node **out, struct err *e)
{
    struct json_fault f = {0};
    struct node *n = parse(p, &f);

    if (!n && !str_holds(p->text, STR("\n")))
        return err_set(e, E_INPUT, "column %d: %s", f.column, f.what);
    if (!n)
        return err_set(e, E_INPUT, "line %d, column %d: %s", f.line, f.column, f.what);
    *out = n;
    return OK;
}

enum status json_tree(struct arena *a, struct str text, struct node **out, struct err *e)
{
    struct parser p = {.arena = a, .text = text};

    return tree_or_why(&p, out, e);
}

enum status json_tree_lent(struct arena *a, struct str text, struct node **out, struct err *e)
{
    struct parser p = {.arena = a, .text = text, .lent = true, .most = LENT_MAX};

    return tree_or_why(&p, out, e);
}

json_t *json_read_at(struct str text, struct json_fault *fault)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct parser p = {.arena = a, .text = text, .lent = true};
    struct node *n = parse(&p, fault);

    return n ? doc_to_json(n) : NULL;
}

enum status json_read(struct str text, json_t **out, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct parser p = {.arena = a, .text = text, .lent = true};
    struct node *n = NULL;

    if (tree_or_why(&p, &n, e) != OK)
        return e->code;
    *out = doc_to_json(n);
    return OK;
}

json_t *json_word(struct str text)
{
    struct parser p = {.text = text};
    bool whole;
    int64_t v = 0;
    double real = 0;

    if (str_is(text, "true") || str_is(text, "false"))
        return json_boolean(text.p[0] == 't');
    if (!scan_number(&p, &whole, &v, &real) || p.at < text.n)
        return NULL;
    return whole ? json_integer(v) : json_real(real);
}
