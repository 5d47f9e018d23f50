/* whisker.h - intervals drawn as text on a common scale, and the signs that tables are drawn with.
 *
 *     |----o---|
 */
#ifndef REPORT_WHISKER_H
#define REPORT_WHISKER_H

#include "base/mem.h"
#include "report/show.h"

struct whisker_signs {
    const char *dot, *times, *dash, *left, *right, *bar, *point, *more, *then;
};

const struct whisker_signs *whisker_signs(bool unicode); /* false: ASCII */

struct whisker {
    double value, lo, hi; /* NaN: undefined */
};

/* The scale, `columns` wide. Without a value nothing is drawn, and without an interval no arms. */
struct whisker_scale {
    struct show_range range;
    size_t columns;
    const struct whisker_signs *signs;
};
struct str whisker_draw(struct arena *a, const struct whisker_scale *s, const struct whisker *w);

#endif
