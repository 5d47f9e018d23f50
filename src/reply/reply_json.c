#include "reply/reply_json.h"

enum {
    DEPTH_MAX = 32,   /* of nested values */
    SCALAR_MAX = 64,  /* bytes of an unquoted value */
    KEY_LOOK_MAX = 80 /* bytes after a brace within which a malformed key must show its colon */
};

/* A recursive-descent reader. Every step returns false where the grammar fails and leaves `at`
 * there, so that the caller can tell "the text ended" from "something else stood here". */
struct scan {
    struct str text;
    size_t at;
    struct buf *out; /* NULL: only look */
    int depth;
    size_t braces; /* open ones */
    bool begun;    /* a key and its colon were seen */
};

static struct str rest_of(const struct scan *s)
{
    return str_from(s->text, s->at);
}

static bool at_end(const struct scan *s)
{
    return s->at >= s->text.n;
}

static void put(struct scan *s, struct str what)
{
    if (s->out)
        buf_add(s->out, what);
}

static struct str mark_wide(char mark)
{
    switch (mark) {
    case '{':
        return STR("｛");
    case '}':
        return STR("｝");
    case ':':
        return STR("：");
    case ',':
        return STR("，");
    default:
        return STR("");
    }
}

/* Bytes of the structural mark at the head of `rest`, in either width; 0 when it is not there. */
static size_t mark_length(struct str rest, char mark)
{
    struct str wide = mark_wide(mark);

    if (rest.n && rest.p[0] == mark)
        return 1;
    return wide.n && str_starts(rest, wide) ? wide.n : 0;
}

static bool mark_take(struct scan *s, char mark)
{
    size_t n = mark_length(rest_of(s), mark);

    s->at += n;
    return n != 0;
}

/* Bytes of white space at the head of `rest`, as far as it is one character. */
static size_t white_length(struct str rest)
{
    static const char *const wide[] = {"\u3000", "\u00a0", "\ufeff"};

    if (rest.n && memchr(" \t\r\n\f\v", rest.p[0], 6))
        return 1;
    for (size_t i = 0; i < COUNT(wide); i++)
        if (str_starts(rest, str_of(wide[i])))
            return strlen(wide[i]);
    return 0;
}

/* Bytes of the comment at the head of `rest`. An unfinished one reaches to the end of the text. */
static size_t comment_length(struct str rest)
{
    size_t end;

    if (str_starts(rest, STR("//"))) {
        end = str_find(rest, STR("\n"));
        return end == SIZE_MAX ? rest.n : end + 1;
    }
    if (str_starts(rest, STR("/*"))) {
        end = str_find(str_from(rest, 2), STR("*/"));
        return end == SIZE_MAX ? rest.n : end + 4;
    }
    return 0;
}

static void white(struct scan *s)
{
    size_t n;

    while ((n = white_length(rest_of(s))) != 0)
        s->at += n;
}

static void space(struct scan *s)
{
    size_t n;

    for (white(s); (n = comment_length(rest_of(s))) != 0; white(s))
        s->at += n;
}

/* ---- strings and scalars ---- */

/* One character of a string's content, as strict JSON. */
static void put_byte(struct scan *s, char c)
{
    if (!s->out)
        return;
    if (c == '\0')
        buf_text(s->out, "\\ufffd"); /* jansson refuses U+0000 */
    else if ((unsigned char)c < 0x20)
        buf_fmt(s->out, "\\u%04x", (unsigned)c);
    else if (c == '"' || c == '\\')
        buf_fmt(s->out, "\\%c", c);
    else
        buf_char(s->out, c);
}

/* Bytes of the JSON escape at the head of `rest`, which begins with a backslash; 0 when JSON knows
 * no such escape. */
static size_t escape_length(struct str rest)
{
    if (rest.n >= 2 && rest.p[1] && strchr("\"\\/bfnrt", rest.p[1]))
        return 2;
    if (rest.n < 6 || rest.p[1] != 'u')
        return 0;
    for (size_t i = 2; i < 6; i++)
        if (str_hex(rest.p[i]) < 0)
            return 0;
    return 6;
}

