/* oidc.h - asking a provider of single sign-on who somebody is (OpenID Connect Core 1.0): the code
 * flow with PKCE (RFC 7636), discovery, keys that change.
 *
 * A provider is shared by the threads that serve; what it has learned is behind a lock. Functions
 * that ask it take as long as it takes, ten seconds at most each: call them from slow routes. */
#ifndef WEB_OIDC_H
#define WEB_OIDC_H

#include "web/sso.h"

struct oidc;

/* `s` is borrowed. */
struct oidc *oidc_new(const struct sso *s);
void oidc_free(struct oidc *o); /* NULL is fine */
const struct sso *oidc_sso(const struct oidc *o);

/* What one sign-in needs to be told from every other. All are texts of one line. */
struct oidc_step {
    const char *state, *nonce, *verifier;
    const char *back; /* our address, to which the browser is sent back */
    bool again;       /* even if they are signed in there: they must show who they are */
    int64_t begun_ms;
};

/* The address at the provider to which the browser is to go. E_NET: the provider does not answer;
 * E_INPUT: it answers what cannot be used. */
CHECKED enum status oidc_begin(struct arena *a, struct oidc *o, const struct oidc_step *step,
                               const char **url, struct err *e);
/* Who came back with this code: claims that the provider signed and that are meant for us, now, in
 * this step (the caller's to free). E_INPUT: they are not. */
CHECKED enum status oidc_finish(struct arena *a, struct oidc *o, const struct oidc_step *step,
                                struct str code, int64_t now_ms, json_t **claims, struct err *e);

/* ---- pure parts ---- */

/* Are they meant for us, in this step, now? */
CHECKED enum status oidc_check(const struct sso *s, const struct oidc_step *step,
                               const json_t *claims, int64_t now_ms, struct err *e);
/* The hash of a verifier, as the provider is told it first. */
const char *oidc_challenge(struct arena *a, const char *verifier);

#endif
