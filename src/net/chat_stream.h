/* chat_stream.h - assembles a completion that is streamed (server-sent events).
 *
 * Takes the bytes as they arrive, split anywhere; the answer so far can be read at any time. In the
 * end the pieces are joined into a completion in the form of one that was not streamed, so that it
 * is read and stored in the same way. Pure: no sockets, no clock. */
#ifndef NET_CHAT_STREAM_H
#define NET_CHAT_STREAM_H

#include "net/chat.h"

struct chat_stream; /* opaque */

/* max: bytes of the whole reply. */
struct chat_stream *chat_stream_new(size_t max);
void chat_stream_free(struct chat_stream *s); /* NULL is fine */
void chat_stream_freep(struct chat_stream **s);

void chat_stream_feed(struct chat_stream *s, struct str bytes);
/* The answer so far, without reasoning; valid until the next piece. */
struct str chat_stream_said(const struct chat_stream *s);

/* Call it when the transfer has ended. *body is what to store: the assembled completion, including
 * the time of the first piece, or the reply itself if the server did not stream. Both live in arena
 * a. */
void chat_stream_read(struct arena *a, struct chat_stream *s, const struct http_reply *raw,
                      struct chat_reply *out, struct str *body);

#endif