/* A backslash and what it escapes. Judges write \( and \' in prose: there the backslash stays. */
static void escape(struct scan *s)
{
    struct str rest = rest_of(s);
    size_t n = escape_length(rest);

    if (n)
        put(s, (struct str){rest.p, n});
    else
        put_byte(s, '\\');
    s->at += n ? n : 1;
}

/* The content of a string up to its closing mark. Between typographic marks neither another
 * opening one nor a plain quotation mark can be told from a slip, so both are faults. */
static bool string_tail(struct scan *s, bool wide)
{
    put(s, STR("\""));
    while (!at_end(s)) {
        struct str rest = rest_of(s);
        if (wide ? str_starts(rest, STR("”")) : rest.p[0] == '"') {
            s->at += wide ? STR("”").n : 1;
            put(s, STR("\""));
            return true;
        }
        if (wide && (rest.p[0] == '"' || str_starts(rest, STR("“"))))
            return false;
        if (rest.p[0] == '\\') {
            escape(s);
        } else {
            put_byte(s, rest.p[0]);
            s->at++;
        }
    }
    return false;
}

static bool string_starts(struct str rest)
{
    return str_starts(rest, STR("\"")) || str_starts(rest, STR("“"));
}

static bool string(struct scan *s)
{
    struct str rest = rest_of(s);

    if (!string_starts(rest))
        return false;
    s->at += rest.p[0] == '"' ? 1 : STR("“").n;
    return string_tail(s, rest.p[0] != '"');
}

static size_t digits(struct str s, size_t at)
{
    size_t n = 0;

    while (at + n < s.n && s.p[at + n] >= '0' && s.p[at + n] <= '9')
        n++;
    return n;
}

/* A JSON number (RFC 8259) that jansson can hold. */
static bool is_number(struct str s)
{
    size_t at = s.n && s.p[0] == '-', n = digits(s, at);
    bool real = false;
    double v;

    if (n == 0 || (n > 1 && s.p[at] == '0'))
        return false;
    at += n;
    if (at < s.n && s.p[at] == '.') {
        n = digits(s, at + 1);
        if (n == 0)
            return false;
        at += n + 1;
        real = true;
    }
    if (at < s.n && (s.p[at] == 'e' || s.p[at] == 'E')) {
        at++;
        if (at < s.n && (s.p[at] == '+' || s.p[at] == '-'))
            at++;
        n = digits(s, at);
        if (n == 0)
            return false;
        at += n;
        real = true;
    }
    return at == s.n && (real ? str_double(s, &v) : s.n <= 18);
}

static bool scalar_ends(struct str rest)
{
    return rest.n == 0 || memchr("]\"[", rest.p[0], 3) || mark_length(rest, '{') ||
           mark_length(rest, '}') || mark_length(rest, ':') || mark_length(rest, ',') ||
           str_starts(rest, STR("“")) || white_length(rest) || str_starts(rest, STR("//")) ||
           str_starts(rest, STR("/*"));
}

/* An unquoted value. What is no JSON literal becomes a string: whether it is good is for whoever
 * knows what was asked ("8分" may be, NaN is not). */
static bool scalar(struct scan *s)
{
    struct str word = rest_of(s);
    size_t begin = s->at;
    bool literal;

    while (!scalar_ends(rest_of(s)) && s->at - begin <= SCALAR_MAX)
        s->at++;
    word.n = s->at - begin;
    if (word.n == 0 || word.n > SCALAR_MAX)
        return false;
    literal =
        str_is(word, "true") || str_is(word, "false") || str_is(word, "null") || is_number(word);
    if (literal) {
        put(s, word);
        return true;
    }
    put(s, STR("\""));
    for (size_t i = 0; i < word.n; i++)
        put_byte(s, word.p[i]);
    put(s, STR("\""));
    return true;
}

/* ---- values ---- */

static bool value(struct scan *s);

/* No comment before the colon: until there is one this may be prose, which is read again from
 * behind its brace, and a long comment would then be read for every brace in it. */
