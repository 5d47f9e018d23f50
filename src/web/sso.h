/* sso.h - the file that names a provider of single sign-on and maps its users to roles.
 *
 *     issuer: https://login.example.org
 *     client_id: audition
 *     secret: AUDITION_SSO_SECRET       # an environment variable; left out: a public client
 *     title: Example University         # on the button
 *     roles:                            # the first that fits is the role
 *       - {claim: groups, value: audition-admins, role: admin}
 *       - {claim: groups, value: linguists, role: member, team: linguists}
 *     otherwise: member                 # left out: nobody else gets in
 *
 * Keys are declared in sso_keys.c and explained in share/keys/sso.yaml. Pure. */
#ifndef WEB_SSO_H
#define WEB_SSO_H

#include "suite/shape.h"

enum { SSO_RULES = 200, SSO_SCOPES = 20 };
enum sso_role { SSO_NOBODY, SSO_ADMIN, SSO_COORDINATOR, SSO_ANALYST, SSO_MEMBER, SSO_ROLES };

struct sso_rule {
    const char *claim, *value, *team; /* team "": none */
    enum sso_role role;
};

struct sso {
    const char *issuer, *client_id;
    const char *secret_var; /* "": a public client */
    const char *title;
    const char *name_claim;
    const struct str *scopes, *strong; /* `amr` that says a second factor was given */
    size_t nscopes, nstrong;
    struct sso_rule *rules;
    size_t nrules;
    enum sso_role otherwise;
    const char *secret; /* from the environment; NULL: none */
};

extern const struct shape sso_shape; /* see shape.h */

/* Read the file; faults go to d. */
void sso_load(struct arena *a, const char *path, struct sso *out, struct diags *d);
/* Is it https, or http on this machine? */
bool sso_url_ok(struct str url);

/* ---- what claims mean ---- */

/* Does the claim have the value, by itself or in a list? A dot in the name steps into an object
 * ("realm_access.roles"). */
bool sso_claims(const json_t *claims, const char *name, struct str value);
/* Their role by the file; SSO_NOBODY: they are not let in. */
enum sso_role sso_role_of(const struct sso *s, const json_t *claims);
const char *sso_role_word(enum sso_role role);
/* Was a second factor given to the provider? */
bool sso_is_strong(const struct sso *s, const json_t *claims);

#endif
