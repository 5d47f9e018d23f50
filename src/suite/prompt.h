/* prompt.h - templates: {{name}} is replaced once, and nothing else is special.
 *
 * One pass: values are never scanned again, so that text of a model or an item which holds
 * {{braces}} stays what it is. White space inside the braces is allowed; a name is letters,
 * digits, '_', '.' and '-'. "{{" that begins no name is plain text. An unknown name is an error. */
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

enum { PROMPT_MAX = 4 << 20 }; /* bytes of one expanded text */

/* Replace. E_INPUT names the first unknown name, or says that the text grew too large. */
CHECKED enum status prompt_fill(struct arena *a, struct str text, struct prompt_vars vars,
                                struct str *out, struct err *e);

/* The next {{name}} at or after byte *at, which moves past it; false when there is none. For
 * checks. */
bool prompt_next(struct str text, size_t *at, struct str *name, size_t *begin);

#endif
