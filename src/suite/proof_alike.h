/* proof_alike.h - texts of a collection that are like one another, or like a line of training data.
 * Between the files that proofread; nobody else includes it. */
#ifndef SUITE_PROOF_ALIKE_H
#define SUITE_PROOF_ALIKE_H

#include "suite/proof.h"

void proof_alike(struct proof *p);
/* Items that two languages have in common, by name, by figures, or by their ideographs. */
void proof_languages(struct proof *p);

#endif
