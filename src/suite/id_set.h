/* id_set.h - a set of ids that takes about eight bytes per id.
 *
 * Only hashes are stored, so an id may be mistaken for another one: with ten million ids the chance
 * is about 3e-6. Initialize with zeros. The set must not move: its address seeds the hashes. */
#ifndef SUITE_ID_SET_H
#define SUITE_ID_SET_H

#include "base/str.h"

struct id_set {
    uint64_t *slot; /* open addressing; 0: free */
    size_t n, cap;
};

bool id_set_has(const struct id_set *set, struct str id);
void id_set_add(struct id_set *set, struct str id); /* must not be in the set yet */
void id_set_done(struct id_set *set);

#endif
