/* store_web.h - rows about users of the browser: accounts, sessions, the audit log.
 *
 * What they mean (who may do what, when a session ends) is decided in web/. */
#ifndef STORE_STORE_WEB_H
#define STORE_STORE_WEB_H

#include "store/store.h"

struct account_row {
    int64_t id, created_ms, disabled_ms; /* disabled_ms 0: may sign in */
    const char *name, *role, *password;
    const char *totp; /* secret of the second factor; NULL: none */
};
struct account_list {
    struct account_row *v;
    size_t n;
};

/* By id (if not 0) or by name; *found is false if there is none. */
CHECKED enum status store_account_get(struct arena *a, struct store *s, int64_t id,
                                      const char *name, struct account_row *out, bool *found,
                                      struct err *e);
/* All, ordered by name. */
CHECKED enum status store_account_list(struct arena *a, struct store *s, struct account_list *out,
                                       struct err *e);
/* The number of accounts, and that of administrators who may sign in. */
CHECKED enum status store_account_counts(struct store *s, int64_t *all, int64_t *admins,
                                         struct err *e);
/* Inserts an account; fills in id. E_USAGE: the name is taken. */
CHECKED enum status store_account_add(struct store *s, struct account_row *row, struct err *e);
/* Changes one column of an account, and nothing that somebody else changes at the same time. */
enum account_column { ACCOUNT_ROLE, ACCOUNT_DISABLED, ACCOUNT_PASSWORD };
CHECKED enum status store_account_set(struct store *s, const struct account_row *row,
                                      enum account_column what, struct err *e);
/* Replaces the hash of the same password; `was` is the hash that was read before. */
CHECKED enum status store_account_rehash(struct store *s, int64_t id, const char *password,
                                         const char *was, struct err *e);

struct session_row {
    const char *kind, *csrf;
    const char *address, *agent; /* only written here (store_people.h reads them) */
    int64_t who, created_ms, seen_ms, expires_ms;
    int64_t confirmed_ms; /* when the password was last given */
    bool strong;          /* a second factor was given */
    const char *secret;   /* only read here: that of the rater's campaign; NULL: not a rater */
};

/* `token` is the hash of the browser's token. */
CHECKED enum status store_session_get(struct arena *a, struct store *s, const char *token,
                                      struct session_row *out, bool *found, struct err *e);
/* The same for several tokens, which may be NULL; kind is NULL if there is no session. */
CHECKED enum status store_session_get_all(struct arena *a, struct store *s,
                                          const char *const *tokens, size_t n,
                                          struct session_row *out, struct err *e);
CHECKED enum status store_session_add(struct store *s, const char *token,
                                      const struct session_row *row, struct err *e);
CHECKED enum status store_session_seen(struct store *s, const char *token, int64_t now_ms,
                                       struct err *e);
/* Replaces the secret for its forms, if it is still this one. */
CHECKED enum status store_session_turn(struct store *s, const char *token, const char *csrf,
                                       const char *fresh, bool *turned, struct err *e);
CHECKED enum status store_session_drop(struct store *s, const char *token, struct err *e);
/* All sessions of one person. */
CHECKED enum status store_session_drop_who(struct store *s, const char *kind, int64_t who,
                                           struct err *e);
/* Those that have expired. */
CHECKED enum status store_session_sweep(struct store *s, int64_t now_ms, struct err *e);

/* Browsers in which an account has signed in; `token` is a hash, too. */
CHECKED enum status store_device_add(struct store *s, const char *token, int64_t account,
                                     int64_t now_ms, struct err *e);
CHECKED enum status store_device_known(struct store *s, const char *token, const char *name,
                                       bool *known, struct err *e);
CHECKED enum status store_device_forget(struct store *s, int64_t account, struct err *e);

struct audit_row {
    int64_t id, at_ms;
    const char *who, *what, *subject, *detail;
};
struct audit_list {
    struct audit_row *v;
    size_t n;
};

/* Must never contain a token, a password or a text of a model. */
CHECKED enum status store_audit_add(struct store *s, const struct audit_row *row, struct err *e);
/* Newest first: entries before id `before` (0: all). */
CHECKED enum status store_audit_list(struct arena *a, struct store *s, int64_t before, int64_t n,
                                     struct audit_list *out, struct err *e);
/* With filters; "" matches anything. `what` may be a prefix. */
struct audit_wanted {
    int64_t before, n;
    const char *who, *what, *subject;
};
CHECKED enum status store_audit_find(struct arena *a, struct store *s, const struct audit_wanted *w,
                                     struct audit_list *out, struct err *e);

#endif
