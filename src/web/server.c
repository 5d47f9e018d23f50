#include "web/server.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/log.h"
#include "web/account.h"
#include "web/gate.h"
#include "web/keeper.h"
#include "web/pool.h"
#include "web/stores.h"

enum {
    CONNECTIONS = 4096,
    SLOW_THREADS = 4,
    SLOW_QUEUE = 64, /* pages that wait for one of these threads */
    SAVE_QUEUE = 2048,
    STREAMS = 256,
    GRACE_MS = 10 * 1000,
};

/* ---- types ---- */

/* An exchange and what the server knows of it. Owned by its connection and, while a stream runs, by
 * the producing thread too. */
struct job {
    struct exchange x; /* first member: job_of() casts */
    struct server *server;
    atomic_int holders; /* reference count */
    bool begun;
    atomic_bool ready; /* another thread has made the answer */
    int64_t begin_ms;
};

struct server {
    struct server_config config;
    struct client_calls calls;
    struct gate *gate;
    struct tls *tls;
    struct stores *stores;
    struct guard *guard;
    struct keeper *keeper;
    struct pool *slow, *save;
    pthread_mutex_t lock; /* guards live, streams and streaming; held for a few instructions */
    pthread_cond_t quiet; /* live or streams became less */
    int live, streams;    /* requests in progress, producing threads */
    struct job *streaming[STREAMS];
    atomic_bool stopping;
};

/* ---- exchanges ---- */

static struct exchange *job_new(void *user)
{
    struct server *s = user;
    struct job *j = mem_new(sizeof *j);

    j->server = s;
    atomic_init(&j->holders, 1);
    j->x.q.arena = arena_new();
    j->begin_ms = clock_mono_ms();
    (void)pthread_mutex_lock(&s->lock);
    s->live++;
    (void)pthread_mutex_unlock(&s->lock);
    return &j->x;
}

static struct job *job_of(struct exchange *x)
{
    return (struct job *)x;
}

static void job_drop(struct job *j)
{
    struct server *s = j->server;

    if (atomic_fetch_sub(&j->holders, 1) > 1)
        return;
    if (j->x.streaming)
        stream_done(&j->x.stream);
    buf_done(&j->x.body);
    buf_done(&j->x.r.body);
    arena_free(j->x.q.arena);
    free(j);
    (void)pthread_mutex_lock(&s->lock);
    if (--s->live == 0)
        (void)pthread_cond_broadcast(&s->quiet);
    (void)pthread_mutex_unlock(&s->lock);
}

/* Make the answer, with a store if the page needs one. */
static void make_answer(struct job *j)
{
    struct exchange *x = &j->x;
    bool bare = x->q.route->flags & ROUTE_BARE;
    struct err e = {0};
    bool good;

    x->q.body = buf_str(&x->body);
    if (!bare && stores_take(j->server->stores, &x->q.store, &e) != OK)
        log_line(LOG_ERROR, "web", "no store: %s", e.msg);
    good = site_answer(&x->q, &x->r);
    stores_give(j->server->stores, x->q.store, !good);
    x->q.store = NULL;
}

/* Replace the answer by an error. */
static void refuse(struct job *j, int status)
{
    struct exchange *x = &j->x;

    x->r.stream = NULL;
    x->r.fixed = (struct str){NULL, 0};
    x->r.nheaders = 0;
    site_refuse(&x->q, &x->r, status);
}

/* ---- bodies that are produced ---- */

static void stream_resume(void *user)
{
    struct job *j = user;

    gate_wake(j->x.client);
}

/* Replace an entry of s->streaming: NULL by a new stream, or a stream by NULL. False: there is no
 * such entry, or the server is stopping. */
static bool stream_list(struct server *s, const struct job *was, struct job *is)
{
    bool done = false;

    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < STREAMS && !done && !(is && s->stopping); i++) {
        done = s->streaming[i] == was;
        if (done)
            s->streaming[i] = is;
    }
    (void)pthread_mutex_unlock(&s->lock);
    return done;
}

static void stream_count(struct server *s, int by)
{
    (void)pthread_mutex_lock(&s->lock);
    s->streams += by;
    (void)pthread_cond_broadcast(&s->quiet);
    (void)pthread_mutex_unlock(&s->lock);
}

static void *stream_main(void *user)
{
    struct job *j = user;
    struct exchange *x = &j->x;
    struct server *s = j->server;
    struct store *store = NULL;
    struct err e = {0};
    bool good;

    good = stores_take(s->stores, &store, &e) == OK &&
           x->r.stream(&x->stream, store, x->r.user, &e) == OK;
    if (!good && e.code != E_STOP)
        log_line(LOG_ERROR, "web", "route=%s stream: %s", x->q.route->pattern, e.msg);
    stores_give(s->stores, store, !good);
    stream_end(&x->stream, !good);
    (void)stream_list(s, j, NULL);
    job_drop(j);
    stream_count(s, -1); /* must be last: server_close() may free s from here on */
    return NULL;
}

