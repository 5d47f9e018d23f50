#include "suite/prompt.h"

/* Bytes of other scripts count as letters: item files have keys such as 标签. */
static bool is_name_byte(char c)
{
    return str_alnum(c) || c == '_' || c == '.' || c == '-' || (unsigned char)c >= 0x80;
}

static size_t skip_space(struct str s, size_t at)
{
    while (at < s.n && (s.p[at] == ' ' || s.p[at] == '\t' || s.p[at] == '\r' || s.p[at] == '\n'))
        at++;
    return at;
}

/* Parses {{name}} at byte `at`; *end is the byte after it. */
static bool name_at(struct str text, size_t at, struct str *name, size_t *end)
{
    size_t from = skip_space(text, at + 2), to = from, close;

    while (to < text.n && is_name_byte(text.p[to]))
        to++;
    close = skip_space(text, to);
    if (to == from || !str_starts(str_from(text, close), STR("}}")))
        return false;
    *name = (struct str){text.p + from, to - from};
    *end = close + 2;
    return true;
}

bool prompt_next(struct str text, size_t *at, struct str *name, size_t *begin)
{
    const char *brace;

    for (size_t from = *at; from + 1 < text.n; from++) {
        brace = memchr(text.p + from, '{', text.n - from - 1);
        if (!brace)
            break;
        from = (size_t)(brace - text.p);
        if (brace[1] == '{' && name_at(text, from, name, at)) {
            *begin = from;
            return true;
        }
    }
    *at = text.n;
    return false;
}

bool prompt_name(struct str *rest, struct str *name)
{
    size_t at = 0, begin;
    bool found = prompt_next(*rest, &at, name, &begin);

    *rest = str_from(*rest, at);
    return found;
}

static const struct prompt_var *find(struct prompt_vars vars, struct str name)
{
    for (size_t i = 0; i < vars.n; i++)
        if (str_is(name, vars.v[i].name))
            return vars.v + i;
    return NULL;
}

enum status prompt_fill(struct arena *a, struct str text, struct prompt_vars vars, struct str *out,
                        struct err *e)
{
    size_t done = 0, at = 0, begin = 0, count = 1, n = 0, length = 0;
    struct str name, *parts;

    while (prompt_next(text, &at, &name, &begin))
        count += 2;
    parts = NEW_N(a, struct str, count);
    at = 0;
    while (prompt_next(text, &at, &name, &begin)) {
        const struct prompt_var *var = find(vars, name);
        if (!var) {
            name = utf8_head(name, 64);
            return err_set(e, E_INPUT, "{{%.*s}} is unknown", STR_ARG(name));
        }
        parts[n++] = (struct str){text.p + done, begin - done};
        parts[n++] = var->value;
        done = at;
    }
    parts[n++] = str_from(text, done);
    for (size_t i = 0; i < n; i++)
        length += parts[i].n;
    if (length > PROMPT_MAX)
        return err_set(e, E_INPUT, "the filled-in template is over %d MB", PROMPT_MAX >> 20);
    *out = arena_join(a, parts, n);
    return OK;
}
