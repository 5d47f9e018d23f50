#include "base/totp.h"

#include "base/hash.h"

enum { BLOCK = 64, DIGEST = 20, DIGITS = 6, MODULUS = 1000000 };

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

static uint32_t rotate(uint32_t x, int n)
{
    return (x << n) | (x >> (32 - n));
}

/* One block of SHA-1 (FIPS 180-4, 6.1.2). */
static void sha1_block(uint32_t h[5], const unsigned char *p)
{
    uint32_t w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 |
               (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 80; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20   ? (b & c) | (~b & d)
                     : i < 40 ? b ^ c ^ d
                     : i < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        uint32_t k = i < 20 ? 0x5a827999 : i < 40 ? 0x6ed9eba1 : i < 60 ? 0x8f1bbcdc : 0xca62c1d6;
        uint32_t t = rotate(a, 5) + f + e + k + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = t;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

/* The hash of a key block and n more bytes (fewer than 55): all that HMAC of a short message
 * needs. */
static void sha1_keyed(const unsigned char key[BLOCK], const unsigned char *more, size_t n,
                       unsigned char out[DIGEST])
{
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    unsigned char last[BLOCK] = {0};
    size_t bits = (BLOCK + n) * 8;

    sha1_block(h, key);
    memcpy(last, more, n);
    last[n] = 0x80;
    last[BLOCK - 2] = (unsigned char)(bits >> 8);
    last[BLOCK - 1] = (unsigned char)bits;
    sha1_block(h, last);
    for (int i = 0; i < DIGEST; i++)
        out[i] = (unsigned char)(h[i / 4] >> (24 - 8 * (i % 4)));
}

static void hmac(const unsigned char secret[TOTP_SECRET], const unsigned char message[8],
                 unsigned char out[DIGEST])
{
    unsigned char inner[BLOCK], outer[BLOCK], between[DIGEST];

    for (int i = 0; i < BLOCK; i++) {
        unsigned char k = i < TOTP_SECRET ? secret[i] : 0;
        inner[i] = k ^ 0x36;
        outer[i] = k ^ 0x5c;
    }
    sha1_keyed(inner, message, 8, between);
    sha1_keyed(outer, between, sizeof between, out);
}

void totp_secret(char out[TOTP_TEXT])
{
    hash_random_letters(out, TOTP_TEXT, alphabet);
}

static bool read_secret(const char *text, unsigned char out[TOTP_SECRET])
{
    uint32_t bits = 0, have = 0;
    size_t n = 0;

    for (; *text && n < TOTP_SECRET; text++) {
        const char *at = strchr(alphabet, *text);
        if (!at)
            return false;
        bits = bits << 5 | (uint32_t)(at - alphabet);
        have += 5;
        if (have >= 8)
            out[n++] = (unsigned char)(bits >> (have -= 8));
    }
    return n == TOTP_SECRET;
}

int totp_code(const char *secret, int64_t step)
{
    unsigned char key[TOTP_SECRET], message[8], d[DIGEST];
    uint32_t at, number;

    if (!read_secret(secret, key))
        return -1;
    for (int i = 0; i < 8; i++)
        message[i] = (unsigned char)((uint64_t)step >> (56 - 8 * i));
    hmac(key, message, d);
    at = d[DIGEST - 1] & 15;
    number = (uint32_t)(d[at] & 0x7f) << 24 | (uint32_t)d[at + 1] << 16 | (uint32_t)d[at + 2] << 8 |
             d[at + 3];
    return (int)(number % MODULUS);
}

int64_t totp_step(const char *secret, struct str code, int64_t now_ms)
{
    int64_t now = now_ms / 1000 / TOTP_STEP_S, found = 0;
    char text[16];

    for (int64_t step = now - 1; step <= now + 1; step++) {
        int right = totp_code(secret, step);
        (void)snprintf(text, sizeof text, "%0*d", DIGITS, right);
        if (right >= 0 && hash_same(str_of(text), str_trim(code)))
            found = step;
    }
    return found;
}
