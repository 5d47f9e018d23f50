/* asset.h - files of share/ and sql/migrate/ that are embedded in the program. */
#ifndef BASE_ASSET_H
#define BASE_ASSET_H

#include "base/str.h"

struct asset {
    const char *name; /* the path in the repository: "share/templates/rubric.en.yaml" */
    struct str bytes;
};

extern const struct asset asset_table[]; /* generated; ends with a NULL name */

/* NULL if there is no such file. */
const struct asset *asset_find(const char *name);
/* The first asset after `previous` (NULL: from the beginning) whose name starts with prefix, or
 * NULL. */
const struct asset *asset_next(const struct asset *previous, const char *prefix);

#endif
