/* reply_form.h - the form of a verdict as a JSON schema, made from the rubric.
 *
 * Pure. What judge_format() tells a judge in words, for servers that can hold a model to it. The
 * same keys in the same order: reasons come before scores. */
#ifndef REPLY_REPLY_FORM_H
#define REPLY_REPLY_FORM_H

#include "base/json.h"
#include "suite/vocab.h"

/* A response_format of type json_schema under a name: a new value. */
json_t *reply_form(const struct instrument *in, const char *name);

#endif
