/* template.h - a judge's template as stored with the judge, and back. */
#ifndef SUITE_TEMPLATE_H
#define SUITE_TEMPLATE_H

#include "base/err.h"
#include "base/mem.h"
#include "suite/vocab.h"

const char *template_freeze(struct arena *a, const struct template *t);
CHECKED enum status template_thaw(struct arena *a, struct str frozen, struct template *out,
                                  struct err *e);

#endif
