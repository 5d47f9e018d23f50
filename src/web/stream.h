/* stream.h - a response body that is produced while it is sent: exports, live conversations.
 *
 * The producer has a thread and a database handle of its own. A write blocks while the client lags
 * behind, and fails with E_STOP once the client has gone or the server stops. So exports need
 * constant memory, and Server-Sent Events are lines that are written when something happens. A
 * producer with nothing to say must write something every 15 seconds (": \n\n" for events): that is
 * how it learns that the client has gone. */
#ifndef WEB_STREAM_H
#define WEB_STREAM_H

#include <pthread.h>

#include "base/err.h"
#include "base/str.h"

struct store;
struct stream;

typedef enum status stream_fn(struct stream *out, struct store *store, void *user, struct err *e);

CHECKED enum status stream_write(struct stream *s, struct str bytes, struct err *e);
/* The server is stopping: a producer that goes on without a client must end, too. */
bool stream_stopped(struct stream *s);

/* ---- for the server ---- */

enum { STREAM_AHEAD = 64 << 10 }; /* bytes that the producer may be ahead of the client */

/* Called, with the lock held, when a reader that got STREAM_WAIT should try again. */
typedef void stream_wake(void *user);

struct stream {
    pthread_mutex_t lock;
    pthread_cond_t room;
    struct buf ahead;
    size_t taken; /* bytes of `ahead` that the reader has taken */
    bool waiting; /* the reader got STREAM_WAIT and must be woken */
    bool gone;    /* there is no reader any more */
    bool stopped; /* ... because the server is stopping */
    bool ended, failed;
    stream_wake *wake;
    void *user;
};

enum stream_state { STREAM_MORE, STREAM_WAIT, STREAM_END, STREAM_FAILED };

void stream_init(struct stream *s, stream_wake *wake, void *user);
void stream_done(struct stream *s);
/* Take up to max bytes. STREAM_WAIT: there are none yet, and wake() will be called. */
enum stream_state stream_take(struct stream *s, char *to, size_t max, size_t *n);
void stream_end(struct stream *s, bool failed); /* by the producer */
void stream_abandon(struct stream *s);          /* by the reader */
void stream_stop(struct stream *s);             /* because the server stops */

#endif
