#include "base/words.h"

#include <stdlib.h>

enum {
    VALUES_MAX = 16,
    STEPS_MAX = 4000,   /* for matching one format: texts may come from outside */
    LETTERS_LEAST = 2,  /* that a format must have to be recognised */
    DEPTH_MAX = 4,      /* of messages within messages */
    PARTS_MAX = 8,      /* of "outer: inner: ..." */
    TEXT_MAX = 1 << 12, /* longer ones are not translated */
};

static enum language spoken = ENGLISH;

const char *const message_languages[LANGUAGES] = {
    [ENGLISH] = "en", [CHINESE] = "zh", [JAPANESE] = "ja"};

enum language message_language_of(const char *code)
{
    for (int l = 0; l < LANGUAGES; l++)
        if (str_starts(str_of(code), str_of(message_languages[l])))
            return (enum language)l;
    return ENGLISH;
}

void message_speak(const char *language)
{
    spoken = message_language_of(language);
}

const char *message_language(void)
{
    return message_languages[spoken];
}

static int by_english(const void *key, const void *entry)
{
    return strcmp(key, ((const struct message *)entry)->text[ENGLISH]);
}

static const struct message *find(const char *english)
{
    return bsearch(english, message_table, message_count, sizeof message_table[0], by_english);
}

const char *message_of(const char *english)
{
    const struct message *m = spoken == ENGLISH ? NULL : find(english);

    return m ? m->text[spoken] : english;
}

/* ---- finding the format of a text ---- */

struct match {
    struct str value[VALUES_MAX];
    bool own[VALUES_MAX]; /* in quotation marks: somebody's own words, never ours */
    size_t n;
    int steps;
};

/* Placeholders in what judges are told about faults in their replies: see reply_fault.c. */
static const char named[] = "dfa";

/* "95 % intervals" and "%%" are no conversions. */
static bool is_conversion(const char *p)
{
    if (p[0] == '@')
        return p[1] && strchr(named, p[1]);
    return p[0] == '%' && p[1] != '%' && p[1] != ' ' && p[1] != '\0';
}

/* A conversion in a format. */
struct conversion {
    const char *end;
    char letter;
    bool silent; /* %.0s: the value is not shown */
    size_t at;   /* which value, from 1; 0: the next one */
};

static struct conversion conversion_of(const char *p)
{
    struct conversion c = {0};
    char *end;
    long at;

    if (*p == '@')
        return (struct conversion){p + 2, 's', false, (size_t)(strchr(named, p[1]) - named) + 1};
    at = strtol(p + 1, &end, 10);
    if (*end == '$' && at > 0 && at <= VALUES_MAX) {
        c.at = (size_t)at;
        p = end;
    }
    c.silent = strncmp(p + 1, ".0s", 3) == 0;
    p += 1 + strspn(p + 1, "-+ #.*0123456789lzhj");
    c.letter = *p;
    c.end = *p ? p + 1 : p;
    return c;
}

/* The maximum length of a value, by its letter. */
static size_t value_span(char letter, const char *text)
{
    if (strchr("diu", letter))
        return strspn(text, "-+0123456789");
    if (strchr("gfe", letter))
        return strspn(text, "-+.0123456789einfa");
    return strlen(text);
}

static bool fits(struct match *m, const char *format, const char *text);

static bool closes_quote(const char *p)
{
    return *p == '"' || *p == '\'' || strncmp(p, "”", 3) == 0 || strncmp(p, "」", 3) == 0;
}

/* Tries `n` bytes of text as the value of a conversion. */
static bool fits_with(struct match *m, const struct conversion *c, const char *text, size_t n)
{
    size_t before = m->n, at = c->at ? c->at - 1 : m->n++;

    if (++m->steps > STEPS_MAX)
        return false;
    m->value[at] = (struct str){text, n};
    m->own[at] = closes_quote(c->end);
    if (fits(m, c->end, text + n))
        return true;
    m->n = before;
    return false;
}

/* Matches the format with the whole text: numbers as long as possible, texts as short as
 * possible. */
static bool fits(struct match *m, const char *format, const char *text)
{
    struct conversion c;
    size_t most;

    for (; *format && !is_conversion(format); format++, text++) {
        if (*format != *text || ++m->steps > STEPS_MAX)
            return false;
        format += format[0] == '%' && format[1] == '%';
    }
    if (!*format)
        return !*text;
    if (m->n == VALUES_MAX)
        return false;
    c = conversion_of(format);
    most = value_span(c.letter, text);
    if (strchr("diugfe", c.letter)) {
        for (size_t n = most; n > 0; n--)
            if (fits_with(m, &c, text, n))
                return true;
        return false;
    }
    for (size_t n = 0; n <= most; n++)
        if (fits_with(m, &c, text, n))
            return true;
    return false;
}

/* The number of letters in a format apart from its values; in other scripts each character
 * counts. */
static size_t letters(const char *format)
{
    size_t n = 0;

    while (*format) {
        if (is_conversion(format)) {
            format = conversion_of(format).end;
            continue;
        }
        n += (*format >= 'a' && *format <= 'z') || (*format >= 'A' && *format <= 'Z') ||
             (unsigned char)*format >= 0xC0;
        format++;
    }
    return n;
}

/* Replaces *out if the format matches and has more letters of its own than *most. */
static bool better(const char *format, const char *text, size_t *most, struct match *out)
{
    struct match m = {.n = 0};

    if (letters(format) <= *most || !fits(&m, format, text))
        return false;
    *most = letters(format);
    *out = m;
    return true;
}

