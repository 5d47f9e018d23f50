#include "web/gate.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "net/loop.h"

enum {
    ACCEPTS = 64,    /* at once, before connected clients have their turn */
    PAUSE_MS = 100,  /* without accepting, when there are no descriptors or places left */
    STEP_MS = 60000, /* any value would do: the bell interrupts the wait */
};

struct desk;

/* A client's place at a desk. */
struct seat {
    struct desk *desk;
    struct client *client;
    struct seat *next, **link; /* in the list of the desk */
    struct seat *next_woken;
};

/* A thread that serves. */
struct desk {
    struct gate *gate;
    struct loop *loop;
    pthread_t thread;
    bool started;
    struct seat *seats;
    int bell;             /* an eventfd, rung when a client is woken or the desk ends */
    pthread_mutex_t lock; /* guards `woken` and `ending` */
    struct seat *woken;   /* clients to go on with */
    bool ending;
};

struct gate {
    struct gate_config config;
    int listener, port;
    struct desk *desks;
};

/* ---- clients ---- */

static void client_ready(void *user, int fd, int events);

static void seat_free(struct seat *s)
{
    loop_forget(s->desk->loop, client_socket(s->client));
    client_free(s->client);
    *s->link = s->next;
    if (s->next)
        s->next->link = s->link;
    free(s);
}

static void ring(const struct desk *d)
{
    const uint64_t one = 1;

    if (write(d->bell, &one, sizeof one) < 0) /* it is ringing already */
        return;
}

void gate_wake(struct client *c)
{
    struct seat *s = client_seat(c);
    struct desk *d = s->desk;

    (void)pthread_mutex_lock(&d->lock);
    s->next_woken = d->woken;
    d->woken = s;
    ring(d);
    (void)pthread_mutex_unlock(&d->lock);
}

static void seat_go(struct seat *s)
{
    struct loop *l = s->desk->loop;
    enum client_wait wait = client_go(s->client);
    int fd = client_socket(s->client);
    struct err e;

    switch (wait) {
    case CLIENT_READ:
    case CLIENT_WRITE:
        if (loop_watch(l, fd, wait == CLIENT_READ ? LOOP_READ : LOOP_WRITE, client_ready, s, &e) ==
            OK)
            return;
        break;
    case CLIENT_TURN:
        loop_rest(l, fd);
        gate_wake(s->client);
        return;
    case CLIENT_ANSWER:
        loop_rest(l, fd);
        return;
    case CLIENT_GONE:
        break;
    }
    seat_free(s);
}

static void client_ready(void *user, int fd, int events)
{
    (void)fd;
    (void)events;
    seat_go(user);
}

/* ---- coming in ---- */

static void seat_new(struct desk *d, int fd, const struct sockaddr *sa)
{
    struct address from = {{0}};
    struct seat *s = mem_new(sizeof *s);

    (void)address_from_socket(sa, &from);
    s->desk = d;
    s->client = client_new(&d->gate->config.clients, fd, from, s);
    if (!s->client) {
        free(s);
        return;
    }
    s->next = d->seats;
    s->link = &d->seats;
    if (s->next)
        s->next->link = &s->next;
    d->seats = s;
    seat_go(s);
}

static void let_in(void *user, int listener, int events);

static void listen_on(void *user)
{
    struct desk *d = user;
    struct err e;

    if (loop_watch(d->loop, d->gate->listener, LOOP_READ, let_in, d, &e) != OK)
        log_line(LOG_ERROR, "web", "%s", e.msg);
}

/* Clients wait in the system's queue meanwhile. */
static void pause_listening(struct desk *d)
{
    loop_forget(d->loop, d->gate->listener);
    loop_timer(d->loop, clock_mono_ms() + PAUSE_MS, listen_on, d);
}

static void let_in(void *user, int listener, int events)
{
    struct desk *d = user;
    struct guard *guard = d->gate->config.clients.guard;
    struct sockaddr_storage sa;

    (void)events;
    for (int i = 0; i < ACCEPTS; i++) {
        if (guard_is_clearing(guard)) {
            pause_listening(d);
            return;
        }
        socklen_t n = sizeof sa;
        int fd = accept4(listener, (struct sockaddr *)&sa, &n, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0) {
            seat_new(d, fd, (struct sockaddr *)&sa);
        } else if (errno == EINVAL || errno == EBADF) { /* gate_shut() */
            loop_forget(d->loop, listener);
            return;
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            guard_make_room(guard);
            pause_listening(d);
            return;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return;
        }
    }
}

/* ---- threads ---- */

