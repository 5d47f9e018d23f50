/* password.h - is a password among those that attackers try first? Pure.
 *
 * Lists of common passwords contain few of twelve characters or more, and those follow rules: a
 * common word, a row of keys, a year, a repetition. So a password is cut into such pieces and
 * counted in pieces and other characters: "password1234" is two. Case does not matter, nor do
 * digits and signs that stand for letters. */
#ifndef WEB_PASSWORD_H
#define WEB_PASSWORD_H

#include "base/str.h"

enum { PASSWORD_PIECES_MIN = 7 };

/* The number of pieces; the name of the account counts as one. */
size_t password_pieces(struct str password, struct str name);
/* Is it a word of the dictionary (base/sieve.h), perhaps with digits and signs around it? */
bool password_is_word(struct str password);

#endif
