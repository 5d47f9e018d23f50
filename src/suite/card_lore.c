/* Selects the lorebook entries that apply to a conversation. */
#include <stdlib.h>

#include "net/chat.h"
#include "suite/card_key.h"

enum {
    DEPTH_USUAL = 4, /* messages scanned if the card does not say */
    ROUNDS_MAX = 10, /* of recursive scanning */
};

struct scan {
    struct arena *scratch, *key;
    const struct card_book *book;
    const struct card_scene *scene;
    struct card_text *texts; /* the scene's messages, then the contents of matched entries */
    size_t n;
    bool *found;
};

/* Checks the conditions on the progress of the conversation. */
static bool is_time(const struct card_scene *scene, const struct card_entry *entry)
{
    if (scene->replies < entry->after)
        return false;
    if (entry->every > 0 && scene->replies % entry->every != 0)
        return false;
    return entry->greeting < 0 || entry->greeting == scene->greeting;
}

/* Index of the first message within scan depth. */
static size_t first_scanned(const struct scan *s, const struct card_entry *entry)
{
    int64_t depth = s->book->scan_depth >= 0 ? s->book->scan_depth : DEPTH_USUAL;

    if (entry->scan_depth >= 0)
        depth = entry->scan_depth;
    return (uint64_t)depth < s->scene->n ? s->scene->n - (size_t)depth : 0;
}

static bool is_called(const struct scan *s, const struct card_entry *entry)
{
    size_t first = first_scanned(s, entry), spoken = s->scene->n - first, n = s->n - first;
    const struct card_text *texts = s->texts + first;

    if (card_key_any(s->key, entry, entry->except, texts, spoken) ||
        (entry->also.n && !card_key_any(s->key, entry, entry->also, texts, n)))
        return false;
    if (entry->constant)
        return true;
    return card_key_any(s->key, entry, entry->keys, texts, n) &&
           (!entry->selective || entry->secondary.n == 0 ||
            card_key_any(s->key, entry, entry->secondary, texts, n));
}

static bool matches(const struct scan *s, size_t i)
{
    const struct card_entry *entry = &s->book->v[i];
    bool before = s->scene->matched && s->scene->matched[i];

    if (!entry->enabled || entry->content.n == 0)
        return false;
    if (entry->always)
        return true;
    if (entry->never || (before && entry->once))
        return false;
    if (before && entry->stays)
        return true;
    return is_time(s->scene, entry) && is_called(s, entry);
}

/* Adds what recursive scans see of an entry. */
static void add_content(struct scan *s, const struct card_entry *entry)
{
    s->texts[s->n++] = card_text_of(s->scratch, entry->content);
    for (size_t i = 0; i < entry->hidden.n; i++)
        s->texts[s->n++] = card_text_of(s->scratch, entry->hidden.v[i]);
}

/* One pass over all entries; true if it found something new to scan. */
static bool look(struct scan *s)
{
    bool *fresh = NEW_N(s->scratch, bool, s->book->n), any = false;

    for (size_t i = 0; i < s->book->n; i++)
        fresh[i] = !s->found[i] && matches(s, i);
    for (size_t i = 0; i < s->book->n; i++)
        if (fresh[i]) {
            s->found[i] = any = true;
            if (s->book->recursive)
                add_content(s, &s->book->v[i]);
        }
    return any && s->book->recursive;
}

static int by_order(const void *a, const void *b)
{
    const struct card_entry *x = *(const struct card_entry *const *)a;
    const struct card_entry *y = *(const struct card_entry *const *)b;

    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    return x < y ? -1 : x > y; /* both point into the book's array */
}

/* True if x is dropped before y. */
static bool is_lesser(const struct card_entry *x, const struct card_entry *y)
{
    double of_x = x->ranked ? x->priority : x->order, of_y = y->ranked ? y->priority : y->order;

    if (x->first_out != y->first_out)
        return x->first_out;
    return of_x <= of_y;
}

/* Drops the least important entries until the rest fits the budget. */
static void keep_budget(const struct card_book *book, struct card_lore *lore)
{
    int64_t tokens = 0;

    for (size_t i = 0; i < lore->n; i++)
        tokens += chat_tokens_guess(lore->v[i]->content);
    while (book->token_budget >= 0 && tokens > book->token_budget) {
        size_t least = 0;
        for (size_t i = 1; i < lore->n; i++)
            if (is_lesser(lore->v[i], lore->v[least]))
                least = i;
        tokens -= chat_tokens_guess(lore->v[least]->content);
        memmove(&lore->v[least], &lore->v[least + 1],
                (--lore->n - least) * sizeof(const struct card_entry *));
    }
}

static size_t texts_most(const struct card_book *book, const struct card_scene *scene)
{
    size_t n = scene->n;

    for (size_t i = 0; i < book->n; i++)
        n += 1 + book->v[i].hidden.n;
    return n;
}

struct card_lore card_lore_find(struct arena *a, const struct card_book *book,
                                const struct card_scene *scene)
{
    AUTO(arena_freep) struct arena *scratch = arena_new(), *key = arena_new();
    struct card_lore out = {0};
    struct scan s = {.scratch = scratch,
                     .key = key,
                     .book = book,
                     .scene = scene,
                     .texts = NEW_N(scratch, struct card_text, texts_most(book, scene)),
                     .found = NEW_N(scratch, bool, book->n)};

    for (size_t i = 0; i < scene->n; i++)
        s.texts[s.n++] = card_text_of(scratch, scene->texts[i]);
    for (int round = 0; round < ROUNDS_MAX && look(&s);)
        round++;
    out.v = NEW_N(a, const struct card_entry *, book->n);
    for (size_t i = 0; i < book->n; i++)
        if (s.found[i])
            out.v[out.n++] = &book->v[i];
    if (out.n)
        qsort(out.v, out.n, sizeof(const struct card_entry *), by_order);
    keep_budget(book, &out);
    return out;
}

static void add_at(struct buf *b, struct card_lore lore, enum card_place place)
{
    for (size_t i = 0; i < lore.n; i++)
        if (lore.v[i]->place == place) {
            buf_text(b, b->n ? "\n\n" : "");
            buf_add(b, lore.v[i]->content);
        }
}

struct str card_lore_text(struct arena *a, struct str text, struct card_lore lore)
{
    AUTO(buf_done) struct buf b = BUF_MAX(64 << 20);

    if (lore.n == 0)
        return text;
    add_at(&b, lore, CARD_BEFORE);
    buf_text(&b, b.n ? "\n\n" : "");
    buf_add(&b, text);
    add_at(&b, lore, CARD_AFTER);
    return arena_str(a, buf_str(&b));
}