/* Start the producer; false: there are too many. */
static bool stream_start(struct job *j)
{
    struct server *s = j->server;
    pthread_attr_t detached;
    pthread_t thread;
    bool started;

    stream_init(&j->x.stream, stream_resume, j);
    j->x.streaming = true;
    if (!stream_list(s, NULL, j))
        return false;
    stream_count(s, 1);
    atomic_fetch_add(&j->holders, 1);
    (void)pthread_attr_init(&detached);
    (void)pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    started = pthread_create(&thread, &detached, stream_main, j) == 0;
    (void)pthread_attr_destroy(&detached);
    if (!started) {
        (void)stream_list(s, j, NULL);
        atomic_fetch_sub(&j->holders, 1); /* the caller still holds it */
        stream_count(s, -1);
    }
    return started;
}

/* ---- pages on other threads ---- */

static void hand_back(struct job *j)
{
    atomic_store(&j->ready, true);
    gate_wake(j->x.client);
}

static void do_slow(void *user, void *const *items, size_t n)
{
    (void)user;
    for (size_t i = 0; i < n; i++) {
        make_answer(items[i]);
        hand_back(items[i]);
    }
}

/* Answer one request as a part of the group's transaction; if the database fails in it, only this
 * part is rolled back. */
static enum status save_one(struct job *j, struct store *store, struct err *e)
{
    struct exchange *x = &j->x;

    if (db_group_part(store->db, e) != OK)
        return e->code;
    x->q.store = store;
    x->q.body = buf_str(&x->body);
    if (!site_answer(&x->q, &x->r))
        db_group_undo(store->db);
    x->q.store = NULL;
    return OK;
}

/* How many items, from the first on, are for the same page that answers several at once. */
static size_t together(void *const *items, size_t n)
{
    const struct route *route = ((struct job *)items[0])->x.q.route;
    size_t k = 1;

    while (route_together(route) && k < n && ((struct job *)items[k])->x.q.route == route)
        k++;
    return k;
}

/* Answer several requests as one part. Not *done: something failed, and the part was rolled back;
 * the caller tries each by itself, so that only the faulty one fails. */
static enum status save_together(struct store *store, void *const *items, size_t n, bool *done,
                                 struct err *e)
{
    struct guest g[POOL_TOGETHER] = {0}, *all[POOL_TOGETHER];

    if (db_group_part(store->db, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++) {
        struct exchange *x = &((struct job *)items[i])->x;
        x->q.store = store;
        x->q.body = buf_str(&x->body);
        g[i] = (struct guest){.q = &x->q, .r = &x->r};
        all[i] = &g[i];
    }
    *done = site_answer_all(all, n);
    if (!*done)
        db_group_undo(store->db);
    for (size_t i = 0; i < n; i++)
        g[i].q->store = NULL;
    return OK;
}

static enum status save_all(struct store *store, void *const *items, size_t n, struct err *e)
{
    if (db_group_begin(store->db, e) != OK)
        return e->code;
    for (size_t i = 0, k; i < n; i += k) {
        bool done = false;
        k = together(items + i, n - i);
        if (k > 1 && save_together(store, items + i, k, &done, e) != OK)
            return e->code;
        for (size_t one = 0; one < k && !done; one++)
            if (save_one(items[i + one], store, e) != OK)
                return e->code;
    }
    return db_group_commit(store->db, e);
}

/* Answers are sent only after the commit: nobody is told of a save that is not on the disk. */
static void do_saves(void *user, void *const *items, size_t n)
{
    struct server *s = user;
    struct store *store = NULL;
    struct err e = {0};
    bool good = stores_take(s->stores, &store, &e) == OK && save_all(store, items, n, &e) == OK;

    if (!good)
        log_line(LOG_ERROR, "web", "nothing saved: %s", e.msg);
    if (store)
        db_group_abandon(store->db);
    stores_give(s->stores, store, !good);
    for (size_t i = 0; i < n; i++) {
        struct job *j = items[i];
        if (!good)
            refuse(j, 503);
        hand_back(j);
    }
}

/* ---- what connections ask ---- */

static bool job_begin(struct exchange *x, const struct head *h)
{
    struct job *j = job_of(x);

    j->begun = true;
    if (!site_begin(j->server->config.site, h, x->from, &x->q, &x->r))
        return false;
    x->body.max = REQUEST_BODY_MAX;
    return true;
}

/* The pool that this page runs in; NULL: it runs in the calling thread. */
static struct pool *pool_for(const struct job *j)
{
    unsigned flags = j->x.q.route->flags;

