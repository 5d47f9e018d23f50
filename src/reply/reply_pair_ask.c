/* What to expect in a reply about one item. */
#include "reply/reply_pair.h"
#include "suite/item.h"

static bool speaks_of(const struct item *item, const struct character *own, struct str name)
{
    bool found = str_find(item->prompt, name) != SIZE_MAX ||
                 str_find(item->reference, name) != SIZE_MAX ||
                 str_find(own->text, name) != SIZE_MAX || str_find(own->name, name) != SIZE_MAX;

    for (size_t i = 0; i < item->nturns && !found; i++)
        found = str_find(item->turns[i].text, name) != SIZE_MAX;
    for (size_t i = 0; i < item->nvars && !found; i++)
        found = str_find(item->vars[i].value, name) != SIZE_MAX;
    return found;
}

struct pair_ask reply_pair_ask(struct arena *a, const struct suite *suite, const struct item *item)
{
    const struct character *own = vocab_character(suite, item);
    struct str *others = NEW_N(a, struct str, suite->ncharacters);
    struct pair_ask ask = {
        .ties = suite->instrument.ties, .character = own->name, .others = others};

    for (size_t i = 0; i < suite->ncharacters; i++) {
        const struct character *c = &suite->characters[i];
        if (c != own && c->name.n && !speaks_of(item, own, c->name))
            others[ask.nothers++] = c->name;
    }
    return ask;
}
