/* An answer, a reference and a pattern, split at NULs, through every objective scorer. What must
 * hold for any bytes is checked; the rest is left to the sanitizers. */
#include <math.h>
#include <stdlib.h>

#include "text/objective.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct objective_case c = {.answer = STR("")};
    struct str rest = {(const char *)data, size};

    if (!str_cut(rest, '\0', &c.answer, &rest))
        c.answer = rest;
    else if (!str_cut(rest, '\0', &c.reference, &c.pattern))
        c.reference = rest;
    for (int k = 0; k < OBJECTIVE_KINDS; k++) {
        struct objective o = objective_score(a, (enum objective_kind)k, &c);
        must(isnan(o.value) || (o.value >= 0 && o.value <= 1));
        must(isnan(o.value) || objective_graded((enum objective_kind)k) || o.value == 0 ||
             o.value == 1);
        must(o.evidence && o.evidence[0]);
    }
    arena_free(a);
    return 0;
}
