/* proof_alike.h - finds texts of a collection that resemble each other or a line of training data.
 * Private to the files that proofread. */
#ifndef SUITE_PROOF_ALIKE_H
#define SUITE_PROOF_ALIKE_H

#include "suite/proof.h"

void proof_alike(struct proof *p);
/* Items that occur in two languages: same name, same numbers or same ideographs. */
void proof_languages(struct proof *p);

#endif
