/* id_set.h - which ids there were, in eight bytes or so for each.
 *
 * Only hashes are kept, so an id may be taken for one that was there: among ten million with a
 * chance of about 3e-6. Begin with zero bytes; a set stays where it lies. */
#ifndef SUITE_ID_SET_H
#define SUITE_ID_SET_H

#include "base/str.h"

struct id_set {
    uint64_t *slot; /* open addressing; 0 is free */
    size_t n, cap;
};

bool id_set_has(const struct id_set *set, struct str id);
void id_set_add(struct id_set *set, struct str id); /* one that is not there */
void id_set_done(struct id_set *set);

#endif
