/* proof.h - reading the material of a collection as a careful editor would.
 *
 * Beyond what `check` says of each suite: the canary stands in every file; items have cards; forms
 * are of one length; no two texts are alike, within a suite, across suites and languages; names do
 * not collide; nobody's card holds what its era cannot know; nobody changes the register; and every
 * reference would pass its suite's own rules and reads as if somebody had said it (share/tone).
 * What stands in a file of training lines is found. Faults go to struct diags; everything lives in
 * the arena. */
#ifndef SUITE_PROOF_H
#define SUITE_PROOF_H

#include "suite/collection.h"
#include "suite/item.h"
#include "suite/suite.h"

/* A suite of the collection with all its items, of the published form. */
struct proof_suite {
    const struct collection_suite *of;
    const struct suite *suite; /* NULL: it cannot be read */
    const struct bank *bank;   /* of an interview */
    struct item *items;
    size_t nitems, varying; /* how many have other forms */
};

struct proof {
    struct arena *a;
    struct diags *d;
    const struct collection *of;
    const char *path; /* of the collection file */
    struct proof_suite *suites;
    size_t nsuites;
};

/* Say something of an item, or of somebody, of a suite. */
#define proof_about(p, s, id, ...)                                                                 \
    diags_warn((p)->d, (struct place){0}, N_("%s: %s: %s"), (s)->of->file, (id),                   \
               arena_printf((p)->a, __VA_ARGS__))

/* Read all of it; faults of suites and items are in d. */
struct proof *proof_load(struct arena *a, const struct collection *of, const char *path,
                         struct diags *d);
void proof_check(struct proof *p);

/* Texts of the collection that stand in this file, as they are or nearly; and its canary. *found
 * counts them. */
CHECKED enum status proof_training(struct proof *p, const char *path, int64_t *found,
                                   struct err *e);

#endif
