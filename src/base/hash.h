/* hash.h - content keys (BLAKE2b, 256 bits), random bytes and passwords, on libsodium.
 *
 * A hash is fed with fields, not with bytes: every field includes its length, so ("ab", "c") and
 * ("a", "bc") differ. The same fields give the same key on every machine. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/str.h"

enum {
    HASH_BYTES = 32,
    HASH_HEX = 65, /* 64 hexadecimal digits and NUL */
};

struct hash {
    _Alignas(64) unsigned char state[384];
};

void hash_init(struct hash *h);
/* With a secret, without which the result can neither be computed nor checked. */
void hash_init_keyed(struct hash *h, struct str secret);
void hash_str(struct hash *h, struct str field);
void hash_int(struct hash *h, int64_t field);
void hash_bytes(struct hash *h, unsigned char out[HASH_BYTES]); /* ends the hash */
void hash_hex(struct hash *h, char out[HASH_HEX]);              /* ends the hash */
uint64_t hash_u64(struct hash *h); /* ends the hash: its first 8 bytes */

/* Of one field. */
void hash_hex_of(struct str field, char out[HASH_HEX]);
uint64_t hash_u64_of(struct str field);
/* Ten times as fast, for what is never stored (SipHash). Without the seed nobody can make texts
 * collide. */
uint64_t hash_quick(struct str s, uint64_t seed);

/* n bytes from the system's generator: for tokens and keys, never for anything that a plan depends
 * on. */
void hash_random(void *out, size_t n);
/* n - 1 characters out of 32, and a NUL. */
void hash_random_letters(char *out, size_t n, const char letters[33]);

/* Passwords: Argon2id in its usual text form. Slow on purpose, and takes 20 MiB each time; false if
 * there is no memory for it. */
enum { HASH_PASSWORD = 128 };
CHECKED bool hash_password(struct str password, char out[HASH_PASSWORD]);
bool hash_password_fits(const char *stored, struct str password);
/* Whether it was made with weaker parameters than today's. */
bool hash_password_old(const char *stored);

/* Compares in a time that depends on the lengths alone. */
bool hash_same(struct str a, struct str b);

#endif
