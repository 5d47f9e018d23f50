#include "suite/role.h"

#include "suite/card.h"
#include "suite/item.h"

/* The description for a conversation with these messages, `replies` of them by the character. */
static struct str text_for(struct arena *a, const struct character *who, const struct str *texts,
                           size_t n, size_t replies)
{
    struct card_scene scene = {.texts = texts, .n = n, .replies = (int64_t)replies, .greeting = -1};

    if (!who->lorebook)
        return who->text;
    return card_lore_text(a, who->text, card_lore_find(a, who->lorebook, &scene));
}

struct str role_text(struct arena *a, const struct character *who, const struct item *item)
{
    struct str *texts = NEW_N(a, struct str, item->nturns + 1);
    size_t n = 0, replies = 0;

    for (size_t i = 0; i < item->nturns; i++) {
        texts[n++] = item->turns[i].text;
        replies += strcmp(item->turns[i].role, "assistant") == 0;
    }
    if (item->prompt.n)
        texts[n++] = item->prompt;
    return text_for(a, who, texts, n, replies);
}

struct str role_told(struct arena *a, const struct character *who, const struct turn_list *turns)
{
    struct str *texts = NEW_N(a, struct str, turns->n + 1);
    size_t replies = 0;

    for (size_t i = 0; i < turns->n; i++) {
        texts[i] = turns->v[i].text;
        replies += turns->v[i].speaker == SPEAKER_MODEL;
    }
    return text_for(a, who, texts, turns->n, replies);
}

const struct card_book *role_lorebook(struct arena *a, const struct node *n, struct diags *d)
{
    AUTO(json_freep) json_t *j = n ? doc_to_json(n) : NULL;
    struct card_book *book;
    struct err e = {0};

    if (!n)
        return NULL;
    book = NEW(a, struct card_book);
    if (card_book_from_json(&(struct card_desk){a, n->at, d}, j, book, &e) != OK)
        diags_error(d, n->at, "%s", e.msg);
    return book;
}
