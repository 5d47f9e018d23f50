/* bench_noise - how fast ratings become variance components: 1,000,000 ratings by 1,000 raters on
 * 1,000 passages; of 10 systems, sparse, and of one, where everybody rated everything.
 *
 * Prints the time as a multiple of a yardstick, the sorting of as many numbers in the same process,
 * so that a busy or slow machine does not matter; and the memory. Asserts nothing. */
#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/rng.h"
#include "gauge/noise.h"
#include "math/describe.h"

enum { RATINGS = 1000000, SYSTEMS = 10, PASSAGES = 1000, RATERS = 1000 };

static double seconds(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *holds(bool reached)
{
    return reached ? "holds" : "MISSED";
}

static void draw(struct readings *r)
{
    struct rng g = rng_keyed(1, "bench", NULL, 0);
    bool sparse = r->models > 1;

    for (size_t i = 0; i < RATINGS; i++) {
        r->model[i] = (uint32_t)rng_below(&g, r->models);
        r->item[i] = (uint32_t)(sparse ? rng_below(&g, PASSAGES) : i / RATERS);
        r->judge[i] = (uint32_t)(sparse ? rng_below(&g, RATERS) : i % RATERS);
        r->answer[i] = r->model[i] * PASSAGES + r->item[i];
        r->value[i] = sin(r->item[i]) + cos(r->judge[i]) + rng_unit(&g);
    }
}

static double yardstick(const double *values)
{
    double *copy = malloc(RATINGS * sizeof *copy), begun;

    if (!copy)
        exit(1);
    memcpy(copy, values, RATINGS * sizeof *copy);
    begun = seconds();
    describe_sort(copy, RATINGS);
    begun = seconds() - begun;
    free(copy);
    return begun;
}

static bool measure(size_t systems)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct readings r = {.value = NEW_N(a, double, RATINGS),
                         .model = NEW_N(a, uint32_t, RATINGS),
                         .item = NEW_N(a, uint32_t, RATINGS),
                         .answer = NEW_N(a, uint32_t, RATINGS),
                         .judge = NEW_N(a, uint32_t, RATINGS),
                         .n = RATINGS,
                         .models = systems,
                         .items = PASSAGES,
                         .answers = systems * PASSAGES,
                         .judges = RATERS};
    struct score_list rows;
    struct rusage used;
    double unit, took;

    draw(&r);
    unit = yardstick(r.value);
    took = seconds();
    noise_rows(a, "bench", &r, &rows);
    took = seconds() - took;
    (void)getrusage(RUSAGE_SELF, &used);
    printf("variance components of %d ratings, %s\n", RATINGS, systems > 1 ? "sparse" : "complete");
    printf("  %.2f s, %.1f times the sorting of as many numbers (aim: 5 s on one core, %s)\n", took,
           took / unit, holds(took <= 5));
    printf("  memory %ld MB (aim: 500 MB, %s)\n", used.ru_maxrss / 1024,
           holds(used.ru_maxrss / 1024 <= 500));
    return rows.n > 0;
}

int main(void)
{
    return measure(SYSTEMS) && measure(1) ? 0 : 1;
}
