/* Attacks from inside: what a thread cannot do any more once it has entered the sandbox. Each runs
 * in a child, since nobody comes out again. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sandbox.h"

enum { NAME = 200, SKIP = 77 };

struct rooms {
    char own[NAME], lent[NAME], other[NAME]; /* to write, to read, neither */
};

static int rooms_new(void **state)
{
    struct rooms *r = calloc(1, sizeof *r);
    char *const dirs[] = {r->own, r->lent, r->other};
    char file[NAME + 8];

    for (size_t i = 0; i < COUNT(dirs); i++) {
        FILE *f;
        (void)snprintf(dirs[i], NAME, "/tmp/audition-sandbox.XXXXXX");
        assert_non_null(mkdtemp(dirs[i]));
        (void)snprintf(file, sizeof file, "%s/file", dirs[i]);
        f = fopen(file, "we");
        assert_non_null(f);
        (void)fputs("words\n", f);
        (void)fclose(f);
    }
    *state = r;
    return 0;
}

static int rooms_free(void **state)
{
    struct rooms *r = *state;
    char *const dirs[] = {r->own, r->lent, r->other};
    char file[NAME + 8];

    for (size_t i = 0; i < COUNT(dirs); i++) {
        (void)snprintf(file, sizeof file, "%s/file", dirs[i]);
        (void)unlink(file);
        assert_int_equal(rmdir(dirs[i]), 0);
    }
    free(r);
    return 0;
}

/* Open dir/name; 0, or errno. */
static int try_open(const char *dir, const char *name, int flags)
{
    char path[NAME + 16];
    int fd;

    (void)snprintf(path, sizeof path, "%s/%s", dir, name);
    fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    (void)close(fd);
    return 0;
}

static unsigned enter(const struct rooms *r)
{
    struct sandbox_path paths[] = {{r->own, true}, {r->lent, false}, {"/no/such/place", false}};

    return sandbox_enter(paths, COUNT(paths));
}

/* Run it in a child; it returns the number of the line that went wrong, or 0. */
static void inside(void **state, int (*attack)(const struct rooms *))
{
    int status = -1;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(attack(*state));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIP)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- files ---- */

static int attack_files(const struct rooms *r)
{
    char from[NAME + 8], to[NAME + 8];
    int before = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
    char byte;

    if (!(enter(r) & SANDBOX_FILES))
        return SKIP;
    if (try_open("/etc", "passwd", O_RDONLY) != EACCES)
        return 1;
    if (try_open(r->other, "file", O_RDONLY) != EACCES || try_open("/", "", O_RDONLY) != EACCES)
        return 2;
    if (try_open(r->other, "new", O_WRONLY | O_CREAT) != EACCES)
        return 3;
    if (try_open(r->lent, "file", O_RDONLY) != 0)
        return 4;
    if (try_open(r->lent, "file", O_WRONLY) != EACCES ||
        try_open(r->lent, "new", O_WRONLY | O_CREAT) != EACCES)
        return 5;
    (void)snprintf(from, sizeof from, "%s/file", r->lent);
    if (unlink(from) == 0 || truncate(from, 0) == 0)
        return 6;
    if (try_open(r->own, "file", O_RDWR) != 0 || try_open(r->own, "new", O_WRONLY | O_CREAT) != 0)
        return 7;
    (void)snprintf(to, sizeof to, "%s/file", r->own);
    if (link(from, to) == 0 || symlink("/etc/passwd", to) == 0)
        return 8;
    (void)snprintf(to, sizeof to, "%s/new", r->own);
    if (unlink(to) != 0)
        return 9;
    return read(before, &byte, 1) == 1 ? 0 : 10; /* what was open stays open */
}

static void files_are_closed(void **state)
{
    inside(state, attack_files);
}

/* ---- calls ---- */

static int attack_calls(const struct rooms *r)
{
    char *const arguments[] = {(char[]){"true"}, NULL};
    char *const nothing[] = {NULL};

    if (!(enter(r) & SANDBOX_CALLS))
        return SKIP;
    if (execve("/bin/true", arguments, nothing) == 0 || errno != EPERM)
        return 1;
    if (syscall(SYS_execveat, AT_FDCWD, "/bin/true", arguments, nothing, 0) == 0 || errno != EPERM)
        return 2;
    if (unshare(CLONE_NEWUSER) == 0 || errno != EPERM)
        return 3;
    if (syscall(SYS_io_uring_setup, 1, NULL) == 0 || errno != EPERM)
        return 4;
    if (syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0) == 0 || errno != EPERM)
        return 5;
    if (syscall(SYS_personality, 0xffffffff) == 0 || errno != EPERM) /* the last of the list */
        return 6;
    if (syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL) >= 0 || errno != EPERM)
        return 7;
    if (syscall(SYS_clone3, NULL, 0) >= 0 || errno != ENOSYS)
        return 8;
    if (socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, 1) >= 0 || errno != EPERM)
        return 9;
    if (socket(AF_PACKET, SOCK_DGRAM, 0) >= 0 || errno != EPERM)
        return 10;
    if (chmod("/dev/null", 0600) == 0 || errno != EPERM || chmod(r->other, 0777) == 0)
        return 11;
    if (fchownat(AT_FDCWD, r->other, 0, 0, 0) == 0 || errno != EPERM)
        return 12;
    if (socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) < 0 ||
        socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0) < 0)
        return 13;
    return syscall(SYS_getppid) > 0 ? 0 : 14;
}

static void calls_are_closed(void **state)
{
    inside(state, attack_calls);
}

/* ---- threads ---- */

static void *thread_main(void *user)
{
    int *got = user;

    *got = try_open("/etc", "passwd", O_RDONLY);
    return NULL;
}

static int attack_thread(const struct rooms *r)
{
    pthread_t thread;
    int got = 0;

    if (!(enter(r) & SANDBOX_FILES))
        return SKIP;
    if (pthread_create(&thread, NULL, thread_main, &got) != 0 || pthread_join(thread, NULL) != 0)
        return 1;
    return got == EACCES ? 0 : 2;
}

static void later_threads_are_inside(void **state)
{
    inside(state, attack_thread);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, rooms_new, rooms_free)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(files_are_closed),
        TEST(calls_are_closed),
        TEST(later_threads_are_inside),
    };

    return cmocka_run_group_tests_name("sandbox", tests, NULL, NULL);
}
