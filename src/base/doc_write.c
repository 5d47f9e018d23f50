/* Writes JSON values as readable YAML. */
#include <inttypes.h>

#include "base/doc.h"

enum { STEP = 2 };

static void indent(struct buf *out, int depth)
{
    for (int i = 0; i < depth * STEP; i++)
        buf_char(out, ' ');
}

/* A block keeps all characters, but would take white space at its ends for its own. */
static bool suits_block(struct str s)
{
    return s.n && memchr(s.p, '\n', s.n) && !strchr(" \t\n", s.p[0]) &&
           !strchr(" \t\n", s.p[s.n - 1]);
}

static void write_block(struct buf *out, struct str text, int depth)
{
    struct str line;

    buf_text(out, "|-");
    while (str_line(&text, &line)) {
        buf_char(out, '\n');
        if (line.n)
            indent(out, depth);
        buf_add(out, line);
    }
}

static void write_text(struct buf *out, struct str text, int depth)
{
    if (suits_block(text))
        write_block(out, text, depth);
    else
        json_quote(out, text);
}

static void write_scalar(struct buf *out, const json_t *j, int depth)
{
    char number[STR_EXACT];

    if (json_is_string(j))
        write_text(out, json_str(j), depth);
    else if (json_is_integer(j))
        buf_fmt(out, "%" PRId64, (int64_t)json_integer_value(j));
    else if (json_is_real(j))
        buf_text(out, str_exact(number, json_real_value(j)));
    else
        buf_text(out, json_is_true(j) ? "true" : json_is_false(j) ? "false" : "null");
}

static bool is_scalar(const json_t *j)
{
    return !json_is_object(j) && !json_is_array(j);
}

/* Whether a list fits on one line: no lists or maps in it, and not too long. */
static bool is_short(const json_t *list)
{
    size_t bytes = 0;

    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (!is_scalar(one))
            return false;
        bytes += json_string_length(one) + 4;
    }
    return bytes < 80;
}

static void write_short(struct buf *out, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        buf_text(out, i ? ", " : "[");
        if (json_is_string(one))
            json_quote(out, json_str(one));
        else
            write_scalar(out, one, 0);
    }
    buf_text(out, json_array_size(list) ? "]" : "[]");
}

static bool is_plain_key(struct str key)
{
    for (size_t i = 0; i < key.n; i++)
        if (!(key.p[i] >= 'a' && key.p[i] <= 'z') && key.p[i] != '_')
            return false;
    return key.n > 0;
}

static void write_key(struct buf *out, struct str key)
{
    if (is_plain_key(key))
        buf_add(out, key);
    else
        json_quote(out, key);
    buf_char(out, ':');
}

static void write_at(struct buf *out, json_t *j, int depth);

/* Writes a value after its key: on the same line, or on lines of its own below it. */
static void write_value(struct buf *out, json_t *j, int depth)
{
    bool empty = json_is_object(j) && json_object_size(j) == 0;

    if (empty) {
        buf_text(out, " {}\n");
    } else if (json_is_array(j) && is_short(j)) {
        buf_char(out, ' ');
        write_short(out, j);
        buf_char(out, '\n');
    } else if (is_scalar(j)) {
        buf_char(out, ' ');
        write_scalar(out, j, depth);
        buf_char(out, '\n');
    } else {
        buf_char(out, '\n');
        indent(out, depth);
        write_at(out, j, depth);
    }
}

/* The caller has written the indentation of the first line. */
static void write_at(struct buf *out, json_t *j, int depth)
{
    size_t i = 0;
    const char *key = NULL;
    json_t *value = NULL;

    if (json_is_array(j))
        for (; i < json_array_size(j); i++) {
            json_t *one = json_array_get(j, i);
            bool map = json_is_object(one) && json_object_size(one) > 0;
            indent(out, i ? depth : 0);
            buf_text(out, map ? "- " : "-");
            if (map)
                write_at(out, one, depth + 1);
            else
                write_value(out, one, depth + 1);
        }
    else
        json_object_foreach(j, key, value)
        {
            indent(out, i++ ? depth : 0);
            write_key(out, str_of(key));
            write_value(out, value, depth + 1);
        }
}

void doc_write(struct buf *out, json_t *j)
{
    bool open = (json_is_object(j) && json_object_size(j) > 0) ||
                (json_is_array(j) && json_array_size(j) > 0);

    if (open) {
        write_at(out, j, 0);
        return;
    }
    if (is_scalar(j))
        write_scalar(out, j, 1);
    else
        buf_text(out, json_is_object(j) ? "{}" : "[]");
    buf_char(out, '\n');
}
