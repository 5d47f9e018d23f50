#include "base/hash.h"

#include <sodium.h>
#include <stdlib.h>

_Static_assert(sizeof(crypto_generichash_state) <= sizeof(((struct hash *)0)->state),
               "struct hash must hold libsodium's state");

static crypto_generichash_state *state_of(struct hash *h)
{
    /* cppcheck-suppress ctuuninitvar ; only the address is taken */
    return (crypto_generichash_state *)(void *)h->state;
}

static void add_u64(struct hash *h, uint64_t v)
{
    unsigned char le[8];

    for (size_t i = 0; i < sizeof le; i++)
        le[i] = (unsigned char)(v >> (8 * i));
    (void)crypto_generichash_update(state_of(h), le, sizeof le);
}

void hash_init(struct hash *h)
{
    (void)!sodium_init(); /* the first call finds the fastest code for this processor */
    (void)crypto_generichash_init(state_of(h), NULL, 0, HASH_BYTES);
}

void hash_init_keyed(struct hash *h, struct str secret)
{
    unsigned char key[HASH_BYTES];

    /* A secret may have any length; the key of the function may not. */
    (void)crypto_generichash(key, sizeof key, (const unsigned char *)secret.p, secret.n, NULL, 0);
    (void)crypto_generichash_init(state_of(h), key, sizeof key, HASH_BYTES);
    sodium_memzero(key, sizeof key);
}

void hash_str(struct hash *h, struct str field)
{
    add_u64(h, field.n);
    if (field.n)
        (void)crypto_generichash_update(state_of(h), (const unsigned char *)field.p, field.n);
}

void hash_int(struct hash *h, int64_t field)
{
    add_u64(h, sizeof field);
    add_u64(h, (uint64_t)field);
}

void hash_bytes(struct hash *h, unsigned char out[HASH_BYTES])
{
    (void)crypto_generichash_final(state_of(h), out, HASH_BYTES);
}

void hash_hex(struct hash *h, char out[HASH_HEX])
{
    unsigned char digest[HASH_BYTES];

    hash_bytes(h, digest);
    (void)sodium_bin2hex(out, HASH_HEX, digest, sizeof digest);
}

uint64_t hash_u64(struct hash *h)
{
    unsigned char digest[HASH_BYTES];
    uint64_t v = 0;

    hash_bytes(h, digest);
    for (size_t i = 0; i < 8; i++)
        v |= (uint64_t)digest[i] << (8 * i);
    return v;
}

void hash_hex_of(struct str field, char out[HASH_HEX])
{
    struct hash h;

    hash_init(&h);
    hash_str(&h, field);
    hash_hex(&h, out);
}

uint64_t hash_u64_of(struct str field)
{
    struct hash h;

    hash_init(&h);
    hash_str(&h, field);
    return hash_u64(&h);
}

uint64_t hash_quick(struct str s, uint64_t seed)
{
    unsigned char key[crypto_shorthash_KEYBYTES] = {0};
    uint64_t v;

    _Static_assert(sizeof v == crypto_shorthash_BYTES, "64 bits");
    memcpy(key, &seed, sizeof seed);
    (void)crypto_shorthash((unsigned char *)&v, (const unsigned char *)s.p, s.n, key);
    return v;
}

void hash_random(void *out, size_t n)
{
    if (sodium_init() < 0) /* repeated calls do no harm */
        abort();
    randombytes_buf(out, n);
}

void hash_random_letters(char *out, size_t n, const char letters[33])
{
    hash_random(out, n);
    for (size_t i = 0; i < n - 1; i++)
        out[i] = letters[out[i] & 31];
    out[n - 1] = '\0';
}

/* The minimum for Argon2id according to OWASP: 19 MiB, two passes, one lane. */
enum { PASSWORD_PASSES = 2, PASSWORD_MEMORY = 19 << 20 };

_Static_assert(HASH_PASSWORD >= crypto_pwhash_STRBYTES, "room for libsodium's text");

/* A field that was not sent counts as empty. */
static const char *letters_of(struct str password)
{
    return password.p ? password.p : "";
}

bool hash_password(struct str password, char out[HASH_PASSWORD])
{
    return crypto_pwhash_str_alg(out, letters_of(password), password.n, PASSWORD_PASSES,
                                 PASSWORD_MEMORY, crypto_pwhash_ALG_ARGON2ID13) == 0;
}

bool hash_password_fits(const char *stored, struct str password)
{
    return crypto_pwhash_str_verify(stored, letters_of(password), password.n) == 0;
}

bool hash_password_old(const char *stored)
{
    return crypto_pwhash_str_needs_rehash(stored, PASSWORD_PASSES, PASSWORD_MEMORY) != 0;
}

bool hash_same(struct str a, struct str b)
{
    return a.n == b.n && (a.n == 0 || sodium_memcmp(a.p, b.p, a.n) == 0);
}
