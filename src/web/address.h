/* address.h - IP addresses: as text, in networks, behind proxies. Pure. */
#ifndef WEB_ADDRESS_H
#define WEB_ADDRESS_H

#include <netinet/in.h>

#include "base/err.h"
#include "base/mem.h"

/* IPv4 is kept as IPv6 (::ffff:a.b.c.d), so that there is one kind. */
struct address {
    unsigned char b[16];
};

/* addresses that share their first `bits` bits */
struct network {
    struct address at;
    int bits; /* of 128 */
};

bool address_read(struct str text, struct address *out);
bool address_from_socket(const struct sockaddr *sa, struct address *out);
const char *address_text(struct arena *a, const struct address *x);
/* For counting: IPv4 as a whole, IPv6 by its first 64 bits, which one household has. */
const char *address_network_text(struct arena *a, const struct address *x);
bool address_same_network(const struct address *x, const struct address *y); /* in that sense */
bool address_is_loopback(const struct address *x);
/* "localhost:8080", "[::1]": is it this machine? */
bool address_names_loopback(struct str host);

/* "10.0.0.0/8", "::1". E_USAGE says what was expected. */
CHECKED enum status network_read(struct str text, struct network *out, struct err *e);
bool network_has(const struct network *n, const struct address *x);

/* The address of the client: where the peer is a trusted proxy, the rightmost address of
 * X-Forwarded-For that is not one. Everything left of it could be forged. */
struct address address_behind(const struct network *trusted, size_t n, struct address peer,
                              struct str forwarded_for);
/* The list of addresses in a header "Forwarded" (RFC 7239), as X-Forwarded-For would have it. */
struct str address_forwarded(struct arena *a, struct str header);

#endif
