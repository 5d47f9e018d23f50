#include "text/number.h"

#include <math.h>

#include "text/rune.h"

#define TOLERANCE 1e-6

enum { DIGITS_MAX = 300 };

/* A text and a place in it. */
struct cursor {
    const uint32_t *p;
    size_t n, at;
};

/* Full-width forms as ASCII, except for the comma, which separates clauses but never digits. */
static uint32_t narrow(uint32_t r)
{
    switch (r) {
    case 0x2212: /* minus */
        return '-';
    case 0x2044: /* fraction slash */
        return '/';
    case 0xFF0C: /* full-width comma */
        return r;
    default:
        return r >= 0xFF01 && r <= 0xFF5E ? r - 0xFEE0 : r;
    }
}

static uint32_t rune_at(const struct cursor *c, size_t i)
{
    return i < c->n ? narrow(c->p[i]) : 0;
}

static bool is_digit(uint32_t r)
{
    return r >= '0' && r <= '9';
}

static bool digit_at(const struct cursor *c, size_t i)
{
    return is_digit(rune_at(c, i));
}

static bool is_letter(uint32_t r)
{
    return (r >= 'a' && r <= 'z') || (r >= 'A' && r <= 'Z');
}

/* The value of a sign such as ½; 0: it is none. */
static double vulgar(uint32_t r)
{
    static const struct {
        uint32_t rune;
        double over, under;
    } signs[] = {
        {0xBC, 1, 4},   {0xBD, 1, 2},   {0xBE, 3, 4},   {0x2153, 1, 3}, {0x2154, 2, 3},
        {0x2155, 1, 5}, {0x2156, 2, 5}, {0x2157, 3, 5}, {0x2158, 4, 5}, {0x2159, 1, 6},
        {0x215A, 5, 6}, {0x215B, 1, 8}, {0x215C, 3, 8}, {0x215D, 5, 8}, {0x215E, 7, 8},
    };

    for (size_t i = 0; i < COUNT(signs); i++)
        if (signs[i].rune == r)
            return signs[i].over / signs[i].under;
    return 0;
}

static double multiplier(uint32_t r)
{
    switch (r) {
    case 0x767E: /* 百 */
        return 1e2;
    case 0x5343: /* 千 */
        return 1e3;
    case 0x4E07: /* 万 */
    case 0x842C: /* 萬 */
        return 1e4;
    case 0x4EBF: /* 亿 */
    case 0x5104: /* 億 */
        return 1e8;
    default:
        return 1;
    }
}

static bool is_thousands(const struct cursor *c, size_t i)
{
    return rune_at(c, i) == ',' && digit_at(c, i + 1) && digit_at(c, i + 2) && digit_at(c, i + 3) &&
           !digit_at(c, i + 4);
}

struct digits {
    char text[DIGITS_MAX];
    size_t n;
    bool full;
};

static void put(struct digits *d, uint32_t r)
{
    if (d->n < sizeof d->text)
        d->text[d->n++] = (char)r;
    else
        d->full = true;
}

static void read_digits(struct cursor *c, struct digits *d)
{
    while (digit_at(c, c->at))
        put(d, rune_at(c, c->at++));
}

static void read_exponent(struct cursor *c, struct digits *d)
{
    uint32_t e = rune_at(c, c->at), sign = rune_at(c, c->at + 1);
    size_t first = c->at + (sign == '+' || sign == '-' ? 2 : 1);

    if ((e != 'e' && e != 'E') || !digit_at(c, first))
        return;
    while (c->at < first)
        put(d, rune_at(c, c->at++));
    read_digits(c, d);
}

/* Digits with separators, decimals and an exponent. */
static double read_plain(struct cursor *c)
{
    struct digits d = {.n = 0};
    double value = NAN;

    read_digits(c, &d);
    for (size_t group = d.n; group <= 3 && is_thousands(c, c->at); group = 3) {
        c->at++;
        read_digits(c, &d);
    }
    if (rune_at(c, c->at) == '.' && digit_at(c, c->at + 1)) {
        put(&d, d.n ? '.' : '0'); /* .5 */
        if (d.n == 1)
            put(&d, '.');
        c->at++;
        read_digits(c, &d);
    }
    read_exponent(c, &d);
    if (d.full || !str_double((struct str){d.text, d.n}, &value))
        return NAN;
    return value;
}

