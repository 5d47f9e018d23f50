/* spec_keys.h - all keys of a campaign file, see shape.h; for spec.c and for help. */
#ifndef PANEL_SPEC_KEYS_H
#define PANEL_SPEC_KEYS_H

#include "suite/shape.h"

enum { QUESTIONS_MAX = 20, OPTIONS_MIN = 2, OPTIONS_MAX = 30 };

extern const struct shape spec_shape, spec_question_shape, spec_practice_shape, spec_consent_shape,
    spec_completion_shape, spec_retention_shape;

#endif
