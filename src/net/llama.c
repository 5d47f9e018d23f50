#include "net/llama.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/message.h"

enum {
    PROBE_MS = 200,       /* between two probes */
    PROBE_WAIT_MS = 5000, /* for the answer to a probe */
    PROBE_BYTES = 1 << 16,
    PORTS = 3,       /* that are tried: another process may take one first */
    GRACE_MS = 2000, /* between SIGTERM and SIGKILL */
    LOG_BYTES = 2048,
    LOG_LINES = 12,
};

struct llama {
    struct arena *arena;
    const struct llama_how *how;
    struct http *http;
    struct http_call *probe; /* in progress; NULL: none */
    struct http_request request;
    enum llama_state state;
    const char *why;
    FILE *log;
    pid_t child; /* 0: it has ended */
    int port, ports;
    int64_t since_ms, probe_at_ms;
};

/* ---- the child ---- */

static struct sockaddr_in loopback(int port)
{
    return (struct sockaddr_in){.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static enum status free_port(int *out, struct err *e)
{
    struct sockaddr_in at = loopback(0);
    socklen_t n = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool found = fd >= 0 && bind(fd, (const struct sockaddr *)&at, n) == 0 &&
                 getsockname(fd, (struct sockaddr *)&at, &n) == 0;

    if (!found)
        (void)err_system(e, "a port for llama-server");
    if (fd >= 0)
        (void)close(fd);
    *out = ntohs(at.sin_port);
    return found ? OK : e->code;
}

static bool is_taken(int port)
{
    struct sockaddr_in at = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool taken = fd >= 0 && connect(fd, (const struct sockaddr *)&at, sizeof at) == 0;

    if (fd >= 0)
        (void)close(fd);
    return taken;
}

/* Does not return. Uses only what is safe between fork and exec. */
static void become(const char *const *argv, const char *const *env, int log, int fault,
                   pid_t parent)
{
    union {
        const char *const *in;
        char *const *out;
    } args = {.in = argv}, vars = {.in = env};
    int none = open("/dev/null", O_RDONLY | O_CLOEXEC), why;

    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it has ended in the meantime */
        _exit(1);
    (void)dup2(none, STDIN_FILENO);
    (void)dup2(log, STDOUT_FILENO);
    (void)dup2(log, STDERR_FILENO);
    (void)close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    (void)execvpe(argv[0], args.out, vars.out);
    why = errno;
    if (write(fault, &why, sizeof why) < 0)
        _exit(1);
    _exit(127);
}

static const char *const *arguments(struct llama *l)
{
    const struct llama_how *how = l->how;
    const char *const fixed[] = {how->program,
                                 "--model",
                                 how->file,
                                 "--host",
                                 "127.0.0.1",
                                 "--port",
                                 arena_int(l->arena, l->port)};
    const char **argv = NEW_N(l->arena, const char *, COUNT(fixed) + how->narguments + 1);

    memcpy(argv, fixed, sizeof fixed);
    for (size_t i = 0; i < how->narguments; i++)
        argv[COUNT(fixed) + i] = arena_text(l->arena, how->arguments[i]);
    return argv;
}

/* Our environment, plus the key: on the command line everyone on this machine could read it. */
static const char *const *environment(struct llama *l)
{
    static const char name[] = "LLAMA_API_KEY=";
    const char **env;
    size_t n = 0, k = 1;

    while (environ[n])
        n++;
    env = NEW_N(l->arena, const char *, n + 2);
    env[0] = arena_printf(l->arena, "%s%s", name, l->how->key);
    for (size_t i = 0; i < n; i++)
        if (strncmp(environ[i], name, sizeof name - 1) != 0)
            env[k++] = environ[i];
    return env;
}

static enum status spawn(struct llama *l, struct err *e)
{
    pid_t self = getpid();
    const char *const *argv, *const *env;
    int fault[2], why = 0;
    ssize_t n;

    if (free_port(&l->port, e) != OK)
        return e->code;
    argv = arguments(l);
    env = environment(l);
    l->request = (struct http_request){
        .url = llama_url(l->arena, l->port, "http://127.0.0.1/health"),
        .timeout_ms = PROBE_WAIT_MS,
        .max_reply = PROBE_BYTES,
    };
    if (pipe2(fault, O_CLOEXEC) != 0)
        return err_system(e, "llama-server");
    l->child = fork();
    if (l->child == 0)
        become(argv, env, fileno(l->log), fault[1], self);
    (void)close(fault[1]);
    n = l->child < 0 ? 0 : read(fault[0], &why, sizeof why);
    (void)close(fault[0]);
    if (l->child < 0)
        return err_system(e, "llama-server");
    if (n <= 0)
        return OK;
    (void)waitpid(l->child, NULL, 0);
    l->child = 0;
    return err_set(e, E_ABSENT,
                   "%s: %s; install llama.cpp, or name its server with `server:` in models.yaml",
                   l->how->program, strerror(why));
}

/* ---- how it ended ---- */

/* The last lines of its output, each indented. */
static const char *last_lines(struct llama *l)
{
    AUTO(buf_done) struct buf b = BUF_MAX((size_t)LOG_BYTES * 4);
    char bytes[LOG_BYTES];
    struct stat is = {0};
    struct str all, rest;
    size_t lines = 1, at;
    ssize_t n;

    (void)fstat(fileno(l->log), &is);
    n = pread(fileno(l->log), bytes, sizeof bytes,
              is.st_size > LOG_BYTES ? is.st_size - LOG_BYTES : 0);
    all = str_trim((struct str){bytes, n > 0 ? (size_t)n : 0});
    at = all.n;
    for (; at > 0 && lines <= LOG_LINES; at--)
        lines += all.p[at - 1] == '\n';
    rest = str_from(all, lines > LOG_LINES ? at + 1 : 0);
    if (rest.n == 0)
        return "";
    buf_text(&b, "\n  | ");
    for (size_t i = 0; i < rest.n; i++) {
        unsigned char c = (unsigned char)rest.p[i];
        if (c == '\n')
            buf_text(&b, "\n  | ");
        else if (c >= ' ' && c != 0x7F)
            buf_add(&b, (struct str){rest.p + i, 1});
    }
    return arena_text(l->arena, buf_str(&b));
}

static void fail(struct llama *l, const char *why)
{
    l->state = LLAMA_FAILED;
    l->why = arena_printf(l->arena, "%s%s", why, last_lines(l));
}

/* The server has ended by itself. If another process has its port, they raced for it, and another
 * port may be free. */
static void ended(struct llama *l, int status)
{
    struct err e = {0};

    l->child = 0;
    if (l->state != LLAMA_READY && l->ports++ < PORTS && is_taken(l->port)) {
        l->state = LLAMA_STARTS;
        if (spawn(l, &e) != OK)
            fail(l, e.msg);
        return;
    }
    fail(l, WIFSIGNALED(status) ? arena_printf(l->arena, N_("llama-server was ended by signal %d"),
                                               WTERMSIG(status))
                                : arena_printf(l->arena, N_("llama-server ended with status %d"),
                                               WEXITSTATUS(status)));
}

/* ---- is it there? ---- */

static void probed(void *user, const struct http_reply *r)
{
    struct llama *l = user;

    l->probe = NULL;
    l->probe_at_ms = clock_mono_ms() + PROBE_MS;
    if (l->state == LLAMA_FAILED || r->end != HTTP_DONE)
        return;
    l->state = r->status == 200 ? LLAMA_READY : LLAMA_LOADS;
}

static void probe(struct llama *l)
{
    struct err e = {0};

    if (http_start(l->http, &l->request, probed, l, &l->probe, &e) != OK)
        fail(l, e.msg);
}

enum llama_state llama_look(struct llama *l)
{
    int64_t now = clock_mono_ms();
    int status;

    if (l->state == LLAMA_FAILED)
        return l->state;
    if (waitpid(l->child, &status, WNOHANG) == l->child)
        ended(l, status);
    if (l->state == LLAMA_FAILED || l->state == LLAMA_READY)
        return l->state;
    if (now - l->since_ms > l->how->wait_ms)
        fail(l, arena_printf(l->arena, N_("llama-server was not ready after %lld s"),
                             (long long)(l->how->wait_ms + 999) / 1000));
    else if (!l->probe && now >= l->probe_at_ms)
        probe(l);
    return l->state;
}

/* ---- from outside ---- */

enum status llama_start(struct llama **out, const struct llama_how *how, struct http *http,
                        struct err *e)
{
    struct arena *a = arena_new();
    struct llama *l = NEW(a, struct llama);

    *l = (struct llama){
        .arena = a, .how = how, .http = http, .log = tmpfile(), .since_ms = clock_mono_ms()};
    if (!l->log)
        (void)err_system(e, "llama-server");
    if (!l->log || spawn(l, e) != OK) {
        llama_stop(l);
        return e->code;
    }
    (void)setpgid(l->child, l->child); /* both processes do this; either may be first */
    *out = l;
    return OK;
}

bool llama_is_there(const char *program)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const char *folders = getenv("PATH");

    if (strchr(program, '/'))
        return access(program, X_OK) == 0;
    while (folders && *folders) {
        size_t n = strcspn(folders, ":");
        if (access(arena_printf(a, "%.*s/%s", (int)n, folders, program), X_OK) == 0)
            return true;
        folders += n + (folders[n] == ':');
    }
    return false;
}

void llama_stop(struct llama *l)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    int64_t until = clock_mono_ms() + GRACE_MS;

    if (!l)
        return;
    if (l->probe)
        http_cancel(l->probe);
    if (l->child) {
        (void)kill(-l->child, SIGTERM);
        while (waitpid(l->child, NULL, WNOHANG) == 0) {
            if (clock_mono_ms() > until)
                (void)kill(-l->child, SIGKILL);
            (void)nanosleep(&pause, NULL);
        }
    }
    if (l->log)
        (void)fclose(l->log);
    arena_free(l->arena);
}

const char *llama_why(const struct llama *l)
{
    return l->why;
}

int llama_port(const struct llama *l)
{
    return l->port;
}

const char *llama_url(struct arena *a, int port, const char *url)
{
    const char *host = "127.0.0.1", *at = strstr(url, host);

    return arena_printf(a, "%.*s%s:%d%s", (int)(at - url), url, host, port, at + strlen(host));
}
