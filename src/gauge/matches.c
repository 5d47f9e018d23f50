#include "gauge/matches.h"

#include <stdlib.h>

#include "store/store_pair.h"

/* One verdict, from model a's side. */
struct told {
    uint32_t judge;
    int64_t repeat;
    double a;
};

struct taker {
    struct matches *out;
    struct party_list models;
    const struct jury *jury;
    /* the current match */
    int64_t sample_a, sample_b;
    struct reading side[2];
    struct told *told;
    size_t n, cap;
};

static void put_side(struct taker *t, int side)
{
    struct readings *r = &t->out->r;
    struct reading one = t->side[side];

    one.answer = (uint32_t)r->answers++;
    for (size_t i = 0; i < t->n; i++) {
        one.judge = t->told[i].judge;
        one.value = side ? 1 - t->told[i].a : t->told[i].a;
        readings_put(r, one);
    }
}

/* The two orders of a reading are adjacent. */
static void count_turns(struct taker *t)
{
    uint32_t item = t->side[0].item;

    for (size_t i = 1; i < t->n; i++) {
        const struct told *one = &t->told[i - 1], *other = &t->told[i];
        if (one->judge != other->judge || one->repeat != other->repeat)
            continue;
        t->out->both[item]++;
        t->out->turned[item] += one->a != other->a;
    }
}

static void close_match(struct taker *t)
{
    if (t->n) {
        put_side(t, 0);
        put_side(t, 1);
        count_turns(t);
    }
    t->n = 0;
}

static enum status take_battles(struct taker *t, struct store *s, int64_t run, struct err *e)
{
    struct cursor c = store_battles(s, run, t->jury, false, e);
    struct battle_row b;

    while (store_battle_next(&c, &b)) {
        size_t one = readings_place(&t->models, b.a), other = readings_place(&t->models, b.b),
               seat = readings_place(&t->jury->members, b.judge),
               item = (size_t)(b.item - t->out->r.first_item);
        if (b.state != STATE_DONE || one == t->models.n || other == t->models.n ||
            seat == t->jury->members.n || item >= t->out->r.items)
            continue;
        if (b.sample_a != t->sample_a || b.sample_b != t->sample_b)
            close_match(t);
        t->sample_a = b.sample_a;
        t->sample_b = b.sample_b;
        t->side[0] = (struct reading){.model = (uint32_t)one, .item = (uint32_t)item};
        t->side[1] = (struct reading){.model = (uint32_t)other, .item = (uint32_t)item};
        t->told = mem_grow(t->told, &t->cap, t->n + 1, sizeof *t->told);
        t->told[t->n++] = (struct told){(uint32_t)seat, b.judge_repeat,
                                        b.winner == 0 ? 0.5 : (double)(b.winner == b.a)};
    }
    return cursor_end(&c);
}

enum status matches_take(struct arena *a, struct store *s, int64_t run, const struct jury *jury,
                         struct matches *out, struct err *e)
{
    struct taker t = {.out = out, .jury = jury};
    int64_t last;
    enum status st;

    *out = (struct matches){0};
    if (store_party_list(a, s, PARTY_MODEL, run, &t.models, e) != OK ||
        store_item_span(s, run, &out->r.first_item, &last, e) != OK)
        return e->code;
    out->r.items = (size_t)(last - out->r.first_item + 1);
    out->r.models = t.models.n;
    out->r.judges = jury->members.n;
    out->both = NEW_N(a, uint32_t, out->r.items + 1);
    out->turned = NEW_N(a, uint32_t, out->r.items + 1);
    st = take_battles(&t, s, run, e);
    close_match(&t);
    free(t.told);
    if (st != OK)
        readings_done(&out->r);
    return st;
}
