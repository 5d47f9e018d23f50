/* proof_alike.h - texts of a collection that are like one another, or like a line of training data.
 * Between the files that proofread; nobody else includes it. */
#ifndef SUITE_PROOF_ALIKE_H
#define SUITE_PROOF_ALIKE_H

#include "suite/proof.h"

void proof_alike(struct proof *p);

#endif
