#include "base/hash.h"

#include <sodium.h>

enum { DIGEST = 32 };

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
    (void)crypto_generichash_init(state_of(h), NULL, 0, DIGEST);
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

void hash_hex(struct hash *h, char out[HASH_HEX])
{
    unsigned char digest[DIGEST];

    (void)crypto_generichash_final(state_of(h), digest, sizeof digest);
    (void)sodium_bin2hex(out, HASH_HEX, digest, sizeof digest);
}

uint64_t hash_u64(struct hash *h)
{
    unsigned char digest[DIGEST];
    uint64_t v = 0;

    (void)crypto_generichash_final(state_of(h), digest, sizeof digest);
    for (size_t i = 0; i < 8; i++)
        v |= (uint64_t)digest[i] << (8 * i);
    return v;
}

void hash_random(void *out, size_t n)
{
    randombytes_buf(out, n);
}
