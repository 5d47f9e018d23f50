#include "panel/quote.h"

#include "base/json.h"
#include "reply/evidence.h"

enum {
    LINES_MAX = 1 << 20,
    QUOTES_MOST = 1000, /* most lines looked up for a mark; the rest is treated as not found */
};

int64_t quote_turn(struct str *line)
{
    struct str number, rest;
    int64_t n;

    if (!str_starts(*line, STR("[")) || !str_cut(str_from(*line, 1), ']', &number, &rest) ||
        !str_int(number, &n) || n < 1)
        return 0;
    *line = str_trim(rest);
    return n;
}

/* The turn that contains these words: the one named, otherwise the first by the model, otherwise
 * the first. */
static const struct turn *find_turn(const struct turn_list *turns, int64_t named, struct str words)
{
    const struct turn *found = NULL;

    for (size_t i = 0; i < turns->n; i++) {
        const struct turn *t = &turns->v[i];
        if ((named && t->position != named) || !str_holds(t->text, words))
            continue;
        if (t->speaker == SPEAKER_MODEL)
            return t;
        if (!found)
            found = t;
    }
    return found;
}

/* NULL: the words are not in the text. */
static json_t *quote_json(struct arena *a, struct str line, struct str text,
                          const struct turn_list *turns)
{
    int64_t named = turns->n ? quote_turn(&line) : 0;
    struct str words = evidence_spaced(a, line);
    const struct turn *t = turns->n ? find_turn(turns, named, words) : NULL;
    json_t *j;

    if (turns->n ? !t : !str_holds(text, words))
        return NULL;
    j = json_object();
    json_put_str(j, "text", words);
    if (t)
        json_put_int(j, "turn", t->position);
    json_put_bool(j, "found", true);
    return j;
}

/* Normalises the text of all turns once, not once per line: a rater may send many lines. */
static struct turn_list spaced_turns(struct arena *a, const struct turn_list *turns)
{
    struct turn_list out = {arena_copy(a, turns->v, turns->n, sizeof *turns->v), turns->n};

    for (size_t i = 0; i < out.n; i++)
        out.v[i].text = evidence_spaced(a, out.v[i].text);
    return out;
}

struct quotes quote_read(struct arena *a, struct str lines, struct str text,
                         const struct turn_list *turns)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    AUTO(json_freep) json_t *list = json_array();
    struct quotes out = {.json = STR("")};
    struct str line, left = lines, spaced;
    struct turn_list said;
    size_t n = 0, looked = 0;

    while (str_line(&left, &line))
        n += str_trim(line).n > 0;
    if (n == 0)
        return out;
    out.refused = NEW_N(a, const char *, n + 1);
    spaced = evidence_spaced(scratch, text);
    said = spaced_turns(scratch, turns);
    while (str_line(&lines, &line)) {
        json_t *j = str_trim(line).n && looked++ < QUOTES_MOST
                        ? quote_json(scratch, str_trim(line), spaced, &said)
                        : NULL;
        if (j)
            (void)json_array_append_new(list, j);
        else if (str_trim(line).n)
            out.refused[out.nrefused++] = arena_text(a, str_trim(line));
    }
    if (json_array_size(list))
        out.json = str_of(json_text(a, list));
    return out;
}

const char *quote_lines(struct arena *a, struct str json)
{
    AUTO(json_freep) json_t *list = NULL;
    AUTO(buf_done) struct buf b = BUF_MAX(LINES_MAX);
    const json_t *one;
    struct err e;
    size_t i;

    if (json.n == 0 || json_read(json, &list, &e) != OK)
        return "";
    json_array_foreach(list, i, one)
    {
        struct str words = json_str_at(one, "text", STR(""));
        int64_t turn = json_int_at(one, "turn", 0);
        if (turn)
            buf_fmt(&b, "[%lld] ", (long long)turn);
        buf_fmt(&b, "%.*s\n", STR_ARG(words));
    }
    return arena_text(a, buf_str(&b));
}
