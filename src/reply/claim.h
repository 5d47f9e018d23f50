/* claim.h - contradictions that a judge found in a conversation: two statements that cannot both be
 * true, each quoted with the number of its turn.
 *
 * A judge's word is not enough: both quotations are looked up letter by letter in turns of those
 * who are judged, and a claim with one that is not there does not count. A pair that comes twice,
 * in whichever order, is one, and words are no contradiction of themselves. Pure. */
#ifndef REPLY_CLAIM_H
#define REPLY_CLAIM_H

#include "suite/vocab.h"

struct claim {
    int64_t turn[2];
    struct str text[2];
    bool true_words; /* both stand where they are said to */
};

struct claim_list {
    struct claim *v;
    size_t n;
    bool listed; /* the reply has a list, be it empty: the judge has looked for them */
};

/* Those of a reply, in its last object that has "contradictions". */
struct claim_list claim_read(struct arena *a, const struct suite *s, struct str reply,
                             struct str transcript);
/* How many of them count. */
size_t claim_count(const struct claim_list *l);

#endif
