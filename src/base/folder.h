/* folder.h - the files of a directory and of those below it, in the order of their paths. Hidden
 * ones and pipes are left out; links that lead nowhere are not. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include "base/mem.h"

enum { FOLDER_FILES_MAX = 100000, FOLDER_DEPTH_MAX = 8 };

struct folder {
    const char **v; /* in the arena, each beginning with the directory's own path */
    size_t n;
    const char *closed; /* one that could not be looked into; NULL: none */
};

bool folder_is(const char *path);
/* Nothing where it cannot be read. */
struct folder folder_list(struct arena *a, const char *dir);

#endif
