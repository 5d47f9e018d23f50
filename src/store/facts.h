/* facts.h - what models and judges of a run said, read once and walked over many times.
 *
 * Scoring asks for the same marks for every jury, and for counts of the same rows. Looking each
 * verdict and each mark up by its answer takes a database several times as long as reading all of
 * them in the order in which they lie; so that is done once, into columns of some 70 bytes for an
 * answer with one mark. Marks of people stay where they are and are read when they are asked for.
 * Owned by whoever read them: facts_free(). The store has to outlive them. */
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

/* store_mark_each(). */
CHECKED enum status facts_mark_each(const struct facts *f, const struct jury *jury, mark_fn *fn,
                                    void *user, struct err *e);

/* A judge gave an overall of its own. */
bool facts_overalls(const struct facts *f);

/* How the work of each model stands, or of each judge of the jury. People are one judge, by the
 * name of their jury. What is unscored of a model depends on the jury. */
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
