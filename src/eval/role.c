#include "eval/role.h"

#include "eval/card.h"

struct str role_text(struct arena *a, const struct character *who, const struct item *item)
{
    struct str *texts;
    struct card_scene scene = {.greeting = -1};

    if (!who->lorebook)
        return who->text;
    texts = NEW_N(a, struct str, item->nturns + 1);
    for (size_t i = 0; i < item->nturns; i++) {
        texts[scene.n++] = item->turns[i].text;
        scene.replies += strcmp(item->turns[i].role, "assistant") == 0;
    }
    if (item->prompt.n)
        texts[scene.n++] = item->prompt;
    scene.texts = texts;
    return card_lore_text(a, who->text, card_lore_find(a, who->lorebook, &scene));
}
