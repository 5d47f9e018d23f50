/* oidc.h - asks a provider of single sign-on who somebody is (OpenID Connect Core 1.0): the code
 * flow with PKCE (RFC 7636), discovery, rotating keys.
 *
 * A struct oidc is shared by all threads; a lock guards the documents that it remembers. Its
 * functions send requests of up to ten seconds each: call them from slow routes. */
#ifndef WEB_OIDC_H
#define WEB_OIDC_H

#include "web/sso.h"

struct oidc;

/* `s` is borrowed. */
struct oidc *oidc_new(const struct sso *s);
void oidc_free(struct oidc *o); /* NULL is fine */
const struct sso *oidc_sso(const struct oidc *o);

/* What distinguishes one sign-in from any other. All texts are single lines. */
struct oidc_step {
    const char *state, *nonce, *verifier;
    const char *back; /* our address, to which the provider sends the browser back */
    bool again;       /* they must sign in again, even if they are signed in at the provider */
    int64_t begun_ms;
};

/* The address at the provider to which to send the browser. E_NET: the provider does not answer;
 * E_INPUT: its answer cannot be used. */
CHECKED enum status oidc_begin(struct arena *a, struct oidc *o, const struct oidc_step *step,
                               const char **url, struct err *e);
/* Redeem the code with which the browser came back for signed claims that pass oidc_check(); the
 * caller frees them. E_INPUT: they do not. */
CHECKED enum status oidc_finish(struct arena *a, struct oidc *o, const struct oidc_step *step,
                                struct str code, int64_t now_ms, json_t **claims, struct err *e);

/* ---- pure parts ---- */

/* Are the claims meant for us and for this step, and are they valid now? */
CHECKED enum status oidc_check(const struct sso *s, const struct oidc_step *step,
                               const json_t *claims, int64_t now_ms, struct err *e);
/* The hash of a verifier, which the provider gets first. */
const char *oidc_challenge(struct arena *a, const char *verifier);

#endif