/* 万, or several of them: 千万, 万亿. */
static double read_multiplier(struct cursor *c)
{
    double times = 1, last = 1, next;

    while ((next = multiplier(rune_at(c, c->at))) > last) {
        times *= next;
        last = next;
        c->at++;
    }
    return times;
}

/* A number without its sign, but with what may follow it: 千 万 亿, a fraction, percent. */
static double read_number(struct cursor *c)
{
    double total = 0, above = INFINITY, value, times;

    if (vulgar(rune_at(c, c->at)) > 0)
        return vulgar(rune_at(c, c->at++));
    do {
        size_t first = c->at;
        value = read_plain(c);
        times = read_multiplier(c);
        if (times >= above) { /* 3万5万 are two numbers */
            c->at = first;
            return total;
        }
        total += value * times;
        above = times;
    } while (times > 1 && digit_at(c, c->at));
    if (times > 1)
        return total;
    if (vulgar(rune_at(c, c->at)) > 0)
        return total + vulgar(rune_at(c, c->at++));
    if (rune_at(c, c->at) == '/' && digit_at(c, c->at + 1)) {
        c->at++;
        total /= read_plain(c);
    }
    if (rune_at(c, c->at) == '%') {
        c->at++;
        total /= 100;
    }
    return total;
}

static bool begins_number(const struct cursor *c, size_t i)
{
    uint32_t r = rune_at(c, i);

    return is_digit(r) || vulgar(r) > 0 || (r == '.' && digit_at(c, i + 1));
}

/* True after a minus sign, but not after the hyphen of 10-5 or GPT-4. */
static bool is_negative(const struct cursor *c, size_t first)
{
    uint32_t before = first >= 2 ? rune_at(c, first - 2) : 0;

    return first >= 1 && rune_at(c, first - 1) == '-' && !is_digit(before) && !is_letter(before) &&
           before != ')';
}

static bool next_number(struct cursor *c, double *out)
{
    while (c->at < c->n) {
        size_t first = c->at;
        double value;
        if (!begins_number(c, first)) {
            c->at++;
            continue;
        }
        value = read_number(c);
        if (first && is_letter(rune_at(c, first - 1)))
            continue;
        *out = is_negative(c, first) ? -value : value;
        return true;
    }
    return false;
}

static struct cursor cursor_of(struct arena *a, struct str text)
{
    struct runes r = rune_decode(a, text);

    return (struct cursor){.p = r.p, .n = r.n};
}

bool number_last(struct arena *a, struct str text, double *out)
{
    struct cursor c = cursor_of(a, text);
    bool found = false;

    while (next_number(&c, out))
        found = true;
    return found;
}

/* Cut "value ± tolerance" in two; false when it is one. */
static bool cut_tolerance(struct str text, struct str *value, struct str *tolerance)
{
    static const char *const signs[] = {"±", "+/-", "+-"};

    for (size_t i = 0; i < COUNT(signs); i++) {
        struct str sign = str_of(signs[i]);
        size_t at = str_find(text, sign);
        if (at == SIZE_MAX)
            continue;
        *value = (struct str){text.p, at};
        *tolerance = str_from(text, at + sign.n);
        return true;
    }
    return false;
}

bool number_goal(struct arena *a, struct str text, struct number_goal *out)
{
    struct str value = text, tolerance;
    struct number_goal goal;
    bool stated = cut_tolerance(text, &value, &tolerance);
    struct cursor c;

    if (!number_last(a, value, &goal.value) || !isfinite(goal.value))
        return false;
    goal.tolerance = TOLERANCE * (goal.value == 0 ? 1 : fabs(goal.value));
    if (stated) {
        c = cursor_of(a, tolerance);
        if (!next_number(&c, &goal.tolerance) || !(goal.tolerance >= 0))
            return false;
        /* 3.14 ± 0.01 means 3.15 too, whatever binary fractions make of it */
        goal.tolerance += 1e-12 * fabs(goal.value);
    }
    *out = goal;
    return true;
}
