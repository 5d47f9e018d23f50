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

/* Nothing but padding and blanks from here on. */
static bool is_end(struct str rest)
{
    for (size_t i = 0; i < rest.n; i++)
        if (rest.p[i] != '=' && !is_blank(rest.p[i]))
            return false;
    return true;
}

enum status base64_read(struct arena *a, struct str text, struct str *out, struct err *e)
{
    /* A byte is whole after the second, third and fourth digit; this many bits are then left. */
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
