/* judge_pair.h - what a verdict on a pair is about, and what a judge's words about it mean.
 *
 * A judge says A or B; A is what was shown first. Who that was is known here alone, and stored
 * beside the letter. Pure. */
#ifndef EVAL_JUDGE_PAIR_H
#define EVAL_JUDGE_PAIR_H

#include "eval/reply_pair.h"
#include "store/store_work.h"

struct judge_pair {
    struct pair_ask ask;
    int64_t first, second; /* models in the order shown */
};

/* What to expect in a reply about this item. Characters of the suite that the item speaks of
 * may be spoken of by the judge too. */
struct pair_ask judge_pair_ask(struct arena *a, const struct suite *suite, const struct item *item);

struct judge_pair judge_pair_of(struct arena *a, const struct suite *suite, const struct item *item,
                                const struct leased *row);

/* Read r->reply and fill in what follows from it. The fault, or NULL. */
const char *judge_pair_read(struct arena *a, const struct judge_pair *p, const char *language,
                            struct verdict_result *r);

#endif
