#include "base/csv.h"

#include "base/message.h"

#include <stdlib.h>

/* The most frequent of comma, semicolon and tab outside quotes; a comma if there is none.
 * Spreadsheets write semicolons where numbers contain commas. */
static char separator_of(struct str line)
{
    static const char all[] = {',', ';', '\t'};
    size_t count[COUNT(all)] = {0}, best = 0;
    bool quoted = false;

    for (size_t i = 0; i < line.n; i++) {
        const char *found = memchr(all, line.p[i], sizeof all);
        quoted = quoted != (line.p[i] == '"');
        if (found && !quoted)
            count[found - all]++;
    }
    for (size_t i = 1; i < COUNT(all); i++)
        if (count[i] > count[best])
            best = i;
    return all[best];
}

enum status csv_open(struct csv *c, const char *path, size_t max_record, struct err *e)
{
    /* In the buffer a NUL follows every field, where the file has a separator or the end of the
     * record. */
    *c = (struct csv){.text = BUF_MAX(max_record + 1)};
    /* In the file a quote takes two bytes, and an empty field with its separator three; a byte
     * order mark may come first. */
    return lines_open(&c->lines, path, 3 * (max_record + 2), e);
}

static enum status fault(const struct csv *c, int64_t line, const char *what, struct err *e)
{
    return err_set(e, E_INPUT, "%s:%lld: %s", c->lines.path, (long long)line, what);
}

/* The current record as it is in the file. */
static const char *here(const struct csv *c)
{
    return c->lines.text + c->lines.at;
}

/* Length of the record including the line that begins at `from`. */
static enum status line_end(struct csv *c, size_t from, size_t *out, struct err *e)
{
    if (lines_end(&c->lines, from, out, e) != OK)
        return e->code;
    c->lines.number += *out > from;
    if (*out > c->lines.max && here(c)[*out - 1] != '\n')
        c->text.full = true;
    return OK;
}

/* The same without the line break. */
static size_t content(const struct csv *c, size_t end)
{
    if (end && here(c)[end - 1] == '\n')
        end -= end > 1 && here(c)[end - 2] == '\r' ? 2 : 1;
    return end;
}

/* The first record determines the separator; it may contain line breaks in quotes. */
static enum status choose_separator(struct csv *c, size_t end, struct err *e)
{
    bool quoted = false;
    size_t seen = 0, before;

    do {
        for (; seen < end; seen++)
            quoted = quoted != (here(c)[seen] == '"');
        before = end;
        if (quoted && lines_end(&c->lines, before, &end, e) != OK)
            return e->code;
    } while (end > before && end <= c->lines.max);
    /* If the first record is the whole file, an old spreadsheet may have ended lines with CR. */
    if (here(c)[before - 1] != '\n' && memchr(here(c), '\r', before - 1))
        return fault(c, c->line,
                     N_("lines end with CR alone; save the file with LF or CRLF line ends"), e);
    c->separator = separator_of((struct str){here(c), before});
    return OK;
}

static void put(struct csv *c, size_t from, size_t to)
{
    buf_add(&c->text, (struct str){here(c) + from, to - from});
}

/* Notes only where the field ends: its text may move until the record is complete. */
static void field_end(struct csv *c, size_t from)
{
    c->fields = mem_grow(c->fields, &c->cap, c->n + 1, sizeof *c->fields);
    c->from = mem_grow(c->from, &c->from_cap, c->n + 1, sizeof *c->from);
    c->from[c->n] = from;
    c->fields[c->n++].n = c->text.n;
    buf_char(&c->text, '\0');
}

/* Reads the rest of a quoted field, from after the opening quote at *at to after the closing
 * one. */
static enum status read_quoted(struct csv *c, size_t *at, size_t *end, struct err *e)
{
    int64_t opened = c->lines.number;

    for (;;) {
        const char *hit = memchr(here(c) + *at, '"', *end - *at);
        size_t to = hit ? (size_t)(hit - here(c)) : *end;
        bool twice = hit && to + 1 < *end && hit[1] == '"';
        put(c, *at, to + twice);
        *at = to + (hit != NULL) + twice;
        if ((hit && !twice) || c->text.full)
            return OK;
        if (!hit && line_end(c, *at, end, e) != OK)
            return e->code;
        if (!hit && *end == *at)
            return fault(c, opened, N_("the quote opened here is not closed"), e);
    }
}

/* Reads one field; *at moves to its end. */
static enum status read_field(struct csv *c, size_t *at, size_t *end, struct err *e)
{
    size_t from = *at, stop = content(c, *end);
    const char *hit;

    if (from < stop && here(c)[from] == '"') {
        ++*at;
        if (read_quoted(c, at, end, e) != OK)
            return e->code;
        if (!c->text.full && *at < content(c, *end) && here(c)[*at] != c->separator)
            return fault(c, c->lines.number, N_("text after a closing quote"), e);
    } else {
        hit = memchr(here(c) + from, c->separator, stop - from);
        *at = hit ? (size_t)(hit - here(c)) : stop;
        put(c, from, *at);
    }
    field_end(c, from);
    return OK;
}

