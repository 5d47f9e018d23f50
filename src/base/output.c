#include "base/output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

static char *copy(const char *s)
{
    char *c = strdup(s);

    if (!c)
        abort();
    return c;
}

/* The target of links, if there is one. */
static char *resolve(const char *path)
{
    char *real = realpath(path, NULL);

    return real ? real : copy(path);
}

static bool in_place(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* mkostemp() makes files private; this one gets the permissions of the user's mask. */
static void open_up(int fd)
{
    mode_t mask = umask(0);

    (void)umask(mask);
    (void)fchmod(fd, 0666 & ~mask);
}

static enum status open_part(struct output *o, struct err *e)
{
    size_t size = strlen(o->target) + sizeof ".XXXXXX";
    int fd;

    o->part = mem_new(size);
    (void)snprintf(o->part, size, "%s.XXXXXX", o->target);
    fd = mkostemp(o->part, O_CLOEXEC);
    if (fd < 0)
        return err_system(e, o->target);
    open_up(fd);
    o->to = fdopen(fd, "w");
    return o->to ? OK : err_system(e, o->target);
}

static void forget(struct output *o)
{
    free(o->target);
    free(o->part);
    *o = (struct output){0};
}

enum status output_open(struct output *o, const char *path, struct err *e)
{
    enum status st = OK;

    *o = (struct output){0};
    if (strcmp(path, "-") == 0) {
        o->to = stdout;
        return OK;
    }
    o->target = resolve(path);
    if (in_place(o->target)) {
        o->to = fopen(o->target, "we");
        st = o->to ? OK : err_system(e, path);
    } else {
        st = open_part(o, e);
    }
    if (st != OK)
        forget(o);
    return st;
}

enum status output_open_private(struct output *o, const char *path, struct err *e)
{
    if (output_open(o, path, e) != OK)
        return e->code;
    if (o->part)
        (void)fchmod(fileno(o->to), 0600);
    return OK;
}

enum status output_close(struct output *o, bool keep, struct err *e)
{
    bool good = fflush(o->to) == 0 && !ferror(o->to);
    enum status st = OK;

    if (good && o->part)
        good = fsync(fileno(o->to)) == 0;
    if (!good && keep)
        st = err_system(e, o->target ? o->target : "standard output");
    if (o->to != stdout && fclose(o->to) != 0 && keep && st == OK)
        st = err_system(e, o->target);
    if (o->part && keep && st == OK && rename(o->part, o->target) != 0)
        st = err_system(e, o->target);
    if (o->part && (!keep || st != OK))
        (void)unlink(o->part);
    forget(o);
    return st;
}
