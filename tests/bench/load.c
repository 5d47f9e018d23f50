/* load - raters in a hurry, for `make bench`: what `audition serve` does when everybody saves at
 * once.
 *
 *     load PORT rate CAMPAIGN CODE RATERS SAVES READERS PAGES
 *     load PORT idle CONNECTIONS PID
 *
 * rate: each rater is a thread with one kept connection, and comes in as people do: by the
 * campaign's code, consent, questions, first passage. Then all of them save SAVES marks each, one
 * after another without a pause, as share/web/rate.js does; then READERS of them fetch the rating
 * page PAGES times. Nothing of the server is relaxed for it: tries of codes are counted by address,
 * so every rater has one in 127/8; writes are counted by session, 120 at once, so SAVES must stay
 * below that. Prints a JSON line for each part, and fails unless every answer was as it should be.
 *
 * idle: opens connections, asks one small page over each, and prints how much memory process PID
 * has while they stay open. */
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

enum {
    RATERS_MAX = 4000,
    MARKS_MAX = 400,
    ANSWER_MAX = 2 << 20,
    STACK = 256 << 10,
    STEPS = 8,               /* of the way to the first passage, at most */
    WAIT_S = 60,             /* for one answer */
    BEHIND_ONE_ADDRESS = 250 /* the server takes 256 connections from each */
};

struct mark {
    char slot[33], dimension[65];
    long version;
};

struct rater {
    struct load *load;
    pthread_t thread;
    int number, fd;
    char sid[80], form[80], csrf[80], assignment[24];
    char *answer; /* head and body of the last answer */
    size_t answer_n;
    struct mark marks[MARKS_MAX];
    size_t nmarks;
    double *save_s, *page_s; /* how long each took */
};

struct load {
    int port;
    const char *campaign, *code;
    int raters, saves, readers, pages;
    pthread_barrier_t gate;
};

NORETURN PRINTF(1, 2) static void fail(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    fputs("load: ", stderr);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    exit(1);
}

static double now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- connections ---- */

/* From an address in 127/8 that `from` makes its own. */
static int connect_from(int port, int from)
{
    struct sockaddr_in me = {.sin_family = AF_INET}, server = {.sin_family = AF_INET};
    struct timeval wait = {.tv_sec = WAIT_S};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;

    me.sin_addr.s_addr = htonl(0x7f010000U + 1U + (uint32_t)from);
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server.sin_port = htons((uint16_t)port);
    if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait) != 0 ||
        setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &one, sizeof one) != 0 ||
        bind(fd, (const struct sockaddr *)&me, sizeof me) != 0 ||
        connect(fd, (const struct sockaddr *)&server, sizeof server) != 0)
        fail("cannot connect: %s", strerror(errno));
    return fd;
}

static void send_all(int fd, const char *text, size_t n)
{
    while (n) {
        ssize_t sent = send(fd, text, n, MSG_NOSIGNAL);
        if (sent <= 0)
            fail("cannot send: %s", strerror(errno));
        text += sent;
        n -= (size_t)sent;
    }
}

/* Until head and body are there; returns where the body begins. */
static size_t receive(int fd, char *to, size_t max, size_t *n)
{
    size_t head = 0, want = SIZE_MAX;

    for (*n = 0; *n < want;) {
        ssize_t got = recv(fd, to + *n, max - 1 - *n, 0);
        const char *end, *length;
        if (got <= 0)
            fail("no answer: %s", got == 0 ? "closed, or too long" : strerror(errno));
        *n += (size_t)got;
        to[*n] = '\0';
        end = head ? NULL : strstr(to, "\r\n\r\n");
        if (!end)
            continue;
        head = (size_t)(end - to) + 4;
        length = strstr(to, "Content-Length: ");
        if (!length || length > end)
            fail("an answer without a length");
        want = head + strtoul(length + 16, NULL, 10);
    }
    return head;
}