/* Reads a line, or more if quotes continue over its end; an empty one leaves c->n at 0. */
static enum status read_record(struct csv *c, struct err *e)
{
    size_t at = 0, end;
    bool goes_on;

    c->line = c->lines.number + 1;
    if (line_end(c, 0, &end, e) != OK)
        return e->code;
    if (c->line == 1 && end >= 3 && memcmp(here(c), "\xEF\xBB\xBF", 3) == 0) {
        c->lines.at += 3;
        end -= 3;
    }
    goes_on = content(c, end) > 0;
    if (goes_on && !c->separator && choose_separator(c, end, e) != OK)
        return e->code;
    while (goes_on && !c->text.full) {
        if (read_field(c, &at, &end, e) != OK)
            return e->code;
        goes_on = at < content(c, end);
        at += goes_on;
    }
    if (c->text.full)
        return err_set(e, E_INPUT, "%s:%lld: record over %s", c->lines.path, (long long)c->line,
                       str_bytes((char[STR_BYTES]){0}, c->text.max - 1));
    c->length = end;
    c->lines.at += end;
    return OK;
}

static enum status take_fields(struct csv *c, struct err *e)
{
    size_t from = 0;

    if (utf8_check(buf_str(&c->text)) != c->text.n)
        return fault(c, c->line, N_("not valid UTF-8; save the file as UTF-8"), e);
    for (size_t i = 0; i < c->n; i++) {
        struct str field = {c->text.p + from, c->fields[i].n - from};
        if (memchr(field.p, '\0', field.n))
            return fault(c, c->line, N_("a NUL byte; is this a text file?"), e);
        from = c->fields[i].n + 1;
        c->fields[i] = field;
    }
    return OK;
}

enum status csv_next(struct csv *c, bool *more, struct err *e)
{
    const struct lines *l = &c->lines;

    c->n = 0;
    while (c->n == 0 && !(l->ended && l->at == l->n)) {
        buf_clear(&c->text);
        if (read_record(c, e) != OK)
            return e->code;
    }
    if (c->n > 0 && take_fields(c, e) != OK)
        return e->code;
    *more = c->n > 0;
    return OK;
}

struct csv_place csv_place(const struct csv *c, size_t field)
{
    struct str before = {here(c) - c->length, c->from[field]};
    struct csv_place at = {c->line, 1};

    for (size_t i = 0; i < before.n; i++)
        if (before.p[i] == '\n')
            at = (struct csv_place){at.line + 1, 1};
        else
            at.column += (before.p[i] & 0xC0) != 0x80;
    return at;
}

size_t csv_column(const struct csv *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++)
        if (str_is(str_trim(c->fields[i]), name))
            return i;
    return SIZE_MAX;
}

enum status csv_find(const struct csv *c, const char *name, size_t *at, struct err *e)
{
    *at = SIZE_MAX;
    for (size_t i = 0; i < c->n; i++) {
        if (!str_is_nocase(str_trim(c->fields[i]), name))
            continue;
        if (*at != SIZE_MAX) {
            (void)err_set(e, E_INPUT, "a second column %s", name);
            return err_wrap(e, "%s:%lld", c->lines.path, (long long)c->line);
        }
        *at = i;
    }
    return OK;
}

bool csv_twice(const struct csv *c, size_t column)
{
    for (size_t i = 0; i < c->n; i++)
        if (i != column && str_eq(str_trim(c->fields[i]), str_trim(c->fields[column])))
            return true;
    return false;
}

const char *csv_named(struct arena *a, const struct csv *c)
{
    enum { SHOWN = 20, CHARS = 40 };
    const char *out = "";

    for (size_t i = 0; i < c->n && i < SHOWN; i++)
        out = arena_printf(a, "%s%s%.*s", out, i ? ", " : "",
                           STR_ARG(utf8_head(str_trim(c->fields[i]), CHARS)));
    return out;
}

void csv_close(struct csv *c)
{
    lines_close(&c->lines);
    buf_done(&c->text);
    free(c->fields);
    free(c->from);
    *c = (struct csv){0};
}

static bool is_formula(struct str s)
{
    double number;

    return s.n && memchr("=+-@\t\r", s.p[0], 6) && !str_double(s, &number);
}

static void put_field(struct buf *out, struct str field, bool first, const char *guard)
{
    /* At the start of a line an empty field would be an empty line, and U+FEFF a byte order
     * mark. */
    bool quote = first && (field.n == 0 || str_starts(field, STR("\xEF\xBB\xBF")));

    for (size_t i = 0; i < field.n && !quote; i++)
        quote = memchr(",\"\r\n", field.p[i], 4) != NULL;
    buf_text(out, first ? "" : ",");
    buf_text(out, quote ? "\"" : "");
    buf_text(out, guard);
    for (size_t i = 0; i < field.n; i++) {
        if (field.p[i] == '"')
            buf_char(out, '"');
        buf_char(out, field.p[i]);
    }
    buf_text(out, quote ? "\"" : "");
}

void csv_put(struct buf *out, struct str field, bool first)
{
    put_field(out, field, first, is_formula(field) ? "'" : "");
}

void csv_put_exact(struct buf *out, struct str field, bool first)
{
    put_field(out, field, first, "");
}
