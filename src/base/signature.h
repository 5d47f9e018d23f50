/* signature.h - verifies signatures, with GnuTLS. Pure; safe from any thread.
 *
 * RSA with 2048 or more bits (PKCS #1 v1.5) and ECDSA on P-256, both with SHA-256: what providers
 * of single sign-on and passkeys use. Keys and signatures are hostile bytes. */
#ifndef BASE_SIGNATURE_H
#define BASE_SIGNATURE_H

#include "base/str.h"

enum signature_kind { SIGNATURE_RS256, SIGNATURE_ES256 };

struct signature_key {
    enum signature_kind kind;
    struct str spki; /* SubjectPublicKeyInfo in DER; signatures of ES256 are DER, too */
    /* If that is empty: modulus and exponent, or x and y; a signature of ES256 is then two numbers
     * of 32 bytes, as in a JWT. */
    struct str first, second;
};

/* False also for a key or signature that cannot be parsed. */
bool signature_fits(const struct signature_key *key, struct str text, struct str signature);
/* Whether it is a key of its kind, and strong enough. */
bool signature_key_ok(const struct signature_key *key);

enum { SIGNATURE_SHA256 = 32 };
void signature_sha256(struct str text, unsigned char out[SIGNATURE_SHA256]);

#endif
