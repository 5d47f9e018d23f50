/* proof_voice.h - how the people of a collection speak: unnatural phrases, and mixed registers.
 * Private to the files that proofread. */
#ifndef SUITE_PROOF_VOICE_H
#define SUITE_PROOF_VOICE_H

#include "suite/proof.h"

void proof_voice(struct proof *p);

#endif
