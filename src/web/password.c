#include "web/password.h"

#include <ctype.h>

#include "base/sieve.h"

enum { TEXT_MAX = 1000, RUN_MIN = 3 };

/* Rows of keys, and ways over them; the alphabet. Each is used backwards too. */
static const char *const rows[] = {
    "1234567890",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiop",
    "azertyuiop",
    "abcdefghijklmnopqrstuvwxyz",
    "1q2w3e4r5t6y7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "147258369",
    "789456123",
    "5201314520",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "qazwsxedcrfvtgbyhnujm",
    "qweasdzxc",
};

static const char *const words[] = {
    "password", "passwort",  "passwd",     "administrator", "admin",     "welcome",   "letmein",
    "login",    "guest",     "root",       "test",          "secret",    "changeme",  "default",
    "master",   "iloveyou",  "monkey",     "dragon",        "football",  "baseball",  "superman",
    "batman",   "princess",  "sunshine",   "shadow",        "michael",   "jordan",    "charlie",
    "hello",    "summer",    "winter",     "spring",        "autumn",    "audition",  "trustno",
    "starwars", "whatever",  "freedom",    "flower",        "family",    "computer",  "internet",
    "google",   "facebook",  "samsung",    "killer",        "pokemon",   "cheese",    "cookie",
    "banana",   "orange",    "purple",     "silver",        "golden",    "diamond",   "soccer",
    "hockey",   "jesus",     "mustang",    "access",        "ninja",     "liverpool", "chelsea",
    "woaini",   "mima",      "server",     "rater",         "company",   "user",      "thisis",
    "mynameis", "jessica",   "jennifer",   "daniel",        "ashley",    "nicole",    "andrew",
    "thomas",   "robert",    "matthew",    "joshua",        "anthony",   "hannah",    "samantha",
    "amanda",   "chocolate", "manchester", "arsenal",       "barcelona", "sommer",    "bonjour",
};

/* What stands for a letter, as that letter. */
static char unmasked(char c)
{
    static const char masks[] = "0o1i3e4a5s7t@a$s!i";

    for (size_t i = 0; masks[i]; i += 2)
        if (c == masks[i])
            return masks[i + 1];
    return c;
}

static size_t common_prefix(const char *a, size_t n, const char *b, size_t m)
{
    size_t k = 0;

    while (k < n && k < m && a[k] == b[k])
        k++;
    return k;
}

/* How far a row goes from here, forwards or backwards. */
static size_t along(const char *row, const char *s, size_t n)
{
    size_t best = 0, m = strlen(row);

    for (size_t i = 0; i < m; i++) {
        size_t back = 0, on = common_prefix(s, n, row + i, m - i);
        while (back < n && back <= i && s[back] == row[i - back])
            back++;
        best = on > best ? on : best;
        best = back > best ? back : best;
    }
    return best;
}

/* The longest piece that was there before, or the same character over and over. */
static size_t again(const char *s, size_t n, size_t at)
{
    size_t best = 1;

    while (at + best < n && s[at + best] == s[at])
        best++;
    for (size_t i = 0; i < at; i++) {
        size_t k = common_prefix(s + at, n - at, s + i, n - i);
        best = k > best ? k : best;
    }
    return best;
}

static size_t word_at(const char *open, size_t n, struct str name)
{
    size_t best = 0;

    for (size_t i = 0; i < COUNT(words); i++) {
        size_t m = strlen(words[i]);
        if (m > best && m <= n && memcmp(open, words[i], m) == 0)
            best = m;
    }
    if (name.n >= RUN_MIN && name.n > best && name.n <= n) {
        size_t k = 0;
        while (k < name.n && open[k] == unmasked(str_lower(name.p[k])))
            k++;
        best = k == name.n ? k : best;
    }
    return best;
}

static bool is_year(const char *s, size_t n)
{
    return n >= 4 && ((s[0] == '1' && s[1] == '9') || (s[0] == '2' && s[1] == '0')) &&
           s[2] >= '0' && s[2] <= '9' && s[3] >= '0' && s[3] <= '9';
}

size_t password_pieces(struct str password, struct str name)
{
    char plain[TEXT_MAX], open[TEXT_MAX];
    size_t n = password.n < TEXT_MAX ? password.n : TEXT_MAX, pieces = 0;

    for (size_t i = 0; i < n; i++) {
        plain[i] = str_lower(password.p[i]);
        open[i] = unmasked(plain[i]);
    }
    for (size_t at = 0; at < n; pieces++) {
        size_t best = again(plain, n, at), k = word_at(open + at, n - at, name);
        best = k > best ? k : best;
        for (size_t i = 0; i < COUNT(rows); i++) {
            k = along(rows[i], plain + at, n - at);
            best = k > best ? k : best;
        }
        if (best < 4 && is_year(plain + at, n - at))
            best = 4;
        at += best >= RUN_MIN ? best : 1;
        while (at < n && (plain[at] & 0xc0) == 0x80) /* a character of several bytes is one */
            at++;
    }
    return pieces;
}

bool password_is_word(struct str password)
{
    char plain[SIEVE_WORD_MAX], open[SIEVE_WORD_MAX];
    size_t n = 0;

    while (password.n && !isalpha((unsigned char)password.p[0]))
        password = str_from(password, 1);
    while (password.n && !isalpha((unsigned char)password.p[password.n - 1]))
        password.n--;
    if (password.n > SIEVE_WORD_MAX)
        return false;
    for (; n < password.n; n++) {
        plain[n] = str_lower(password.p[n]);
        open[n] = unmasked(plain[n]);
    }
    return sieve_holds(plain, n) || sieve_holds(open, n);
}
