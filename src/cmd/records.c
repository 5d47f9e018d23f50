#include "cmd/records.h"

#include "base/message.h"

enum { SNIFFED = 32 << 10, FAULTS_SHOWN = 5 };

static struct str unread(const struct records *r)
{
    const struct lines *l = &r->lines;

    return (struct str){l->n ? l->text + l->at : "", l->n - l->at};
}

/* Hand out n bytes. */
static struct str take(struct records *r, size_t n)
{
    struct str s = {unread(r).p, n};

    for (const char *p = s.p; (p = memchr(p, '\n', n - (size_t)(p - s.p))) != NULL; p++)
        r->line++;
    r->lines.at += n;
    return s;
}

/* The first character of s that is not white space, and the rest after it; 0 if there is none. */
static char first_of(struct str s, struct str *rest)
{
    while (s.n && memchr(" \t\n\r", s.p[0], 4))
        s = str_from(s, 1);
    *rest = s;
    if (s.n == 0)
        return '\0';
    *rest = str_from(s, 1);
    return s.p[0];
}

/* Plain text may begin with a bracket, too ("[smiles] Hello"): the next character decides. */
static enum records_form form_of(struct str begin)
{
    struct str rest;
    char c = first_of(begin, &rest), next = first_of(rest, &rest);

    if (c == '{' && (next == '"' || next == '}'))
        return RECORDS_LINES;
    if (c == '[' && (next == '{' || next == '"' || next == ']'))
        return RECORDS_ARRAY;
    return RECORDS_PLAIN;
}

enum status records_open(struct records *r, const char *path, struct err *e)
{
    struct lines *l = &r->lines;
    struct str rest;

    *r = (struct records){.line = 1};
    if (lines_open(l, path, RECORD_MAX, e) != OK)
        return e->code;
    while (!l->ended && l->n < SNIFFED)
        if (lines_fill(l, e) != OK) {
            records_close(r);
            return e->code;
        }
    l->at = str_starts(unread(r), STR("\xEF\xBB\xBF")) ? 3 : 0;
    r->form = form_of(unread(r));
    if (r->form == RECORDS_ARRAY) {
        (void)first_of(unread(r), &rest);
        (void)take(r, unread(r).n - rest.n);
        r->closed = first_of(rest, &rest) == ']';
        if (r->closed)
            (void)take(r, unread(r).n - rest.n);
    }
    return OK;
}

void records_close(struct records *r)
{
    lines_close(&r->lines);
    json_decref(r->value);
    *r = (struct records){0};
}

/* ---- where a record ends ---- */

/* How far a record was read. */
struct scan {
    size_t at;
    int depth;
    bool quoted, escaped;
};

/* Go on to the comma or bracket after the element; false if the text ends before it. */
static bool scan_element(struct scan *s, struct str text)
{
    for (; s->at < text.n; s->at++) {
        char c = text.p[s->at];
        if (s->quoted) {
            s->quoted = s->escaped || c != '"';
            s->escaped = c == '\\' && !s->escaped;
        } else if (c == '"') {
            s->quoted = true;
        } else if (s->depth == 0 && (c == ',' || c == ']')) {
            return true;
        } else {
            s->depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        }
    }
    return false;
}

static bool scan_line(struct scan *s, struct str text)
{
    const char *hit = text.n > s->at ? memchr(text.p + s->at, '\n', text.n - s->at) : NULL;

    s->at = hit ? (size_t)(hit - text.p) : text.n;
    return hit != NULL;
}

/* Bytes before the end of the next record; *found is false if the file ends without it. */
static enum status measure(struct records *r, size_t *n, bool *found, struct err *e)
{
    struct scan s = {0};

    for (;;) {
        *found = r->form == RECORDS_ARRAY ? scan_element(&s, unread(r)) : scan_line(&s, unread(r));
        *n = s.at;
        if (s.at > RECORD_MAX)
            return err_set(e, E_INPUT, "%s:%lld: a text of more than %d MB", r->lines.path,
                           (long long)r->line, RECORD_MAX >> 20);
        if (*found || r->lines.ended)
            return OK;
        if (lines_fill(&r->lines, e) != OK)
            return e->code;
    }
}

/* ---- what it says ---- */

/* Parse s into r->value. Returns what is wrong with it, or NULL. */
static const char *read_json(struct records *r, struct str s)
{
    struct json_fault fault = {0};

    r->value = json_read_at(s, &fault);
    if (!r->value)
        return N_("not JSON");
    if (!json_is_object(r->value) && !json_is_string(r->value))
        return N_("neither an object nor a text");
    return NULL;
}

