#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "net/limit.h"

static const struct limit_report good = {.sign = LIMIT_GOOD,
                                         .elapsed_ms = 100,
                                         .real_tokens = -1,
                                         .retry_after_ms = -1,
                                         .requests_left = -1,
                                         .requests_reset_ms = -1,
                                         .tokens_left = -1,
                                         .tokens_reset_ms = -1};

static int take_all(struct limit *l, int64_t now)
{
    int64_t wait = 0;
    int n = 0;

    while (limit_take(l, 0, now, &wait))
        n++;
    return n;
}

static void end_all(struct limit *l, const struct limit_report *r, int64_t now)
{
    for (int n = l->in_flight; n > 0; n--)
        limit_ended(l, r, now);
}

static void starts_at_half(void **state)
{
    static const struct {
        int concurrency, start;
    } cases[] = {{256, 128}, {7, 4}, {1, 1}, {3, 3}, {4, 4}, {17, 9}, {20, 10}};

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct limit l;
        limit_init(&l, (struct limit_config){.concurrency = cases[i].concurrency}, 0);
        assert_int_equal(take_all(&l, 0), cases[i].start);
    }
}

static void doubles_per_round_trip(void **state)
{
    struct limit l;

    (void)state;
    limit_init(&l, (struct limit_config){.concurrency = 256}, 0);
    assert_int_equal(take_all(&l, 0), 128);
    for (int n = 0; n < 64; n++)
        limit_ended(&l, &good, 100);
    assert_int_equal(take_all(&l, 100), 128); /* 64 places that came free, and 64 new ones */
    end_all(&l, &good, 200);
    assert_int_equal(take_all(&l, 200), 256);
    end_all(&l, &good, 300);
    assert_int_equal(take_all(&l, 300), 256);
}

static void halves_once_per_round_trip(void **state)
{
    struct limit_report bad = good;
    struct limit l;

    (void)state;
    bad.sign = LIMIT_OVERLOAD;
    limit_init(&l, (struct limit_config){.concurrency = 256}, 0);
    assert_int_equal(take_all(&l, 0), 128);
    end_all(&l, &bad, 100);
    assert_int_equal(l.throttled, 128);
    assert_int_equal(take_all(&l, 101), 64);
    end_all(&l, &bad, 201);
    assert_int_equal(take_all(&l, 202), 32);
    end_all(&l, &good, 302);
    assert_int_equal(take_all(&l, 302), 32); /* no longer doubling: 32 replies add nearly one */
    end_all(&l, &good, 402);
    assert_int_equal(take_all(&l, 402), 33);
}

static void never_below_one(void **state)
{
    struct limit_report bad = good;
    struct limit l;
    int64_t wait = 0;

    (void)state;
    bad.sign = LIMIT_OVERLOAD;
    limit_init(&l, (struct limit_config){.concurrency = 8}, 0);
    for (int64_t now = 0; now < 20000; now += 1000) {
        assert_true(limit_take(&l, 0, now, &wait));
        limit_ended(&l, &bad, now + 500);
    }
    assert_int_equal(take_all(&l, 30000), 1);
    assert_false(limit_take(&l, 0, 30000, &wait));
    assert_true(wait == INT64_MAX);
}

static void neutral_changes_nothing(void **state)
{
    struct limit_report neutral = good;
    struct limit l;

    (void)state;
    neutral.sign = LIMIT_NEUTRAL;
    limit_init(&l, (struct limit_config){.concurrency = 64}, 0);
    assert_int_equal(take_all(&l, 0), 32);
    end_all(&l, &neutral, 100);
    assert_int_equal(take_all(&l, 100), 32);
    assert_int_equal(l.throttled, 0);
}

/* What the server says closes the endpoint until then and not a millisecond longer. */
static void server_closes(void **state)
{
    struct limit_report cases[] = {good, good, good, good};
    int64_t expected[] = {7000, 9000, 4000, 0};

    (void)state;
    cases[0].retry_after_ms = 7000;
    cases[1].requests_left = 0, cases[1].requests_reset_ms = 9000;
    cases[2].tokens_left = 0, cases[2].tokens_reset_ms = 4000;
    cases[3].requests_left = 1, cases[3].requests_reset_ms = 9000;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct limit l;
        int64_t wait = 0;
        limit_init(&l, (struct limit_config){.concurrency = 4}, 0);
        assert_true(limit_take(&l, 0, 0, &wait));
        limit_ended(&l, &cases[i], 1000);
        if (expected[i]) {
            assert_false(limit_take(&l, 0, 1000, &wait));
            assert_int_equal(wait, expected[i]);
            assert_false(limit_take(&l, 0, 999 + expected[i], &wait));
        }
        assert_true(limit_take(&l, 0, 1000 + expected[i], &wait));
    }
}

