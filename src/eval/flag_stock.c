/* One answer for everything: the same words to several items. */
#include "base/hash.h"
#include "base/map.h"
#include "eval/flag_find.h"

enum { ITEMS_LEAST = 3 }; /* two may be chance */

/* A sample with this answer from before it was given often enough. */
struct pending {
    int64_t sample;
    struct pending *next;
};

struct said {
    int64_t items, last; /* to how many items, and the last of them */
    const char *where;   /* the first of them */
    struct pending *pending;
};

struct flag_stock {
    int64_t model;
    struct map said; /* hash of a folded answer -> struct said: answers are many and may be long */
};

static struct said *said_of(struct flag_search *s, const struct flag_answer *now)
{
    struct str runes = {(const char *)now->folded.p, now->folded.n * sizeof *now->folded.p};
    uint64_t hash = hash_u64_of(runes);
    struct str key = {(const char *)&hash, sizeof hash};
    struct said *one;

    if (!s->stock || s->stock->model != now->row->model) {
        s->stock = NEW(s->keep, struct flag_stock);
        s->stock->model = now->row->model;
        map_init(&s->stock->said, s->keep);
    }
    one = map_room(&s->stock->said, key, sizeof *one);
    if (!one->where)
        one->where = arena_text(s->keep, str_of(now->row->item_name));
    return one;
}

static void add(struct flag_search *s, const struct said *one, int64_t sample, struct str answer)
{
    struct flag_evidence v = {.this = answer, .why = "items", .where = one->where};

    (void)flag_add(&s->found, s->keep, sample, RULE_STOCK, &v);
}

/* A short answer may be right for several items, so it is not looked at. Earlier samples are
 * flagged as soon as the answer has been given often enough; they differ in signs and capitals at
 * most. */
void flag_stock(struct flag_search *s, const struct flag_answer *now)
{
    struct said *one;

    if (vocab_is_talk(s->suite) || now->folded.n < similar_enough(similar_is_cjk(now->folded)))
        return;
    one = said_of(s, now);
    one->items += one->last != now->row->item;
    one->last = now->row->item;
    if (one->items < ITEMS_LEAST) {
        struct pending *p = NEW(s->keep, struct pending);
        *p = (struct pending){now->row->id, one->pending};
        one->pending = p;
        return;
    }
    for (; one->pending; one->pending = one->pending->next)
        add(s, one, one->pending->sample, now->row->answer);
    add(s, one, now->row->id, now->row->answer);
}
