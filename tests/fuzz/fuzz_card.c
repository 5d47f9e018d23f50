/* fuzz_card.c - any bytes as a card. One that is read can be played, its lorebook asked, and the
 * character file that it becomes is read back without a fault. */
#include <stdlib.h>

#include "base/doc.h"
#include "suite/card.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void ask_book(struct arena *a, const struct card_book *book, struct str said)
{
    struct card_scene scene = {.texts = &said, .n = 1};
    struct card_lore lore = card_lore_find(a, book, &scene);

    require(lore.n <= book->n);
    for (size_t i = 0; i < lore.n; i++) {
        require(lore.v[i]->enabled && lore.v[i]->content.n > 0);
        require(i == 0 || lore.v[i - 1]->order <= lore.v[i]->order);
    }
}

/* What the file says is what the card said. */
static void read_back(struct card_desk desk, const struct card *card)
{
    struct source source = {"card.yaml", STR(""), 1};
    struct diags faults;
    struct err e = {0};
    const struct node *root;

    if (card_character(&desk, card, "en", &source.text, &e) != OK)
        return;
    require(utf8_check(source.text) == source.text.n);
    diags_init(&faults, desk.a);
    root = doc_parse(desk.a, &source, &faults);
    require(root && faults.errors == 0);
    require(str_eq(node_get(root, "name")->text, card->name));
    if (node_get(root, "greeting"))
        require(str_eq(node_get(root, "greeting")->text, str_trim(card->first_message)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct diags d;
    struct card_desk desk = {.a = a, .d = &d};
    struct card card = {0}, played;
    struct err e = {0};

    diags_init(&d, a);
    if (card_read(&desk, (struct str){(const char *)data, size}, &card, &e) != OK) {
        require(e.code == E_INPUT && e.msg[0]);
        return 0;
    }
    require(d.errors == 0 && card.version >= 1 && card.version <= 3);
    played = card_play(&desk, &card, STR("Jo"), 7);
    if (played.book)
        ask_book(a, played.book, played.description);
    read_back(desk, &played);
    return 0;
}
