#include "suite/card_key.h"

#include "text/pattern.h"

struct card_text card_text_of(struct arena *a, struct str text)
{
    return (struct card_text){text, rune_normal(a, text)};
}

static bool runes_in(struct runes key, struct runes text)
{
    if (key.n == 0 || key.n > text.n)
        return false;
    for (size_t i = 0; i + key.n <= text.n; i++)
        if (memcmp(text.p + i, key.p, key.n * sizeof *key.p) == 0)
            return true;
    return false;
}

/* "/pattern/flags" or just the pattern, in JavaScript syntax. */
static struct pattern read_pattern(struct str key)
{
    struct pattern p = {key, PATTERN_BROWSER};
    size_t end = key.n;

    if (key.n < 2 || key.p[0] != '/')
        return p;
    while (key.p[--end] != '/')
        ;
    if (end == 0)
        return p;
    for (size_t i = end + 1; i < key.n; i++)
        p.flags |= key.p[i] == 'i'   ? PATTERN_ANY_CASE
                   : key.p[i] == 'm' ? PATTERN_LINES
                   : key.p[i] == 's' ? PATTERN_DOT_ALL
                                     : 0;
    p.text = (struct str){key.p + 1, end - 1};
    return p;
}

static bool matches(struct arena *a, struct str key, struct str text)
{
    struct str match;
    bool found = false;

    return !pattern_search(a, read_pattern(key), text, &found, &match) && found;
}

const char *card_key_fault(struct arena *a, struct str key)
{
    struct str match;
    bool found;

    return pattern_search(a, read_pattern(key), STR(""), &found, &match);
}

static bool is_in(struct arena *a, const struct card_entry *entry, struct str key,
                  const struct card_text *texts, size_t n)
{
    bool plain = !entry->regex && !entry->case_sensitive;
    struct runes normal = plain ? rune_normal(a, key) : (struct runes){0};

    for (size_t i = 0; i < n; i++)
        if (plain          ? runes_in(normal, texts[i].normal)
            : entry->regex ? matches(a, key, texts[i].text)
                           : key.n && str_find(texts[i].text, key) != SIZE_MAX)
            return true;
    return false;
}

bool card_key_any(struct arena *scratch, const struct card_entry *entry, struct card_list keys,
                  const struct card_text *texts, size_t n)
{
    for (size_t k = 0; k < keys.n; k++) {
        arena_reset(scratch);
        if (is_in(scratch, entry, str_trim(keys.v[k]), texts, n))
            return true;
    }
    return false;
}