static bool member(struct scan *s)
{
    if (!string(s))
        return false;
    white(s);
    if (!mark_take(s, ':'))
        return false;
    s->begun = true;
    put(s, STR(":"));
    space(s);
    return value(s);
}

/* The inside of an object or a list up to and including its closing mark. */
static bool sequence(struct scan *s, char close, bool (*one)(struct scan *))
{
    for (size_t i = 0;; i++) {
        space(s);
        if (mark_take(s, close))
            return true;
        if (i)
            put(s, STR(","));
        if (!one(s))
            return false;
        space(s);
        if (!mark_take(s, ',')) /* the last one */
            return mark_take(s, close);
    }
}

static bool object(struct scan *s)
{
    s->braces++;
    put(s, STR("{"));
    if (!sequence(s, '}', member))
        return false;
    put(s, STR("}"));
    s->braces--;
    return true;
}

static bool list(struct scan *s)
{
    put(s, STR("["));
    if (!sequence(s, ']', value))
        return false;
    put(s, STR("]"));
    return true;
}

static bool value(struct scan *s)
{
    bool good;

    if (s->depth >= DEPTH_MAX)
        return false;
    s->depth++;
    if (mark_take(s, '{'))
        good = object(s);
    else if (mark_take(s, '['))
        good = list(s);
    else if (string_starts(rest_of(s)))
        good = string(s);
    else
        good = scalar(s);
    s->depth--;
    return good;
}

/* ---- objects in prose ---- */

/* Does something like a key and a colon follow? {quality: 1} and {'quality': 1} are attempts at
 * an answer, which must not make us believe an earlier one; {name} in a sentence is not. */
static bool loose_key(struct str rest)
{
    for (size_t i = 0; i < rest.n && i < KEY_LOOK_MAX; i++) {
        struct str here = str_from(rest, i);
        if (mark_length(here, ':'))
            return true;
        if (here.p[0] == '\n' || mark_length(here, '{') || mark_length(here, '}'))
            return false;
    }
    return false;
}

/* From the place of a fault to behind the brace that closes the outermost open one, as far as
 * quotation marks can still be believed. */
static void skip_broken(struct scan *s)
{
    bool quoted = false;

    while (!at_end(s) && s->braces) {
        struct str rest = rest_of(s);
        size_t open = quoted ? 0 : mark_length(rest, '{'),
               close = quoted ? 0 : mark_length(rest, '}');
        if (rest.p[0] == '"')
            quoted = !quoted;
        s->braces += open != 0;
        s->braces -= close != 0;
        s->at += open ? open : close ? close : 1;
        if (quoted && rest.p[0] == '\\' && !at_end(s))
            s->at++;
    }
}

/* Try the object whose opening brace s has just passed. False: it is prose. */
static bool attempt(struct scan *s, struct reply_object *out)
{
    struct scan inner = *s;

    space(s);
    out->state = OBJECT_WHOLE;
    if (mark_length(rest_of(s), '}'))
        return false;
    if (!object(&inner)) {
        out->fault = inner.at;
        out->state = at_end(&inner) ? OBJECT_CUT : OBJECT_BROKEN;
        if (out->state == OBJECT_BROKEN) {
            if (!inner.begun && !loose_key(rest_of(s)))
                return false;
            skip_broken(&inner);
        }
    }
    *s = inner;
    return true;
}

bool reply_json_next(struct str text, size_t *at, struct reply_object *out)
{
    struct scan s = {.text = text, .at = *at};

    while (!at_end(&s)) {
        struct reply_object o = {.begin = s.at};
        if (!mark_take(&s, '{')) {
            s.at++;
            continue;
        }
        s.depth = 1;
        s.braces = 0;
        s.begun = false;
        if (!attempt(&s, &o))
            continue;
        o.end = *at = s.at;
        *out = o;
        return true;
    }
    *at = s.at;
    return false;
}

void reply_json_write(struct str text, const struct reply_object *o, struct buf *out)
{
    struct scan s = {.text = text, .at = o->begin, .out = out};

    (void)value(&s);
}
