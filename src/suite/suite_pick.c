/* Picks a few items of some groups, drawn by the seed.
 *
 * Every item of a group has a rank that depends only on the seed, the group and the item's id; the
 * n lowest are used. So the draw does not depend on the order or the files of items, an added item
 * changes it only by being drawn itself, and only n ranks need to be kept. */
#include "base/hash.h"
#include "base/rng.h"
#include "suite/item.h"
#include "suite/suite_read.h"
#include "suite/tag.h"

enum { GROUPS_MAX = 1000 };

struct hat {
    const struct pick *pick;
    uint64_t *lowest; /* ranks, ascending */
    size_t kept;      /* number of ranks so far */
    int64_t seen;     /* items in the group */
};

struct suite_draw {
    uint64_t seed;
    struct hat *hats;
    size_t n;
};

void suite_read_pick(struct suite_reading *r, const struct node *root)
{
    const struct node *n = field_get(root, "pick");
    struct pick *picks;

    if (!n)
        return;
    if (n->kind != NODE_MAP || n->n == 0 || n->n > GROUPS_MAX) {
        diags_error(r->d, n->at, "expected groups with a number of items each: {greeting: 1}");
        return;
    }
    picks = NEW_N(r->a, struct pick, n->n);
    for (const struct node *m = n->first; m; m = m->next)
        picks[r->s->npicks++] = (struct pick){.group = arena_str(r->a, m->key->text),
                                              .n = shape_int(&suite_shape, "pick", m, 1, r->d)};
    r->s->picks = picks;
}

struct suite_draw *suite_pick_draw(struct arena *a, const struct suite *s)
{
    struct suite_draw *draw = NEW(a, struct suite_draw);

    draw->seed = s->seed;
    draw->n = s->npicks;
    draw->hats = NEW_N(a, struct hat, s->npicks);
    for (size_t i = 0; i < s->npicks; i++)
        draw->hats[i] = (struct hat){&s->picks[i], NEW_N(a, uint64_t, (size_t)s->picks[i].n), 0, 0};
    return draw;
}

/* The hat of the item's group; NULL if all of the group is used. */
static struct hat *hat_of(const struct suite_draw *draw, const struct item *item)
{
    struct str group = tag_member(item, "group");

    for (size_t i = 0; group.n && i < draw->n; i++)
        if (str_eq(draw->hats[i].pick->group, group))
            return &draw->hats[i];
    return NULL;
}

static uint64_t rank_of(const struct suite_draw *draw, const struct hat *hat,
                        const struct item *item)
{
    const int64_t ids[] = {(int64_t)hash_u64_of(hat->pick->group),
                           (int64_t)hash_u64_of(str_of(item->id))};
    struct rng rng = rng_keyed(draw->seed, "pick", ids, COUNT(ids));

    return rng_next(&rng);
}

void suite_pick_look(struct suite_draw *draw, const struct item *item)
{
    struct hat *hat = hat_of(draw, item);
    uint64_t rank;
    size_t at;

    if (!hat)
        return;
    hat->seen++;
    rank = rank_of(draw, hat, item);
    at = hat->kept;
    if (hat->kept == (size_t)hat->pick->n) {
        if (rank >= hat->lowest[hat->kept - 1])
            return;
        at--;
    } else {
        hat->kept++;
    }
    for (; at > 0 && hat->lowest[at - 1] > rank; at--)
        hat->lowest[at] = hat->lowest[at - 1];
    hat->lowest[at] = rank;
}

void suite_pick_check(const struct suite_draw *draw, const struct node *pick, struct diags *d)
{
    for (size_t i = 0; i < draw->n; i++) {
        const struct hat *hat = &draw->hats[i];
        const char *group = arena_text(d->arena, utf8_head(hat->pick->group, 40));
        const struct node *m = pick ? node_get(pick, arena_text(d->arena, hat->pick->group)) : NULL;
        struct place at = m ? m->at : (struct place){0};
        if (hat->seen == 0)
            diags_error(d, m ? m->key->at : at, "no item has 'group: %s'", group);
        else if (hat->seen < hat->pick->n)
            diags_error(d, at, "cannot pick %lld of the %lld item%s in the group '%s'",
                        (long long)hat->pick->n, (long long)hat->seen, hat->seen == 1 ? "" : "s",
                        group);
    }
}

bool suite_pick_has(const struct suite_draw *draw, const struct item *item)
{
    const struct hat *hat = hat_of(draw, item);

    return !hat || (hat->kept && rank_of(draw, hat, item) <= hat->lowest[hat->kept - 1]);
}
