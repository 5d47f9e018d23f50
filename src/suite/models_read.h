/* models_read.h - between the files that read models.yaml; nobody else includes it. */
#ifndef SUITE_MODELS_READ_H
#define SUITE_MODELS_READ_H

#include "suite/models.h"
#include "suite/shape.h"
#include "suite/suite.h"

#define MODELS_KEY       "OPENAI_API_KEY"
#define MODELS_LOCAL_URL "http://127.0.0.1" /* the port is known when the server runs */

enum { MODELS_MAX = 1000, MODELS_TOKENS_MAX = 10000000, MODELS_EFFORTS = 7 };
enum { MODELS_LOCAL_AT_ONCE = 4 }; /* requests to llama-server; it has as many slots by default */

extern const char *const models_efforts[MODELS_EFFORTS]; /* how much a model reasons */

extern const struct shape models_endpoint_shape, models_classifier_shape;

/* What a GGUF file at this path makes of *ep: its name stays; faults go to d, at a place. */
void models_local_fill(struct arena *a, const char *path, struct place at, struct endpoint *ep,
                       struct diags *d);

#endif
