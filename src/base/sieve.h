/* sieve.h - common words, as a Bloom filter: a tenth of their size; it contains all of them, and
 * one in a hundred other words too.
 *
 * tools/embed.c fills it at build time from the word list of a Debian package (cracklib-runtime);
 * without that it is empty. The positions of bits are defined here, for both. */
#ifndef BASE_SIEVE_H
#define BASE_SIEVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SIEVE_PROBES = 7, SIEVE_BITS = 10, SIEVE_WORD_MIN = 8, SIEVE_WORD_MAX = 40 };

extern const unsigned char sieve_bytes[]; /* generated */
extern const size_t sieve_size;           /* bytes; 0: empty */

/* Bit number `k` of a word in a sieve of so many bytes. */
static inline size_t sieve_bit(const char *word, size_t n, unsigned k, size_t size)
{
    uint64_t h = 14695981039346656037U; /* FNV-1a */

    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)word[i]) * 1099511628211U;
    return (size_t)(((h & UINT32_MAX) + k * (h >> 32 | 1)) % (size * 8));
}

/* Whether it is one of them; the word must be in lower case. */
bool sieve_holds(const char *word, size_t n);

#endif
