#include "base/json.h"

#include <math.h>
#include <stdlib.h>

#include "base/doc.h"

void json_freep(json_t **j)
{
    json_decref(*j);
    *j = NULL;
}

/* \uXXXX at p: its value, or -1. */
static int escape_at(struct str s, size_t at)
{
    int v = 0;

    if (s.n - at < 6 || s.p[at] != '\\' || s.p[at + 1] != 'u')
        return -1;
    for (size_t i = at + 2; i < at + 6; i++) {
        int d = str_hex(s.p[i]);
        if (d < 0)
            return -1;
        v = v * 16 + d;
    }
    return v;
}

static bool is_high(int v)
{
    return v >= 0xD800 && v <= 0xDBFF;
}

static bool is_low(int v)
{
    return v >= 0xDC00 && v <= 0xDFFF;
}

/* One step of mending: copies what is valid at `at`, or replaces it. Returns the number of bytes
 * read. */
static size_t mend_step(struct str s, size_t at, struct buf *out)
{
    struct str rest = str_from(s, at), one = rest;
    int v = escape_at(s, at);

    if (v >= 0) {
        if (is_high(v) && is_low(s.n - at >= 12 ? escape_at(s, at + 6) : -1)) {
            buf_add(out, (struct str){rest.p, 12});
            return 12;
        }
        if (is_high(v) || is_low(v) || v == 0)
            buf_text(out, "\\ufffd");
        else
            buf_add(out, (struct str){rest.p, 6});
        return 6;
    }
    /* Another escape: its second byte does not begin one. */
    if (rest.p[0] == '\\' && rest.n > 1) {
        buf_add(out, (struct str){rest.p, 2});
        return 2;
    }
    if (rest.p[0] == '\0') {
        buf_text(out, "\xEF\xBF\xBD");
        return 1;
    }
    buf_rune(out, utf8_next(&one));
    return rest.n - one.n;
}

enum status json_tree_mended(struct arena *a, struct str text, struct node **out, bool *mended,
                             struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(text.n * 3 + 16);
    struct err first = {0};

    *mended = false;
    if (json_tree_lent(a, text, out, &first) == OK)
        return OK;
    for (size_t at = 0; at < text.n;)
        at += mend_step(text, at, &b);
    if (str_eq(buf_str(&b), text) || json_tree_lent(a, arena_str(a, buf_str(&b)), out, e) != OK) {
        *e = first; /* the fault in the original text */
        return e->code;
    }
    *mended = true;
    return OK;
}

enum status json_read_mended(struct str text, json_t **out, bool *mended, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct node *n;

    if (json_tree_mended(a, text, &n, mended, e) != OK)
        return e->code;
    *out = doc_to_json(n);
    return OK;
}

