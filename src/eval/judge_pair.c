#include "eval/judge_pair.h"

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

struct pair_ask judge_pair_ask(struct arena *a, const struct suite *suite, const struct item *item)
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

struct judge_pair judge_pair_of(struct arena *a, const struct suite *suite, const struct item *item,
                                const struct leased *row)
{
    return (struct judge_pair){
        .ask = judge_pair_ask(a, suite, item),
        .first = row->other_first ? row->other_model : row->model,
        .second = row->other_first ? row->model : row->other_model,
    };
}

const char *judge_pair_read(struct arena *a, const struct judge_pair *p, const char *language,
                            struct verdict_result *r)
{
    struct pair_reply read;

    reply_pair_read(a, r->reply, &p->ask, language, &read);
    r->reason = read.reason;
    r->state = read.fault ? STATE_UNSCORED : STATE_DONE;
    r->fault = read.kind;
    r->why = read.fault;
    r->choice = read.fault ? NULL : reply_pair_word(read.choice);
    r->winner = read.choice == PAIR_A ? p->first : read.choice == PAIR_B ? p->second : 0;
    return read.fault;
}
