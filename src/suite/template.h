/* template.h - prompt templates. */
#ifndef SUITE_TEMPLATE_H
#define SUITE_TEMPLATE_H

#include "base/err.h"
#include "base/mem.h"

/* Up to three texts in which {{name}} is replaced (see prompt.h). */
struct template
{
    const char *name;
    struct str system; /* may be empty */
    struct str user;
    struct str repair; /* judges only: asks again after an invalid reply; may be empty */
};

const char *template_freeze(struct arena *a, const struct template *t);
CHECKED enum status template_thaw(struct arena *a, struct str frozen, struct template *out,
                                  struct err *e);

#endif
