/* told.h - an interview as the model under test sees it: a system message, then the conversation.
 *
 * The examiner's turns become user messages; consecutive ones are joined. A model gets the same
 * words in the same order, whoever examines. Pure; everything lives in the arena. */
#ifndef SUITE_TOLD_H
#define SUITE_TOLD_H

#include "net/chat.h"
#include "suite/sitting.h"

struct told {
    struct chat_turn *v; /* capacity for the whole sitting */
    size_t n;
};

struct told_case {
    const struct suite *suite;
    const struct character *who;
    const struct paper *paper;
};

/* Starts with the system message: the role card and the rules. */
CHECKED enum status told_begin(struct arena *a, const struct told_case *k, struct told *out,
                               struct err *e);
/* Updates the system message for these turns: a lorebook adds the entries that they trigger. */
CHECKED enum status told_tell(struct arena *a, const struct told_case *k,
                              const struct turn_list *turns, struct told *d, struct err *e);
void told_add(struct arena *a, struct told *d, const struct turn *t);

#endif
