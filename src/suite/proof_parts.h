/* proof_parts.h - the larger parts of proof_check(). Private to the files that proofread. */
#ifndef SUITE_PROOF_PARTS_H
#define SUITE_PROOF_PARTS_H

#include "suite/proof.h"

/* Texts that resemble each other. */
void proof_alike(struct proof *p);
/* Items that occur in two languages: same name, same numbers or same ideographs. */
void proof_languages(struct proof *p);
/* How people speak: unnatural phrases, and mixed registers. */
void proof_voice(struct proof *p);

#endif
