/* Any bytes are a reply about a pair: it has a choice that was allowed, or one fault. */
#include <stdlib.h>

#include "base/str.h"
#include "reply/reply_pair.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(bool good)
{
    if (!good)
        abort();
}

static void check(struct str text, const struct pair_ask *ask, const char *language)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct pair_reply r;

    reply_pair_read(a, text, ask, language, &r);
    expect(!r.fault == !r.kind && !r.fault == (r.choice != PAIR_NONE));
    expect(ask->ties || r.choice != PAIR_TIE);
    expect(!r.fault || (r.fault[0] && utf8_check(str_of(r.fault)) == strlen(r.fault)));
    expect(utf8_check(r.reason) == r.reason.n);
    expect(r.choice == reply_pair_choice(str_of(reply_pair_word(r.choice))));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct str others[] = {{"B", 1}, {"Ann", 3}};
    struct str text = {(const char *)data, size};

    check(text, &(struct pair_ask){.ties = true}, "en");
    check(text, &(struct pair_ask){.character = STR("Bo Lee"), .others = others, .nothers = 2},
          "ja");
    return 0;
}
