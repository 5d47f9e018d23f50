/* gate.h - where clients come in: a listening socket, and a few threads that serve them.
 *
 * Each thread has an event loop (net/loop.h) and the clients that it accepted, which are its own
 * until they have gone; they share the guard and whoever answers. */
#ifndef WEB_GATE_H
#define WEB_GATE_H

#include "web/client.h"

struct gate_config {
    const char *bind; /* an address */
    int port;         /* 0: a free one */
    unsigned threads;
    struct client_config clients; /* what it points to outlives the gate */
};

struct gate;

/* E_USAGE: the port is taken, the address is none. */
CHECKED enum status gate_open(struct gate **out, const struct gate_config *config, struct err *e);
int gate_port(const struct gate *g);
/* Let nobody in any more. NULL is fine. */
void gate_shut(struct gate *g);
/* End the threads and all connections; nobody calls gate_wake() any more. NULL is fine. */
void gate_free(struct gate *g);

/* A client that waits for its answer should go on. From any thread, once each time. */
void gate_wake(struct client *c);

#endif
