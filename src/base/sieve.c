#include "base/sieve.h"

bool sieve_holds(const char *word, size_t n)
{
    if (!sieve_size || n < SIEVE_WORD_MIN || n > SIEVE_WORD_MAX)
        return false;
    for (unsigned k = 0; k < SIEVE_PROBES; k++) {
        size_t bit = sieve_bit(word, n, k, sieve_size);
        if (!(sieve_bytes[bit / 8] >> bit % 8 & 1))
            return false;
    }
    return true;
}
