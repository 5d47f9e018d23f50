/* store_sign_in.h - rows about single sign-on and passkeys. What they mean is decided in web/. */
#ifndef STORE_STORE_SIGN_IN_H
#define STORE_STORE_SIGN_IN_H

#include "store/store.h"

/* ---- steps of signing in that were begun ---- */

struct sign_in {
    const char *kind;    /* enter, confirm, link, passkey */
    const char *browser; /* hash of the browser's cookie */
    const char *nonce, *verifier, *next;
    const char *session; /* hash of the session that it is about; "" */
    int64_t created_ms;
};
/* Stores a step; `token` is the hash of what will come back. Steps from before `old_ms` are
 * deleted. */
CHECKED enum status store_sign_in_begin(struct store *s, const char *token, const struct sign_in *b,
                                        int64_t old_ms, struct err *e);
/* Reads and deletes a step: nobody can take it twice. */
CHECKED enum status store_sign_in_take(struct arena *a, struct store *s, const char *token,
                                       struct sign_in *out, bool *found, struct err *e);

/* ---- accounts at providers ---- */

/* *account is 0 if nobody is linked yet. */
CHECKED enum status store_sign_in_account(struct store *s, const char *issuer, const char *subject,
                                          int64_t *account, struct err *e);
/* Links an account; *fresh is false if the identity is linked already. */
CHECKED enum status store_sign_in_tie(struct store *s, const char *issuer, const char *subject,
                                      int64_t account, bool *fresh, struct err *e);
CHECKED enum status store_sign_in_tied(struct store *s, int64_t account, bool *tied, struct err *e);

/* ---- passkeys ---- */

struct passkey_row {
    const char *id, *name, *kind, *spki;
    int64_t account, counter, created_ms, used_ms;
};
struct passkey_list {
    struct passkey_row *v;
    size_t n;
};
CHECKED enum status store_passkey_add(struct store *s, const struct passkey_row *k, bool *fresh,
                                      struct err *e);
CHECKED enum status store_passkey_get(struct arena *a, struct store *s, const char *id,
                                      struct passkey_row *out, bool *found, struct err *e);
CHECKED enum status store_passkey_list(struct arena *a, struct store *s, int64_t account,
                                       struct passkey_list *out, struct err *e);
/* *fresh is false if the counter did not grow: then there is a copy of the passkey. */
CHECKED enum status store_passkey_use(struct store *s, const char *id, int64_t counter,
                                      int64_t now_ms, bool *fresh, struct err *e);
/* Deletes one passkey of an account, or (NULL) all. */
CHECKED enum status store_passkey_drop(struct store *s, int64_t account, const char *id,
                                       struct err *e);

#endif
