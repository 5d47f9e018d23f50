/* prompt.h - templates: {{name}} is replaced, and nothing else is special.
 *
 * Replacement is a single pass: values are never scanned again, so {{braces}} in the text of a
 * model or an item are kept. White space inside the braces is allowed. A name consists of letters,
 * digits, '_', '.' and '-'; other bytes above ASCII count as letters. "{{" without a name after it
 * is plain text. An unknown name is an error. */
#ifndef SUITE_PROMPT_H
#define SUITE_PROMPT_H

#include "base/err.h"
#include "base/mem.h"

struct prompt_var {
    const char *name;
    struct str value;
};

struct prompt_vars {
    const struct prompt_var *v;
    size_t n;
};

enum { PROMPT_MAX = 4 << 20 }; /* bytes of an expanded text */

/* Expands a template. E_INPUT if a name is unknown, which is named, or the result is too large. */
CHECKED enum status prompt_fill(struct arena *a, struct str text, struct prompt_vars vars,
                                struct str *out, struct err *e);

/* Finds the next {{name}} at or after byte *at and moves *at past it; false if there is none. */
bool prompt_next(struct str text, size_t *at, struct str *name, size_t *begin);
/* Takes the text up to the end of its next {{name}} off; false if there is none. */
bool prompt_name(struct str *rest, struct str *name);

#endif
