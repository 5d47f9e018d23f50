/* passkey.h - what an authenticator said (Web Authentication, level 2): was a passkey made for us,
 * or used, now, by a person who showed who they are? Pure; all of it is hostile.
 *
 * No attestation is asked for: which make an authenticator is does not matter here. So making one
 * proves nothing by itself, and the browser's own reading of the new key (SubjectPublicKeyInfo) is
 * as good as ours would be: whoever could forge it could forge the rest of it, too. */
#ifndef WEB_PASSKEY_H
#define WEB_PASSKEY_H

#include "base/err.h"
#include "base/mem.h"
#include "base/signature.h"

enum { PASSKEY_ID_MAX = 1023 };

/* What was asked, and by whom. */
struct passkey_asked {
    const char *challenge; /* as we gave it out, a text */
    const char *origin;    /* "https://rate.example.org" */
    const char *host;      /* "rate.example.org" */
};

/* Bytes, as the browser hands them on. */
struct passkey_said {
    struct str client, authenticator;
    struct str signature; /* where it was used */
};

/* One was made: its name for itself, and how often it has signed. */
CHECKED enum status passkey_made(struct arena *a, const struct passkey_asked *asked,
                                 const struct passkey_said *said, struct str *id, int64_t *counter,
                                 struct err *e);
/* It was used: with this key? */
CHECKED enum status passkey_used(struct arena *a, const struct passkey_asked *asked,
                                 const struct passkey_said *said, const struct signature_key *key,
                                 int64_t *counter, struct err *e);

#endif
