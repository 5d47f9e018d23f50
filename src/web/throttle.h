/* throttle.h - how often somebody may try something.
 *
 * A bucket for each (what, who): as many tries as it holds, filled evenly over its period. Who goes
 * on while refused waits twice as long each time. Kept in memory, in a table of fixed size: when it
 * is crowded the bucket that was idle longest is forgotten. Safe from any thread: one lock, held
 * for a few instructions. */
#ifndef WEB_THROTTLE_H
#define WEB_THROTTLE_H

#include "base/str.h"

enum throttle_what {
    THROTTLE_LOGIN_ACCOUNT,
    THROTTLE_LOGIN_NETWORK,
    THROTTLE_TOKEN, /* invites and codes, by network */
    THROTTLE_WRITE, /* by session */
    THROTTLE_EXPORT,
    THROTTLES,
};

struct throttle;

struct throttle *throttle_new(void);
void throttle_free(struct throttle *t); /* NULL is fine */
/* One try: 0 when it is allowed, else for how many milliseconds it is not. */
int64_t throttle_take(struct throttle *t, enum throttle_what what, struct str who, int64_t now_ms);
/* It was right: forget the tries. */
void throttle_forgive(struct throttle *t, enum throttle_what what, struct str who);

#endif