static void longer_close_wins(void **state)
{
    struct limit_report r = good;
    struct limit l;
    int64_t wait = 0;

    (void)state;
    limit_init(&l, (struct limit_config){.concurrency = 4}, 0);
    assert_int_equal(take_all(&l, 0), 4);
    r.retry_after_ms = 5000;
    limit_ended(&l, &r, 0);
    r.retry_after_ms = 1000;
    limit_ended(&l, &r, 0);
    assert_false(limit_take(&l, 0, 0, &wait));
    assert_int_equal(wait, 5000);
}

/* The most that half-open minutes hold, over the amounts[] sent at at_ms[]. */
static double busiest_minute(const int64_t *at_ms, const double *amounts, size_t n)
{
    double held = 0, most = 0;

    for (size_t last = 0, first = 0; last < n; last++) {
        held += amounts[last];
        while (at_ms[last] - at_ms[first] >= 60000)
            held -= amounts[first++];
        most = held > most ? held : most;
    }
    return most;
}

enum { SENT_MAX = 200000 };

/* Random arrivals in bursts and pauses for ten minutes; the caller waits as it is told to. */
static size_t simulate(struct limit *l, struct rng *r, int64_t tokens_max, int64_t *at_ms,
                       double *tokens)
{
    int64_t now = 0, wait = 0;
    size_t n = 0;

    while (now < 600000 && n < SENT_MAX) {
        int64_t t = tokens_max ? (int64_t)rng_below(r, (uint64_t)tokens_max) + 1 : 0;
        while (!limit_take(l, t, now, &wait))
            now += wait;
        at_ms[n] = now;
        tokens[n++] = tokens_max ? (double)t : 1;
        limit_ended(l, &good, now);
        if (rng_below(r, 200 + 2 * (uint64_t)l->config.requests_per_minute) == 0)
            now += (int64_t)rng_below(r, 40000);
        else if (rng_below(r, 20) == 0)
            now += (int64_t)rng_below(r, 50);
    }
    return n;
}

static void no_minute_passes_the_request_rate(void **state)
{
    static const double rates[] = {1, 2, 3, 10, 15, 59, 60, 100, 500, 3000, 12345};
    int64_t *at_ms = mem_new(SENT_MAX * sizeof *at_ms);
    double *amounts = mem_new(SENT_MAX * sizeof *amounts);

    (void)state;
    for (int64_t i = 0; i < (int64_t)COUNT(rates); i++) {
        struct rng r = rng_keyed(1, "rates", &i, 1);
        struct limit l;
        size_t n;
        limit_init(&l, (struct limit_config){.concurrency = 8, .requests_per_minute = rates[i]}, 0);
        n = simulate(&l, &r, 0, at_ms, amounts);
        assert_true(busiest_minute(at_ms, amounts, n) <= rates[i] * 1.1);
        assert_true((double)n >= rates[i] * 3); /* and it is not strangled either */
    }
    free(at_ms);
    free(amounts);
}

static void no_minute_passes_the_token_rate(void **state)
{
    static const double rates[] = {1000, 30000, 1e6};
    int64_t *at_ms = mem_new(SENT_MAX * sizeof *at_ms);
    double *amounts = mem_new(SENT_MAX * sizeof *amounts);

    (void)state;
    for (int64_t i = 0; i < (int64_t)COUNT(rates); i++) {
        struct rng r = rng_keyed(2, "rates", &i, 1);
        struct limit l;
        size_t n;
        limit_init(&l, (struct limit_config){.concurrency = 8, .tokens_per_minute = rates[i]}, 0);
        n = simulate(&l, &r, (int64_t)(rates[i] / 10), at_ms, amounts);
        assert_true(busiest_minute(at_ms, amounts, n) <= rates[i] * 1.1 + 1e-6);
        assert_true(n >= 30);
    }
    free(at_ms);
    free(amounts);
}

static void tokens_are_corrected(void **state)
{
    struct limit_report r = good;
    struct limit l;
    int64_t wait = 0;

    (void)state;
    limit_init(&l, (struct limit_config){.concurrency = 4, .tokens_per_minute = 6000}, -6000);
    assert_true(limit_take(&l, 100, 0, &wait));
    r.guessed_tokens = 100;
    r.real_tokens = 1100; /* 600 were there: 500 of debt, paid at 100 a second */
    limit_ended(&l, &r, 0);
    assert_false(limit_take(&l, 100, 0, &wait));
    assert_int_equal(wait, 6000);
    assert_true(limit_take(&l, 100, 6000, &wait));
    r.real_tokens = 0; /* given back */
    limit_ended(&l, &r, 6000);
    assert_true(limit_take(&l, 100, 6000, &wait));
}

