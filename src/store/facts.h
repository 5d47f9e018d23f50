/* facts.h - what models and judges of a run said, read once and used many times.
 *
 * Scoring needs the same marks, and counts of the same rows, for every jury. To look up each
 * verdict and mark by its answer takes a database several times as long as to read all of them in
 * storage order. So that is done once, into columns of about 70 bytes for an answer with one mark.
 * Marks of people are not copied; they are read when they are needed. The caller owns the facts:
 * facts_free(). The store must outlive them. */
#ifndef STORE_FACTS_H
#define STORE_FACTS_H

#include "store/store_read.h"

struct facts;

CHECKED enum status facts_read(struct store *s, int64_t run, struct facts **out, struct err *e);
void facts_free(struct facts *f); /* NULL is fine */

static inline void facts_freep(struct facts **f)
{
    facts_free(*f);
}

/* The same as store_mark_each(). */
CHECKED enum status facts_mark_each(const struct facts *f, const struct jury *jury, mark_fn *fn,
                                    void *user, struct err *e);

/* Whether any judge gave an overall of its own. */
bool facts_overalls(const struct facts *f);

/* The progress of each model, or of each judge of the jury. People count as one judge with the name
 * of their jury. How many answers of a model are unscored depends on the jury. */
struct tally {
    const char *name;
    int64_t total, done, unscored, failed, repaired, tokens;
    double cost; /* NaN: no price is known */
};
struct tally_list {
    struct tally *v;
    size_t n;
};
CHECKED enum status facts_tally(struct arena *a, const struct facts *f, enum party_kind kind,
                                const struct jury *jury, struct tally_list *out, struct err *e);

#endif
