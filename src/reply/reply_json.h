/* reply_json.h - find the JSON objects in what a judge wrote, and make strict JSON of them.
 *
 * Pure. Text is valid UTF-8. Tolerated inside an object: comments, trailing commas, raw control
 * characters in strings, unknown escapes, unquoted scalars (they become strings), and the
 * full-width marks { } : , and quotation marks, but only where such a mark can have no other
 * meaning. Anything else makes the object broken; it is never mended. One pass: time grows with the
 * text, not with what is in it. */
#ifndef REPLY_REPLY_JSON_H
#define REPLY_REPLY_JSON_H

#include "base/str.h"

enum object_state {
    OBJECT_WHOLE,
    OBJECT_BROKEN, /* began like an object, went wrong at `fault`; may end with the text */
    OBJECT_CUT,    /* the text ends inside it */
};

struct reply_object {
    enum object_state state;
    size_t begin, end; /* bytes of the text */
    size_t fault;      /* where it went wrong */
};

/* The next object that stands in no other one, at or after byte *at, which moves past it. False
 * when there is none. Braces in prose ("{name}", "{}") are passed over. */
bool reply_json_next(struct str text, size_t *at, struct reply_object *out);

/* Append strict JSON for an OBJECT_WHOLE that reply_json_next() found in the same text. */
void reply_json_write(struct str text, const struct reply_object *o, struct buf *out);

#endif
