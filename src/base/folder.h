/* folder.h - the files of a directory and its subdirectories, sorted by path. Hidden files and
 * pipes are left out; broken links are not. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include "base/mem.h"

enum { FOLDER_FILES_MAX = 100000, FOLDER_DEPTH_MAX = 8 };

struct folder {
    const char **v; /* in the arena, each with the path of the directory */
    size_t n;
    const char *closed; /* a directory that could not be read; NULL: none */
};

bool folder_is(const char *path);
/* Empty if it cannot be read. */
struct folder folder_list(struct arena *a, const char *dir);

#endif
