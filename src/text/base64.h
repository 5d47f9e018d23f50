/* base64.h - bytes written as letters (RFC 4648, section 4). Pure. */
#ifndef TEXT_BASE64_H
#define TEXT_BASE64_H

#include "base/err.h"
#include "base/mem.h"

/* Line breaks and spaces are passed over, `=` at the end may be missing, - and _ are taken for
 * + and /. E_INPUT names the first byte that cannot be part of it. The result ends in NUL and
 * lives in the arena. */
CHECKED enum status base64_read(struct arena *a, struct str text, struct str *out, struct err *e);
/* The other way. */
const char *base64_write(struct arena *a, struct str bytes);
/* With - and _ and without `=` (section 5): for URLs and JSON. */
const char *base64_url(struct arena *a, struct str bytes);

#endif
