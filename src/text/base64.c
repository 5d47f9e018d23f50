#include "text/base64.h"

static int digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* True if only padding and white space are left. */
static bool is_end(struct str rest)
{
    for (size_t i = 0; i < rest.n; i++)
        if (rest.p[i] != '=' && !is_blank(rest.p[i]))
            return false;
    return true;
}

enum status base64_read(struct arena *a, struct str text, struct str *out, struct err *e)
{
    /* The second, third and fourth digit of a group complete a byte each; this many bits remain. */
    static const int left[] = {0, 0, 4, 2};
    char *to = arena_alloc(a, text.n / 4 * 3 + 4);
    size_t n = 0, digits = 0;
    uint32_t bits = 0;

    for (size_t i = 0; i < text.n; i++) {
        int d = digit(text.p[i]);
        if (d < 0 && is_blank(text.p[i]))
            continue;
        if (d < 0 && text.p[i] == '=' && is_end(str_from(text, i)))
            break;
        if (d < 0)
            return err_set(e, E_INPUT, "not base64: byte %zu is 0x%02X", i + 1,
                           (unsigned)(unsigned char)text.p[i]);
        bits = bits << 6 | (uint32_t)d;
        if (++digits % 4 != 1)
            to[n++] = (char)(unsigned char)(bits >> left[digits % 4]);
    }
    if (digits % 4 == 1)
        return err_set(e, E_INPUT, "not base64: it ends within a group of four");
    to[n] = '\0';
    *out = (struct str){to, n};
    return OK;
}

static char *write_with(struct arena *a, const char digits[65], struct str bytes, size_t *out)
{
    char *to = arena_alloc(a, bytes.n / 3 * 4 + 5);
    uint32_t bits = 0;
    size_t n = 0;
    int held = 0;

    for (size_t i = 0; i < bytes.n; i++) {
        bits = bits << 8 | (unsigned char)bytes.p[i];
        for (held += 8; held >= 6; held -= 6)
            to[n++] = digits[bits >> (held - 6) & 63];
    }
    if (held)
        to[n++] = digits[bits << (6 - held) & 63];
    *out = n;
    return to;
}

const char *base64_write(struct arena *a, struct str bytes)
{
    size_t n;
    char *to = write_with(a, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
                          bytes, &n);

    for (; n % 4; n++)
        to[n] = '=';
    return to;
}

const char *base64_url(struct arena *a, struct str bytes)
{
    size_t n;

    return write_with(a, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", bytes,
                      &n);
}
