/* json_read(): strict JSON text to jansson values, quickly.
 *
 * Stands in for jansson's own reader, which spends about 150 instructions on every byte of a string
 * and was half of the cost of a reply. Same language: RFC 8259, valid UTF-8, no duplicate keys, no
 * NUL, no lone surrogates, whole numbers exact in 64 bits, finite reals. tests/fuzz/fuzz_json.c
 * holds the two against each other. */
#include <stdlib.h>

#include "base/json.h"

#include "base/message.h"

enum { DEPTH_MAX = 256 };

struct parser {
    struct str text;
    size_t at;
    int depth;
    const char *fault; /* the first one */
    size_t fault_at;
    struct str twice; /* the name that stands twice */
    struct buf word;  /* a string whose escapes are being resolved */
};

static json_t *parse_value(struct parser *p);

static json_t *fail_at(struct parser *p, size_t at, const char *fault)
{
    if (!p->fault) {
        p->fault = fault;
        p->fault_at = at;
    }
    return NULL;
}

static json_t *fail(struct parser *p, const char *fault)
{
    return fail_at(p, p->at, fault);
}

/* The next byte, or 0 at the end: NUL is no part of JSON, so that the two need no telling apart. */
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

/* Four hexadecimal digits; -1 when they are not. */
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

/* Bytes that stand for themselves, up to a quote, a backslash or a control character. */
static struct str plain_run(struct parser *p)
{
    struct str rest = str_from(p->text, p->at);
    struct str run = {rest.p, json_plain(rest)};

    p->at += run.n;
    return run;
}

/* A string after its opening quote. The view points into the text, or into p->word when there were
 * escapes. */
