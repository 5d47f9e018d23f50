#include "cmd/printer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cmd/interrupt.h"

extern char **environ;

bool printer_is_for(const char *path)
{
    return str_ends(str_of(path), STR(".pdf")) || str_ends(str_of(path), STR(".png"));
}

/* The number behind the first `name` in the document: width="760". */
static int size_of(struct str page, const char *name, int otherwise)
{
    size_t at = str_find(page, str_of(name));
    int64_t v = at == SIZE_MAX ? 0 : strtol(page.p + at + strlen(name), NULL, 10);

    return v > 0 && v < INT_MAX ? (int)v : otherwise;
}

/* Run a program, with its output in the file `out`, and return its exit code; -1: there is no such
 * program, or it was killed. *stop (NULL: never) ends it early. */
static int run(const char *const *argv, const char *out, const volatile sig_atomic_t *stop)
{
    posix_spawn_file_actions_t quiet;
    union {
        const char *const *in;
        char *const *out;
    } args = {.in = argv};
    const struct timespec pause = {.tv_nsec = 10 * 1000000L};
    int status = -1, rc;
    pid_t child;

    (void)posix_spawn_file_actions_init(&quiet);
    (void)posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, out, O_WRONLY | O_CREAT, 0600);
    (void)posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    rc = posix_spawnp(&child, argv[0], &quiet, NULL, args.out, environ);
    (void)posix_spawn_file_actions_destroy(&quiet);
    if (rc != 0)
        return -1;
    /* Polling, because a signal just before a blocking waitpid() would not end it. */
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (stop && *stop)
            (void)kill(child, SIGTERM);
        (void)nanosleep(&pause, NULL);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

/* A page on its way to paper. */
struct print {
    struct arena *a;
    const char *dir;  /* of temporary files */
    const char *page; /* the document in it */
    const char *path; /* absolute, of the file to be written */
    const char *name; /* as the user gave it */
    int width, high;
    const volatile sig_atomic_t *stop;
};

/* Have the first browser that is there do `what` with an address. */
static enum status browse(const struct print *p, const char *what, const char *address, int high,
                          const char *out, struct err *e)
{
    static const char *const browsers[] = {"chromium-headless-shell", "chromium",
                                           "chromium-browser", "google-chrome",
                                           "google-chrome-stable"};
    const char *argv[] = {
        NULL,
        "--headless",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-device-scale-factor=2",
        "--no-pdf-header-footer",
        "--no-first-run",
        "--allow-file-access-from-files", /* our frame looks at our page */
        arena_printf(p->a, "--user-data-dir=%s/profile", p->dir),
        arena_printf(p->a, "--window-size=%d,%d", p->width, high),
        what,
        geteuid() == 0 ? "--no-sandbox" : "--no-default-browser-check", /* root has none */
        arena_printf(p->a, "file://%s", address),
        NULL,
    };

    for (size_t i = 0; i < COUNT(browsers); i++) {
        int code;
        argv[0] = browsers[i];
        code = run(argv, out, p->stop);
        if (*p->stop)
            return err_set(e, E_STOP, "interrupted; %s was not written", p->name);
        if (code == 0)
            return OK;
        if (code != -1)
            return err_set(e, E_SYSTEM, "%s could not print %s", browsers[i], p->path);
    }
    return err_set(e, E_ABSENT,
                   "%s: this format needs a browser, and none was found: install chromium, or "
                   "write .html or .svg",
                   p->path);
}

/* Print to `path`, replacing the old file only when the new one is complete. Browsers go by the
 * suffix, so the part keeps it. */
static enum status browse_to(const struct print *p, const char *path, const char *address, int high,
                             struct err *e)
{
    int stem = (int)(strlen(path) - strlen(".pdf"));
    const char *what = str_ends(str_of(path), STR(".pdf")) ? "print-to-pdf" : "screenshot";
    const char *part = arena_printf(p->a, "%.*s.part%s", stem, path, path + stem);
    enum status st;

    /* A browser does not say why it cannot write: try it ourselves first. */
    if (file_write(part, STR("-"), e) != OK)
        return e->code;
    (void)unlink(part);
    st = browse(p, arena_printf(p->a, "--%s=%s", what, part), address, high, "/dev/null", e);
    if (st == OK && !file_exists(part))
        st = err_set(e, E_SYSTEM, "the browser did not write %s", path);
    if (st == OK && rename(part, path) != 0)
        st = err_system(e, path);
    if (st != OK)
        (void)unlink(part);
    return st;
}

