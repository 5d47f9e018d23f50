/* tls.h - TLS of the server's side, by GnuTLS, over sockets that do not block.
 *
 * A struct tls (certificate and suites) is made once and shared by all threads, which only read it;
 * a session belongs to one connection and its thread. */
#ifndef WEB_TLS_H
#define WEB_TLS_H

#include <sys/types.h>

#include "base/err.h"

struct tls;
struct tls_session;

/* PEM texts, copied. E_USAGE: they are none, or do not belong together. */
CHECKED enum status tls_new(struct tls **out, const char *certificate, const char *key,
                            struct err *e);
void tls_free(struct tls *t); /* NULL is fine, here and below */

struct tls_session *tls_begin(struct tls *t, int fd); /* NULL: no memory for it */
void tls_end(struct tls_session *s);                  /* does not close the socket */

/* What these return besides a number of bytes: come again when the socket can be read or written
 * (with the same bytes), or never. tls_greet() returns 1 when the two have agreed. */
enum { TLS_READ = -1, TLS_WRITE = -2, TLS_FAILED = -3 };
ssize_t tls_greet(struct tls_session *s);
ssize_t tls_take(struct tls_session *s, void *to, size_t max); /* 0: nothing will come any more */
ssize_t tls_put(struct tls_session *s, const void *from, size_t n);
void tls_bye(struct tls_session *s); /* nothing will be sent any more */

#endif
