#include "web/stream.h"

void stream_init(struct stream *s, stream_wake *wake, void *user)
{
    *s = (struct stream){.ahead = BUF_MAX(STREAM_AHEAD), .wake = wake, .user = user};
    (void)pthread_mutex_init(&s->lock, NULL);
    (void)pthread_cond_init(&s->room, NULL);
}

void stream_done(struct stream *s)
{
    buf_done(&s->ahead);
    (void)pthread_cond_destroy(&s->room);
    (void)pthread_mutex_destroy(&s->lock);
}

static void wake_reader(struct stream *s)
{
    if (!s->waiting)
        return;
    s->waiting = false;
    s->wake(s->user);
}

/* Add as many bytes as there is room for; returns how many. */
static size_t put_some(struct stream *s, struct str bytes)
{
    size_t room = STREAM_AHEAD - s->ahead.n;
    size_t n = bytes.n < room ? bytes.n : room;

    buf_add(&s->ahead, (struct str){bytes.p, n});
    wake_reader(s);
    return n;
}

enum status stream_write(struct stream *s, struct str bytes, struct err *e)
{
    bool gone;

    (void)pthread_mutex_lock(&s->lock);
    while (bytes.n && !s->gone) {
        if (s->ahead.n == STREAM_AHEAD)
            (void)pthread_cond_wait(&s->room, &s->lock);
        else
            bytes = str_from(bytes, put_some(s, bytes));
    }
    gone = s->gone;
    (void)pthread_mutex_unlock(&s->lock);
    return gone ? err_set(e, E_STOP, "the reader has gone") : OK;
}

enum stream_state stream_take(struct stream *s, char *to, size_t max, size_t *n)
{
    enum stream_state state = STREAM_MORE;
    size_t left;

    (void)pthread_mutex_lock(&s->lock);
    left = s->ahead.n - s->taken;
    if (left) {
        *n = left < max ? left : max;
        memcpy(to, s->ahead.p + s->taken, *n);
        s->taken += *n;
        if (s->taken == s->ahead.n) {
            buf_clear(&s->ahead);
            s->taken = 0;
            (void)pthread_cond_signal(&s->room);
        }
    } else if (s->ended || s->gone) {
        state = s->failed || s->gone ? STREAM_FAILED : STREAM_END;
    } else {
        state = STREAM_WAIT;
        s->waiting = true;
    }
    (void)pthread_mutex_unlock(&s->lock);
    return state;
}

void stream_end(struct stream *s, bool failed)
{
    (void)pthread_mutex_lock(&s->lock);
    s->ended = true;
    s->failed = failed;
    wake_reader(s);
    (void)pthread_mutex_unlock(&s->lock);
}

static void leave(struct stream *s, bool stopped)
{
    (void)pthread_mutex_lock(&s->lock);
    s->gone = true;
    s->stopped |= stopped;
    wake_reader(s);
    (void)pthread_cond_signal(&s->room);
    (void)pthread_mutex_unlock(&s->lock);
}

void stream_abandon(struct stream *s)
{
    leave(s, false);
}

void stream_stop(struct stream *s)
{
    leave(s, true);
}

bool stream_stopped(struct stream *s)
{
    bool stopped;

    (void)pthread_mutex_lock(&s->lock);
    stopped = s->stopped;
    (void)pthread_mutex_unlock(&s->lock);
    return stopped;
}
