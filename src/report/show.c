#include "report/show.h"

#include <math.h>

#include "base/clock.h"

#define LEAST 1e-9 /* relative; a smaller range is rounding error */

double show_value(const struct score_row *row)
{
    return row ? row->value : NAN;
}

void show_widen(struct show_range *range, const double *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (isfinite(v[i])) {
            range->lo = fmin(range->lo, v[i]);
            range->hi = fmax(range->hi, v[i]);
        }
}

struct show_range show_room(struct show_range range)
{
    double half = fmax(fabs(range.lo) / 10, 0.5);

    if (range.lo > range.hi || range.hi - range.lo > LEAST * fabs(range.hi))
        return range;
    return (struct show_range){range.lo - half, range.hi + half};
}

/* Limits the range to possible scores, but keeps values that rounding put beyond them. */
static struct show_range within(struct show_range wide, struct show_range range,
                                struct show_range scale)
{
    if (scale.lo < scale.hi) {
        wide.lo = fmin(range.lo, fmax(wide.lo, scale.lo));
        wide.hi = fmax(range.hi, fmin(wide.hi, scale.hi));
    }
    return wide;
}

bool show_range(const struct report *r, struct show_range *out)
{
    struct show_range range = {INFINITY, -INFINITY}, scale = range;

    for (size_t i = 0; i < r->nmodels; i++) {
        const struct score_row *s = r->models[i].score;
        struct score_bounds b;
        if (!s || !isfinite(s->value))
            continue;
        b = score_bounds(&r->suite, s, r->items);
        show_reach(&scale, b.min, b.max);
        show_reach(&range, s->value, s->lo, s->hi);
    }
    if (range.lo > range.hi)
        return false;
    *out = within(show_room(range), range, scale);
    return true;
}

double show_step(struct show_range range, int n)
{
    double rough = (range.hi - range.lo) / n, power = pow(10, floor(log10(rough)));
    double lead = rough / power;

    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

int show_step_decimals(double step)
{
    return step >= 1 ? 0 : (int)ceil(-log10(step) - LEAST);
}

int show_decimals(const struct report *r)
{
    struct show_range range;
    double most;

    if (show_pair(r))
        return 0;
    if (!show_range(r, &range))
        return 2;
    most = fmax(fabs(range.lo), fabs(range.hi));
    return most < 1.5 ? 3 : most < 100 ? 2 : most < 1000 ? 1 : 0;
}

bool show_band(const struct report *r)
{
    return r->suite.score.kind == SCORE_BAND;
}

int show_headline(const struct report *r)
{
    return show_band(r) ? 1 : show_decimals(r);
}

bool show_whole(const struct report *r, const struct report_model *m)
{
    return show_band(r) && m->totals && m->totals[0] && m->totals[0]->n == 1;
}

int show_marks(const struct report *r, const struct report_model *m)
{
    return show_whole(r, m) ? 0 : show_decimals(r);
}

const char *show_number(char out[SHOW_MAX], double v, int decimals, const char *none)
{
    if (!isfinite(v))
        (void)snprintf(out, SHOW_MAX, "%s", none);
    else if (fabs(v) >= 1e15)
        (void)snprintf(out, SHOW_MAX, "%.6g", v);
    else
        (void)snprintf(out, SHOW_MAX, "%.*f", decimals, v);
    if (strspn(out, "-0.") == strlen(out) && isfinite(v) && out[0] == '-')
        memmove(out, out + 1, strlen(out)); /* no minus zero */
    return out;
}

const char *show_signed(char out[SHOW_MAX], double v, int decimals, const char *none)
{
    char number[SHOW_MAX];

    (void)show_number(number, v, decimals, none);
    (void)snprintf(out, SHOW_MAX, "%s%s", v > 0 && strspn(number, "0.") < strlen(number) ? "+" : "",
                   number);
    return out;
}

const char *show_interval(struct arena *a, double v, struct show_range ends, int decimals,
                          const char *none)
{
    char value[SHOW_MAX], lo[SHOW_MAX], hi[SHOW_MAX];

    (void)show_number(value, v, decimals, none);
    if (!isfinite(ends.lo) || !isfinite(ends.hi))
        return arena_text(a, str_of(value));
    return arena_printf(a, "%s [%s, %s]", value, show_number(lo, ends.lo, decimals, none),
                        show_number(hi, ends.hi, decimals, none));
}

const char *show_score(struct arena *a, const struct score_row *row, int decimals, const char *none)
{
    return row ? show_interval(a, row->value, (struct show_range){row->lo, row->hi}, decimals, none)
               : none;
}

const char *show_when(struct arena *a, int64_t utc_ms)
{
    char when[CLOCK_TEXT];

    clock_text(utc_ms, when);
    return arena_printf(a, "%.10s %.5s", when, when + 11);
}

bool show_ruled(const struct report *r)
{
    if (show_pair(r)) /* a rule cannot change a rating */
        return false;
    for (int k = 0; k < RULE_KINDS; k++)
        if (r->suite.rules.of[k].on && r->suite.rules.of[k].effect != EFFECT_NOTE)
            return true;
    return false;
}

bool show_any_scored(const struct report *r)
{
    for (size_t i = 0; i < r->nmodels; i++)
        if (r->models[i].score && r->models[i].score->n > 0)
            return true;
    return false;
}

int64_t show_missing(const struct report *r)
{
    int64_t n = 0;

    for (size_t i = 0; i < r->nmodels; i++) {
        int64_t there = r->models[i].done + r->models[i].failed;
        n += there < r->models[i].planned ? r->models[i].planned - there : 0;
    }
    return n;
}

bool show_all_scored(const struct report *r)
{
    for (size_t i = 0; i < r->nmodels; i++)
        if (r->models[i].unjudged > 0)
            return false;
    return show_any_scored(r);
}

bool show_panel(const struct report *r)
{
    return r->njudges > 1 && !show_pair(r);
}

bool show_pair(const struct report *r)
{
    return r->suite.instrument.kind == INSTRUMENT_PAIR;
}

bool show_group(const struct report *r, size_t *from, struct report *slice)
{
    size_t to = *from;

    if (*from >= r->nmodels)
        return false;
    while (to < r->nmodels && r->models[to].battles.group == r->models[*from].battles.group)
        to++;
    *slice = *r;
    slice->models = r->models + *from;
    slice->nmodels = to - *from;
    *from = to;
    return true;
}