    return flags & ROUTE_SAVE ? j->server->save : flags & ROUTE_SLOW ? j->server->slow : NULL;
}

static bool job_answer(struct exchange *x)
{
    struct job *j = job_of(x);
    struct pool *pool = pool_for(j);

    if (!atomic_load(&j->ready)) {
        if (!pool)
            make_answer(j);
        else if (pool_push(pool, j))
            return false;
        else
            refuse(j, 503);
    }
    if (x->r.stream && x->q.method != METHOD_HEAD && !stream_start(j))
        refuse(j, 503);
    return true;
}

static void job_close(struct exchange *x)
{
    struct job *j = job_of(x);

    /* The pattern, not the path: paths and queries hold tokens. */
    if (j->begun)
        log_info("web", "method=%s route=%s status=%d ms=%lld bytes=%zu from=%s",
                 request_method_name(x->q.method), x->q.route ? x->q.route->pattern : "-",
                 x->r.status, (long long)(clock_mono_ms() - j->begin_ms), x->sent,
                 account_address(&x->q));
    if (x->streaming)
        stream_abandon(&x->stream);
    job_drop(j);
}

static bool job_last(void *user)
{
    struct server *s = user;

    return atomic_load(&s->stopping);
}

/* ---- beginning and ending ---- */

/* Raise the limit of descriptors and return the limit of connections, which leaves a quarter of the
 * descriptors to the database and to files. */
static unsigned make_descriptors(void)
{
    struct rlimit l;

    if (getrlimit(RLIMIT_NOFILE, &l) != 0)
        return CONNECTIONS;
    l.rlim_cur = l.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &l);
    return l.rlim_max / 4 < CONNECTIONS / 3 ? (unsigned)(l.rlim_max / 4 * 3) : CONNECTIONS;
}

static enum status start_gate(struct server *s, struct err *e)
{
    const struct server_config *c = &s->config;
    unsigned most = make_descriptors();
    struct guard_limits limits = {most, most / 4 * 3, c->per_address};
    struct gate_config gate = {.bind = c->bind, .port = c->port, .threads = c->threads};

    s->calls = (struct client_calls){.user = s,
                                     .open = job_new,
                                     .begin = job_begin,
                                     .answer = job_answer,
                                     .close = job_close,
                                     .ending = job_last};
    if (guard_new(&s->guard, limits, e) != OK ||
        (c->tls_cert && tls_new(&s->tls, c->tls_cert, c->tls_key, e) != OK))
        return e->code;
    gate.clients = (struct client_config){.calls = &s->calls, .guard = s->guard, .tls = s->tls};
    return gate_open(&s->gate, &gate, e);
}

static enum status start_pools(struct server *s, struct err *e)
{
    struct pool_config slow = {
        .threads = SLOW_THREADS, .waiting = SLOW_QUEUE, .together = 1, .fn = do_slow, .user = s};
    struct pool_config save = {.threads = 1, /* SQLite has one writer */
                               .waiting = SAVE_QUEUE,
                               .together = POOL_TOGETHER,
                               .fn = do_saves,
                               .user = s};

    if (pool_new(&s->slow, &slow, e) != OK)
        return e->code;
    return pool_new(&s->save, &save, e);
}

enum status server_open(struct server **out, const struct server_config *config, struct err *e)
{
    struct server *s = mem_new(sizeof *s);
    struct store *first = NULL;

    s->config = *config;
    s->stores = stores_new(config->db);
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_cond_init(&s->quiet, NULL);
    if (stores_take(s->stores, &first, e) != OK) /* better now than at the first request */
        goto fail;
    stores_give(s->stores, first, false);
    if (start_pools(s, e) != OK || keeper_new(&s->keeper, s->stores, e) != OK ||
        start_gate(s, e) != OK)
        goto fail;
    *out = s;
    return OK;
fail:
    server_close(s);
    return e->code;
}

int server_listens(const struct server *s)
{
    return gate_port(s->gate);
}

/* Wait until every answer is sent, at most GRACE_MS. */
static void wait_quiet(struct server *s)
{
    struct timespec until;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += GRACE_MS / 1000;
    while (s->live && pthread_cond_clockwait(&s->quiet, &s->lock, CLOCK_MONOTONIC, &until) == 0)
        ;
}

/* Tell all producers to stop; `stopping` keeps new ones out. Each job is held while it is told,
 * since the lock is not. */
static void abandon_streams(struct server *s)
{
    struct job *j;

    for (size_t i = 0; i < STREAMS; i++) {
        (void)pthread_mutex_lock(&s->lock);
        j = s->streaming[i];
        if (j)
            atomic_fetch_add(&j->holders, 1);
        (void)pthread_mutex_unlock(&s->lock);
        if (j) {
            stream_stop(&j->x.stream);
            job_drop(j);
        }
    }
}

void server_close(struct server *s)
{
    if (!s)
        return;
    gate_shut(s->gate);
    (void)pthread_mutex_lock(&s->lock);
    atomic_store(&s->stopping, true);
    (void)pthread_mutex_unlock(&s->lock);
    abandon_streams(s);
    (void)pthread_mutex_lock(&s->lock);
    wait_quiet(s);
    (void)pthread_mutex_unlock(&s->lock);
    pool_end(s->slow); /* from here on nobody calls gate_wake() */
    pool_end(s->save);
    (void)pthread_mutex_lock(&s->lock);
    while (s->streams) /* they have been told to stop */
        (void)pthread_cond_wait(&s->quiet, &s->lock);
    (void)pthread_mutex_unlock(&s->lock);
    gate_free(s->gate);
    tls_free(s->tls);
    pool_free(s->slow);
    pool_free(s->save);
    guard_free(s->guard);
    keeper_free(s->keeper);
    stores_free(s->stores);
    (void)pthread_cond_destroy(&s->quiet);
    (void)pthread_mutex_destroy(&s->lock);
    free(s);
}
