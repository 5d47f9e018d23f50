/* examiner.h - an examiner that is a model: what it is told, and what it may say.
 *
 * It follows up on what was said in part 2, and must quote the words that it takes up. The quote is
 * looked for letter by letter in the answers; a follow-up whose quote is not there is refused, with
 * a reason in the language of the suite that can be sent back. It is told nothing of who answers.
 * Pure. */
#ifndef TALK_EXAMINER_H
#define TALK_EXAMINER_H

#include "suite/prompt.h"
#include "suite/sitting.h"

struct examiner_case {
    const struct suite *suite;
    const struct character *who;
    const struct paper *paper;
    const struct turn_list *turns; /* so far */
};

/* All of suite_follow_up_names. */
struct prompt_vars examiner_vars(struct arena *a, const struct examiner_case *c);

struct examiner_follow_up {
    struct str quote, question;
};

/* Read a reply. NULL when it can be used; else what is wrong with it. */
const char *examiner_read(struct arena *a, const struct examiner_case *c, struct str reply,
                          struct examiner_follow_up *out);

#endif
