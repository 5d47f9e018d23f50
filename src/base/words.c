#include "base/words.h"

#include <ctype.h>

const char *words_of(const char *language, enum word w)
{
    return words_table[w].text[message_language_of(language)];
}

/* TRAINING_NEAR is the key for training-near. */
static bool names(const char *key, const char *name)
{
    for (; *key && (*name == '-' ? '_' : toupper((unsigned char)*name)) == *key; key++)
        name++;
    return !*key && !*name;
}

const char *words_find(const char *language, const char *prefix, const char *name)
{
    size_t n = strlen(prefix);

    for (int i = 0; i < WORDS; i++)
        if (strncmp(words_table[i].key, prefix, n) == 0 && names(words_table[i].key + n, name))
            return words_of(language, (enum word)i);
    return NULL;
}

const char *words_fill(struct arena *a, const char *text, const char *value)
{
    const char *at = strstr(text, "%s");

    return at ? arena_printf(a, "%.*s%s%s", (int)(at - text), text, value, at + 2) : text;
}

const char *words_with(struct arena *a, const char *language, enum word w, const char *value)
{
    return words_fill(a, words_of(language, w), value);
}

const char *words_two(struct arena *a, const char *language, enum word w, const char *first,
                      const char *second)
{
    const char *text = words_of(language, w), *at = strstr(text, "%s");
    const char *rest = words_fill(a, at + 2, second);

    return arena_printf(a, "%.*s%s%s", (int)(at - text), text, first, rest);
}
