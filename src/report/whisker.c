#include "report/whisker.h"

#include <math.h>

static const struct whisker_signs unicode_signs = {"·", "×", "–", "├", "┤", "─", "●", "…", "→"};
static const struct whisker_signs ascii_signs = {"|", "x", "-", "|", "|", "-", "o", "..", "->"};

const struct whisker_signs *whisker_signs(bool unicode)
{
    return unicode ? &unicode_signs : &ascii_signs;
}

static size_t place(const struct whisker_scale *s, double v)
{
    double part = (v - s->range.lo) / (s->range.hi - s->range.lo);

    return (size_t)floor(fmin(fmax(part, 0), 1) * (double)(s->columns - 1) + 0.5);
}

struct str whisker_draw(struct arena *a, const struct whisker_scale *s, const struct whisker *w)
{
    AUTO(buf_done) struct buf line = BUF_MAX(4096);
    bool arms = isfinite(w->lo) && isfinite(w->hi);
    size_t at, lo, hi;

    if (s->columns == 0 || !isfinite(w->value))
        return STR("");
    at = place(s, w->value);
    lo = arms ? place(s, w->lo) : at;
    hi = arms ? place(s, w->hi) : at;
    for (size_t i = 0; i < s->columns; i++)
        buf_text(&line, i == at            ? s->signs->point
                        : i < lo || i > hi ? " "
                        : i == lo          ? s->signs->left
                        : i == hi          ? s->signs->right
                                           : s->signs->bar);
    return arena_str(a, buf_str(&line));
}
