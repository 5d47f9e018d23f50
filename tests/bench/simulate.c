/* simulate KEY=VALUE...: how many replies a second workers get out of endpoints through one
 * database, as a discrete-event simulation of the run loop. Prints that number.
 *
 * A worker has `jobs` requests in flight and leases twice that ahead; a reply costs it `worker_us`
 * of its one thread; results are written in groups as eval/commit.c does, during which it is
 * blocked. A group costs the database `commit_us` and `row_us` a row; besides, a worker asks it
 * `idle_us` of work every second (orders, beats, shares), of which `peer_us` for each other worker.
 * Whatever costs time waits for one of the cores of its place. With `shared=1` all are on one
 * machine of `cores`; otherwise every worker has a core of its own, endpoints are elsewhere, and
 * the database has `cores`. See docs/SCALING.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CORES_MAX = 4096, GROUP_ROWS = 256, GROUP_LEAST = 32, GROUP_US = 50000, GROUP_SHARE = 4 };

static struct {
    const char *name;
    double value;
} keys[] = {
    {"workers", 1},  {"jobs", 16},       {"latency_us", 50000}, {"seconds", 10},
    {"cores", 2},    {"shared", 1},      {"worker_us", 80},     {"endpoint_us", 30},
    {"row_us", 200}, {"commit_us", 500}, {"network_us", 0},     {"idle_us", 0},
    {"peer_us", 0},
};

enum key {
    WORKERS,
    JOBS,
    LATENCY,
    SECONDS,
    CORES,
    SHARED,
    WORKER_US,
    ENDPOINT_US,
    ROW_US,
    COMMIT_US,
    NETWORK_US,
    IDLE_US,
    PEER_US
};

enum kind { REPLY, DUE, COMMITTED, TICK };

struct event {
    double at;
    enum kind kind;
    int worker;
};

struct worker {
    double busy_until; /* its thread */
    double oldest;     /* of the rows that wait to be written */
    double took;       /* by the last commit */
    int ready, flying, finished, writing;
};

static struct event *heap;
static size_t n, cap;
static double core[CORES_MAX], replies;

static double of(enum key k)
{
    return keys[k].value;
}

static void push(double at, enum kind kind, int worker)
{
    size_t i;

    if (n == cap) {
        cap = cap ? cap * 2 : 1024;
        heap = realloc(heap, cap * sizeof *heap);
        if (!heap)
            abort();
    }
    for (i = n++; i && heap[(i - 1) / 2].at > at; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = (struct event){at, kind, worker};
}

static struct event pop(void)
{
    struct event first = heap[0], last = heap[--n];
    size_t i = 0, k;

    while ((k = 2 * i + 1) < n) {
        k += k + 1 < n && heap[k + 1].at < heap[k].at;
        if (heap[k].at >= last.at)
            break;
        heap[i] = heap[k];
        i = k;
    }
    heap[i] = last;
    return first;
}

/* Work of so many microseconds for a core of the database's machine: when it is done. */
static double on_core(double at, double us)
{
    int best = 0;

    for (int i = 1; i < (int)of(CORES); i++)
        if (core[i] < core[best])
            best = i;
    core[best] = (core[best] > at ? core[best] : at) + us;
    return core[best];
}

/* ... for a worker's own thread. */
static double on_worker(struct worker *w, double at, double us)
{
    double begin = w->busy_until > at ? w->busy_until : at;

    w->busy_until = of(SHARED) > 0 ? on_core(begin, us) : begin + us;
    return w->busy_until;
}

static void ask(struct worker *all, int i, double at)
{
    struct worker *w = &all[i];

    for (; w->ready && w->flying < (int)of(JOBS); w->ready--, w->flying++) {
        double answered = of(SHARED) > 0 ? on_core(at, of(ENDPOINT_US)) : at;
        push(answered + of(LATENCY), REPLY, i);
    }
}

/* The same conditions as commit_due(). */
static int is_due(const struct worker *w, double at)
{
    double age = at - w->oldest;

    if (w->writing)
        return 0;
    if (w->ready == 0)
        return w->finished > 0 || w->flying == 0;
    return w->finished >= GROUP_ROWS || (w->finished && age >= GROUP_US) ||
           (w->finished >= GROUP_LEAST && age >= GROUP_SHARE * w->took);
}

static void commit(struct worker *all, int i, double at)
{
    struct worker *w = &all[i];
    double begin = w->busy_until > at ? w->busy_until : at;
    double end = on_core(begin + of(NETWORK_US) / 2, of(COMMIT_US) + w->finished * of(ROW_US)) +
                 of(NETWORK_US) / 2;

    w->took = end - begin;
    w->writing = 1;
    w->busy_until = end;
    replies += w->finished;
    w->finished = 0;
    push(end, COMMITTED, i);
}

static void happen(struct worker *all, struct event e)
{
    struct worker *w = &all[e.worker];

    if (e.kind == TICK) {
        (void)on_core(e.at, of(IDLE_US) + of(PEER_US) * of(WORKERS));
        push(e.at + 1e6, TICK, e.worker);
    } else if (e.kind == REPLY && w->busy_until > e.at) {
        push(w->busy_until, REPLY, e.worker); /* it waits in a socket */
        return;
    } else if (e.kind == REPLY) {
        double handled = on_worker(w, e.at, of(WORKER_US));
        w->flying--;
        w->oldest = w->finished++ ? w->oldest : handled;
        ask(all, e.worker, handled);
        push(w->oldest + GROUP_US, DUE, e.worker);
    } else if (e.kind == COMMITTED) {
        w->writing = 0;
        if (w->ready <= (int)of(JOBS))
            w->ready = 2 * (int)of(JOBS);
        ask(all, e.worker, e.at);
    }
    if (is_due(w, e.at))
        commit(all, e.worker, e.at);
}

int main(int argc, char **argv)
{
    struct worker *all;
    double end, from = 0, before = 0;

    for (int i = 1; i < argc; i++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            if (strncmp(argv[i], keys[k].name, strlen(keys[k].name)) == 0 &&
                argv[i][strlen(keys[k].name)] == '=')
                keys[k].value = atof(strchr(argv[i], '=') + 1);
    all = calloc((size_t)of(WORKERS), sizeof *all);
    if (!all || of(CORES) > CORES_MAX)
        return 1;
    for (int i = 0; i < (int)of(WORKERS); i++) {
        push(i * 1000.0, DUE, i); /* they do not begin at one instant */
        push(i * 1000.0, TICK, i);
    }
    end = of(SECONDS) * 1e6;
    while (n && heap[0].at < end) {
        struct event e = pop();
        if (from <= 0 && e.at > end / 5) { /* what comes before is the start */
            from = e.at;
            before = replies;
        }
        happen(all, e);
    }
    printf("%.0f\n", (replies - before) / (end - from) * 1e6);
    free(all);
    free(heap);
    return 0;
}
