/* timeline.h - signs that somebody fell out of their role, turn by turn.
 *
 * Cheap rules look at each answer of an interview by itself: each sign has its turn and the words
 * that gave it. They are shown beside the marks and never change one; a character may have a good
 * reason for any of them. Pure. */
#ifndef SUITE_TIMELINE_H
#define SUITE_TIMELINE_H

#include "suite/paper.h"
#include "suite/turn.h"
#include "suite/vocab.h"

enum sign_kind {
    SIGN_IDENTITY,    /* speaks as a program, and the card is of none: text/identity.h */
    SIGN_ASSISTANT,   /* speaks as a helper at a desk: text/assistant.h */
    SIGN_REFUSAL,     /* refuses as services do: text/assistant.h */
    SIGN_LANGUAGE,    /* in another language: text/language.h */
    SIGN_CUT,         /* breaks off */
    SIGN_BOTH,        /* speaks for the examiner too */
    SIGN_ANACHRONISM, /* says a word that the card lists as unknown to the character */
};
enum { SIGN_KINDS = SIGN_ANACHRONISM + 1 };

struct sign {
    int64_t turn;
    enum sign_kind kind;
    struct str words; /* of the answer */
};

struct sign_list {
    struct sign *v; /* by turn, then by kind */
    size_t n;
};

const char *timeline_sign_name(enum sign_kind k); /* "identity", ... */

struct timeline_case {
    const struct paper *paper;
    struct str card;
    const char *language;
    struct str other; /* who else speaks, by name; may be empty */
};
/* Of an item; the card of a scene is those of all its characters. */
struct timeline_case timeline_case_of(struct arena *a, const struct suite *s,
                                      const struct item *item, const struct paper *paper);

struct timeline; /* the words that are looked for, folded: good for any number of sittings */

struct timeline *timeline_new(struct arena *a);
struct sign_list timeline_find(struct arena *a, const struct timeline *t,
                               const struct timeline_case *c, const struct turn_list *turns);

/* How many answers came before the first that has a sign; all of them when none has. */
struct timeline_span {
    size_t answers, unbroken;
};
struct timeline_span timeline_span(const struct turn_list *turns, const struct sign_list *signs);

#endif
