#include "suite/sum.h"

#include <math.h>

#include "base/message.h"

enum { DEPTH_MAX = 50 };

struct reading {
    struct str rest;
    sum_fn *number;
    void *user;
    int depth;
    const char *fault; /* the first fault; NULL if none */
};

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t name_bytes(struct str s)
{
    size_t n = 0;

    while (n < s.n && (begins_name(s.p[n]) || (n > 0 && is_digit(s.p[n]))))
        n++;
    return n;
}

bool sum_is_name(struct str text)
{
    return text.n > 0 && name_bytes(text) == text.n;
}

static double refuse(struct reading *r, const char *fault)
{
    if (!r->fault)
        r->fault = fault;
    return NAN;
}

/* Consumes the next character if it is one of these. */
static char take(struct reading *r, const char *signs)
{
    r->rest = str_trim(r->rest);
    for (; r->rest.n && *signs; signs++)
        if (r->rest.p[0] == *signs) {
            r->rest = str_from(r->rest, 1);
            return *signs;
        }
    return '\0';
}

static double read_sum(struct reading *r);

static double read_number(struct reading *r)
{
    struct str s = r->rest;
    size_t n = 0;
    double v = NAN;

    while (n < s.n && (is_digit(s.p[n]) || s.p[n] == '.'))
        n++;
    if (n == 0 || !str_double((struct str){s.p, n}, &v))
        return refuse(r, N_("expected a number, a slot or a parenthesis"));
    r->rest = str_from(s, n);
    return v;
}

/* A value without leading minus signs, of which there may be any number. */
static double read_bare(struct reading *r)
{
    double v = NAN;
    size_t n;

    if (take(r, "(")) {
        if (++r->depth > DEPTH_MAX)
            return refuse(r, N_("too many parentheses"));
        v = read_sum(r);
        r->depth--;
        return take(r, ")") ? v : refuse(r, N_("a parenthesis is not closed"));
    }
    n = name_bytes(r->rest);
    if (n == 0)
        return read_number(r);
    if (!r->number(r->user, (struct str){r->rest.p, n}, &v))
        return refuse(r,
                      N_("it names something that is not a slot, or a slot that is not a number"));
    r->rest = str_from(r->rest, n);
    return v;
}

static double read_one(struct reading *r)
{
    bool negative = false;
    double v;

    while (take(r, "-"))
        negative = !negative;
    v = read_bare(r);
    return negative ? -v : v;
}

static double read_product(struct reading *r)
{
    double v = read_one(r);
    char sign;

    while (!r->fault && (sign = take(r, "*/")) != '\0') {
        double by = read_one(r);
        if (sign == '/' && by == 0)
            return refuse(r, N_("it divides by 0"));
        v = sign == '*' ? v * by : v / by;
    }
    return v;
}

static double read_sum(struct reading *r)
{
    double v = read_product(r);
    char sign;

    while (!r->fault && (sign = take(r, "+-")) != '\0') {
        double by = read_product(r);
        v = sign == '+' ? v + by : v - by;
    }
    return v;
}

/* Allows for rounding in fractions such as 1/3. */
static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static double read_comparison(struct reading *r)
{
    double left = read_sum(r), right;
    char sign = '\0';
    bool equal;

    if (!r->fault)
        sign = take(r, "=<>");
    equal = sign == '=' || (sign && take(r, "="));
    if (!sign)
        return left;
    right = read_sum(r);
    if (same(left, right))
        return equal;
    return sign == '<' ? left < right : sign == '>' ? left > right : 0;
}

bool sum_compares(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '=' || text.p[i] == '<' || text.p[i] == '>')
            return true;
    return false;
}

bool sum_value(struct str text, sum_fn *number, void *user, double *out, const char **fault)
{
    struct reading r = {.rest = text, .number = number, .user = user};
    double v = read_comparison(&r);

    if (!r.fault && str_trim(r.rest).n)
        (void)refuse(&r, N_("unexpected text after it"));
    if (!r.fault && !isfinite(v))
        (void)refuse(&r, N_("its result is too large"));
    *fault = r.fault;
    *out = v;
    return !r.fault;
}
