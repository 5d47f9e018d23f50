/* passkey.h - checks what an authenticator said (Web Authentication, level 2): was a passkey made
 * or used for us, now, by a person whom it verified? Pure; all input is hostile.
 *
 * No attestation is asked for, since the make of an authenticator does not matter here. So making a
 * passkey proves nothing by itself, and we can take the public key as the browser extracted it
 * (SubjectPublicKeyInfo): whoever could forge that could forge the rest, too. */
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

/* A passkey was made: its id, and its counter of signatures. */
CHECKED enum status passkey_made(struct arena *a, const struct passkey_asked *asked,
                                 const struct passkey_said *said, struct str *id, int64_t *counter,
                                 struct err *e);
/* A passkey was used: did this key sign? */
CHECKED enum status passkey_used(struct arena *a, const struct passkey_asked *asked,
                                 const struct passkey_said *said, const struct signature_key *key,
                                 int64_t *counter, struct err *e);

#endif
