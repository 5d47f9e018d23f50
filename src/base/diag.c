#include "base/diag.h"

#include <stdarg.h>

#include "base/message.h"

enum {
    VIEW = 96,      /* terminal columns of a source line that are shown */
    LEAD = 32,      /* of these, before the fault if the line is cut */
    WORD_MAX = 64,  /* code points of a word that we compare */
    MSG_MAX = 4096, /* bytes */
};

void diags_init(struct diags *d, struct arena *a)
{
    *d = (struct diags){.arena = a};
    d->last = &d->first;
}

PRINTF(4, 0)
static void add(struct diags *d, enum diag_level level, struct place at, const char *fmt,
                va_list ap)
{
    char text[MSG_MAX];
    struct diag *one;

    if (d->errors + d->warnings < DIAGS_MAX) {
        struct str msg;
        (void)vsnprintf(text, sizeof text, fmt, ap);
        msg = str_of(text);
        if (msg.n == sizeof text - 1) /* truncated, perhaps inside a character */
            msg.n = utf8_check(msg);
        one = NEW(d->arena, struct diag);
        *one = (struct diag){.level = level, .at = at, .msg = arena_text(d->arena, msg)};
        *d->last = one;
        d->last = &one->next;
    }
    if (level == DIAG_ERROR)
        d->errors++;
    else
        d->warnings++;
}

void diags_error(struct diags *d, struct place at, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    add(d, DIAG_ERROR, at, fmt, ap);
    va_end(ap);
}

void diags_warn(struct diags *d, struct place at, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    add(d, DIAG_WARNING, at, fmt, ap);
    va_end(ap);
}

struct range {
    uint32_t from, to;
};

static bool in_ranges(uint32_t rune, const struct range *r, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (rune >= r[i].from && rune <= r[i].to)
            return true;
    return false;
}

/* The width of a code point in terminal columns. A rule of thumb, not UAX #11: enough to put the
 * caret under the right character in Chinese, Japanese and Korean text. */
static int rune_width(uint32_t rune)
{
    static const struct range wide[] = {
        {0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
        {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
        {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD},
    };
    static const struct range none[] = {{0x0300, 0x036F}, {0x200B, 0x200D}, {0xFE00, 0xFE0F}};

    if (in_ranges(rune, none, COUNT(none)))
        return 0;
    return in_ranges(rune, wide, COUNT(wide)) ? 2 : 1;
}

/* The code point to show instead. A file must not be able to move the cursor, change colours or
 * reverse the reading direction of the terminal. */
static uint32_t rune_shown(uint32_t rune)
{
    static const struct range unsafe[] = {
        {0x00, 0x1F}, {0x7F, 0x9F}, {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069},
    };

    if (rune == '\t')
        return ' ';
    return in_ranges(rune, unsafe, COUNT(unsafe)) ? 0xFFFD : rune;
}

static void show_text(struct buf *out, struct str s)
{
    while (s.n)
        buf_rune(out, rune_shown(utf8_next(&s)));
}

static void show_spaces(struct buf *out, int n)
{
    while (n-- > 0)
        buf_char(out, ' ');
}

/* Line `number` of the file; false if the source does not contain it. */
static bool source_line(const struct source *s, int number, struct str *line)
{
    struct str rest = str_unmarked(s->text);

    for (int i = s->first_line; str_line(&rest, line); i++)
        if (i == number)
            return true;
    return false;
}

/* Drops code points from the front of *s until those before code point `keep` fit into `room`
 * terminal columns. Returns how many were dropped. */
static int drop_lead(struct str *s, int keep, int room)
{
    struct str scan = *s;
    int width = 0, dropped = 0;

    for (int i = 0; i < keep && scan.n; i++)
        width += rune_width(rune_shown(utf8_next(&scan)));
    while (width > room && s->n) {
        width -= rune_width(rune_shown(utf8_next(s)));
        dropped++;
    }
    return dropped;
}

static bool fits(struct str s, int room)
{
    while (s.n && room >= 0)
        room -= rune_width(rune_shown(utf8_next(&s)));
    return room >= 0;
}

/* Writes the visible part of the line to out, and the caret line that belongs to it to under. */
static void show_window(struct str line, struct place at, struct buf *out, struct buf *under)
{
    int first = at.column > 0 ? at.column - 1 : 0, last = first + (at.width > 0 ? at.width : 1);
    int i = 0, used = 0;

    if (!fits(line, VIEW)) {
        i = drop_lead(&line, first, LEAD);
        if (i > 0) {
            buf_text(out, "\u2026");
            buf_char(under, ' ');
        }
    }
    for (; line.n; i++) {
        uint32_t rune = rune_shown(utf8_next(&line));
        int width = rune_width(rune);
        used += width;
        if (used > VIEW) {
            buf_text(out, "\u2026");
            break;
        }
        buf_rune(out, rune);
        if (i < first)
            show_spaces(under, width);
        for (int k = 0; i >= first && i < last && k < width; k++)
            buf_char(under, i == first && k == 0 ? '^' : '~');
    }
    if (i <= first) /* the fault is at the end of the line */
        buf_char(under, '^');
}

static void show_line(struct place at, struct buf *out)
{
    AUTO(buf_done) struct buf under = BUF_MAX(4 * VIEW);
    struct str line;

    if (!source_line(at.source, at.line, &line))
        return;
    buf_fmt(out, "%5d | ", at.line);
    show_window(line, at, out, &under);
    buf_char(out, '\n');
    if (at.column > 0) {
        buf_text(out, "      | ");
        buf_add(out, buf_str(&under));
        buf_char(out, '\n');
    }
}

void diag_show(const struct diag *one, const char *language, struct buf *out)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    const struct place *at = &one->at;

    if (at->source) {
        show_text(out, str_of(at->source->path));
        if (at->line > 0)
            buf_fmt(out, ":%d", at->line);
        if (at->line > 0 && at->column > 0)
            buf_fmt(out, ":%d", at->column);
        buf_text(out, ": ");
    }
    buf_text(out,
             message_show(scratch, language, one->level == DIAG_ERROR ? "error: " : "warning: "));
    show_text(out, str_of(message_show(scratch, language, one->msg)));
    buf_char(out, '\n');
    if (at->source && at->line > 0)
        show_line(*at, out);
}

static void show_count(struct arena *a, const struct diags *d, const char *language,
                       struct buf *out)
{
    static const char *const commas[LANGUAGES] = {", ", "，", "、"};

    if (d->errors)
        buf_text(out, message_show(
                          a, language,
                          arena_printf(a, d->errors == 1 ? "%zu error" : "%zu errors", d->errors)));
    if (d->errors && d->warnings)
        buf_text(out, commas[message_language_of(language ? language : message_language())]);
    if (d->warnings)
        buf_text(out,
                 message_show(a, language,
                              arena_printf(a, d->warnings == 1 ? "%zu warning" : "%zu warnings",
                                           d->warnings)));
}

void diags_show(const struct diags *d, const char *language, struct buf *out)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    if (d->errors + d->warnings == 0)
        return;
    for (const struct diag *one = d->first; one; one = one->next)
        diag_show(one, language, out);
    show_count(a, d, language, out);
    if (d->errors + d->warnings > DIAGS_MAX)
        buf_text(out, message_show(a, language,
                                   arena_printf(a, " (the first %d are shown)", DIAGS_MAX)));
    buf_char(out, '\n');
}

