/* curlloop - the yardstick for `make bench`: the least that libcurl can do the same work with.
 *
 *     curlloop URL N J [BODY_BYTES]
 *
 * Sends N chat-completion POSTs of one size, each with its own number, J at a time over
 * multi_socket and epoll. Reuses handles and connections, parses nothing, keeps nothing, and
 * prints what it cost as one JSON line. Fails unless every reply has status 200. */
#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"

enum { NUMBER_DIGITS = 10, CONCURRENCY_MAX = 4096, BODY_MAX = 8 << 20 };

struct loop {
    CURLM *multi;
    int epoll_fd;
    const char *url;
    struct curl_slist *headers;
    char *body; /* the text that every request shares, but for the digits at `number` */
    size_t body_bytes, number;
    long total, started, finished, failed;
    double deadline_s; /* when curl wants to be called without an event; negative: never */
};

struct slot {
    CURL *easy;
    char *body;
};

static void fail(const char *what)
{
    fprintf(stderr, "curlloop: %s\n", what);
    exit(1);
}

static double wall_now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static size_t discard(char *data, size_t each, size_t n, void *user)
{
    (void)data;
    (void)user;
    return each * n;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *user, void *known)
{
    struct loop *l = user;
    struct epoll_event ev = {.data.fd = fd};

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        (void)epoll_ctl(l->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
        return 0;
    }
    ev.events = (what & CURL_POLL_IN ? (uint32_t)EPOLLIN : 0) |
                (what & CURL_POLL_OUT ? (uint32_t)EPOLLOUT : 0);
    if (epoll_ctl(l->epoll_fd, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &ev) != 0)
        return -1;
    (void)curl_multi_assign(l->multi, fd, l);
    return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *user)
{
    struct loop *l = user;

    (void)multi;
    l->deadline_s = timeout_ms < 0 ? -1 : wall_now() + (double)timeout_ms / 1000;
    return 0;
}

static void body_init(struct loop *l, size_t bytes)
{
    static const char before[] = "{\"model\":\"chat-bench\",\"messages\":[{\"role\":\"user\","
                                 "\"content\":\"Request number ";
    static const char after[] = "\"}],\"temperature\":0.7}";
    size_t least = sizeof before - 1 + NUMBER_DIGITS + sizeof after - 1;

    l->body_bytes = bytes < least ? least : bytes;
    l->number = sizeof before - 1;
    l->body = malloc(l->body_bytes + 1);
    if (!l->body)
        fail("no memory");
    memset(l->body, 'x', l->body_bytes);
    for (size_t i = l->number + NUMBER_DIGITS; i < l->body_bytes; i += 7)
        l->body[i] = ' ';
    memcpy(l->body, before, sizeof before - 1);
    memcpy(l->body + l->body_bytes - (sizeof after - 1), after, sizeof after);
}

