/* fate.h - what becomes of each attempt: drawn from the seed, the body and how often that body
 * has been asked, so that a run can be repeated and a retry soon succeeds. */
#ifndef MOCK_FATE_H
#define MOCK_FATE_H

#include "base/err.h"
#include "base/map.h"

enum outcome {
    OUTCOME_NONE, /* not a chat completion: neither counted nor logged */
    OUTCOME_GOOD,
    /* faults, which are drawn */
    OUTCOME_429,
    OUTCOME_429_AFTER,
    OUTCOME_429_MS,
    OUTCOME_500,
    OUTCOME_503,
    OUTCOME_HTML,
    OUTCOME_RESET,
    OUTCOME_CUT,
    OUTCOME_TRUNCATED,
    OUTCOME_UTF8,
    OUTCOME_SURROGATE,
    OUTCOME_EMPTY,
    OUTCOME_DRIP,
    OUTCOME_SILENCE,
    /* refusals, which the client has earned, and clients that did not wait */
    OUTCOME_LIMITED,
    OUTCOME_UNAUTHORIZED,
    OUTCOME_BAD_REQUEST,
    OUTCOME_GONE,
    OUTCOME_COUNT
};

const char *fate_name(enum outcome o);
bool fate_is_fault(enum outcome o);
/* The reply holds a whole answer, perhaps after mending: it would be paid for. */
bool fate_is_usable(enum outcome o);

struct fate_options {
    uint64_t seed;
    double rate; /* share of attempts that meet a fault */
    enum outcome kinds[OUTCOME_COUNT];
    size_t nkinds;
    int64_t latency_ms, jitter_ms;
};

/* "429-ms,500,html" into o->kinds. */
CHECKED enum status fate_kinds(struct fate_options *o, struct str text, struct err *e);

/* The faults that asking again gets past, quickly. */
extern const char fate_kinds_default[];

/* How often each body has been asked. Embedded; holds at most a few million bodies, then
 * begins afresh. */
struct fate_attempts {
    struct arena *arena;
    struct map counts;
};

void fate_attempts_init(struct fate_attempts *a);
void fate_attempts_done(struct fate_attempts *a);
uint32_t fate_attempt(struct fate_attempts *a, struct str digest); /* 1 for the first */

struct fate {
    enum outcome outcome; /* good or a fault */
    int64_t delay_ms;
};

struct fate fate_draw(const struct fate_options *o, struct str digest, uint32_t attempt);

#endif
