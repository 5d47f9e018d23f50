/* An answer, and behind the first NUL the card: through everything that looks for facts in it. What
 * is found must lie inside the text. */
#include <stdlib.h>

#include "text/identity.h"
#include "text/language.h"
#include "text/plain.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void inside(struct str text, const char *why, struct str part)
{
    if (why && part.n)
        must(part.p >= text.p && part.p + part.n <= text.p + text.n && utf8_check(part) == part.n);
}

static void check_plain(struct str text)
{
    struct plain_fault f[] = {plain_markup(text), plain_malformed(text), plain_cut(text)};

    for (size_t i = 0; i < COUNT(f); i++)
        inside(text, f[i].why, f[i].part);
    must(!(f[2].why && plain_ended(text)));
}

static void check_language(struct str text)
{
    static const char *const languages[] = {"zh", "ja-JP", "en", "ko", "xx"};

    for (size_t i = 0; i < COUNT(languages); i++) {
        struct language_fault f = language_find(text, languages[i]);
        must(f.share >= 0 && f.share <= 1);
        inside(text, f.why, f.part);
    }
}

static void check_identity(struct arena *a, struct str text, struct str card)
{
    struct identity_words words = {&card, NULL, 1, 0};
    struct identity_text t = {text, fold_text(a, text), fold_text(a, card), fold_text(a, card)};
    struct identity_fault f = identity_find(identity_new(a, &words), &t);

    inside(text, f.why, f.part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct str text = {(const char *)data, size}, card = {"", 0}, head, rest;

    if (str_cut(text, '\0', &head, &rest)) {
        text = head;
        card = rest;
    }
    if (text.n == 0 || utf8_check(text) != text.n || utf8_check(card) != card.n)
        return 0;
    check_plain(text);
    check_language(text);
    check_identity(a, text, card);
    return 0;
}
