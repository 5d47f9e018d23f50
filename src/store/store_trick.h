/* store_trick.h - what audits of judges found. See audit/audit.h. */
#ifndef STORE_STORE_TRICK_H
#define STORE_STORE_TRICK_H

#include "store/store.h"

struct trick_row {
    const char *probe, *run; /* name of the run whose answers were used */
    int64_t n, fell, at_ms;
};
struct trick_list {
    struct trick_row *v;
    size_t n;
};
/* One probe of a judge on a run; an earlier one is replaced. */
CHECKED enum status store_trick_put(struct store *s, int64_t run, const char *judge,
                                    const struct trick_row *row, struct err *e);
/* Those of a judge, newest first; run 0: of all runs. */
CHECKED enum status store_trick_list(struct arena *a, struct store *s, const char *judge,
                                     int64_t run, struct trick_list *out, struct err *e);

#endif
