/* head.h - parses the head of a request and writes the head of an answer. Pure, and safe on any
 * bytes.
 *
 * Parsing is strict: lines end in CR LF and contain no other CR, LF or NUL, no line is folded, a
 * header name is a token and its colon follows at once. Request smuggling lives on heads that can
 * be read in two ways. request.h checks what the headers mean. */
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

/* The length of the head that `bytes` begin with, its empty line included; 0: its end has not
 * arrived. *seen carries over how far earlier calls have searched. A byte that no head may contain
 * ends it, as does HEAD_MAX. */
size_t head_size(struct str bytes, size_t *seen);
/* Copies everything into the arena. */
struct head head_read(struct arena *a, struct str bytes);
/* Does the client allow the connection to stay open after this request? */
bool head_keeps(const struct head *h);
/* Does the client wait for "100 Continue" before it sends the body? */
bool head_expects(const struct head *h);

/* Instead of a length: the body comes in chunks; no length is sent. */
enum { HEAD_CHUNKS = -1, HEAD_BARE = -2 };
/* Write status line, headers and the empty line. */
void head_write(struct buf *out, const struct response *r, int64_t length, bool last);

#endif
