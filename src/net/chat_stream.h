/* chat_stream.h - a completion that comes in pieces (server-sent events), put together again.
 *
 * Fed with the bytes as they come, cut anywhere; what was said so far can be looked at at any time.
 * In the end the pieces are one completion in the form of those that come whole, so that the same
 * reader reads it and the same trace keeps it. Pure: no sockets, no clock. */
#ifndef NET_CHAT_STREAM_H
#define NET_CHAT_STREAM_H

#include "net/chat.h"

struct chat_stream; /* opaque */

/* max: bytes of the whole reply. */
struct chat_stream *chat_stream_new(size_t max);
void chat_stream_free(struct chat_stream *s); /* NULL is fine */
void chat_stream_freep(struct chat_stream **s);

void chat_stream_feed(struct chat_stream *s, struct str bytes);
/* The answer so far, without reasoning; lent until the next piece. */
struct str chat_stream_said(const struct chat_stream *s);

/* The transfer is over. *body is what is worth keeping: the completion put together, or, of a
 * server that does not stream, its reply as it is. Both live in arena a. When the first piece came
 * is kept in it. */
void chat_stream_read(struct arena *a, struct chat_stream *s, const struct http_reply *raw,
                      struct chat_reply *out, struct str *body);

#endif
