/* throttle.h - how often somebody may try something.
 *
 * A bucket for each (what, who): as many tries as it holds, filled evenly over its period. Who goes
 * on while refused waits twice as long each time. Kept in memory, in a table of fixed size: when it
 * is crowded the fullest bucket is forgotten, but never one that still refuses; where all do,
 * whoever is new is refused too. Who is signed in has a table of their own, which strangers cannot
 * crowd. Nobody can choose names that meet in a table: its hash has a key. Time never goes back
 * (clock_mono_ms()). Safe from any thread: one lock, held for a few instructions. */
#ifndef WEB_THROTTLE_H
#define WEB_THROTTLE_H

#include "base/str.h"

enum throttle_what {
    THROTTLE_LOGIN_ACCOUNT, /* by account and network, or known device */
    THROTTLE_LOGIN_NETWORK,
    THROTTLE_LOGIN_ALL, /* by account, from anywhere: many networks guess at one password */
    THROTTLE_SECOND,    /* codes after the right password, by account or known device */
    THROTTLE_TOKEN,     /* invites and codes to come back with, by network */
    THROTTLE_JOIN,      /* by network */
    THROTTLE_CODE,      /* codes of open registration, by campaign and network */
    THROTTLE_CODE_ALL,  /* ... by campaign, from anywhere */
    THROTTLE_WRITE,     /* by person */
    THROTTLE_AUDIT,     /* lines about refusals, by network */
    THROTTLE_EXPORT,
    THROTTLES,
};

struct throttle;

struct throttle *throttle_new(void);
void throttle_free(struct throttle *t); /* NULL is fine */
/* One try: 0 when it is allowed, else for how many milliseconds it is not. */
int64_t throttle_take(struct throttle *t, enum throttle_what what, struct str who, int64_t now_ms);
/* This try was right and does not count; what came before it does. */
void throttle_give_back(struct throttle *t, enum throttle_what what, struct str who);

#endif
