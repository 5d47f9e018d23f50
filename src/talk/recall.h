/* recall.h - facts that a user told, or that the card has, and whether they are known when they are
 * asked for later.
 *
 * An answer knows a fact when one of its expected words stands in it. Distances are counted in
 * turns from when the fact was told, or first asked for where the card has it; that first question
 * is at distance 0. Pure. */
#ifndef TALK_RECALL_H
#define TALK_RECALL_H

#include "suite/turn.h"
#include "suite/user.h"

struct recall {
    const char *fact;
    int64_t turn, distance; /* of the question */
    struct str said;        /* the words that were found; empty: none */
};

struct recall_list {
    struct recall *v;
    size_t n;
};

struct recall_list recall_find(struct arena *a, const struct user *u,
                               const struct turn_list *turns);

#endif
