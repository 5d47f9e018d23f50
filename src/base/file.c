#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"

enum { CHUNK = 16384 };

enum status file_read(struct arena *a, const char *path, size_t max, struct str *out, struct err *e)
{
    AUTO(buf_done) struct buf b = BUF_MAX(max);
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *in = is_stdin ? stdin : fopen(path, "rbe");
    char chunk[CHUNK];
    size_t n;
    bool bad;

    if (!in)
        return err_system(e, path);
    while (!b.full && (n = fread(chunk, 1, sizeof chunk, in)) > 0)
        buf_add(&b, (struct str){chunk, n});
    bad = ferror(in) != 0;
    if (bad)
        (void)err_system(e, path);
    if (!is_stdin)
        (void)fclose(in);
    if (bad)
        return e->code;
    if (b.full)
        return err_set(e, E_INPUT, "%s: over %s", path, str_bytes((char[STR_BYTES]){0}, max));
    *out = arena_str(a, buf_str(&b));
    return OK;
}

enum status file_write(const char *path, struct str text, struct err *e)
{
    struct output o;

    if (output_open(&o, path, e) != OK)
        return e->code;
    if (text.n)
        (void)fwrite(text.p, 1, text.n, o.to); /* output_close() reports errors */
    return output_close(&o, true, e);
}

enum status file_folders(struct arena *a, const char *path, struct err *e)
{
    for (const char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        const char *folder = arena_text(a, (struct str){path, (size_t)(p - path)});
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return err_system(e, folder);
    }
    return OK;
}

bool file_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

int file_begins(const char *path)
{
    struct stat file;
    FILE *in = stat(path, &file) == 0 && S_ISREG(file.st_mode) ? fopen(path, "rbe") : NULL;
    int c = in ? ' ' : EOF;

    while (c == ' ' || (c >= '\t' && c <= '\r') || c == 0xEF || c == 0xBB || c == 0xBF)
        c = getc(in);
    if (in)
        (void)fclose(in);
    return c;
}

const char *file_temporary(void)
{
    const char *folder = getenv("TMPDIR");

    return folder && *folder ? folder : "/tmp";
}

const char *file_beside(struct arena *a, const char *from, const char *rel)
{
    const char *slash = strrchr(from, '/');

    if (rel[0] == '/' || !slash)
        return arena_text(a, str_of(rel));
    return arena_printf(a, "%.*s%s", (int)(slash - from + 1), from, rel);
}

enum status lines_open(struct lines *l, const char *path, size_t max_line, struct err *e)
{
    *l = (struct lines){.path = path, .max = max_line};
    l->in = strcmp(path, "-") == 0 ? stdin : fopen(path, "rbe");
    return l->in ? OK : err_system(e, path);
}

enum status lines_fill(struct lines *l, struct err *e)
{
    size_t got;

    if (l->at)
        memmove(l->text, l->text + l->at, l->n - l->at);
    l->n -= l->at;
    l->at = 0;
    l->text = mem_grow(l->text, &l->cap, l->n + CHUNK, 1);
    do { /* a signal does not end the file: the caller will check for it */
        clearerr(l->in);
        got = fread(l->text + l->n, 1, l->cap - l->n, l->in);
    } while (got == 0 && ferror(l->in) && errno == EINTR);
    if (got == 0 && ferror(l->in))
        return err_system(e, l->path);
    l->ended = got == 0;
    l->n += got;
    return OK;
}

/* Not getline(), which would read a line of any length before we could refuse it. */
enum status lines_end(struct lines *l, size_t from, size_t *out, struct err *e)
{
    for (;;) {
        size_t left = l->n - l->at;
        const char *next = left ? l->text + l->at : "";
        const char *hit = left > from ? memchr(next + from, '\n', left - from) : NULL;
        *out = hit ? (size_t)(hit - next) + 1 : left;
        if (hit || l->ended || left > l->max)
            return OK;
        from = left;
        if (lines_fill(l, e) != OK)
            return e->code;
    }
}

enum status lines_next(struct lines *l, struct str *line, bool *more, struct err *e)
{
    struct str next;
    size_t n;

    if (lines_end(l, 0, &n, e) != OK)
        return e->code;
    next = (struct str){l->text ? l->text + l->at : "", n};
    (void)str_drop_end(&next, STR("\n"));
    if (next.n > l->max)
        return err_set(e, E_INPUT, "%s:%lld: line over %s", l->path, (long long)l->number + 1,
                       str_bytes((char[STR_BYTES]){0}, l->max));
    (void)str_drop_end(&next, STR("\r"));
    *more = n > 0;
    l->number += *more;
    l->begin = l->end;
    l->end += (int64_t)n;
    l->at += n;
    *line = l->number == 1 ? str_unmarked(next) : next;
    return OK;
}

void lines_again(struct lines *l)
{
    l->at -= (size_t)(l->end - l->begin);
    l->end = l->begin;
    l->number--;
}

void lines_close(struct lines *l)
{
    if (l->in && l->in != stdin)
        (void)fclose(l->in);
    free(l->text);
    *l = (struct lines){0};
}