struct spelled {
    uint32_t rune[WORD_MAX];
    size_t n;
};

static bool spelled_of(struct str s, struct spelled *w)
{
    w->n = 0;
    while (s.n && w->n < WORD_MAX)
        w->rune[w->n++] = utf8_next(&s);
    return s.n == 0;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Optimal string alignment distance: insert, delete, replace, or swap two neighbours, each once
 * (Damerau 1964). Keeps only three rows of the table. */
static size_t distance(const struct spelled *a, const struct spelled *b)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];

    for (size_t j = 0; j <= b->n; j++)
        row[j] = j;
    for (size_t i = 1; i <= a->n; i++) {
        size_t *spare = before;
        before = above;
        above = row;
        row = spare;
        row[0] = i;
        for (size_t j = 1; j <= b->n; j++) {
            row[j] = above[j - 1] + (a->rune[i - 1] != b->rune[j - 1]);
            row[j] = least(row[j], least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a->rune[i - 1] == b->rune[j - 2] &&
                a->rune[i - 2] == b->rune[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[b->n];
}

/* The only one of n words that begins or ends with `word`, which has two letters at least. */
static const char *part_of(struct str word, const char *const *words, size_t n)
{
    const char *only = NULL;

    for (size_t i = 0; i < n && utf8_count(word) >= 2; i++) {
        if (!str_starts(str_of(words[i]), word) && !str_ends(str_of(words[i]), word))
            continue;
        if (only && strcmp(only, words[i]) != 0)
            return NULL;
        only = words[i];
    }
    return only;
}

const char *diag_suggest(struct str word, const char *const *words, size_t n)
{
    const char *nearest = NULL;
    struct spelled wanted, other;
    size_t limit;

    if (!spelled_of(word, &wanted))
        return NULL;
    limit = wanted.n / 3 > 1 ? wanted.n / 3 : 1;
    for (size_t i = 0; i < n; i++) {
        size_t far;
        if (!spelled_of(str_of(words[i]), &other))
            continue;
        far = distance(&wanted, &other);
        /* A word with all letters different is no suggestion, however short it is. */
        if (far <= limit && far < other.n && far < wanted.n) {
            nearest = words[i];
            limit = far - (far > 0);
            if (far == 0)
                break;
        }
    }
    return nearest ? nearest : part_of(word, words, n);
}