/* What lies between `before` and the next `end`, copied to out. */
static bool between(const char *text, const char *before, char end, char *out, size_t max)
{
    const char *p = strstr(text, before), *q;

    if (!p)
        return false;
    p += strlen(before);
    q = strchr(p, end);
    if (!q || (size_t)(q - p) >= max)
        return false;
    memcpy(out, p, (size_t)(q - p));
    out[q - p] = '\0';
    return true;
}

/* ---- one rater asks ---- */

static void keep_cookies(struct rater *r)
{
    (void)between(r->answer, "Set-Cookie: sid=", ';', r->sid, sizeof r->sid);
    (void)between(r->answer, "Set-Cookie: form=", ';', r->form, sizeof r->form);
}

/* Send it and take the answer; its status. The connection is kept as long as the server does. */
static int ask(struct rater *r, const char *method, const char *path, const char *type,
               const char *body)
{
    char request[4096];
    size_t head;
    int n;

    if (r->fd < 0)
        r->fd = connect_from(r->load->port, r->number);
    n = snprintf(request, sizeof request,
                 "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: sid=%s; form=%s\r\n"
                 "X-CSRF-Token: %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n%s",
                 method, path, r->load->port, r->sid, r->form, r->csrf, type, strlen(body), body);
    if (n < 0 || (size_t)n >= sizeof request)
        fail("the request is too long");
    send_all(r->fd, request, (size_t)n);
    head = receive(r->fd, r->answer, ANSWER_MAX, &r->answer_n);
    r->answer[head - 1] = '\0'; /* so that a search stays in the head */
    keep_cookies(r);
    if (strstr(r->answer, "Connection: close")) {
        (void)close(r->fd);
        r->fd = -1;
    }
    n = (int)strtol(r->answer + strlen("HTTP/1.1 "), NULL, 10);
    memmove(r->answer, r->answer + head, r->answer_n - head + 1);
    return n;
}

static void must(struct rater *r, int want, const char *method, const char *path, const char *body)
{
    int got = ask(r, method, path, "application/x-www-form-urlencoded", body);

    if (got != want)
        fail("rater %d: %s %s: %d, not %d: %.300s", r->number, method, path, got, want, r->answer);
    (void)between(r->answer, "name=\"csrf\" value=\"", '"', r->csrf, sizeof r->csrf);
}

/* ---- coming in ---- */

static void read_marks(struct rater *r)
{
    const char *p = r->answer;

    for (r->nmarks = 0; r->nmarks < MARKS_MAX; r->nmarks++) {
        struct mark *m = &r->marks[r->nmarks];
        m->version = 0;
        if (!between(p, "data-slot=\"", '"', m->slot, sizeof m->slot))
            break;
        p = strstr(p, "data-slot=\"") + 1;
        if (!between(p, "data-dimension=\"", '"', m->dimension, sizeof m->dimension))
            break;
    }
    if (r->nmarks == 0)
        fail("rater %d: nothing to rate: %.300s", r->number, r->answer);
}

/* Whatever form is shown is sent, until it is a passage. */
static void come_in(struct rater *r)
{
    char path[128], body[256], version[64];

    (void)snprintf(path, sizeof path, "/join/%s", r->load->campaign);
    (void)snprintf(body, sizeof body, "code=%s", r->load->code);
    must(r, 200, "GET", path, "");
    must(r, 200, "POST", path, body);
    for (int step = 0; step < STEPS; step++) {
        must(r, 200, "GET", "/rate", "");
        if (strstr(r->answer, "action=\"/rate/consent\"")) {
            if (!between(r->answer, "name=\"version\" value=\"", '"', version, sizeof version))
                fail("no version of the consent");
            (void)snprintf(body, sizeof body, "agree=yes&version=%s", version);
            must(r, 303, "POST", "/rate/consent", body);
        } else if (strstr(r->answer, "action=\"/rate/about\"")) {
            must(r, 303, "POST", "/rate/about", "");
        } else if (strstr(r->answer, "action=\"/rate/next\"")) {
            must(r, 303, "POST", "/rate/next", "");
        } else if (between(r->answer, "action=\"/rate/", '"', r->assignment,
                           sizeof r->assignment)) {
            read_marks(r);
            return;
        }
    }
    fail("rater %d does not get to rate: %.300s", r->number, r->answer);
}

