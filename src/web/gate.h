/* gate.h - the listening socket, and a few threads that serve the clients.
 *
 * Each thread has an event loop (net/loop.h) and keeps the clients that it accepted until they have
 * gone. The threads share the guard and the client_calls. */
#ifndef WEB_GATE_H
#define WEB_GATE_H

#include "web/client.h"

struct gate_config {
    const char *bind; /* an address */
    int port;         /* 0: a free one */
    unsigned threads;
    struct client_config clients; /* what it points to must outlive the gate */
};

struct gate;

/* E_USAGE: the port is in use, or `bind` is no address. */
CHECKED enum status gate_open(struct gate **out, const struct gate_config *config, struct err *e);
int gate_port(const struct gate *g);
/* Stop accepting. NULL is fine. */
void gate_shut(struct gate *g);
/* End the threads and all connections. No call of gate_wake() may follow. NULL is fine. */
void gate_free(struct gate *g);

/* Make a client that waits for its answer go on. Once per wait, from any thread. */
void gate_wake(struct client *c);

#endif