/* What judges were told is in the language of the suite. */
static const char *const *recognise_reply(const char *text, enum language l, size_t *most,
                                          struct match *out)
{
    const char *const *best = NULL;

    for (size_t i = 0; i < WORDS; i++)
        for (int from = 0; from < LANGUAGES && strncmp(words_table[i].key, "REPLY_", 6) == 0;
             from++)
            if (from != (int)l && better(words_table[i].text[from], text, most, out))
                best = words_table[i].text;
    return best;
}

/* The known format with the most letters of its own, in all languages, for a reader of one; NULL:
 * none. */
static const char *const *recognise(const char *text, enum language l, struct match *out)
{
    const struct message *same = l == ENGLISH ? NULL : find(text);
    const char *const *best = same ? same->text : NULL, *const * reply;
    size_t most = LETTERS_LEAST - 1;

    *out = (struct match){.n = 0};
    for (size_t i = 0; i < message_count && !same && l != ENGLISH; i++)
        if (better(message_table[i].text[ENGLISH], text, &most, out))
            best = message_table[i].text;
    reply = same ? NULL : recognise_reply(text, l, &most, out);
    return reply ? reply : best;
}

/* ---- the same in another language ---- */

static void show(struct buf *b, enum language l, struct str text, int depth);

/* In Chinese and Japanese no space precedes an inserted text that is not Latin. */
static void close_up(struct buf *b, size_t at)
{
    if (at < 2 || at >= b->n || b->p[at - 1] != ' ' || !(b->p[at] & 0x80) || !(b->p[at - 2] & 0x80))
        return;
    memmove(b->p + at - 1, b->p + at, b->n - at + 1);
    b->n--;
}

static void fill(struct buf *b, enum language l, const char *format, const struct match *m,
                 int depth)
{
    size_t next = 0;
    bool put = false; /* the last insertion was a message of ours */

    while (*format) {
        size_t n = strcspn(format, "%@"), from;
        if (b->n && (b->p[b->n - 1] & 0x80) && format[0] == ' ' && (format[1] & 0x80) && put)
            format++, n--;
        buf_add(b, (struct str){format, n});
        format += n;
        from = b->n;
        put = false;
        if (*format && !is_conversion(format)) {
            buf_char(b, *format);
            format += format[0] == '%' && format[1] == '%' ? 2 : 1;
        } else if (*format) {
            struct conversion c = conversion_of(format);
            size_t at = c.at ? c.at - 1 : next++;
            /* A single word is a name (of a model, a file, a key) and not translated. */
            bool ours = at < VALUES_MAX && !m->own[at] && str_holds(m->value[at], STR(" "));
            put = ours && !c.silent;
            if (put)
                show(b, l, m->value[at], depth + 1);
            else if (at < VALUES_MAX && !c.silent)
                buf_add(b, m->value[at]);
            if (put)
                close_up(b, from);
            format = c.end;
        }
    }
}

/* "file:1: "x" is missing" is no "%s is missing" where the translation puts the value elsewhere. */
static bool swallows_outer(const char *english, const char *format, const struct match *m)
{
    return english[0] == '%' && format[0] != '%' && m->n > 0 && str_holds(m->value[0], STR(": "));
}

/* False if the text has no format of ours. */
static bool show_known(struct buf *b, enum language l, struct str text, int depth)
{
    char whole[TEXT_MAX];
    const char *const *found;
    struct match m;

    if (depth >= DEPTH_MAX || text.n >= sizeof whole)
        return false;
    memcpy(whole, text.p, text.n);
    whole[text.n] = '\0';
    found = recognise(whole, l, &m);
    if (found && swallows_outer(found[ENGLISH], found[l], &m))
        return false;
    if (found)
        fill(b, l, found[l], &m, depth);
    return found != NULL;
}

/* Translates the parts of "outer: inner" (err_wrap()) separately, and each of several lines. After
 * a name comes an ASCII colon, after a translated part that of the language. */
static void show(struct buf *b, enum language l, struct str text, int depth)
{
    for (int parts = 0; !show_known(b, l, text, depth); parts++) {
        size_t at = parts < PARTS_MAX ? str_find(text, STR(": ")) : SIZE_MAX;
        size_t line = str_find(text, STR("\n"));
        struct str head = {text.p, at};
        if (line != SIZE_MAX && show_known(b, l, (struct str){text.p, line}, depth)) {
            buf_char(b, '\n');
            text = str_from(text, line + 1);
            parts = -1;
            continue;
        }
        if (at == SIZE_MAX) {
            buf_add(b, text);
            return;
        }
        if (show_known(b, l, head, depth + 1)) {
            buf_text(b, l == ENGLISH ? ": " : "：");
        } else {
            buf_add(b, head);
            buf_text(b, ": ");
        }
        text = (struct str){text.p + at + 2, text.n - at - 2};
    }
}

/* True also for other languages that need only ASCII, none of which is ours. */
static bool is_english(const char *text)
{
    while (*text && !(*text & 0x80))
        text++;
    return !*text;
}

const char *message_show(struct arena *a, const char *language, const char *text)
{
    AUTO(buf_done) struct buf b = BUF_MAX(4 * TEXT_MAX);
    enum language l = language ? message_language_of(language) : spoken;

    if (!text || (l == ENGLISH && is_english(text)))
        return text;
    show(&b, l, str_of(text), 0);
    return arena_text(a, buf_str(&b));
}
