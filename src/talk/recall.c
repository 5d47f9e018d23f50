#include "talk/recall.h"

#include "text/word.h"

/* What was answered in the same turn; NULL: nothing. */
static const struct turn *answer_to(const struct turn_list *turns, size_t i)
{
    for (size_t k = i + 1; k < turns->n && turns->v[k].part == turns->v[i].part; k++)
        if (strcmp(turns->v[k].kind, TURN_ANSWER) == 0)
            return &turns->v[k];
    return NULL;
}

static void find_fact(struct arena *a, const struct user_fact *f, const struct turn_list *turns,
                      struct recall_list *out)
{
    int64_t since = 0;

    for (size_t i = 0; i < turns->n; i++) {
        const struct turn *t = &turns->v[i], *answer;
        if (strcmp(t->fact, f->id) != 0)
            continue;
        if (!since)
            since = t->part;
        if (strcmp(t->kind, TURN_PROBE) != 0 || !(answer = answer_to(turns, i)))
            continue;
        out->v[out->n++] =
            (struct recall){.fact = f->id,
                            .turn = answer->position,
                            .distance = t->part - since,
                            .said = word_first(a, answer->text, f->expect, f->nexpect)};
    }
}

/* Runs from before ids had to differ may have two facts of one: a turn counts once. */
static bool is_first(const struct user *u, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(u->facts[k].id, u->facts[i].id) == 0)
            return false;
    return true;
}

struct recall_list recall_find(struct arena *a, const struct user *u, const struct turn_list *turns)
{
    struct recall_list out = {NEW_N(a, struct recall, turns->n + 1), 0};

    for (size_t i = 0; i < u->nfacts; i++)
        if (is_first(u, i))
            find_fact(a, &u->facts[i], turns, &out);
    return out;
}
