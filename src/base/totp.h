/* totp.h - codes of authenticator apps (RFC 6238: HMAC-SHA-1, 30 seconds, six digits). Pure.
 *
 * Every app supports SHA-1; the weakness of the hash does not affect HMAC. */
#ifndef BASE_TOTP_H
#define BASE_TOTP_H

#include "base/str.h"

enum { TOTP_SECRET = 20, TOTP_TEXT = 33, TOTP_STEP_S = 30 }; /* bytes; base32 and NUL */

/* A new secret, in base32 as apps show it. */
void totp_secret(char out[TOTP_TEXT]);
/* The code of one step (seconds since 1970 / TOTP_STEP_S); -1: the secret is invalid. */
int totp_code(const char *secret, int64_t step);
/* The step with this code, now or one before or after; 0: none. */
int64_t totp_step(const char *secret, struct str code, int64_t now_ms);

#endif
