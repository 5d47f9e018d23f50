/* store_compare.h - baselines, and the items of a run. */
#ifndef STORE_STORE_COMPARE_H
#define STORE_STORE_COMPARE_H

#include "store/cursor.h"

/* Makes a run the baseline of its suite, in place of the previous one. */
CHECKED enum status store_baseline_declare(struct store *s, const struct run_row *run,
                                           struct err *e);
/* The baseline of a suite; E_ABSENT if none was declared. */
CHECKED enum status store_baseline_get(struct arena *a, struct store *s, const char *suite,
                                       struct run_row *out, struct err *e);

/* The items of a run in their order. */
struct item_fact {
    int64_t id;
    const char *name;
    struct str body; /* frozen */
};
struct cursor store_items(struct store *s, int64_t run, struct err *e);
bool store_item_next(struct cursor *c, struct item_fact *out);

/* The same as a list, without their texts. */
struct item_name {
    int64_t id;
    const char *name;
};
struct item_names {
    struct item_name *v;
    size_t n;
};
CHECKED enum status store_item_names(struct arena *a, struct store *s, int64_t run,
                                     struct item_names *out, struct err *e);

#endif
