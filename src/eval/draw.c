/* The same request with the same repeat and round is the same draw. Of several tasks that want it
 * at the same time, one asks; the others wait until its reply is committed and read it from the
 * store. A task holds its claim from the commit that leased it, in which no reply was found, until
 * it is saved, so that no other task can miss the reply. */
#include "eval/work.h"

static struct task **bucket(struct work *w, const char *key)
{
    return &w->claims[16 * str_hex(key[0]) + str_hex(key[1])];
}

static bool is_claimed(struct work *w, const char *key)
{
    for (const struct task *t = *bucket(w, key); t; t = t->claim_next)
        if (strcmp(t->key, key) == 0)
            return true;
    return false;
}

bool draw_take(struct work *w, struct task *t)
{
    struct task **first;

    if (t->claim_prev || t->via->channel->ep.kind != ENDPOINT_CHAT || w->o->post)
        return true;
    if (is_claimed(w, t->key)) {
        t->twin = true;
        t->via->asleep++;
        queue_push(&w->twins, t);
        return false;
    }
    first = bucket(w, t->key);
    t->claim_next = *first;
    t->claim_prev = first;
    if (*first)
        (*first)->claim_prev = &t->claim_next;
    *first = t;
    return true;
}

void draw_drop(struct task *t)
{
    t->twin = false;
    if (!t->claim_prev)
        return;
    *t->claim_prev = t->claim_next;
    if (t->claim_next)
        t->claim_next->claim_prev = t->claim_prev;
    t->claim_prev = NULL;
}

struct task *draw_next_twin(struct work *w)
{
    struct task *t = queue_pop(&w->twins);

    if (t)
        t->via->asleep--;
    return t;
}

void draw_wake(struct work *w)
{
    for (size_t n = w->twins.n; n; n--) {
        struct task *t = queue_pop(&w->twins);
        if (is_claimed(w, t->key)) {
            queue_push(&w->twins, t);
            continue;
        }
        t->via->asleep--;
        t->body = (struct str){0}; /* to be looked for again */
        arena_reset(t->scratch);
        queue_push(&t->via->ready, t);
    }
}
