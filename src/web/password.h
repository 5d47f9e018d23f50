/* password.h - is a password among those that are tried first? Pure.
 *
 * Lists of common passwords hold few of twelve characters or more, and those follow rules: a word
 * everybody uses, a row of keys, a year, the same thing again. So a password is cut into such
 * pieces, and what counts is how many pieces and other characters it takes: "password1234" is two.
 * Letters count in any case and as the digits and signs that are put in their place. */
#ifndef WEB_PASSWORD_H
#define WEB_PASSWORD_H

#include "base/str.h"

enum { PASSWORD_PIECES_MIN = 7 };

/* Of how many pieces it consists; `name` of the account is one. */
size_t password_pieces(struct str password, struct str name);
/* Is it a word of the dictionary (base/sieve.h), perhaps with digits and signs before or behind it?
 */
bool password_is_word(struct str password);

#endif
