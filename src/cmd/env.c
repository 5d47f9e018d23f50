#include "cmd/env.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"

static bool is_name(struct str s)
{
    return str_made_of(s, "_") && !(s.p[0] >= '0' && s.p[0] <= '9');
}

static char escaped(char c)
{
    static const char from[] = "ntr", to[] = "\n\t\r";
    const char *hit = c ? strchr(from, c) : NULL;

    return (char)(hit ? to[hit - from] : c);
}

/* The text between quotes; false if they are not closed or more than a comment follows. */
static bool quoted(struct str s, struct buf *out)
{
    char quote = s.p[0];

    for (size_t i = 1; i < s.n; i++) {
        if (s.p[i] == quote) {
            s = str_trim(str_from(s, i + 1));
            return s.n == 0 || s.p[0] == '#';
        }
        if (s.p[i] == '\\' && quote == '"' && i + 1 < s.n)
            buf_char(out, escaped(s.p[++i]));
        else
            buf_char(out, s.p[i]);
    }
    return false;
}

/* A '#' begins a comment only after white space: keys may contain one. */
static struct str bare(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == '#' && (i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == '\t'))
            return str_trim((struct str){s.p, i});
    return s;
}

/* `ours`: the variables that earlier lines have set, which later ones may replace. */
static bool set_line(struct arena *a, struct map *ours, struct str line)
{
    AUTO(buf_done) struct buf value = BUF_MAX(ENV_BYTES_MAX);
    struct str name, text;
    const char *variable;

    line = str_trim(line);
    if (line.n == 0 || line.p[0] == '#')
        return true;
    if (str_drop(&line, STR("export ")))
        line = str_trim(line);
    if (!str_cut(line, '=', &name, &text) || !is_name(name = str_trim(name)))
        return false;
    text = str_trim(text);
    if (text.n && (text.p[0] == '"' || text.p[0] == '\'')) {
        if (!quoted(text, &value))
            return false;
    } else {
        buf_add(&value, bare(text));
    }
    if (value.n && memchr(value.p, '\0', value.n))
        return false;
    variable = arena_text(a, name);
    if (!getenv(variable))
        (void)map_room(ours, name, 1);
    return setenv(variable, value.n ? value.p : "", map_get(ours, name) != NULL) == 0;
}

enum status env_load(const char *path, int *bad, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str text, line;
    struct stat info;
    struct map ours;
    int number = 0;

    *bad = 0;
    if (stat(path, &info) != 0 || S_ISDIR(info.st_mode))
        return OK;
    if (file_read(a, path, ENV_BYTES_MAX, &text, e) != OK)
        return e->code;
    text = str_unmarked(text);
    map_init(&ours, a);
    while (str_line(&text, &line)) {
        if (++number > ENV_LINES_MAX)
            return err_set(e, E_INPUT, "%s: more than %d lines", path, ENV_LINES_MAX);
        if (!set_line(a, &ours, line) && !*bad)
            *bad = number;
    }
    return OK;
}
