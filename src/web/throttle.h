/* throttle.h - limits how often somebody may try something.
 *
 * Each (what, who) has a token bucket that refills evenly over its period. Trying on while refused
 * doubles the wait each time. The buckets are in memory, in hash tables of fixed size. Where a
 * table is crowded, the fullest bucket is dropped, but never one that still refuses; if all do,
 * newcomers are refused too. People who are signed in have a table of their own, which strangers
 * cannot crowd, and the hash is keyed, so that nobody can choose names that collide. Times must not
 * go back: use clock_mono_ms(). Safe from any thread: one lock, held for a few instructions. */
#ifndef WEB_THROTTLE_H
#define WEB_THROTTLE_H

#include "base/str.h"

enum throttle_what {
    THROTTLE_LOGIN_ACCOUNT, /* by account and network, or known device */
    THROTTLE_LOGIN_NETWORK,
    THROTTLE_LOGIN_ALL, /* by account, from anywhere: against guesses from many networks */
    THROTTLE_SECOND,    /* codes after the right password, by account or known device */
    THROTTLE_TOKEN,     /* invitations, and words to return with, by network */
    THROTTLE_JOIN,      /* by network */
    THROTTLE_CODE,      /* codes of open registration, by campaign and network */
    THROTTLE_CODE_ALL,  /* ... by campaign, from anywhere */
    THROTTLE_WRITE,     /* by person */
    THROTTLE_AUDIT,     /* log lines about refusals, by network */
    THROTTLE_EXPORT,
    THROTTLES,
};

struct throttle;

struct throttle *throttle_new(void);
void throttle_free(struct throttle *t); /* NULL is fine */
/* Count one try. 0: it is allowed; else the milliseconds to wait. */
int64_t throttle_take(struct throttle *t, enum throttle_what what, struct str who, int64_t now_ms);
/* Take back one try, which was right; earlier ones still count. */
void throttle_give_back(struct throttle *t, enum throttle_what what, struct str who);

#endif