static void slot_init(struct loop *l, struct slot *slot)
{
    slot->easy = curl_easy_init();
    slot->body = malloc(l->body_bytes + 1);
    if (!slot->easy || !slot->body)
        fail("no memory");
    memcpy(slot->body, l->body, l->body_bytes + 1);
    curl_easy_setopt(slot->easy, CURLOPT_URL, l->url);
    curl_easy_setopt(slot->easy, CURLOPT_HTTPHEADER, l->headers);
    curl_easy_setopt(slot->easy, CURLOPT_POSTFIELDS, slot->body);
    curl_easy_setopt(slot->easy, CURLOPT_POSTFIELDSIZE, (long)l->body_bytes);
    curl_easy_setopt(slot->easy, CURLOPT_WRITEFUNCTION, discard);
    curl_easy_setopt(slot->easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(slot->easy, CURLOPT_PROXY, "");
    curl_easy_setopt(slot->easy, CURLOPT_PRIVATE, slot);
}

static void slot_start(struct loop *l, struct slot *slot)
{
    char digits[32];

    (void)snprintf(digits, sizeof digits, "%0*ld", NUMBER_DIGITS, l->started++);
    memcpy(slot->body + l->number, digits, NUMBER_DIGITS);
    if (curl_multi_add_handle(l->multi, slot->easy) != CURLM_OK)
        fail("curl_multi_add_handle");
}

static void replies_take(struct loop *l)
{
    CURLMsg *msg;
    int left;

    while ((msg = curl_multi_info_read(l->multi, &left))) {
        CURL *easy = msg->easy_handle;
        CURLcode result = msg->data.result;
        struct slot *slot = NULL;
        long status = 0;
        curl_easy_getinfo(easy, CURLINFO_PRIVATE, &slot);
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
        l->failed += result != CURLE_OK || status != 200;
        l->finished++;
        (void)curl_multi_remove_handle(l->multi, easy);
        if (l->started < l->total)
            slot_start(l, slot);
    }
}

/* Rounded up, so that the deadline has passed when epoll_wait() returns for it. */
static int wait_ms(const struct loop *l)
{
    double left = l->deadline_s - wall_now();

    return l->deadline_s < 0 ? -1 : left <= 0 ? 0 : (int)(left * 1000) + 1;
}

static void loop_run(struct loop *l)
{
    struct epoll_event events[256];
    int running;

    while (l->finished < l->total) {
        int n = epoll_wait(l->epoll_fd, events, COUNT(events), wait_ms(l));
        if (n < 0 && errno != EINTR)
            fail("epoll_wait");
        if (l->deadline_s >= 0 && wall_now() >= l->deadline_s) {
            l->deadline_s = -1;
            (void)curl_multi_socket_action(l->multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        for (int i = 0; i < n; i++) {
            uint32_t got = events[i].events;
            int mask = (got & EPOLLIN ? CURL_CSELECT_IN : 0) |
                       (got & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                       (got & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
            (void)curl_multi_socket_action(l->multi, events[i].data.fd, mask, &running);
        }
        replies_take(l);
    }
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void report(const struct loop *l, long concurrency, double wall)
{
    struct rusage used;
    double cpu;

    (void)getrusage(RUSAGE_SELF, &used);
    cpu = seconds(used.ru_utime) + seconds(used.ru_stime);
    printf("{\"requests\":%ld,\"concurrency\":%ld,\"wall_s\":%.3f,\"cpu_s\":%.3f,"
           "\"cpu_us_per_request\":%.2f,\"max_rss_kb\":%ld}\n",
           l->total, concurrency, wall, cpu, cpu * 1e6 / (double)l->total, used.ru_maxrss);
}

static void loop_init(struct loop *l, long concurrency)
{
    l->headers = curl_slist_append(NULL, "Content-Type: application/json");
    l->headers = curl_slist_append(l->headers, "Expect:");
    l->multi = curl_multi_init();
    l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    l->deadline_s = -1;
    if (!l->headers || !l->multi || l->epoll_fd < 0)
        fail("no memory");
    curl_multi_setopt(l->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(l->multi, CURLMOPT_SOCKETDATA, l);
    curl_multi_setopt(l->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(l->multi, CURLMOPT_TIMERDATA, l);
    curl_multi_setopt(l->multi, CURLMOPT_MAXCONNECTS, concurrency);
}

static void loop_work(struct loop *l, long concurrency)
{
    struct slot *slots = calloc((size_t)concurrency, sizeof *slots);
    double start = wall_now();

    if (!slots)
        fail("no memory");
    for (long i = 0; i < concurrency; i++) {
        slot_init(l, &slots[i]);
        slot_start(l, &slots[i]);
    }
    loop_run(l);
    report(l, concurrency, wall_now() - start);
    for (long i = 0; i < concurrency; i++) {
        curl_easy_cleanup(slots[i].easy);
        free(slots[i].body);
    }
    free(slots);
}

static long number(const char *text, long min, long max)
{
    char *end;
    long v = strtol(text, &end, 10);

    if (end == text || *end || v < min || v > max)
        fail("usage: curlloop URL N J [BODY_BYTES]");
    return v;
}

int main(int argc, char **argv)
{
    struct loop l = {0};
    long concurrency;

    if (argc < 4 || argc > 5)
        fail("usage: curlloop URL N J [BODY_BYTES]");
    l.url = argv[1];
    l.total = number(argv[2], 1, 1000000000);
    concurrency = number(argv[3], 1, CONCURRENCY_MAX);
    if (concurrency > l.total)
        concurrency = l.total;
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
    body_init(&l, (size_t)number(argc > 4 ? argv[4] : "2048", 1, BODY_MAX));
    loop_init(&l, concurrency);
    loop_work(&l, concurrency);
    (void)curl_multi_cleanup(l.multi);
    curl_slist_free_all(l.headers);
    curl_global_cleanup();
    close(l.epoll_fd);
    free(l.body);
    if (l.failed) {
        fprintf(stderr, "curlloop: %ld of %ld failed\n", l.failed, l.total);
        return 1;
    }
    return 0;
}