/* A page that shows ours from `top` on. */
static enum status frame(const struct print *p, int top, const char **out, struct err *e)
{
    const char *text = arena_printf(
        p->a,
        "<!doctype html><title>0</title><body style=\"margin:0;overflow:hidden\">"
        "<iframe id=f src=\"%s\" "
        "style=\"border:0;position:absolute;top:-%dpx;width:%dpx;height:%dpx\" "
        "onload=\"try{document.title=f.contentDocument.documentElement.scrollHeight}catch(e){}\">"
        "</iframe>",
        p->page, top, p->width, p->high);

    *out = arena_printf(p->a, "%s/frame.html", p->dir);
    return file_write(*out, str_of(text), e);
}

/* Find out how high the page is. */
static enum status measure(struct print *p, struct err *e)
{
    enum { WINDOW = 900, SAID_MAX = 1 << 16 };
    const char *at, *said = arena_printf(p->a, "%s/said", p->dir);
    struct str text;

    p->high = WINDOW;
    if (frame(p, 0, &at, e) != OK || browse(p, "--dump-dom", at, WINDOW, said, e) != OK ||
        file_read(p->a, said, SAID_MAX, &text, e) != OK)
        return e->code;
    p->high = size_of(text, "<title>", 0);
    return p->high
               ? OK
               : err_set(e, E_SYSTEM, "%s: the browser did not report the page height", p->path);
}

/* One picture, or as many as it takes: browsers draw at most 16,384 pixels; two make a point. */
static enum status picture(struct print *p, const char **wrote, struct err *e)
{
    enum { MOST = 8000 };
    int pieces = (p->high + MOST - 1) / MOST, stem = (int)(strlen(p->path) - strlen(".png"));

    for (int i = 0; i < pieces; i++) {
        int high = p->high - i * MOST < MOST ? p->high - i * MOST : MOST;
        const char *at,
            *path = pieces == 1 ? p->path : arena_printf(p->a, "%.*s-%d.png", stem, p->path, i + 1);
        if (frame(p, i * MOST, &at, e) != OK || browse_to(p, path, at, high, e) != OK)
            return e->code;
    }
    if (pieces > 1)
        *wrote = arena_printf(p->a, "%.*s-1.png … -%d.png", (int)(strlen(p->name) - strlen(".png")),
                              p->name, pieces);
    return OK;
}

static enum status print(struct print *p, bool svg, const char **wrote, struct err *e)
{
    *wrote = p->name;
    if (str_ends(str_of(p->path), STR(".pdf")))
        return browse_to(p, p->path, p->page, 900, e);
    if (!svg && measure(p, e) != OK)
        return e->code;
    return picture(p, wrote, e);
}

enum status printer_write(struct arena *a, struct str page, const char *path, const char **wrote,
                          struct err *e)
{
    bool svg = str_starts(page, STR("<svg"));
    char dir[PATH_MAX], here[PATH_MAX];
    struct print p = {.a = a, .dir = dir, .path = path, .name = path};
    struct interrupt before;
    enum status st;

    p.width = svg ? size_of(page, "width=\"", 1200) : 1200;
    p.high = size_of(page, "height=\"", 900);
    if (path[0] != '/') {
        if (!getcwd(here, sizeof here))
            return err_set(e, E_SYSTEM, "%s: %s", path, strerror(errno));
        p.path = arena_printf(a, "%s/%s", here, path);
    }
    if (snprintf(dir, sizeof dir, "%s/audition-print.XXXXXX", file_temporary()) >= PATH_MAX ||
        !mkdtemp(dir))
        return err_set(e, E_SYSTEM, "%s: %s", dir, strerror(errno));
    p.stop = interrupt_watch(&before); /* so that the directory is always removed */
    p.page = arena_printf(a, "%s/page.%s", dir, svg ? "svg" : "html");
    st = file_write(p.page, page, e);
    if (st == OK)
        st = print(&p, svg, wrote, e);
    (void)run((const char *const[]){"/bin/rm", "-rf", "--", dir, NULL}, "/dev/null", NULL);
    interrupt_unwatch(&before);
    return st;
}
