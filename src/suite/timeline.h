/* timeline.h - signs of a broken role, turn by turn.
 *
 * Cheap rules examine each answer of an interview or dialogue by itself. Each sign has a turn and
 * the words that triggered it. Signs are shown beside the marks and never change one: a character
 * may have a good reason for any of them. Pure. */
#ifndef SUITE_TIMELINE_H
#define SUITE_TIMELINE_H

#include "suite/paper.h"
#include "suite/turn.h"
#include "suite/vocab.h"

enum sign_kind {
    SIGN_IDENTITY,    /* speaks as an AI although the card is not one: text/identity.h */
    SIGN_ASSISTANT,   /* speaks like a service desk: text/assistant.h */
    SIGN_REFUSAL,     /* refuses the way AI services do: text/assistant.h */
    SIGN_LANGUAGE,    /* in another language: text/language.h */
    SIGN_CUT,         /* breaks off */
    SIGN_BOTH,        /* also speaks for the examiner */
    SIGN_ANACHRONISM, /* uses a word that the card lists as unknown to the character */
};
enum { SIGN_KINDS = SIGN_ANACHRONISM + 1 };

struct sign {
    int64_t turn;
    enum sign_kind kind;
    struct str words; /* quoted from the answer */
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
    struct str other; /* name of the other speaker; may be empty */
};
/* The case of an item. In a scene, `card` contains the cards of all characters. */
struct timeline_case timeline_case_of(struct arena *a, const struct suite *s,
                                      const struct item *item, const struct paper *paper);

struct timeline; /* the words to look for, preprocessed; reusable for any number of sittings */

struct timeline *timeline_new(struct arena *a);
struct sign_list timeline_find(struct arena *a, const struct timeline *t,
                               const struct timeline_case *c, const struct turn_list *turns);

/* Number of answers, and of those before the first one with a sign. */
struct timeline_span {
    size_t answers, unbroken;
};
struct timeline_span timeline_span(const struct turn_list *turns, const struct sign_list *signs);

#endif
