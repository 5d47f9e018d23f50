#include "base/csv.h"

#include "base/message.h"

#include <stdlib.h>

enum csv_state {
    FIELD_START,
    FIELD_PLAIN,
    FIELD_CLOSED, /* after the quote that ended it */
};

char csv_separator(struct str line)
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

/* The next byte, or EOF. */
static int take(struct csv *c)
{
    if (c->taken < c->ahead.n)
        return (unsigned char)c->ahead.p[c->taken++];
    buf_clear(&c->ahead);
    c->taken = 0;
    return getc_unlocked(c->in);
}

/* ... which was taken last, is so again. */
static void put_back(struct csv *c, int b)
{
    if (c->ahead.n)
        c->taken--;
    else if (b != EOF)
        (void)ungetc(b, c->in);
}

/* The first line tells what separates; a pipe cannot be read twice, so it is kept. */
static void look_ahead(struct csv *c)
{
    bool quoted = false;
    int b;

    while (c->ahead.n + 1 < c->ahead.max && (b = getc_unlocked(c->in)) != EOF) {
        buf_char(&c->ahead, (char)b);
        quoted = quoted != (b == '"');
        if (!quoted && (b == '\n' || b == '\r') && str_trim(buf_str(&c->ahead)).n)
            break;
    }
    c->separator = csv_separator(buf_str(&c->ahead));
}

enum status csv_open(struct csv *c, const char *path, size_t max_record, struct err *e)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rbe");

    if (!in)
        return err_system(e, path);
    /* Every field is followed by a NUL where the file has a comma or the end of the record. */
    *c = (struct csv){.in = in,
                      .path = path,
                      .ahead = BUF_MAX(max_record + 1),
                      .text = BUF_MAX(max_record + 1),
                      .next_line = 1};
    look_ahead(c);
    return OK;
}

static enum status fault(const struct csv *c, int64_t line, const char *what, struct err *e)
{
    return err_set(e, E_INPUT, "%s:%lld: %s", c->path, (long long)line, what);
}

static void field_begin(struct csv *c)
{
    c->field = (struct csv_place){c->next_line, c->column + 1};
}

/* Where its text lies is known once the record is whole: until then only where it ends. */
static void field_end(struct csv *c)
{
    c->fields = mem_grow(c->fields, &c->cap, c->n + 1, sizeof *c->fields);
    c->places = mem_grow(c->places, &c->places_cap, c->n + 1, sizeof *c->places);
    c->places[c->n] = c->field;
    c->fields[c->n++].n = c->text.n;
    buf_char(&c->text, '\0');
}

/* Count a byte; those that continue a code point have no column of their own. */
static void advance(struct csv *c, int b)
{
    if (b == '\n') {
        c->next_line++;
        c->column = 0;
    } else {
        c->column += (b & 0xC0) != 0x80;
    }
}

/* The next byte, with CRLF as LF; EOF at the end. */
static int next_byte(struct csv *c)
{
    int b = take(c);

    if (b == '\r') {
        int after = take(c);
        if (after == '\n')
            return '\n';
        put_back(c, after);
    }
    return b;
}

/* A byte order mark is only known once its third byte has been read as text. */
static bool drop_bom(struct csv *c)
{
    if (c->line != 1 || c->n > 0 || !str_eq(buf_str(&c->text), STR("\xEF\xBB\xBF")))
        return false;
    buf_clear(&c->text);
    c->column = 0;
    return true;
}

/* The rest of a quoted field, whose first quote has been read. Stops early, for the caller to
 * report, when the file cannot be read or the record is too long. */
static enum status read_quoted(struct csv *c, struct err *e)
{
    int64_t opened = c->next_line;

    while (!c->text.full) {
        int b = take(c);
        if (b == '"' && (b = take(c)) != '"') {
            put_back(c, b);
            advance(c, '"');
            return OK;
        }
        if (b == EOF && ferror(c->in))
            return OK;
        if (b == EOF)
            return fault(c, opened, "the quote opened here is not closed", e);
        advance(c, b);
        c->column += b == '"'; /* it stood twice */
        buf_char(&c->text, (char)b);
    }
    return OK;
}

/* Take in byte b of a record, which is not its end. */
static enum status read_byte(struct csv *c, int b, enum csv_state *state, struct err *e)
{
    advance(c, b);
    if (b == c->separator) {
        field_end(c);
        field_begin(c);
        *state = FIELD_START;
        return OK;
    }
    if (*state == FIELD_CLOSED)
        return fault(c, c->next_line, "text after a closing quote", e);
    if (b == '"' && *state == FIELD_START) {
        *state = FIELD_CLOSED;
        return read_quoted(c, e);
    }
    buf_char(&c->text, (char)b);
    *state = drop_bom(c) ? FIELD_START : FIELD_PLAIN;
    if (*state == FIELD_START)
        field_begin(c);
    return OK;
}

/* Read one line's worth of fields; a line with nothing on it leaves c->n at 0. */
static enum status read_record(struct csv *c, bool *ended, struct err *e)
{
    enum csv_state state = FIELD_START;
    int b = EOF;

    field_begin(c);
    while (!c->text.full && (b = next_byte(c)) != EOF && b != '\n')
        if (read_byte(c, b, &state, e) != OK)
            return e->code;
    if (ferror(c->in))
        return err_system(e, c->path);
    if (state != FIELD_START || c->n > 0)
        field_end(c);
    if (c->text.full)
        return err_set(e, E_INPUT, "%s:%lld: record over %s", c->path, (long long)c->line,
                       str_bytes((char[STR_BYTES]){0}, c->text.max - 1));
    if (b == '\n')
        advance(c, b);
    *ended = b == EOF;
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
            return fault(c, c->line, "a NUL byte; is this a text file?", e);
        from = c->fields[i].n + 1;
        c->fields[i] = field;
    }
    return OK;
}

enum status csv_next(struct csv *c, bool *more, struct err *e)
{
    bool ended = false;

    c->n = 0;
    while (c->n == 0 && !ended) {
        buf_clear(&c->text);
        c->line = c->next_line;
        if (read_record(c, &ended, e) != OK)
            return e->code;
    }
    if (c->n > 0 && take_fields(c, e) != OK)
        return e->code;
    *more = c->n > 0;
    return OK;
}

size_t csv_column(const struct csv *c, const char *name)
{
    for (size_t i = 0; i < c->n; i++)
        if (str_is(str_trim(c->fields[i]), name))
            return i;
    return SIZE_MAX;
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
    if (c->in && c->in != stdin)
        (void)fclose(c->in);
    buf_done(&c->ahead);
    buf_done(&c->text);
    free(c->fields);
    free(c->places);
    *c = (struct csv){0};
}

static bool is_formula(struct str s)
{
    double number;

    return s.n && memchr("=+-@\t\r", s.p[0], 6) && !str_double(s, &number);
}

void csv_put(struct buf *out, struct str field, bool first)
{
    /* At the start of a line, nothing would be an empty line and U+FEFF a byte order mark. */
    bool quote = first && (field.n == 0 || str_starts(field, STR("\xEF\xBB\xBF")));

    for (size_t i = 0; i < field.n && !quote; i++)
        quote = memchr(",\"\r\n", field.p[i], 4) != NULL;
    if (!first)
        buf_char(out, ',');
    if (quote)
        buf_char(out, '"');
    if (is_formula(field))
        buf_char(out, '\'');
    for (size_t i = 0; i < field.n; i++) {
        if (field.p[i] == '"')
            buf_char(out, '"');
        buf_char(out, field.p[i]);
    }
    if (quote)
        buf_char(out, '"');
}
