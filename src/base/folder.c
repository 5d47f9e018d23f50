#include "base/folder.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

struct listing {
    struct arena *a;
    const char **v;
    size_t n, cap;
    const char *closed;
};

bool folder_is(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void list(struct listing *l, const char *dir, int depth)
{
    const struct dirent *entry;
    DIR *open = opendir(dir);

    if (!open && !l->closed)
        l->closed = dir;
    if (!open)
        return;
    /* cppcheck-suppress readdirCalled ; the directory stream is this function's own */
    while (l->n < FOLDER_FILES_MAX && (entry = readdir(open)) != NULL) {
        const char *path = arena_printf(l->a, "%s/%s", dir, entry->d_name);
        struct stat st;
        bool there = stat(path, &st) == 0;
        if (entry->d_name[0] == '.')
            continue;
        if (there && S_ISDIR(st.st_mode)) {
            if (depth < FOLDER_DEPTH_MAX)
                list(l, path, depth + 1);
        } else if (!there || S_ISREG(st.st_mode)) {
            l->v = arena_grow(l->a, (void *)l->v, &l->cap, l->n + 1, sizeof *l->v);
            l->v[l->n++] = path;
        }
    }
    (void)closedir(open);
}

static int by_path(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

struct folder folder_list(struct arena *a, const char *dir)
{
    struct listing l = {.a = a};

    list(&l, dir, 0);
    if (l.n)
        qsort((void *)l.v, l.n, sizeof *l.v, by_path);
    return (struct folder){l.v, l.n, l.closed};
}
