/* tls.h - the server side of TLS, by GnuTLS, over non-blocking sockets.
 *
 * A struct tls (certificate and suites) is made once and shared read-only by all threads; a session
 * belongs to one connection and its thread. */
#ifndef WEB_TLS_H
#define WEB_TLS_H

#include <sys/types.h>

#include "base/err.h"

struct tls;
struct tls_session;

/* Takes PEM texts and copies them. E_USAGE: they are malformed or do not match. */
CHECKED enum status tls_new(struct tls **out, const char *certificate, const char *key,
                            struct err *e);
void tls_free(struct tls *t); /* NULL is fine, here and below */

struct tls_session *tls_begin(struct tls *t, int fd); /* NULL: out of memory */
void tls_end(struct tls_session *s);                  /* does not close the socket */

/* Results besides a number of bytes: call again, with the same bytes, when the socket can be read
 * or written; or the session has failed. tls_greet() returns 1 when the handshake is complete. */
enum { TLS_READ = -1, TLS_WRITE = -2, TLS_FAILED = -3 };
ssize_t tls_greet(struct tls_session *s);
ssize_t tls_take(struct tls_session *s, void *to, size_t max); /* 0: the client has closed */
ssize_t tls_put(struct tls_session *s, const void *from, size_t n);
void tls_bye(struct tls_session *s); /* tell the client that nothing more will be sent */

#endif
