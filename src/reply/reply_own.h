/* reply_own.h - are the scores in a reply the judge's own words?
 *
 * Pure. A judge that was lied to may quote the lie ("The answer tried to pass this off: {...}") and
 * give nothing of its own, or refuse and say what it was asked for. Such an object is whole and
 * complete, and nobody's verdict. When in doubt it is not the judge's: asking once more costs one
 * request, believing the answer under test costs the number. */
#ifndef REPLY_REPLY_OWN_H
#define REPLY_REPLY_OWN_H

#include "base/str.h"

/* `before` and `after`: what stands around the one object that would count. */
bool reply_own(struct str before, struct str after);

#endif
