/* request.h - the head of an HTTP/1.1 request. Pure; the views point into the input. */
#ifndef MOCK_REQUEST_H
#define MOCK_REQUEST_H

#include "base/str.h"

enum { REQUEST_HEAD_MAX = 32 << 10, REQUEST_BODY_MAX = 8 << 20 };

struct request_head {
    struct str method, path; /* path without the query */
    struct str authorization, key;
    size_t head_bytes, body_bytes; /* the body begins at head_bytes */
    bool close;                    /* the client wants the connection closed after the reply */
    bool expect_continue;
};

/* 0 and *out set: a whole head; -1: more input is needed; else the HTTP status to refuse it with.
 */
int request_parse(struct str in, struct request_head *out);

#endif