static struct record record_of(struct records *r, struct str s, int64_t line)
{
    struct record out = {.line = line, .number = ++r->number};

    json_decref(r->value);
    r->value = NULL;
    if (utf8_check(s) != s.n)
        out.fault = N_("not UTF-8");
    else if (r->form == RECORDS_PLAIN)
        out.text = s;
    else
        out.fault = read_json(r, s);
    if (json_is_object(r->value))
        out.object = r->value;
    else if (json_is_string(r->value))
        out.text = json_str(r->value);
    return out;
}

/* Nothing may follow the array. */
static enum status check_end(struct records *r, struct err *e)
{
    struct str rest;

    do {
        if (first_of(unread(r), &rest))
            return err_set(e, E_INPUT, "%s:%lld: text after the end of the array", r->lines.path,
                           (long long)r->line);
        (void)take(r, unread(r).n);
        if (lines_fill(&r->lines, e) != OK)
            return e->code;
    } while (!r->lines.ended);
    return OK;
}

static enum status next_element(struct records *r, struct record *out, bool *more, struct err *e)
{
    struct str rest;
    int64_t line;
    bool found;
    size_t n;

    *more = !r->closed;
    if (r->closed)
        return check_end(r, e);
    if (measure(r, &n, &found, e) != OK)
        return e->code;
    if (!found)
        return err_set(e, E_INPUT, "%s:%lld: the file ends inside the array", r->lines.path,
                       (long long)r->line);
    (void)first_of((struct str){unread(r).p, n}, &rest);
    line = r->line;
    for (const char *p = unread(r).p; p + 1 < rest.p; p++)
        line += *p == '\n';
    r->closed = unread(r).p[n] == ']';
    *out = record_of(r, str_trim((struct str){unread(r).p, n}), line);
    (void)take(r, n + 1);
    return OK;
}

static enum status next_line(struct records *r, struct record *out, bool *more, struct err *e)
{
    for (;;) {
        int64_t line = r->line;
        struct str s;
        bool found;
        size_t n;
        if (measure(r, &n, &found, e) != OK)
            return e->code;
        *more = n > 0 || found;
        if (!*more)
            return OK;
        s = str_trim(take(r, n + found));
        if (s.n) {
            *out = record_of(r, s, line);
            return OK;
        }
    }
}

enum status records_each(struct records *r, record_fn *fn, void *user, struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct record one;
    bool more = true;

    for (; more; arena_reset(scratch))
        if ((r->form == RECORDS_ARRAY ? next_element(r, &one, &more, e)
                                      : next_line(r, &one, &more, e)) != OK ||
            (more && fn(user, scratch, &one, e) != OK))
            return e->code;
    return OK;
}

enum status records_read(const char *path, record_fn *fn, void *user, struct err *e)
{
    AUTO(records_close) struct records in = {0};

    return records_open(&in, path, e) == OK ? records_each(&in, fn, user, e) : e->code;
}

bool record_text(const struct record *r, const char *const *keys, size_t n, struct str *out)
{
    if (!r->object) {
        *out = r->text;
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        const json_t *j = json_object_get(r->object, keys[i]);
        if (!json_is_string(j))
            continue;
        *out = json_str(j);
        return true;
    }
    return false;
}

const char *record_key(const struct record *r, const char *const *keys, size_t n, const char *taken,
                       bool words)
{
    for (size_t i = 0; i < n; i++) {
        const json_t *j = json_object_get(r->object, keys[i]);
        if (json_is_string(j) && (!words || str_trim(json_str(j)).n) &&
            !(taken && strcmp(keys[i], taken) == 0))
            return keys[i];
    }
    return NULL;
}

/* ---- faults ---- */

void record_fault(struct record_faults *f, int64_t line, const char *what)
{
    AUTO(arena_freep) struct arena *a = arena_new();

    if (f->n++ < FAULTS_SHOWN)
        fprintf(f->to, _("%s:%lld: %s; skipped\n"), f->path, (long long)line,
                message_show(a, NULL, what));
}

void record_faults_close(const struct record_faults *f)
{
    if (f->n > FAULTS_SHOWN)
        fprintf(f->to, _("%s: %lld more skipped\n"), f->path, (long long)f->n - FAULTS_SHOWN);
}
