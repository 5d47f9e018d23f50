/* limit.h - how fast an endpoint may be asked: an adaptive window and two token buckets.
 *
 * Pure arithmetic on the time that the caller passes, so tests need no clock. The window starts at
 * half of its maximum and grows by one per good reply until the first sign of overload. A 429 or an
 * overload halves it, once per round trip and not once per reply; then it grows by one per window
 * of good replies. A Retry-After closes the endpoint for that time. The buckets hold a tenth of a
 * minute's rate, so no minute sees more than 110 % of it. In the beginning they hold only a first
 * request, because another run may have used the rate a moment ago. */
#ifndef NET_LIMIT_H
#define NET_LIMIT_H

#include "base/base.h"

struct limit_config {
    int concurrency;                               /* most requests in flight; > 0 */
    double requests_per_minute, tokens_per_minute; /* 0: no limit */
};

struct limit {
    struct limit_config config;
    int most; /* our maximum for the window */
    double window;
    bool slow_start;
    int in_flight;
    int64_t closed_until_ms, halved_at_ms;
    double request_tokens, text_tokens; /* in the buckets */
    int64_t filled_at_ms;
    int64_t throttled; /* 429s and overloads seen */
    double latency_ms; /* smoothed */
    int64_t sharers;   /* at the last look; 0: none yet */
};

void limit_init(struct limit *l, struct limit_config config, int64_t now_ms);

/* This many processes use the endpoint: sets our share of its rates. Those who join others wait for
 * their first request, too. */
void limit_share(struct limit *l, struct limit_config whole, int64_t sharers);
/* Limits the requests in flight; 0: none, until this is called again. */
void limit_narrow(struct limit *l, int64_t slots);

/* Whether a request of about `tokens` may be sent now. If so, it is counted; if not, *wait_ms says
 * when to ask again (INT64_MAX: when a request ends). */
bool limit_take(struct limit *l, int64_t tokens, int64_t now_ms, int64_t *wait_ms);

enum limit_sign { LIMIT_GOOD, LIMIT_OVERLOAD, LIMIT_NEUTRAL };
struct limit_report {
    enum limit_sign sign;
    int64_t elapsed_ms;
    int64_t guessed_tokens, real_tokens;                                    /* real -1: unknown */
    int64_t retry_after_ms;                                                 /* -1: none */
    int64_t requests_left, requests_reset_ms, tokens_left, tokens_reset_ms; /* -1: not said */
};
/* A request that limit_take() allowed has ended. */
void limit_ended(struct limit *l, const struct limit_report *r, int64_t now_ms);

/* How long to wait before retry number `attempt` (from 1): full jitter, doubling from 500 ms to 60
 * s, and at least as long as the server asked for. unit is a random number in [0, 1). */
int64_t limit_backoff_ms(int attempt, int64_t retry_after_ms, double unit);

#endif