static void large_request_passes_a_full_bucket(void **state)
{
    struct limit l;
    int64_t wait = 0;

    (void)state;
    limit_init(&l, (struct limit_config){.concurrency = 4, .tokens_per_minute = 6000}, -6000);
    assert_true(limit_take(&l, 5000, 0, &wait));
    assert_false(limit_take(&l, 1, 0, &wait));
    assert_int_equal(wait, 44010);
}

static void backoff(void **state)
{
    (void)state;
    assert_int_equal(limit_backoff_ms(1, -1, 0.5), 250);
    assert_int_equal(limit_backoff_ms(2, -1, 0.5), 500);
    assert_int_equal(limit_backoff_ms(8, -1, 0.5), 30000);
    assert_int_equal(limit_backoff_ms(1000000, -1, 0.5), 30000);
    assert_int_equal(limit_backoff_ms(0, -1, 0.5), 250);
    assert_int_equal(limit_backoff_ms(1, -1, 0), 0);
    assert_int_equal(limit_backoff_ms(1, 9000, 0.9), 9000);
    assert_int_equal(limit_backoff_ms(8, 9000, 0.5), 30000);
}

/* Four processes of which three come later, and the first learns of it two seconds after. */
static void no_minute_passes_a_rate_that_is_shared(void **state)
{
    static const struct limit_config whole = {1000, 600, 0};
    struct limit l[4];
    int sent[180] = {0};
    int64_t wait;

    (void)state;
    for (int64_t now = 0; now < 180000; now += 50)
        for (size_t i = 0; i < COUNT(l); i++) {
            if (now == (i ? 500 : 0)) {
                limit_init(&l[i], whole, now);
                limit_share(&l[i], whole, i ? 4 : 1);
            }
            if (i == 0 && now == 2500)
                limit_share(&l[0], whole, 4);
            if (i && now < 500)
                continue;
            while (limit_take(&l[i], 0, now, &wait)) {
                sent[now / 1000]++;
                limit_ended(&l[i], &good, now);
            }
        }
    for (int from = 0; from <= 120; from++) {
        int n = 0;
        for (int s = from; s < from + 60; s++)
            n += sent[s];
        assert_in_range(n, 1, 690);
    }
}

/* Each run begins anew, and asks twenty times for a hundred tokens. */
static void no_minute_passes_a_rate_over_runs(void **state)
{
    static const struct limit_config rates[] = {{8, 300, 0}, {8, 0, 30000}};
    enum { RUNS = 60, ASKED = 20 };
    double amounts[RUNS * ASKED];
    int64_t at_ms[RUNS * ASKED], now, wait;

    (void)state;
    for (size_t k = 0; k < COUNT(rates); k++) {
        struct limit l;
        now = 0;
        for (size_t i = 0; i < RUNS * ASKED; i++) {
            if (i % ASKED == 0)
                limit_init(&l, rates[k], now);
            while (!limit_take(&l, 100, now, &wait))
                now += wait;
            at_ms[i] = now;
            amounts[i] = 1;
            limit_ended(&l, &good, now);
        }
        assert_true(busiest_minute(at_ms, amounts, RUNS * ASKED) <= 300 * 1.1);
    }
}

static void a_window_is_shared(void **state)
{
    static const struct limit_config whole = {8, 0, 0};
    struct limit l;

    (void)state;
    limit_init(&l, whole, 0);
    limit_narrow(&l, 2);
    assert_int_equal(take_all(&l, 0), 2);
    end_all(&l, &good, 1);
    limit_narrow(&l, 0); /* the others have it */
    assert_int_equal(take_all(&l, 2), 0);
    limit_narrow(&l, 100); /* never more than we want */
    for (int64_t now = 3; now < 8; now++) {
        assert_in_range(take_all(&l, now), 1, 8);
        end_all(&l, &good, now);
    }
    assert_int_equal(take_all(&l, 8), 8);
    limit_narrow(&l, 0); /* what is in flight is answered, and nothing follows, good or bad */
    end_all(&l, &good, 9);
    assert_int_equal(take_all(&l, 9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_at_half),
        cmocka_unit_test(doubles_per_round_trip),
        cmocka_unit_test(halves_once_per_round_trip),
        cmocka_unit_test(never_below_one),
        cmocka_unit_test(neutral_changes_nothing),
        cmocka_unit_test(server_closes),
        cmocka_unit_test(longer_close_wins),
        cmocka_unit_test(no_minute_passes_the_request_rate),
        cmocka_unit_test(no_minute_passes_the_token_rate),
        cmocka_unit_test(tokens_are_corrected),
        cmocka_unit_test(large_request_passes_a_full_bucket),
        cmocka_unit_test(no_minute_passes_a_rate_that_is_shared),
        cmocka_unit_test(no_minute_passes_a_rate_over_runs),
        cmocka_unit_test(a_window_is_shared),
        cmocka_unit_test(backoff),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
