#include "base/signature.h"

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <stdlib.h>

enum { RSA_BITS_MIN = 2048, RSA_BITS_MAX = 8192, EC_BITS = 256, NUMBER = EC_BITS / 8 };

/* GnuTLS only reads these bytes, but its type is not const. */
static gnutls_datum_t datum(struct str s)
{
    union {
        const char *from;
        unsigned char *to;
    } bytes = {.from = s.p};

    return (gnutls_datum_t){.data = bytes.to, .size = (unsigned)s.n};
}

static bool import(gnutls_pubkey_t to, const struct signature_key *key)
{
    const gnutls_datum_t spki = datum(key->spki), first = datum(key->first),
                         second = datum(key->second);

    if (key->spki.n)
        return gnutls_pubkey_import(to, &spki, GNUTLS_X509_FMT_DER) >= 0;
    if (key->kind == SIGNATURE_RS256)
        return gnutls_pubkey_import_rsa_raw(to, &first, &second) >= 0;
    return key->first.n == NUMBER && key->second.n == NUMBER &&
           gnutls_pubkey_import_ecc_raw(to, GNUTLS_ECC_CURVE_SECP256R1, &first, &second) >= 0;
}

static bool is_strong(gnutls_pubkey_t key, enum signature_kind kind)
{
    unsigned bits = 0;
    int algorithm = gnutls_pubkey_get_pk_algorithm(key, &bits);

    if (kind == SIGNATURE_RS256)
        return algorithm == GNUTLS_PK_RSA && bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX;
    return algorithm == GNUTLS_PK_ECDSA && bits == EC_BITS;
}

static bool verify(gnutls_pubkey_t key, enum signature_kind kind, struct str text,
                   const gnutls_datum_t *signature)
{
    const gnutls_datum_t data = datum(text);

    return gnutls_pubkey_verify_data2(
               key, kind == SIGNATURE_RS256 ? GNUTLS_SIGN_RSA_SHA256 : GNUTLS_SIGN_ECDSA_SHA256, 0,
               &data, signature) >= 0;
}

/* Encodes the two numbers as DER, which GnuTLS expects. */
static bool verify_numbers(gnutls_pubkey_t key, struct str text, struct str signature)
{
    const gnutls_datum_t r = datum((struct str){signature.p, NUMBER}),
                         s = datum((struct str){signature.p + NUMBER, NUMBER});
    gnutls_datum_t der = {0};
    bool fits =
        gnutls_encode_rs_value(&der, &r, &s) >= 0 && verify(key, SIGNATURE_ES256, text, &der);

    gnutls_free(der.data);
    return fits;
}

static bool check(const struct signature_key *key, const struct str *text, struct str signature)
{
    const gnutls_datum_t whole = datum(signature);
    gnutls_pubkey_t with;
    bool fits;

    if (gnutls_pubkey_init(&with) < 0)
        return false;
    fits = import(with, key) && is_strong(with, key->kind);
    if (fits && text)
        fits = key->kind == SIGNATURE_RS256 || key->spki.n
                   ? verify(with, key->kind, *text, &whole)
                   : signature.n == 2 * NUMBER && verify_numbers(with, *text, signature);
    gnutls_pubkey_deinit(with);
    return fits;
}

bool signature_fits(const struct signature_key *key, struct str text, struct str signature)
{
    return signature.n && check(key, &text, signature);
}

bool signature_key_ok(const struct signature_key *key)
{
    return check(key, NULL, (struct str){"", 0});
}

void signature_sha256(struct str text, unsigned char out[SIGNATURE_SHA256])
{
    if (gnutls_hash_fast(GNUTLS_DIG_SHA256, text.p, text.n, out) < 0)
        abort(); /* no memory for a state of a hundred bytes */
}
