/* models_read.h - private to the files that read models.yaml. */
#ifndef SUITE_MODELS_READ_H
#define SUITE_MODELS_READ_H

#include "suite/models.h"
#include "suite/shape.h"
#include "suite/suite.h"

#define MODELS_KEY       "OPENAI_API_KEY"
#define MODELS_LOCAL_URL "http://127.0.0.1" /* the port is known once the server runs */

enum { MODELS_MAX = 1000, HEADERS_MAX = 32, MODELS_EFFORTS = 7 };
enum { MODELS_LOCAL_AT_ONCE = 4 }; /* requests to llama-server, its default number of slots */

extern const char *const models_efforts[MODELS_EFFORTS]; /* levels of reasoning effort */

extern const struct shape models_endpoint_shape, models_classifier_shape;

/* Fills *ep for the GGUF file at this path, except its name. Errors go to d at `at`. */
void models_local_fill(struct arena *a, const char *path, struct place at, struct endpoint *ep,
                       struct diags *d);

#endif
