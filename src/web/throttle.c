#include "web/throttle.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"

enum { SLOTS = 32768, PROBES = 8, WAIT_MAX_MS = 15 * 60 * 1000, DOUBLINGS = 10, CROWDED_MS = 1000 };

#define MINUTE (60 * 1000)
#define HOUR   (60 * MINUTE)

static const struct {
    int tries;
    int64_t period_ms;
} rules[THROTTLES] = {
    [THROTTLE_LOGIN_ACCOUNT] = {5, MINUTE}, [THROTTLE_LOGIN_NETWORK] = {20, MINUTE},
    [THROTTLE_LOGIN_ALL] = {50, HOUR},      [THROTTLE_TOKEN] = {10, MINUTE},
    [THROTTLE_SECOND] = {10, HOUR},         [THROTTLE_JOIN] = {120, HOUR},
    [THROTTLE_CODE] = {10, HOUR},           [THROTTLE_CODE_ALL] = {300, HOUR},
    [THROTTLE_WRITE] = {120, MINUTE},       [THROTTLE_AUDIT] = {60, HOUR},
    [THROTTLE_EXPORT] = {6, HOUR},
};

struct bucket {
    uint64_t key; /* 0: free */
    enum throttle_what what;
    double level; /* tries left */
    int64_t at_ms;
    int64_t until_ms; /* refused until then */
    int refusals;     /* in a row */
};

struct throttle {
    pthread_mutex_t lock;
    char key[32];
    struct bucket strangers[SLOTS], people[SLOTS]; /* people: who is signed in */
};

struct throttle *throttle_new(void)
{
    struct throttle *t = mem_new(sizeof *t);

    (void)pthread_mutex_init(&t->lock, NULL);
    hash_random(t->key, sizeof t->key);
    return t;
}

void throttle_free(struct throttle *t)
{
    if (!t)
        return;
    (void)pthread_mutex_destroy(&t->lock);
    free(t);
}

static uint64_t key_of(const struct throttle *t, enum throttle_what what, struct str who)
{
    struct hash h;

    hash_init_keyed(&h, (struct str){t->key, sizeof t->key});
    hash_int(&h, what);
    hash_str(&h, who);
    return hash_u64(&h) | 1;
}

/* The time in which a bucket gains one try. */
static double each_ms(enum throttle_what what)
{
    return (double)rules[what].period_ms / rules[what].tries;
}

/* Tries left by now. */
static double level_at(const struct bucket *b, int64_t now_ms)
{
    int64_t idle = now_ms < b->at_ms ? 0 : now_ms - b->at_ms;

    return fmin(b->level + (double)idle / each_ms(b->what), rules[b->what].tries);
}

/* How well a bucket can be dropped, from 1 (free or full) to 0 (it refuses, and must be kept). */
static double worthless(const struct bucket *b, int64_t now_ms)
{
    double level = level_at(b, now_ms);

    return b->key == 0 ? 1 : b->until_ms > now_ms || level < 1 ? 0 : level / rules[b->what].tries;
}

/* The bucket of a key, or one to reuse for it: a free one, else the fullest. NULL: all refuse. */
static struct bucket *bucket_of(struct throttle *t, enum throttle_what what, uint64_t key,
                                int64_t now_ms)
{
    bool signed_in = what == THROTTLE_WRITE || what == THROTTLE_EXPORT;
    struct bucket *slots = signed_in ? t->people : t->strangers, *best = NULL;
    double most = 0;

    for (uint64_t i = 0; i < PROBES; i++) {
        struct bucket *b = &slots[(key / 2 + i) % SLOTS];
        double is = worthless(b, now_ms);
        if (b->key == key)
            return b;
        if (is > most) {
            most = is;
            best = b;
        }
    }
    return best;
}

static int64_t take(struct bucket *b, int64_t now_ms)
{
    double each = each_ms(b->what);

    if (now_ms < b->at_ms)
        now_ms = b->at_ms;
    b->level = level_at(b, now_ms);
    b->at_ms = now_ms;
    if (b->level >= 1 && now_ms >= b->until_ms) {
        b->level -= 1;
        b->refusals = 0;
        return 0;
    }
    if (b->refusals < DOUBLINGS)
        b->refusals++;
    each *= (double)(1 << (b->refusals - 1));
    b->until_ms = now_ms + (int64_t)(each < WAIT_MAX_MS ? each : WAIT_MAX_MS);
    return b->until_ms - now_ms;
}

int64_t throttle_take(struct throttle *t, enum throttle_what what, struct str who, int64_t now_ms)
{
    uint64_t key = key_of(t, what, who);
    struct bucket *b;
    int64_t wait;

    (void)pthread_mutex_lock(&t->lock);
    b = bucket_of(t, what, key, now_ms);
    if (b && b->key != key)
        *b = (struct bucket){.key = key, .what = what, .level = rules[what].tries, .at_ms = now_ms};
    wait = b ? take(b, now_ms) : CROWDED_MS;
    (void)pthread_mutex_unlock(&t->lock);
    return wait;
}

void throttle_give_back(struct throttle *t, enum throttle_what what, struct str who)
{
    uint64_t key = key_of(t, what, who);
    struct bucket *b;

    (void)pthread_mutex_lock(&t->lock);
    b = bucket_of(t, what, key, INT64_MAX);
    if (b && b->key == key)
        b->level += 1;
    (void)pthread_mutex_unlock(&t->lock);
}
