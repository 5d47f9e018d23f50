#include "base/rng.h"

#include "base/hash.h"

struct rng rng_keyed(uint64_t seed, const char *purpose, const int64_t *ids, size_t n)
{
    struct rng r;

    for (size_t word = 0; word < COUNT(r.s); word++) {
        struct hash h;
        hash_init(&h);
        hash_int(&h, (int64_t)seed);
        hash_str(&h, str_of(purpose));
        for (size_t i = 0; i < n; i++)
            hash_int(&h, ids[i]);
        hash_int(&h, (int64_t)word);
        r.s[word] = hash_u64(&h);
    }
    return r;
}

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

uint64_t rng_next(struct rng *r)
{
    uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
    uint64_t least = (0 - n) % n, v; /* 2^64 mod n: values below it would favour small results */

    do
        v = rng_next(r);
    while (v < least);
    return v % n;
}

double rng_unit(struct rng *r)
{
    return (double)(rng_next(r) >> 11) * 0x1p-53;
}

void rng_shuffle(struct rng *r, size_t *index, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)rng_below(r, i), was = index[i - 1];
        index[i - 1] = index[j];
        index[j] = was;
    }
}
