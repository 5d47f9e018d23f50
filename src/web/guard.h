/* guard.h - limits connections, and cuts off clients that take too long.
 *
 * Once a second a thread checks all connections and shuts the sockets of slow clients down. Closing
 * them is left to their owner, after guard_remove(). Safe from any thread. */
#ifndef WEB_GUARD_H
#define WEB_GUARD_H

#include "base/err.h"
#include "web/address.h"

struct guard;
struct peer; /* a connection */

/* The client sends a head, then a body; the answer is made, then sent; what the client still sends
 * is read before closing. */
enum phase { PHASE_HEAD, PHASE_BODY, PHASE_ANSWER, PHASE_TAKE, PHASE_LEAVE };

struct guard_limits {
    unsigned all;     /* connections */
    unsigned crowded; /* from this number on, a new connection replaces a silent one */
    unsigned network; /* connections of one IPv4 address or IPv6 network; 0: no limit */
};

CHECKED enum status guard_new(struct guard **out, struct guard_limits limits, struct err *e);
void guard_free(struct guard *g); /* NULL is fine; all peers have been removed */

/* NULL: there are too many connections, of all or of this network. */
struct peer *guard_add(struct guard *g, int fd, struct address from);
void guard_remove(struct guard *g, struct peer *p);
/* Enter a phase. PHASE_BODY counts a new request. */
void guard_phase(struct peer *p, enum phase phase);
/* The client took a part of its answer. */
void guard_progress(struct peer *p);
/* Bytes of a request body arrived. */
void guard_received(struct peer *p, size_t n);
int guard_requests(struct peer *p);
/* Cut off the client that has been silent for longest: the system is out of descriptors. */
void guard_make_room(struct guard *g);
/* All places are taken, but some by connections that were shut and will soon be closed. */
bool guard_is_clearing(struct guard *g);

#endif
