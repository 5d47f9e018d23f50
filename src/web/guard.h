/* guard.h - who is connected, and may be; cuts off clients that take too long.
 *
 * Once a second a thread looks at all of them, and shuts the sockets of the slow. Shuts, not
 * closes: closing is left to whoever opened it, after guard_remove(). */
#ifndef WEB_GUARD_H
#define WEB_GUARD_H

#include "base/err.h"
#include "web/address.h"

struct guard;
struct peer; /* a connection */

/* A client's head, its body, our answer being made, being taken, what it still sends afterwards. */
enum phase { PHASE_HEAD, PHASE_BODY, PHASE_ANSWER, PHASE_TAKE, PHASE_LEAVE };

struct guard_limits {
    unsigned all;     /* connections */
    unsigned crowded; /* from so many on, those that are silent make room for new ones */
    unsigned network; /* of one address, or IPv6 network; 0: no limit */
};

CHECKED enum status guard_new(struct guard **out, struct guard_limits limits, struct err *e);
void guard_free(struct guard *g); /* NULL is fine; all peers have been removed */

/* NULL: there are too many. */
struct peer *guard_add(struct guard *g, int fd, struct address from);
void guard_remove(struct guard *g, struct peer *p);
/* What it is doing from now on. A body counts as a new request. */
void guard_phase(struct peer *p, enum phase phase);
/* It took something of its answer. */
void guard_progress(struct peer *p);
/* Bytes of a body came. */
void guard_received(struct peer *p, size_t n);
int guard_requests(struct peer *p);
/* Have whoever has been silent for longest go: the system has no room for more. */
void guard_make_room(struct guard *g);

#endif
