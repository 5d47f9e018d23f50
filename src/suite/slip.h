/* slip.h - characters of a scene who speak of what they cannot know.
 *
 * A fact of the cast has witnesses, and words that give it away. Whoever is present when it is
 * spoken of, or sees an event that tells it, knows it from then on. Pure. */
#ifndef SUITE_SLIP_H
#define SUITE_SLIP_H

#include "suite/transcript.h"
#include "suite/vocab.h"

struct slip {
    const struct cast_fact *fact;
    struct transcript_turn turn; /* in which it was spoken of */
    struct str words;            /* that gave it away */
    const int64_t *missed;       /* the turns before it that its speaker neither saw nor heard */
    size_t nmissed;
};

struct slip_list {
    struct slip *v;
    size_t n;
};

/* The first slip of each fact, in the order of the facts; views into the transcript. */
struct slip_list slip_find(struct arena *a, const struct suite *s, struct str transcript);

#endif
