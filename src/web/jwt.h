/* jwt.h - JSON Web Tokens of a provider of single sign-on (RFC 7519, RFC 7515): compact form, RS256
 * and ES256. Pure; the text is hostile. */
#ifndef WEB_JWT_H
#define WEB_JWT_H

#include "base/err.h"
#include "base/json.h"

enum { JWT_MAX = 64 << 10 };

/* The claims, if one of the keys (a JSON Web Key Set, RFC 7517) signed them; the caller frees them.
 * E_INPUT says what is wrong; E_ABSENT: the token names a key that is not among these, and newer
 * keys may help. What is claimed is not checked. */
CHECKED enum status jwt_read(struct arena *a, struct str token, const json_t *keys, json_t **claims,
                             struct err *e);

#endif
