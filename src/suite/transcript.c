#include "suite/transcript.h"

/* Parses "[12] Name: words" at the start of a line. */
static bool begins_turn(struct str line, struct transcript_turn *out)
{
    struct str number, rest;

    if (!str_starts(line, STR("[")) || !str_cut(str_from(line, 1), ']', &number, &rest) ||
        !str_int(number, &out->number) || !str_starts(rest, STR(" ")) ||
        !str_cut(str_from(rest, 1), ':', &out->who, &out->text))
        return false;
    out->text = str_trim(out->text);
    return true;
}

struct transcript transcript_parse(struct arena *a, struct str text)
{
    struct transcript out = {0};
    struct str rest = text, line;
    struct transcript_turn turn;
    size_t lines = 1;

    for (size_t i = 0; i < text.n; i++)
        lines += text.p[i] == '\n';
    out.v = NEW_N(a, struct transcript_turn, lines);
    while (str_line(&rest, &line)) {
        if (begins_turn(line, &turn))
            out.v[out.n++] = turn;
        else if (out.n && str_trim(line).n)
            out.v[out.n - 1].text = str_of(arena_printf(
                a, "%.*s\n%.*s", STR_ARG(out.v[out.n - 1].text), STR_ARG(str_trim(line))));
    }
    return out;
}

const struct transcript_turn *transcript_find(const struct transcript *t, int64_t number)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].number == number)
            return &t->v[i];
    return NULL;
}
