/* transcript.h - parses the text of a conversation into turns: "[12] Name: words". Pure. */
#ifndef SUITE_TRANSCRIPT_H
#define SUITE_TRANSCRIPT_H

#include "base/mem.h"

struct transcript_turn {
    int64_t number;
    struct str who, text;
};
struct transcript {
    struct transcript_turn *v;
    size_t n;
};

/* Names point into the text; the words of turns, whose lines are joined, live in the arena. */
struct transcript transcript_parse(struct arena *a, struct str text);
/* The turn with this number; NULL if none. */
const struct transcript_turn *transcript_find(const struct transcript *t, int64_t number);

#endif