static void bell_rang(void *user, int bell, int events)
{
    struct desk *d = user;
    struct seat *s, *next;
    uint64_t times;

    (void)events;
    (void)pthread_mutex_lock(&d->lock);
    if (read(bell, &times, sizeof times) < 0)
        times = 0;
    s = d->woken;
    d->woken = NULL;
    (void)pthread_mutex_unlock(&d->lock);
    for (; s; s = next) {
        next = s->next_woken;
        seat_go(s);
    }
}

static bool is_ending(struct desk *d)
{
    bool ending;

    (void)pthread_mutex_lock(&d->lock);
    ending = d->ending;
    (void)pthread_mutex_unlock(&d->lock);
    return ending;
}

static void *desk_main(void *user)
{
    struct desk *d = user;
    struct err e;

    while (!is_ending(d))
        if (loop_step(d->loop, STEP_MS, &e) != OK)
            log_line(LOG_ERROR, "web", "%s", e.msg);
    return NULL;
}

static enum status desk_open(struct gate *g, struct desk *d, struct err *e)
{
    d->gate = g;
    d->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    (void)pthread_mutex_init(&d->lock, NULL);
    if (loop_new(&d->loop, e) != OK ||
        loop_watch(d->loop, d->bell, LOOP_READ, bell_rang, d, e) != OK)
        return e->code;
    listen_on(d);
    d->started = pthread_create(&d->thread, NULL, desk_main, d) == 0;
    return d->started ? OK : err_set(e, E_SYSTEM, "the system provides no more threads");
}

static void desk_end(struct desk *d)
{
    if (!d->gate) /* it was not opened */
        return;
    (void)pthread_mutex_lock(&d->lock);
    d->ending = true;
    ring(d);
    (void)pthread_mutex_unlock(&d->lock);
    if (d->started)
        (void)pthread_join(d->thread, NULL);
    for (struct seat *s = d->seats, *next; s; s = next) {
        next = s->next;
        seat_free(s);
    }
    loop_free(d->loop);
    (void)close(d->bell);
    (void)pthread_mutex_destroy(&d->lock);
}

/* ---- the socket ---- */

static enum status cannot_listen(const struct gate_config *c, struct err *e)
{
    if (errno == EADDRINUSE)
        return err_set(e, E_USAGE,
                       "port %d is in use by another program; choose another with --port", c->port);
    return err_set(e, E_SYSTEM, "cannot listen on %s port %d: %s", c->bind, c->port,
                   strerror(errno));
}

static enum status listen_at(const struct gate_config *c, int *out, struct err *e)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)c->port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)c->port)};
    bool is_four = inet_pton(AF_INET, c->bind, &four.sin_addr) == 1;
    const int yes = 1;
    int fd;

    if (!is_four && inet_pton(AF_INET6, c->bind, &six.sin6_addr) != 1)
        return err_set(e, E_USAGE, "--bind %s: expected an address such as 127.0.0.1", c->bind);
    fd = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return cannot_listen(c, e);
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) ||
        (!is_four && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes)) ||
        (is_four ? bind(fd, (struct sockaddr *)&four, sizeof four)
                 : bind(fd, (struct sockaddr *)&six, sizeof six)) ||
        listen(fd, SOMAXCONN)) {
        (void)cannot_listen(c, e);
        (void)close(fd);
        return e->code;
    }
    *out = fd;
    return OK;
}

static int port_of(int fd)
{
    struct sockaddr_in6 sa = {0}; /* has the port where an IPv4 address has it */
    socklen_t n = sizeof sa;

    return getsockname(fd, (struct sockaddr *)&sa, &n) == 0 ? ntohs(sa.sin6_port) : 0;
}

/* ---- beginning and ending ---- */

enum status gate_open(struct gate **out, const struct gate_config *config, struct err *e)
{
    struct gate *g = mem_new(sizeof *g);

    g->config = *config;
    g->desks = mem_new(config->threads * sizeof *g->desks);
    g->listener = -1;
    if (listen_at(config, &g->listener, e) != OK)
        goto fail;
    g->port = port_of(g->listener);
    for (unsigned i = 0; i < config->threads; i++)
        if (desk_open(g, &g->desks[i], e) != OK)
            goto fail;
    *out = g;
    return OK;
fail:
    gate_free(g);
    return e->code;
}

int gate_port(const struct gate *g)
{
    return g->port;
}

void gate_shut(struct gate *g)
{
    if (g && g->listener >= 0)
        (void)shutdown(g->listener, SHUT_RDWR);
}

void gate_free(struct gate *g)
{
    if (!g)
        return;
    for (unsigned i = 0; i < g->config.threads; i++)
        desk_end(&g->desks[i]);
    if (g->listener >= 0)
        (void)close(g->listener);
    free(g->desks);
    free(g);
}
