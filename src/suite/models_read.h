/* models_read.h - between the files that read models.yaml; nobody else includes it. */
#ifndef SUITE_MODELS_READ_H
#define SUITE_MODELS_READ_H

#include "suite/models.h"
#include "suite/shape.h"
#include "suite/suite.h"

#define MODELS_KEY "OPENAI_API_KEY"

enum { MODELS_MAX = 1000, MODELS_TOKENS_MAX = 10000000, MODELS_EFFORTS = 7 };

extern const char *const models_efforts[MODELS_EFFORTS]; /* how much a model reasons */

extern const struct shape models_endpoint_shape, models_classifier_shape;

#endif
