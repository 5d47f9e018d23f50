/* limit.h - how fast one endpoint may be asked: an adaptive window and two token buckets.
 *
 * Pure arithmetic on the time that the caller passes in, so that tests need no clock. The
 * window starts at half of its maximum, doubles per round trip until the first sign of overload,
 * is halved by a 429 or an overload (once per round trip, not once per reply), and then
 * grows by one per window of good replies. A Retry-After closes the endpoint until then. The
 * buckets hold a tenth of a minute's worth: no minute sees more than 110 % of the rate. Nothing but
 * a first request is saved up in the beginning: another run may have used it up a moment ago. */
#ifndef NET_LIMIT_H
#define NET_LIMIT_H

#include "base/base.h"

struct limit_config {
    int concurrency;                               /* most requests in flight; > 0 */
    double requests_per_minute, tokens_per_minute; /* 0: no limit */
};

struct limit {
    struct limit_config config;
    int most; /* the window that we want */
    double window;
    bool slow_start;
    int in_flight;
    int64_t closed_until_ms, halved_at_ms;
    double request_tokens, text_tokens; /* in the buckets */
    int64_t filled_at_ms;
    int64_t throttled; /* 429s and overloads seen */
    double latency_ms; /* smoothed */
    int64_t sharers;   /* when we last looked; 0: we have not */
};

void limit_init(struct limit *l, struct limit_config config, int64_t now_ms);

/* This many processes ask the endpoint: our part of what it may be asked a minute. Whoever joins
 * others waits for the first request, too. */
void limit_share(struct limit *l, struct limit_config whole, int64_t sharers);
/* So many requests may be in flight, if we want as many; 0: none, until we are told again. */
void limit_narrow(struct limit *l, int64_t slots);

/* May a request of about `tokens` be sent now? If so it is taken into account; if not, *wait_ms
 * says when to ask again (INT64_MAX: when something in flight ends). */
bool limit_take(struct limit *l, int64_t tokens, int64_t now_ms, int64_t *wait_ms);

enum limit_sign { LIMIT_GOOD, LIMIT_OVERLOAD, LIMIT_NEUTRAL };
struct limit_report {
    enum limit_sign sign;
    int64_t elapsed_ms;
    int64_t guessed_tokens, real_tokens;                                    /* real -1: unknown */
    int64_t retry_after_ms;                                                 /* -1: none */
    int64_t requests_left, requests_reset_ms, tokens_left, tokens_reset_ms; /* -1: not said */
};
/* A request that limit_take() let through has ended. */
void limit_ended(struct limit *l, const struct limit_report *r, int64_t now_ms);

/* Wait before try number `attempt` (1 = the first retry): full jitter, doubling from 500 ms to
 * 60 s, never less than the server asked for. unit is a random number in [0, 1). */
int64_t limit_backoff_ms(int attempt, int64_t retry_after_ms, double unit);

#endif
