#include "cmd/printer.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

extern char **environ;

bool printer_is_for(const char *path)
{
    return str_ends(str_of(path), STR(".pdf")) || str_ends(str_of(path), STR(".png"));
}

static int count(struct str page, struct str tag)
{
    int n = 0;

    for (size_t at = str_find(page, tag); at != SIZE_MAX; at = str_find(page, tag), n++)
        page = str_from(page, at + tag.n);
    return n;
}

/* How high a page of tables is, rather too high than too low; a picture of more shows its top. */
static int height_of(struct str page)
{
    enum { MOST = 8000 };
    int high = 140 + 36 * count(page, STR("<tr")) + 100 * count(page, STR("<h2")) +
               40 * count(page, STR("<p "));

    return high < MOST ? high : MOST;
}

/* A number of the document's first tag: width="760". */
static int size_of(struct str page, const char *name, int otherwise)
{
    size_t at = str_find(page, str_of(name));
    int64_t v = at == SIZE_MAX ? 0 : strtol(page.p + at + strlen(name), NULL, 10);

    return v > 0 && v < 20000 ? (int)v : otherwise;
}

/* Run it to its end, silently. -1: it is not there. */
static int run(const char *const *argv)
{
    posix_spawn_file_actions_t quiet;
    union {
        const char *const *in;
        char *const *out;
    } args = {.in = argv};
    int status = -1, rc;
    pid_t child;

    (void)posix_spawn_file_actions_init(&quiet);
    (void)posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    (void)posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    rc = posix_spawnp(&child, argv[0], &quiet, NULL, args.out, environ);
    (void)posix_spawn_file_actions_destroy(&quiet);
    if (rc != 0)
        return -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) != 127 ? WEXITSTATUS(status) : -1;
}

static enum status print(struct arena *a, const char *from, const char *path, struct str page,
                         const char *profile, struct err *e)
{
    static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome",
                                           "google-chrome-stable"};
    bool pdf = str_ends(str_of(path), STR(".pdf"));
    const char *argv[] = {
        NULL,
        "--headless",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-device-scale-factor=2",
        "--no-pdf-header-footer",
        "--no-first-run",
        arena_printf(a, "--user-data-dir=%s", profile),
        arena_printf(a, "--window-size=%d,%d", size_of(page, "width=\"", 1200),
                     size_of(page, "height=\"", pdf ? 900 : height_of(page))),
        arena_printf(a, pdf ? "--print-to-pdf=%s" : "--screenshot=%s", path),
        geteuid() == 0 ? "--no-sandbox" : "--no-default-browser-check", /* root has none */
        arena_printf(a, "file://%s", from),
        NULL,
    };

    for (size_t i = 0; i < COUNT(browsers); i++) {
        int code;
        argv[0] = browsers[i];
        code = run(argv);
        if (code == -1)
            continue;
        return code == 0 && file_exists(path)
                   ? OK
                   : err_set(e, E_SYSTEM, "%s could not print %s", browsers[i], path);
    }
    return err_set(e, E_ABSENT,
                   "%s: a browser prints this, and there is none: install chromium, or write "
                   ".html or .svg",
                   path);
}

enum status printer_write(struct arena *a, struct str page, const char *path, struct err *e)
{
    bool svg = str_starts(page, STR("<svg"));
    char dir[] = "/tmp/audition-print.XXXXXX", here[PATH_MAX];
    const char *from, *whole = path;
    enum status st;

    if (path[0] != '/') {
        if (!getcwd(here, sizeof here))
            return err_set(e, E_SYSTEM, "%s: %s", path, strerror(errno));
        whole = arena_printf(a, "%s/%s", here, path);
    }
    if (!mkdtemp(dir))
        return err_set(e, E_SYSTEM, "%s: %s", dir, strerror(errno));
    from = arena_printf(a, "%s/page.%s", dir, svg ? "svg" : "html");
    (void)unlink(whole);
    st = file_write(from, page, e);
    if (st == OK)
        st = print(a, from, whole, page, arena_printf(a, "%s/profile", dir), e);
    (void)run((const char *const[]){"rm", "-rf", "--", dir, NULL});
    return st;
}
