#include "suite/card_key.h"

#include "text/pattern.h"

struct card_text card_text_of(struct arena *a, struct str text)
{
    return (struct card_text){text, rune_normal(a, text)};
}

static bool runes_in(struct runes key, struct runes text)
{
    if (key.n == 0 || key.n > text.n)
        return false;
    for (size_t i = 0; i + key.n <= text.n; i++)
        if (memcmp(text.p + i, key.p, key.n * sizeof *key.p) == 0)
            return true;
    return false;
}

/* ---- patterns ----
 *
 * Cards have them in the dialect of browsers; ours is that of POSIX. What people use in keys can be
 * put from one into the other; the rest is refused, never guessed at. */

struct translation {
    struct buf out;
    bool bracket;
    const char *why;
};

/* What a letter behind a backslash stands for; NULL: itself. */
static const char *class_of(char letter, bool bracket)
{
    switch (letter) {
    case 'd':
        return bracket ? "0-9" : "[0-9]";
    case 'w':
        return bracket ? "[:alnum:]_" : "[[:alnum:]_]";
    case 's':
        return bracket ? "[:space:]" : "[[:space:]]";
    case 'D':
        return bracket ? NULL : "[^0-9]";
    case 't':
        return "\t";
    case 'n':
        return "\n";
    default:
        return NULL;
    }
}

static void translate_escape(struct translation *t, char letter)
{
    const char *class = class_of(letter, t->bracket);
    bool plain = !((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z'));

    if (class) {
        buf_text(&t->out, class);
    } else if (t->bracket && (!plain || letter == ']' || letter == '^' || letter == '-')) {
        t->why = "this escape is not supported inside brackets";
    } else if (t->bracket) {
        buf_char(&t->out, letter);
    } else if (plain || strchr("bBWS", letter)) {
        buf_char(&t->out, '\\');
        buf_char(&t->out, letter);
    } else {
        t->why = "it has an escape that is not supported";
    }
}

/* One sign that is no escape; returns how many bytes were taken. */
static size_t translate_sign(struct translation *t, struct str rest)
{
    char c = rest.p[0], next = '\0';

    if (rest.n > 1)
        next = rest.p[1];
    if (t->bracket) {
        t->bracket = c != ']';
    } else if (c == '[') {
        t->bracket = true;
        if (next == ']')
            t->why = "an empty bracket matches nothing";
    } else if (c == '(' && next == '?') {
        if (rest.n < 3 || rest.p[2] != ':')
            t->why = "look-around and named groups are not supported";
        buf_char(&t->out, '(');
        return 3;
    }
    buf_char(&t->out, c);
    /* Whether there is a match does not depend on how greedy it is. */
    return !t->bracket && (c == '*' || c == '+' || c == '?' || c == '}') && next == '?' ? 2 : 1;
}

static const char *translate(struct arena *a, struct str pattern, struct str *out)
{
    struct translation t = {.out = BUF_MAX(16 * PATTERN_MAX)};

    if (pattern.n > PATTERN_MAX)
        return "it is too long";
    while (pattern.n && !t.why) {
        size_t taken = 2;
        if (pattern.p[0] != '\\')
            taken = translate_sign(&t, pattern);
        else if (pattern.n == 1)
            t.why = "it ends in a backslash";
        else
            translate_escape(&t, pattern.p[1]);
        if (!t.why)
            pattern = str_from(pattern, taken);
    }
    *out = arena_str(a, buf_str(&t.out));
    buf_done(&t.out);
    return t.why;
}

/* "/pattern/flags" or the pattern alone. */
static const char *read_pattern(struct arena *a, struct str key, struct pattern *out)
{
    size_t end = key.n;

    *out = (struct pattern){0};
    if (key.n > 1 && key.p[0] == '/') {
        while (key.p[--end] != '/')
            ;
        if (end == 0)
            end = key.n;
        out->any_case = memchr(key.p + end, 'i', key.n - end) != NULL;
        key = end < key.n ? (struct str){key.p + 1, end - 1} : key;
    }
    return translate(a, key, &out->text);
}

static bool matches(struct arena *a, struct str key, struct str text)
{
    struct pattern p;
    struct str match;
    bool found = false;

    return !read_pattern(a, key, &p) && !pattern_search(a, p, text, &found, &match) && found;
}

const char *card_key_fault(struct arena *a, struct str key)
{
    struct pattern p;
    struct str match;
    bool found;
    const char *why = read_pattern(a, key, &p);

    return why ? why : pattern_search(a, p, STR(""), &found, &match);
}

static bool key_in(struct arena *a, const struct card_entry *entry, struct str key,
                   const struct card_text *text)
{
    if (entry->regex)
        return matches(a, key, text->text);
    if (entry->case_sensitive)
        return key.n && str_find(text->text, key) != SIZE_MAX;
    return runes_in(rune_normal(a, key), text->normal);
}

bool card_key_any(struct arena *a, const struct card_entry *entry, struct card_list keys,
                  const struct card_text *texts, size_t n)
{
    for (size_t k = 0; k < keys.n; k++)
        for (size_t i = 0; i < n; i++)
            if (key_in(a, entry, str_trim(keys.v[k]), &texts[i]))
                return true;
    return false;
}
