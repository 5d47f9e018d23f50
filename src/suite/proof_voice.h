/* proof_voice.h - how the people of a collection speak: turns of phrase that nobody says, and two
 * registers in one mouth. Between the files that proofread; nobody else includes it. */
#ifndef SUITE_PROOF_VOICE_H
#define SUITE_PROOF_VOICE_H

#include "suite/proof.h"

void proof_voice(struct proof *p);

#endif
