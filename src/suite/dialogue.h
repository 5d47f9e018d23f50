/* dialogue.h - an interview as the model under test sees it: what it is told, then the
 * conversation.
 *
 * The examiner's turns are the user's, those in a row as one message. Whoever examines, a model
 * gets the same words in the same order. Pure; everything lives in the arena. */
#ifndef SUITE_DIALOGUE_H
#define SUITE_DIALOGUE_H

#include "net/chat.h"
#include "suite/sitting.h"

struct dialogue {
    struct chat_turn *v; /* room for the whole sitting */
    size_t n;
};

struct dialogue_case {
    const struct suite *suite;
    const struct character *who;
    const struct paper *paper;
};

/* Begins with the system message: the role card and the rules. */
CHECKED enum status dialogue_begin(struct arena *a, const struct dialogue_case *k,
                                   struct dialogue *out, struct err *e);
/* The system message as these turns call for it: a lorebook speaks up when its words fall. */
CHECKED enum status dialogue_tell(struct arena *a, const struct dialogue_case *k,
                                  const struct turn_list *turns, struct dialogue *d, struct err *e);
void dialogue_add(struct arena *a, struct dialogue *d, const struct turn *t);

#endif
