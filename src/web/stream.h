/* stream.h - a body that is produced while it is sent: exports, live conversations.
 *
 * The producer runs on a thread of its own, with a store of its own, and writes; a write waits
 * while the client is behind, and fails with E_STOP when the client has gone or the server stops.
 * So an export is a cursor whose rows are written as lines, in constant memory, and events
 * (Server-Sent Events) are lines written when something happens. A producer that has nothing to
 * say for long must write something every 15 seconds (": \n\n" for events), or it does not learn
 * that nobody listens. */
#ifndef WEB_STREAM_H
#define WEB_STREAM_H

#include <pthread.h>

#include "base/err.h"
#include "base/str.h"

struct store;
struct stream;

typedef enum status stream_fn(struct stream *out, struct store *store, void *user, struct err *e);

CHECKED enum status stream_write(struct stream *s, struct str bytes, struct err *e);
/* The server stops: whoever works on although nobody listens should end, too. */
bool stream_stopped(struct stream *s);

/* ---- for the server ---- */

enum { STREAM_AHEAD = 64 << 10 }; /* bytes that the producer may be ahead of the client */

/* `wake` is called, with the lock held, when a reader that found nothing should look again. */
typedef void stream_wake(void *user);

struct stream {
    pthread_mutex_t lock;
    pthread_cond_t room;
    struct buf ahead;
    size_t taken; /* bytes of `ahead` that were handed out */
    bool waiting; /* the reader found nothing */
    bool gone;    /* nobody reads any more */
    bool stopped; /* ... because the server stops */
    bool ended, failed;
    stream_wake *wake;
    void *user;
};

enum stream_state { STREAM_MORE, STREAM_WAIT, STREAM_END, STREAM_FAILED };

void stream_init(struct stream *s, stream_wake *wake, void *user);
void stream_done(struct stream *s);
/* Take up to max bytes. STREAM_WAIT: there are none now, and wake() will be called. */
enum stream_state stream_take(struct stream *s, char *to, size_t max, size_t *n);
void stream_end(struct stream *s, bool failed); /* by the producer */
void stream_abandon(struct stream *s);          /* by the reader */
void stream_stop(struct stream *s);             /* because the server stops */

#endif
