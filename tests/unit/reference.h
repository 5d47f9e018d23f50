/* reference.h - where published data to reproduce are kept: $AUDITION_REFERENCE, else
 * ../shared/reference beside the repository. Not part of it, so that a test may have to skip. */
#ifndef TESTS_REFERENCE_H
#define TESTS_REFERENCE_H

#include <stdlib.h>

#include "base/file.h"

/* The path of one file. Where it is absent: says so on standard error, frees the arena (skip()
 * leaves the test without doing that), and skips. */
static inline const char *reference_file(struct arena **a, const char *name)
{
    const char *root = getenv("AUDITION_REFERENCE"), *repo = getenv("REPO"), *path;

    path = root ? arena_printf(*a, "%s/%s", root, name)
                : arena_printf(*a, "%s/../shared/reference/%s", repo ? repo : ".", name);
    if (!file_exists(path)) {
        fprintf(stderr, "SKIPPED: there is no %s\n", path);
        arena_freep(a);
        skip();
    }
    return path;
}

#endif
