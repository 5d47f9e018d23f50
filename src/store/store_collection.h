/* store_collection.h - collections of suites (suite/collection.h) as of their last run, and the
 * runs that belong to them. */
#ifndef STORE_STORE_COLLECTION_H
#define STORE_STORE_COLLECTION_H

#include "store/store.h"

struct collection_row {
    int64_t id;
    const char *name;
    struct str body; /* collection_freeze() */
};

/* Inserts it, or updates the one with that name; fills in the id. */
CHECKED enum status store_collection_put(struct store *s, struct collection_row *row,
                                         struct err *e);
CHECKED enum status store_collection_get(struct arena *a, struct store *s, const char *name,
                                         struct collection_row *out, bool *found, struct err *e);
/* Adds a run that was made for it. */
CHECKED enum status store_collection_add(struct store *s, int64_t collection, int64_t run,
                                         struct err *e);

/* Its runs, the one last worked on first. */
struct collection_run {
    int64_t run;
    const char *suite;
};
struct collection_run_list {
    struct collection_run *v;
    size_t n;
};
CHECKED enum status store_collection_runs(struct arena *a, struct store *s, int64_t collection,
                                          struct collection_run_list *out, struct err *e);

#endif