static const char *dump(struct arena *a, const json_t *j, size_t flags)
{
    char *text = json_dumps(j, flags | JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    const char *copy = arena_text(a, str_of(text));

    free(text);
    return copy;
}

const char *json_text(struct arena *a, const json_t *j)
{
    return dump(a, j, JSON_PRESERVE_ORDER);
}

const char *json_text_sorted(struct arena *a, const json_t *j)
{
    return dump(a, j, JSON_SORT_KEYS);
}

struct str json_str_at(const json_t *object, const char *key, struct str otherwise)
{
    const json_t *v = json_object_get(object, key);

    return json_is_string(v) ? json_str(v) : otherwise;
}

int64_t json_int_at(const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *v = json_object_get(object, key);

    return json_is_integer(v) ? json_integer_value(v) : otherwise;
}

const json_t *json_at(const json_t *j, const char *path)
{
    while (path && j) {
        size_t n = strcspn(path, "/");
        char key[32];
        (void)snprintf(key, sizeof key, "%.*s", (int)n, path);
        j = json_is_array(j) ? json_array_get(j, (size_t)atoi(key)) : json_object_get(j, key);
        path = path[n] ? path + n + 1 : NULL;
    }
    return j;
}

struct str json_name_at(struct arena *a, const json_t *object, const char *key)
{
    const json_t *v = json_object_get(object, key);

    if (json_is_integer(v))
        return str_of(arena_int(a, json_integer_value(v)));
    return json_str_at(object, key, STR(""));
}

double json_num_at(const json_t *object, const char *key, double otherwise)
{
    const json_t *v = json_object_get(object, key);

    return json_is_number(v) ? json_number_value(v) : otherwise;
}

json_t *json_from_str(struct str s)
{
    return json_stringn(s.p ? s.p : "", s.n);
}

/* The first few short escapes are the ones that everybody uses. */
enum { SHORT_USUAL = 4, SHORT_ALL = 7 };

static void quote_one(struct buf *b, char c, size_t shorts)
{
    static const char from[SHORT_ALL + 1] = "\"\\\n\t\r\b\f", to[SHORT_ALL + 1] = "\"\\ntrbf";
    const char *hit = memchr(from, c, shorts);

    if (hit) {
        buf_char(b, '\\');
        buf_char(b, to[hit - from]);
    } else {
        buf_fmt(b, "\\u%04X", (unsigned)c);
    }
}

enum { PLAIN_BLOCK = 16 };

static bool is_special(char c)
{
    return ((unsigned char)c < ' ') | (c == '"') | (c == '\\');
}

/* json_plain() for a block. The first loop has no branch and no sum, so that compilers make a few
 * vector instructions of it. */
static size_t plain_block(const char *p)
{
    unsigned char special[PLAIN_BLOCK];
    uint64_t all[PLAIN_BLOCK / 8];
    size_t n = 0;

    for (size_t i = 0; i < PLAIN_BLOCK; i++)
        special[i] = is_special(p[i]);
    memcpy(all, special, sizeof all);
    if ((all[0] | all[1]) == 0)
        return PLAIN_BLOCK;
    while (!special[n])
        n++;
    return n;
}

size_t json_plain(struct str s)
{
    size_t n = 0;

    while (s.n - n >= PLAIN_BLOCK) {
        size_t plain = plain_block(s.p + n);
        n += plain;
        if (plain < PLAIN_BLOCK)
            return n;
    }
    while (n < s.n && !is_special(s.p[n]))
        n++;
    return n;
}

static void quote(struct buf *b, struct str s, size_t shorts)
{
    buf_char(b, '"');
    for (;;) {
        size_t n = json_plain(s);
        buf_add(b, (struct str){s.p, n});
        if (n == s.n)
            break;
        quote_one(b, s.p[n], shorts);
        s = str_from(s, n + 1);
    }
    buf_char(b, '"');
}

void json_quote(struct buf *b, struct str s)
{
    quote(b, s, SHORT_USUAL);
}

void json_quote_short(struct buf *b, struct str s)
{
    quote(b, s, SHORT_ALL);
}

/* ---- members ---- */

void json_put(json_t *object, const char *key, json_t *value)
{
    (void)json_object_set_new(object, key, value);
}

void json_put_text(json_t *object, const char *key, const char *text)
{
    json_put(object, key, text ? json_from_str(str_of(text)) : json_null());
}

void json_put_str(json_t *object, const char *key, struct str text)
{
    json_put(object, key, json_from_str(text));
}

void json_put_some(json_t *object, const char *key, struct str text)
{
    if (text.n)
        json_put_str(object, key, text);
}

void json_put_int(json_t *object, const char *key, int64_t v)
{
    json_put(object, key, json_integer(v));
}

void json_put_real(json_t *object, const char *key, double v)
{
    json_put(object, key, isfinite(v) ? json_real(v) : json_null());
}

void json_put_bool(json_t *object, const char *key, bool v)
{
    json_put(object, key, json_boolean(v));
}

json_t *json_put_list(json_t *object, const char *key)
{
    json_t *list = json_array();

    json_put(object, key, list);
    return list;
}

json_t *json_put_object(json_t *object, const char *key)
{
    json_t *one = json_object();

    json_put(object, key, one);
    return one;
}

json_t *json_add_object(json_t *list)
{
    json_t *one = json_object();

    (void)json_array_append_new(list, one);
    return one;
}
