/* head.h - heads: of a request, from bytes; of an answer, to bytes. Pure, and safe on any bytes.
 *
 * One strict reading: lines end in CR LF and hold neither of the two nor NUL otherwise, none is
 * folded, a name is a token and its colon follows at once. Two readings of one head are what
 * request smuggling is made of. What the lines mean is looked at by request.h. */
#ifndef WEB_HEAD_H
#define WEB_HEAD_H

#include "web/response.h"

enum { HEAD_MAX = REQUEST_TARGET_MAX + REQUEST_HEADERS_MAX + (2 << 10) };

struct head {
    struct str method, target;
    struct pairs headers; /* at most one more than REQUEST_HEADERS */
    int minor;            /* of HTTP/1.x */
    int fault;            /* 0, or the status to refuse it with */
};

/* Bytes of the head at the beginning of `bytes`, with its empty line; 0: it does not end there.
 * *seen of them need no second look. A byte that no head may hold ends it, as does HEAD_MAX. */
size_t head_size(struct str bytes, size_t *seen);
/* Everything in it is copied into the arena. */
struct head head_read(struct arena *a, struct str bytes);
/* May the connection go on after this request, as far as the client is concerned? */
bool head_keeps(const struct head *h);
/* Does the client wait for a word before it sends the body? */
bool head_expects(const struct head *h);

enum { HEAD_CHUNKS = -1, HEAD_BARE = -2 }; /* instead of a length: chunks; nothing is said */
/* Status line, headers and the empty line. */
void head_write(struct buf *out, const struct response *r, int64_t length, bool last);

#endif
