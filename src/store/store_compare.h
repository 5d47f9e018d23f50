/* store_compare.h - what comparing runs needs of the store. */
#ifndef STORE_STORE_COMPARE_H
#define STORE_STORE_COMPARE_H

#include "store/store.h"

/* Make a run the baseline of its suite; the one before it is none any more. */
CHECKED enum status store_baseline_declare(struct store *s, const struct run_row *run,
                                           struct err *e);
/* The baseline of a suite; E_ABSENT when none was declared. */
CHECKED enum status store_baseline_get(struct arena *a, struct store *s, const char *suite,
                                       struct run_row *out, struct err *e);

/* The items of a run in their order. What a callback gets is valid until it returns, and it must
 * not use the store. */
struct item_fact {
    int64_t id;
    const char *name;
    struct str body; /* frozen */
};
typedef enum status item_fn(void *user, const struct item_fact *f, struct err *e);
CHECKED enum status store_item_each(struct store *s, int64_t run, item_fn *fn, void *user,
                                    struct err *e);

/* The same without what they ask, as a list. */
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
