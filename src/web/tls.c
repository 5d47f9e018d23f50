#include "web/tls.h"

#include <gnutls/gnutls.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* TLS 1.2 only with forward secrecy and ciphers that authenticate; all of 1.3 has both. */
#define SUITES                                                                                     \
    "SECURE128:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:"   \
    "+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:-MAC-ALL:+AEAD"

struct tls {
    gnutls_certificate_credentials_t credentials;
    gnutls_priority_t suites;
};

struct tls_session {
    gnutls_session_t session;
};

static gnutls_datum_t datum(const char *text)
{
    union {
        const char *in;
        unsigned char *out;
    } bytes = {.in = text};

    return (gnutls_datum_t){.data = bytes.out, .size = (unsigned)strlen(text)};
}

enum status tls_new(struct tls **out, const char *certificate, const char *key, struct err *e)
{
    const gnutls_datum_t c = datum(certificate), k = datum(key);
    struct tls *t = mem_new(sizeof *t);
    int rc = gnutls_certificate_allocate_credentials(&t->credentials);

    if (rc >= 0)
        rc = gnutls_certificate_set_x509_key_mem(t->credentials, &c, &k, GNUTLS_X509_FMT_PEM);
    if (rc >= 0)
        rc = gnutls_priority_init(&t->suites, SUITES, NULL);
    if (rc < 0) {
        tls_free(t);
        return err_set(e, E_USAGE, "--tls-cert or --tls-key cannot be used: %s",
                       gnutls_strerror(rc));
    }
    *out = t;
    return OK;
}

void tls_free(struct tls *t)
{
    if (!t)
        return;
    if (t->credentials)
        gnutls_certificate_free_credentials(t->credentials);
    if (t->suites)
        gnutls_priority_deinit(t->suites);
    free(t);
}

struct tls_session *tls_begin(struct tls *t, int fd)
{
    struct tls_session *s = mem_new(sizeof *s);

    if (gnutls_init(&s->session, GNUTLS_SERVER | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) < 0) {
        free(s);
        return NULL;
    }
    if (gnutls_priority_set(s->session, t->suites) < 0 ||
        gnutls_credentials_set(s->session, GNUTLS_CRD_CERTIFICATE, t->credentials) < 0) {
        tls_end(s);
        return NULL;
    }
    gnutls_transport_set_int(s->session, fd);
    return s;
}

void tls_end(struct tls_session *s)
{
    if (!s)
        return;
    gnutls_deinit(s->session);
    free(s);
}

static ssize_t result(struct tls_session *s, ssize_t rc)
{
    if (rc == GNUTLS_E_AGAIN || rc == GNUTLS_E_INTERRUPTED)
        return gnutls_record_get_direction(s->session) ? TLS_WRITE : TLS_READ;
    return rc < 0 ? TLS_FAILED : rc;
}

ssize_t tls_greet(struct tls_session *s)
{
    int rc = gnutls_handshake(s->session);

    return rc == GNUTLS_E_SUCCESS ? 1 : result(s, rc);
}

ssize_t tls_take(struct tls_session *s, void *to, size_t max)
{
    return result(s, gnutls_record_recv(s->session, to, max));
}

ssize_t tls_put(struct tls_session *s, const void *from, size_t n)
{
    return result(s, gnutls_record_send(s->session, from, n));
}

void tls_bye(struct tls_session *s)
{
    (void)gnutls_bye(s->session, GNUTLS_SHUT_WR); /* a courtesy: not worth another try */
}
