#include "text/word.h"

bool word_is_latin(uint32_t r)
{
    return (r >= 'a' && r <= 'z') || (r >= 0xE0 && r < 0x250);
}

static bool stands_at(struct runes t, size_t at, struct runes word)
{
    if (word.n == 0 || at + word.n > t.n)
        return false;
    for (size_t i = 0; i < word.n; i++)
        if (t.p[at + i] != word.p[i])
            return false;
    return true;
}

size_t word_at(struct runes t, size_t at, struct runes word)
{
    if (!stands_at(t, at, word))
        return 0;
    if (at > 0 && word_is_latin(word.p[0]) && word_is_latin(t.p[at - 1]))
        return 0;
    if (at + word.n < t.n && word_is_latin(word.p[word.n - 1]) && word_is_latin(t.p[at + word.n]))
        return 0;
    return word.n;
}

bool word_in(struct runes t, struct runes word)
{
    for (size_t i = 0; word.n && i + word.n <= t.n; i++)
        if (t.p[i] == word.p[0] && word_at(t, i, word)) /* rules out most places quickly */
            return true;
    return false;
}

static bool is_digit(uint32_t r)
{
    return r >= '0' && r <= '9';
}

/* True if these neighbours belong to one word or number. */
static bool joined(uint32_t a, uint32_t b)
{
    return (word_is_latin(a) && word_is_latin(b)) || (is_digit(a) && is_digit(b));
}

struct str word_find(struct str text, struct runes folded, struct runes word)
{
    for (size_t at = 0; at + word.n <= folded.n; at++) {
        size_t end = at + word.n;
        if (!stands_at(folded, at, word) || (at > 0 && joined(folded.p[at - 1], word.p[0])))
            continue;
        if (end < folded.n && folded.p[end] == 's' && word_is_latin(word.p[word.n - 1]))
            end++;
        if (end == folded.n || !joined(folded.p[end - 1], folded.p[end]))
            return fold_source(text, folded, at, end - at);
    }
    return STR("");
}

struct str word_first(struct arena *a, struct str text, const struct str *words, size_t n)
{
    struct runes folded = fold_text(a, text);

    for (size_t i = 0; i < n; i++) {
        struct str found = word_find(text, folded, fold_text(a, words[i]));
        if (found.n)
            return found;
    }
    return STR("");
}
