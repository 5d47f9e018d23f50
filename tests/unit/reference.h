/* reference.h - where published data to reproduce are kept: $AUDITION_REFERENCE, else
 * ../shared/reference beside the repository. Not part of it, so that a test may have to skip. */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include <stdlib.h>

#include "base/file.h"

/* The path of one file, or NULL (said on standard error) where it is absent. */
static inline const char *reference_file(struct arena *a, const char *name)
{
    const char *root = getenv("AUDITION_REFERENCE"), *repo = getenv("REPO"), *path;

    path = root ? arena_printf(a, "%s/%s", root, name)
                : arena_printf(a, "%s/../shared/reference/%s", repo ? repo : ".", name);
    if (file_exists(path))
        return path;
    fprintf(stderr, "SKIPPED: there is no %s\n", path);
    return NULL;
}

#endif
