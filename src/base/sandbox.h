/* sandbox.h - gives up rights that a server does not need, before strangers talk to it.
 *
 * Uses two mechanisms of Linux (Landlock and seccomp), so that exploiting a bug in the program
 * gains little: only named files can be opened, no program can be started, no other process can be
 * read. What this kernel lacks is left out and reported. Neither can be undone. They hold for the
 * calling thread and threads that it starts later: call this before starting threads. */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include "base/base.h"

/* A file, or a directory with everything in it. Paths that do not exist are skipped. */
struct sandbox_path {
    const char *path;
    bool write; /* also create, change and remove files */
};

enum {
    SANDBOX_FILES = 1, /* only the paths can be opened */
    SANDBOX_CALLS = 2, /* starting programs, tracing, mounting and the like fail with EPERM */
};

/* Returns what took effect, a set of SANDBOX_... */
unsigned sandbox_enter(const struct sandbox_path *paths, size_t n);

#endif
