/* slip.h - finds characters of a scene who mention what they cannot know.
 *
 * A fact of the cast has witnesses, and words that mention it. Everyone who is present when it is
 * mentioned, or sees an event that mentions it, knows it from then on. Pure. */
#ifndef SUITE_SLIP_H
#define SUITE_SLIP_H

#include "suite/transcript.h"
#include "suite/vocab.h"

struct slip {
    const struct cast_fact *fact;
    struct transcript_turn turn; /* where it was mentioned */
    struct str words;            /* the words that mention it */
    const int64_t *missed;       /* earlier turns that the speaker neither saw nor heard */
    size_t nmissed;
};

struct slip_list {
    struct slip *v;
    size_t n;
};

/* The first slip of each fact, in the order of the facts. */
struct slip_list slip_find(struct arena *a, const struct suite *s, struct str transcript);

#endif
