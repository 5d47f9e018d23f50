/* transcript.h - the text of a conversation, read turn by turn: "[12] Name: words". Pure. */
#ifndef SUITE_TRANSCRIPT_H
#define SUITE_TRANSCRIPT_H

#include "base/mem.h"
#include "base/str.h"

struct transcript_turn {
    int64_t number;
    struct str who, text;
};
struct transcript {
    struct transcript_turn *v;
    size_t n;
};

/* Views into the text, but for turns of several lines. */
struct transcript transcript_parse(struct arena *a, struct str text);
/* The turn with this number; NULL: none. */
const struct transcript_turn *transcript_find(const struct transcript *t, int64_t number);

#endif
