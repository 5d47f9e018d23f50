#include "exchange/import_situations.h"

#include "base/words.h"
#include "suite/vocab.h"
#include "text/language.h"

enum { SUITE_BYTES_MAX = 64 << 20, SAMPLE_BYTES_MAX = 64 << 10, ID_MAX = 200 };

static const char *const texts[] = {"character_name", "character", "context"};

bool import_situations_are(const json_t *first)
{
    return json_object_get(first, "situation_id") && json_object_get(first, "character_name") &&
           json_object_get(first, "context");
}

void import_situations_init(struct import_situations *s, struct arena *a)
{
    *s = (struct import_situations){.arena = a,
                                    .characters = BUF_MAX(SUITE_BYTES_MAX),
                                    .items = BUF_MAX(SUITE_BYTES_MAX),
                                    .sample = BUF_MAX(SAMPLE_BYTES_MAX)};
    map_init(&s->ids, a);
    map_init(&s->cards, a);
}

void import_situations_done(struct import_situations *s)
{
    buf_done(&s->characters);
    buf_done(&s->items);
    buf_done(&s->sample);
}

/* ---- one situation ---- */

static const char *fault_of(const struct import_situations *s, const json_t *object, struct str id)
{
    const int64_t *before = map_get(&s->ids, id);

    if (!str_is_word(id, ID_MAX))
        return arena_printf(s->arena,
                            N_("expected \"situation_id\" with a number, or a name without white "
                               "space of at most %d bytes"),
                            ID_MAX);
    if (before)
        return arena_printf(s->arena, N_("situation %.*s is there already, in line %lld"),
                            STR_ARG(id), (long long)*before);
    for (size_t i = 0; i < COUNT(texts); i++)
        if (str_trim(json_str_at(object, texts[i], STR(""))).n == 0)
            return arena_printf(s->arena, "expected a text \"%s\"", texts[i]);
    return NULL;
}

static void put_pair(struct buf *b, const char *before, const char *key, struct str value)
{
    buf_fmt(b, "%s%s: ", before, key);
    json_quote(b, value);
}

/* The number of the situation's character, who may have been met before; 0: there are too many. */
static size_t card_of(struct import_situations *s, struct str name, struct str text)
{
    struct str key = str_of(arena_printf(s->arena, "%.*s\t%.*s", STR_ARG(name), STR_ARG(text)));
    size_t known = s->cards.n, number;

    if (known == CHARACTERS_MAX && !map_get(&s->cards, key))
        return 0;
    number = map_number(&s->cards, key) + 1;
    if (number <= known)
        return number;
    buf_fmt(&s->characters, "  - {id: character-%zu", number);
    put_pair(&s->characters, ", ", "name", name);
    put_pair(&s->characters, ",\n     ", "text", text);
    buf_text(&s->characters, "}\n");
    return number;
}

const char *import_situations_add(struct import_situations *s, const json_t *object, int64_t line)
{
    struct str id = json_name_at(s->arena, object, "situation_id");
    struct str story = json_str_at(object, "context", STR(""));
    const char *fault = fault_of(s, object, id);
    int64_t *place;
    size_t card;

    if (fault)
        return fault;
    card = card_of(s, json_str_at(object, "character_name", STR("")),
                   json_str_at(object, "character", STR("")));
    if (!card)
        return arena_printf(s->arena, N_("a suite has at most %d characters"), CHARACTERS_MAX);
    place = map_room(&s->ids, id, sizeof *place);
    *place = line;
    put_pair(&s->items, "  - {", "id", id);
    buf_fmt(&s->items, ", character: character-%zu", card);
    put_pair(&s->items, ",\n     ", "prompt", story);
    buf_text(&s->items, "}\n");
    buf_add(&s->sample, utf8_head(story, 1000));
    return NULL;
}

/* ---- the suite ---- */

void import_situations_suite(const struct import_situations *s, const char *id, struct buf *out)
{
    const char *l = language_guess(buf_str(&s->sample));

    buf_fmt(out,
            "# %s\n"
            "suite: %s\n"
            "language: %s\n"
            "elicit: {kind: continue, take: first-line, template: next-line.%s}\n"
            "instrument: {kind: pair, criteria: [%s], ties: no, orders: one}\n"
            "judge: {template: battle.%s}\n"
            "score: {kind: rating, headline: bradley-terry, also: [glicko2]}\n"
            "characters:\n",
            words_of(l, MADE_COMMENT), id, l, l, words_of(l, MADE_CRITERIA), l);
    buf_add(out, buf_str(&s->characters));
    buf_text(out, "items:\n");
    buf_add(out, buf_str(&s->items));
    out->full = out->full || s->characters.full || s->items.full;
}
