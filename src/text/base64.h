/* base64.h - base64 (RFC 4648, section 4). Pure. */
#ifndef TEXT_BASE64_H
#define TEXT_BASE64_H

#include "base/err.h"
#include "base/mem.h"

/* Decodes. White space is skipped, the padding may be missing, and - and _ count as + and /.
 * E_INPUT names the first invalid byte. The result is NUL-terminated and lives in the arena. */
CHECKED enum status base64_read(struct arena *a, struct str text, struct str *out, struct err *e);
/* Encodes. */
const char *base64_write(struct arena *a, struct str bytes);
/* Encodes with - and _ and without padding (section 5), for URLs and JSON. */
const char *base64_url(struct arena *a, struct str bytes);

#endif
