/* told.h - an interview as the model under test sees it: what it is told, then the
 * conversation.
 *
 * The examiner's turns are the user's, those in a row as one message. Whoever examines, a model
 * gets the same words in the same order. Pure; everything lives in the arena. */
#ifndef SUITE_TOLD_H
#define SUITE_TOLD_H

#include "net/chat.h"
#include "suite/sitting.h"

struct told {
    struct chat_turn *v; /* room for the whole sitting */
    size_t n;
};

struct told_case {
    const struct suite *suite;
    const struct character *who;
    const struct paper *paper;
};

/* Begins with the system message: the role card and the rules. */
CHECKED enum status told_begin(struct arena *a, const struct told_case *k, struct told *out,
                               struct err *e);
/* The system message as these turns call for it: a lorebook speaks up when its words fall. */
CHECKED enum status told_tell(struct arena *a, const struct told_case *k,
                              const struct turn_list *turns, struct told *d, struct err *e);
void told_add(struct arena *a, struct told *d, const struct turn *t);

#endif
