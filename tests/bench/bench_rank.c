/* bench_rank - how fast battles become ratings: 1,000,000 battles of 60 models on 1,000 prompts.
 *
 * Prints times, rates and the memory of the process beside the aims. Asserts nothing. */
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "exchange/battle_file.h"
#include "math/bt.h"
#include "math/glicko.h"

enum { BATTLES = 1000000, MODELS = 60, PROMPTS = 1000 };

static double seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void stop(const struct err *e)
{
    fprintf(stderr, "bench_rank: %s\n", e->msg);
    exit(1);
}

static void write_battles(const char *path)
{
    FILE *out = fopen(path, "we");
    struct rng r = rng_keyed(1, "bench", NULL, 0);

    if (!out)
        exit(1);
    fprintf(out, "model_a,model_b,winner,prompt\n");
    for (int i = 0; i < BATTLES; i++) {
        int a = (int)rng_below(&r, MODELS), b = (a + 1 + (int)rng_below(&r, MODELS - 1)) % MODELS;
        double p = 1 / (1 + exp((a - b) / 20.0)), u = rng_unit(&r);
        fprintf(out, "vendor-%d/model-%02d,vendor-%d/model-%02d,%s,prompt-%d\n", a % 7, a, b % 7, b,
                u < 0.1             ? "tie"
                : u < 0.1 + 0.9 * p ? "a"
                                    : "b",
                (int)rng_below(&r, PROMPTS));
    }
    (void)fclose(out);
}

static const char *holds(bool reached)
{
    return reached ? "holds" : "MISSED";
}

/* aim_ms 0: there is none. */
static double report(const char *what, double since, double aim_ms)
{
    double now = seconds(), ms = 1000 * (now - since);

    printf("  %-44s %9.1f ms", what, ms);
    if (aim_ms > 0)
        printf("   (aim: %.0f ms, %s)", aim_ms, holds(ms <= aim_ms));
    printf("\n");
    return now;
}

static long memory_mb(void)
{
    struct rusage u;

    (void)getrusage(RUSAGE_SELF, &u);
    return u.ru_maxrss / 1024;
}

static void play(struct arena *a, const struct battle_set *s)
{
    struct glicko *players = NEW_N(a, struct glicko, s->models);
    struct glicko_how how = {GLICKO_TAU, GLICKO_GLICKMAN, GLICKO_SEQUENTIAL};
    double start = seconds(), rate;

    for (size_t i = 0; i < s->models; i++)
        players[i] = glicko_start();
    glicko_play(players, s->models, &(struct glicko_duels){s->v, s->n, NULL}, &how);
    rate = (double)s->n / (seconds() - start);
    printf("  %-44s %9.2f M/s  (aim: 2 M/s, %s)\n", "Glicko-2, battle by battle", rate / 1e6,
           holds(rate >= 2e6));
}

int main(void)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(battle_done) struct battle_set s = {0};
    char path[] = "/tmp/bench_rank.XXXXXX";
    int fd = mkstemp(path);
    double start, at, *cov;
    struct bt_clusters c;
    struct bt_table t;
    struct bt_fit f;
    struct err e = {0};

    if (fd < 0 || close(fd) != 0)
        return 1;
    write_battles(path);
    printf("rank: %d battles of %d models on %d prompts\n", BATTLES, MODELS, PROMPTS);
    start = at = seconds();
    if (battle_read(a, path, &(struct battle_want){0}, &s, &e) != OK)
        stop(&e);
    (void)unlink(path);
    at = report("read CSV", at, 0);
    t = bt_gather(a, s.v, s.n, s.models, BT_HALF);
    at = report("gather by pair", at, 0);
    if (bt_fit(a, &t, BT_HALF, 0, &f, &e) != OK)
        stop(&e);
    at = report("fit Bradley-Terry", at, 0);
    c = (struct bt_clusters){s.v, s.n, s.clusters};
    if (bt_sandwich(a, &t, &f, &c, &cov, &e) != OK)
        stop(&e);
    (void)report("sandwich by prompt", at, 0);
    (void)report("all of it", start, 1000);
    printf("  %-44s %9ld MB   (aim: 100 MB, %s)\n", "memory", memory_mb(),
           holds(memory_mb() <= 100));
    play(a, &s);
    return 0;
}