static bool parse_string(struct parser *p, struct str *out)
{
    struct str run = plain_run(p);

    if (peek(p) == '"') {
        p->at++;
        *out = run;
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
    *out = buf_str(&p->word);
    return true;
}

/* ---- numbers and words ---- */

static size_t skip_digits(struct parser *p)
{
    size_t begin = p->at;

    while (peek(p) >= '0' && peek(p) <= '9')
        p->at++;
    return p->at - begin;
}

static json_t *real_of(struct parser *p, size_t begin)
{
    double v;

    if (!str_double((struct str){p->text.p + begin, p->at - begin}, &v))
        return fail_at(p, begin, N_("the number is out of range"));
    return json_real(v);
}

static json_t *parse_number(struct parser *p)
{
    size_t begin = p->at, first;
    bool whole = true;
    int64_t v;

    if (peek(p) == '-')
        p->at++;
    first = p->at;
    if (skip_digits(p) == 0)
        return fail(p, N_("expected a value"));
    if (p->text.p[first] == '0' && p->at - first > 1)
        return fail_at(p, begin, N_("a number must not begin with 0"));
    if (peek(p) == '.') {
        whole = false;
        p->at++;
        if (skip_digits(p) == 0)
            return fail(p, N_("expected a digit after the decimal point"));
    }
    if (peek(p) == 'e' || peek(p) == 'E') {
        whole = false;
        p->at++;
        if (peek(p) == '+' || peek(p) == '-')
            p->at++;
        if (skip_digits(p) == 0)
            return fail(p, N_("expected a digit in the exponent"));
    }
    if (!whole)
        return real_of(p, begin);
    if (!str_int((struct str){p->text.p + begin, p->at - begin}, &v))
        return fail_at(p, begin, N_("the number is out of range"));
    return json_integer(v);
}

static json_t *parse_word(struct parser *p)
{
    struct str rest = str_from(p->text, p->at);

    if (str_starts(rest, STR("true"))) {
        p->at += 4;
        return json_true();
    }
    if (str_starts(rest, STR("false"))) {
        p->at += 5;
        return json_false();
    }
    if (str_starts(rest, STR("null"))) {
        p->at += 4;
        return json_null();
    }
    return parse_number(p);
}

/* ---- lists and objects ---- */

/* After an element: true to go on with the next one. */
static bool another(struct parser *p, char close, bool *good)
{
    skip_space(p);
    *good = true;
    if (peek(p) == close) {
        p->at++;
        return false;
    }
    if (peek(p) == ',') {
        p->at++;
        return true;
    }
    *good = fail(p, close == ']' ? N_("expected ',' or ']'") : N_("expected ',' or '}'")) != NULL;
    return false;
}

static json_t *parse_list(struct parser *p)
{
    json_t *list = json_array();
    bool good = true;

    skip_space(p);
    if (peek(p) == ']') {
        p->at++;
        return list;
    }
    do {
        json_t *v = parse_value(p);
        good = v && json_array_append_new(list, v) == 0;
    } while (good && another(p, ']', &good));
    if (good)
        return list;
    json_decref(list);
    return NULL;
}

/* The value of a member, and both into the object. */
static bool parse_into(struct parser *p, json_t *object, struct str name)
{
    json_t *v = parse_value(p);

    return v && json_object_setn_new_nocheck(object, name.p, name.n, v) == 0;
}

static bool parse_member(struct parser *p, json_t *object)
{
    struct str name;
    size_t begin, end;
    char *kept = NULL;
    bool good = false;

    skip_space(p);
    begin = p->at;
    if (peek(p) != '"')
        return fail(p, N_("expected a name in double quotes")) != NULL;
    p->at++;
    if (!parse_string(p, &name))
        return false;
    end = p->at;
    skip_space(p);
    if (json_object_getn(object, name.p, name.n)) {
        p->twice = (struct str){p->text.p + begin + 1, end - begin - 2};
        return fail_at(p, begin, N_("the same name appears twice in one object")) != NULL;
    }
    if (peek(p) != ':')
        return fail(p, N_("expected ':'")) != NULL;
    p->at++;
    if (name.p == p->word.p) { /* which is reused by the value */
        kept = mem_resize(NULL, name.n);
        name.p = memcpy(kept, name.p, name.n);
    }
    good = parse_into(p, object, name);
    free(kept);
    return good;
}

static json_t *parse_object(struct parser *p)
{
    json_t *object = json_object();
    bool good = true;

    skip_space(p);
    if (peek(p) == '}') {
        p->at++;
        return object;
    }
    do
        good = parse_member(p, object);
    while (good && another(p, '}', &good));
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *parse_nested(struct parser *p, char open)
{
    json_t *v;

    if (p->depth == DEPTH_MAX)
        return fail(p, N_("nested too deeply"));
    p->depth++;
    p->at++;
    v = open == '[' ? parse_list(p) : parse_object(p);
    p->depth--;
    return v;
}

static json_t *parse_value(struct parser *p)
{
    struct str s;
    char c;

    skip_space(p);
    c = peek(p);
    if (c == '[' || c == '{')
        return parse_nested(p, c);
    if (c != '"')
        return parse_word(p);
    p->at++;
    return parse_string(p, &s) ? json_stringn_nocheck(s.p, s.n) : NULL;
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

json_t *json_read_at(struct str text, struct json_fault *fault)
{
    struct parser p = {.text = text, .word = BUF_MAX(text.n)};
    size_t valid = utf8_check(text);
    json_t *v = NULL;

    if (valid < text.n)
        (void)fail_at(&p, valid, N_("invalid UTF-8"));
    else
        v = parse_value(&p);
    skip_space(&p);
    if (v && p.at < text.n) {
        json_decref(v);
        v = fail(&p, N_("text after the end of the value"));
    }
    buf_done(&p.word);
    if (!v)
        *fault = fault_of(&p);
    return v;
}

enum status json_read(struct str text, json_t **out, struct err *e)
{
    struct json_fault f;
    json_t *v = json_read_at(text, &f);

    if (!v && str_find(text, STR("\n")) == SIZE_MAX)
        return err_set(e, E_INPUT, "column %d: %s", f.column, f.what);
    if (!v)
        return err_set(e, E_INPUT, "line %d, column %d: %s", f.line, f.column, f.what);
    *out = v;
    return OK;
}
