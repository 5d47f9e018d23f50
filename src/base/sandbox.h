/* sandbox.h - give up what a server will not need, before strangers talk to it.
 *
 * Two walls of the Linux kernel (Landlock and seccomp), so that whoever finds a hole in the program
 * finds little behind it: files that are not named cannot be opened, no program can be started, no
 * other process be read. What cannot be had on this kernel is left out and told. Neither can be
 * undone. They hold for the calling thread and those that it starts later: enter before threads. */
#ifndef BASE_SANDBOX_H
#define BASE_SANDBOX_H

#include "base/base.h"

/* A file, or a directory with all that is in it. One that does not exist is passed over. */
struct sandbox_path {
    const char *path;
    bool write; /* make, change and remove files too */
};

enum {
    SANDBOX_FILES = 1, /* nothing but the paths can be opened */
    SANDBOX_CALLS = 2, /* starting programs, tracing, mounting and the like fail with EPERM */
};

/* Returns what took hold, a set of SANDBOX_... */
unsigned sandbox_enter(const struct sandbox_path *paths, size_t n);

#endif
