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
    char *to = arena_alloc(a, text.n + 1); /* the lines of each turn, joined */
    struct transcript out = {0};
    struct transcript_turn turn, *last = NULL;
    struct str line;
    size_t cap = 0;

    while (str_line(&text, &line)) {
        struct str words = str_trim(line);
        if (begins_turn(line, &turn)) {
            out.v = arena_grow(a, out.v, &cap, out.n + 1, sizeof *out.v);
            last = &out.v[out.n++];
            words = turn.text;
            turn.text = (struct str){to, 0};
            *last = turn;
        } else if (last && words.n) {
            *to++ = '\n';
        } else {
            continue;
        }
        memcpy(to, words.p, words.n);
        to += words.n;
        last->text.n = (size_t)(to - last->text.p);
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