/* ---- what is measured ---- */

static void save(struct rater *r, int i)
{
    struct mark *m = &r->marks[(size_t)i % r->nmarks];
    char path[64], body[512];
    const char *version;
    int got;

    (void)snprintf(path, sizeof path, "/rate/%s/mark", r->assignment);
    (void)snprintf(body, sizeof body,
                   "{\"slot\":\"%s\",\"dimension\":\"%s\",\"value\":\"%d\",\"comment\":\"\","
                   "\"quotes\":\"\",\"client\":\"%08x%08x\",\"version\":%ld,\"active_ms\":10,"
                   "\"read_to_end\":false}",
                   m->slot, m->dimension, i % 6, (unsigned)r->number, (unsigned)i, m->version);
    got = ask(r, "PUT", path, "application/json", body);
    version = strstr(r->answer, "\"version\":");
    if (got != 200 || !version)
        fail("rater %d: save %d: %d: %.300s", r->number, i, got, r->answer);
    m->version = strtol(version + strlen("\"version\":"), NULL, 10);
}

static void *rater_main(void *user)
{
    struct rater *r = user;

    come_in(r);
    (void)pthread_barrier_wait(&r->load->gate);
    (void)pthread_barrier_wait(&r->load->gate);
    for (int i = 0; i < r->load->saves; i++) {
        double begun = now();
        save(r, i);
        r->save_s[i] = now() - begun;
    }
    (void)pthread_barrier_wait(&r->load->gate);
    (void)pthread_barrier_wait(&r->load->gate);
    for (int i = 0; i < r->load->pages && r->number < r->load->readers; i++) {
        double begun = now();
        must(r, 200, "GET", "/rate", "");
        r->page_s[i] = now() - begun;
    }
    (void)pthread_barrier_wait(&r->load->gate);
    return NULL;
}

