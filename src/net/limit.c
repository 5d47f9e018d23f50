#include "net/limit.h"

#include <math.h>

enum { MINUTE_MS = 60000, LEAST_START = 4, BACKOFF_FIRST_MS = 500, BACKOFF_MOST_MS = 60000 };

/* A bucket holds a tenth of a minute's rate, so no minute sees more than 110 % of it (the saved
 * part plus the inflow), and at least the one request that is to be sent. A single request with
 * more tokens may still exceed the limit. */
static double capacity_of(double per_minute)
{
    return fmax(1, per_minute / 10);
}

void limit_init(struct limit *l, struct limit_config config, int64_t now_ms)
{
    double start = fmax(LEAST_START, ceil(config.concurrency / 2.0));

    *l = (struct limit){
        .config = config,
        .most = config.concurrency,
        .window = fmax(1, fmin(start, config.concurrency)),
        .slow_start = true,
        .closed_until_ms = now_ms,
        .halved_at_ms = INT64_MIN,
        .request_tokens = 1, /* and no text tokens; waiting for those takes at most six seconds */
        .filled_at_ms = now_ms,
    };
}

static double bucket_filled(double held, double per_minute, double elapsed_ms)
{
    return fmin(capacity_of(per_minute), held + per_minute * elapsed_ms / MINUTE_MS);
}

static void buckets_fill(struct limit *l, int64_t now_ms)
{
    double elapsed_ms = (double)(now_ms - l->filled_at_ms);

    if (elapsed_ms <= 0)
        return;
    l->request_tokens = bucket_filled(l->request_tokens, l->config.requests_per_minute, elapsed_ms);
    l->text_tokens = bucket_filled(l->text_tokens, l->config.tokens_per_minute, elapsed_ms);
    l->filled_at_ms = now_ms;
}

void limit_share(struct limit *l, struct limit_config whole, int64_t sharers)
{
    double part = 1.0 / (double)(sharers > 0 ? sharers : 1);
    double held = l->sharers == 0 && sharers > 1 ? 0 : 1;

    l->config.requests_per_minute = whole.requests_per_minute * part;
    l->config.tokens_per_minute = whole.tokens_per_minute * part;
    l->request_tokens = held * fmin(l->request_tokens, capacity_of(l->config.requests_per_minute));
    l->text_tokens = held * fmin(l->text_tokens, capacity_of(l->config.tokens_per_minute));
    l->sharers = sharers;
}

void limit_narrow(struct limit *l, int64_t slots)
{
    l->config.concurrency = slots < l->most ? (int)slots : l->most;
    l->window = fmin(fmax(1, l->window), l->config.concurrency);
}

/* Milliseconds until the bucket can give `want`. If that is above its capacity, a full bucket gives
 * it and pays it off later. */
static int64_t bucket_wait_ms(double held, double per_minute, double want)
{
    double need = fmin(want, capacity_of(per_minute)) - held, wait;

    if (per_minute <= 0 || need <= 1e-9) /* rounding must not cause a wait */
        return 0;
    wait = ceil(need * MINUTE_MS / per_minute);
    return wait < 1e15 ? (int64_t)wait : (int64_t)1e15;
}

bool limit_take(struct limit *l, int64_t tokens, int64_t now_ms, int64_t *wait_ms)
{
    double text = (double)tokens;
    int64_t for_request, for_text;

    if (now_ms < l->closed_until_ms) {
        *wait_ms = l->closed_until_ms - now_ms;
        return false;
    }
    if (l->in_flight >= (int)l->window) {
        *wait_ms = INT64_MAX;
        return false;
    }
    buckets_fill(l, now_ms);
    for_request = bucket_wait_ms(l->request_tokens, l->config.requests_per_minute, 1);
    for_text = bucket_wait_ms(l->text_tokens, l->config.tokens_per_minute, text);
    if (for_request > 0 || for_text > 0) {
        *wait_ms = for_request > for_text ? for_request : for_text;
        return false;
    }
    if (l->config.requests_per_minute > 0)
        l->request_tokens -= 1;
    if (l->config.tokens_per_minute > 0)
        l->text_tokens -= text;
    l->in_flight++;
    return true;
}

static void window_grow(struct limit *l)
{
    l->window += l->slow_start ? 1 : 1 / l->window;
    if (l->window >= l->config.concurrency)
        l->window = l->config.concurrency;
}

/* Replies to requests sent before the last halving tell nothing new. */
static void window_halve(struct limit *l, int64_t sent_ms, int64_t now_ms)
{
    l->throttled++;
    l->slow_start = false;
    if (sent_ms <= l->halved_at_ms)
        return;
    l->window = fmin(fmax(1, l->window / 2), l->config.concurrency);
    l->halved_at_ms = now_ms;
}

static void close_for(struct limit *l, int64_t ms, int64_t now_ms)
{
    if (ms > 0 && ms < INT64_MAX - now_ms && now_ms + ms > l->closed_until_ms)
        l->closed_until_ms = now_ms + ms;
}

static void latency_note(struct limit *l, int64_t elapsed_ms)
{
    double ms = (double)elapsed_ms;

    l->latency_ms += l->latency_ms > 0 ? (ms - l->latency_ms) / 8 : ms;
}

void limit_ended(struct limit *l, const struct limit_report *r, int64_t now_ms)
{
    if (l->in_flight > 0)
        l->in_flight--;
    buckets_fill(l, now_ms);
    if (r->real_tokens >= 0 && l->config.tokens_per_minute > 0)
        l->text_tokens = fmin(capacity_of(l->config.tokens_per_minute),
                              l->text_tokens + (double)(r->guessed_tokens - r->real_tokens));
    if (r->sign == LIMIT_GOOD) {
        latency_note(l, r->elapsed_ms);
        window_grow(l);
    } else if (r->sign == LIMIT_OVERLOAD) {
        window_halve(l, now_ms - r->elapsed_ms, now_ms);
    }
    close_for(l, r->retry_after_ms, now_ms);
    if (r->requests_left == 0)
        close_for(l, r->requests_reset_ms, now_ms);
    if (r->tokens_left == 0)
        close_for(l, r->tokens_reset_ms, now_ms);
}

int64_t limit_backoff_ms(int attempt, int64_t retry_after_ms, double unit)
{
    double most = BACKOFF_FIRST_MS * exp2(fmax(0, attempt - 1));
    int64_t wait = (int64_t)(unit * fmin(most, BACKOFF_MOST_MS));

    return wait > retry_after_ms ? wait : retry_after_ms;
}
