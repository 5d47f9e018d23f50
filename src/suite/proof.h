/* proof.h - proofreads the material of a collection.
 *
 * Goes beyond what `check` reports about each suite. Every file contains the canary; items have
 * cards; forms have similar lengths; no two texts are alike within a suite, across suites or across
 * languages; names are unique; no card contains words unknown to its era; nobody switches register;
 * every reference passes its suite's own rules and sounds natural (share/tone). A file of training
 * lines can be searched for these texts. Errors go to struct diags; results live in the arena. */
#ifndef SUITE_PROOF_H
#define SUITE_PROOF_H

#include "suite/collection.h"
#include "suite/item.h"
#include "suite/suite.h"

/* A suite of the collection with all its items, in the published form. */
struct proof_suite {
    const struct collection_suite *of;
    const struct suite *suite; /* NULL if it has errors */
    const struct bank *bank;   /* interviews only */
    struct item *items;
    size_t nitems, varying; /* varying: items with other forms */
};

struct proof {
    struct arena *a;
    struct diags *d;
    const struct collection *of;
    const char *path; /* of the collection file */
    struct proof_suite *suites;
    size_t nsuites;
};

/* Warns about an item or person of a suite. */
#define proof_about(p, s, id, ...)                                                                 \
    diags_warn((p)->d, (struct place){0}, N_("%s: %s: %s"), (s)->of->file, (id),                   \
               arena_printf((p)->a, __VA_ARGS__))

/* Loads everything; errors of suites and items go to d. */
struct proof *proof_load(struct arena *a, const struct collection *of, const char *path,
                         struct diags *d);
void proof_check(struct proof *p);

/* Searches a file for texts of the collection, exact or similar, and for its canary. *found is the
 * number of matches. */
CHECKED enum status proof_training(struct proof *p, const char *path, int64_t *found,
                                   struct err *e);

#endif