static int ascending(const void *x, const void *y)
{
    const double *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

/* v is sorted by this. */
static void print_part(const char *what, double *v, size_t n, double seconds)
{
    double sum = 0;

    if (n == 0)
        return;
    qsort(v, n, sizeof *v, ascending);
    for (size_t i = 0; i < n; i++)
        sum += v[i];
    printf("{\"what\":\"%s\",\"n\":%zu,\"seconds\":%.3f,\"per_second\":%.0f,\"mean_ms\":%.2f,"
           "\"p50_ms\":%.2f,\"p99_ms\":%.2f,\"max_ms\":%.2f}\n",
           what, n, seconds, (double)n / seconds, sum / (double)n * 1e3, v[n / 2] * 1e3,
           v[n * 99 / 100] * 1e3, v[n - 1] * 1e3);
    (void)fflush(stdout);
}

/* Between two gates everybody works; how long that took. */
static double part(struct load *l)
{
    double begun;

    (void)pthread_barrier_wait(&l->gate);
    begun = now();
    (void)pthread_barrier_wait(&l->gate);
    return now() - begun;
}

static void *allocate(size_t n, size_t each)
{
    void *p = calloc(n ? n : 1, each);

    if (!p)
        fail("out of memory");
    return p;
}

static int rate(struct load *l)
{
    struct rater *raters = allocate((size_t)l->raters, sizeof *raters);
    size_t nsaves = (size_t)l->raters * (size_t)l->saves;
    size_t npages = (size_t)l->readers * (size_t)l->pages;
    double *save_s = allocate(nsaves, sizeof *save_s), *page_s = allocate(npages, sizeof *page_s);
    double begun = now(), saving, reading;
    pthread_attr_t small;

    (void)pthread_attr_init(&small);
    (void)pthread_attr_setstacksize(&small, STACK);
    (void)pthread_barrier_init(&l->gate, NULL, (unsigned)l->raters + 1);
    for (int i = 0; i < l->raters; i++) {
        struct rater *r = &raters[i];
        r->load = l;
        r->number = i;
        r->fd = -1;
        r->answer = allocate(ANSWER_MAX, 1);
        r->save_s = save_s + (size_t)i * (size_t)l->saves;
        r->page_s = i < l->readers ? page_s + (size_t)i * (size_t)l->pages : NULL;
        if (pthread_create(&r->thread, &small, rater_main, r) != 0)
            fail("no more threads");
    }
    (void)pthread_barrier_wait(&l->gate);
    printf("{\"what\":\"coming in\",\"n\":%d,\"seconds\":%.3f}\n", l->raters, now() - begun);
    (void)fflush(stdout); /* whoever measures processors begins now */
    saving = part(l);
    reading = part(l);
    print_part("saves", save_s, nsaves, saving);
    print_part("pages", page_s, npages, reading);
    for (int i = 0; i < l->raters; i++) {
        (void)pthread_join(raters[i].thread, NULL);
        if (raters[i].fd >= 0)
            (void)close(raters[i].fd);
        free(raters[i].answer);
    }
    (void)pthread_attr_destroy(&small);
    (void)pthread_barrier_destroy(&l->gate);
    free(raters);
    free(save_s);
    free(page_s);
    return 0;
}

/* ---- idle connections ---- */

static long memory_kb(const char *pid)
{
    char path[64], line[256];
    FILE *f;
    long kb = -1;

    (void)snprintf(path, sizeof path, "/proc/%s/status", pid);
    f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kb = strtol(line + 6, NULL, 10);
    if (f)
        (void)fclose(f);
    if (kb < 0)
        fail("no memory of process %s", pid);
    return kb;
}

static int idle(int port, int connections, const char *pid)
{
    static const char ask_health[] = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
    int *fds = allocate((size_t)connections, sizeof *fds);
    long before = memory_kb(pid);
    char answer[4096];
    size_t n;

    for (int i = 0; i < connections; i++) {
        fds[i] = connect_from(port, i / BEHIND_ONE_ADDRESS);
        send_all(fds[i], ask_health, sizeof ask_health - 1);
        (void)receive(fds[i], answer, sizeof answer, &n);
        if (strncmp(answer, "HTTP/1.1 200 ", 13) != 0)
            fail("connection %d: %.100s", i, answer);
    }
    printf("{\"what\":\"idle\",\"n\":%d,\"before_kb\":%ld,\"kb\":%ld}\n", connections, before,
           memory_kb(pid));
    for (int i = 0; i < connections; i++)
        (void)close(fds[i]);
    free(fds);
    return 0;
}

static int number(const char *text, int max)
{
    char *end;
    long n = strtol(text, &end, 10);

    if (*end || n < 0 || n > max)
        fail("'%s' is no number up to %d", text, max);
    return (int)n;
}

int main(int argc, char **argv)
{
    if (argc == 5 && strcmp(argv[2], "idle") == 0)
        return idle(number(argv[1], 65535), number(argv[3], 100000), argv[4]);
    if (argc == 9 && strcmp(argv[2], "rate") == 0)
        return rate(&(struct load){.port = number(argv[1], 65535),
                                   .campaign = argv[3],
                                   .code = argv[4],
                                   .raters = number(argv[5], RATERS_MAX),
                                   .saves = number(argv[6], 100000),
                                   .readers = number(argv[7], RATERS_MAX),
                                   .pages = number(argv[8], 100000)});
    fputs("usage: load PORT rate CAMPAIGN CODE RATERS SAVES READERS PAGES\n"
          "       load PORT idle CONNECTIONS PID\n",
          stderr);
    return 2;
}
