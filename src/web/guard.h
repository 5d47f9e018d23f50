/* guard.h - who is connected; cuts off clients that take too long.
 *
 * The library sees to clients that send nothing at all; one that sends a byte now and then is seen
 * to here, once a second, by a thread that shuts its socket. Shuts, not closes: closing is left to
 * whoever opened it, after guard_remove(). */
#ifndef WEB_GUARD_H
#define WEB_GUARD_H

#include "base/err.h"
#include "web/address.h"

struct guard;
struct peer; /* a connection */

enum phase { PHASE_HEAD, PHASE_BODY, PHASE_ANSWER };

/* From `crowded` connections on, those that are silent make room for new ones. */
CHECKED enum status guard_new(struct guard **out, unsigned crowded, struct err *e);
void guard_free(struct guard *g); /* NULL is fine; all peers have been removed */

struct peer *guard_add(struct guard *g, int fd, struct address from);
/* How many there are of this address's network. */
unsigned guard_count(struct guard *g, const struct address *from);
void guard_remove(struct guard *g, struct peer *p);
/* What it is doing from now on. A body counts as a new request. */
void guard_phase(struct peer *p, enum phase phase);
/* Bytes of a body came. */
void guard_received(struct peer *p, size_t n);
int guard_requests(struct peer *p);

#endif
