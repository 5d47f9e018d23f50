/* account.h - accounts of staff: making them, checking passwords, changing them.
 *
 * Everything that is done to an account is written to the audit log in the same transaction. The
 * functions that hash passwords take tens of milliseconds: call them from slow routes. */
#ifndef WEB_ACCOUNT_H
#define WEB_ACCOUNT_H

#include "store/store_web.h"
#include "web/request.h"

enum { ACCOUNT_PASSWORD_MIN = 12, ACCOUNT_PASSWORD_BYTES = 1000, ACCOUNT_NAME_MAX = 64 };

bool account_name_ok(struct str name);
/* Long enough, and not among those that are tried first (password.h). */
bool account_password_ok(struct str password, struct str name);

/* False: it is known by single sign-on only. */
bool account_has_password(const struct account_row *account);

/* The account of this name, as a person typed it; *found is false where there is none. */
CHECKED enum status account_named(struct request *q, struct str name, struct account_row *out,
                                  bool *found, struct err *e);

/* The account with this name and password; *ok is false where there is none that may sign in. A
 * name that does not exist takes as long as one that does. A hash of an old kind is replaced. */
CHECKED enum status account_check(struct request *q, struct str name, struct str password,
                                  struct account_row *out, bool *ok, struct err *e);

struct account_new {
    struct str name, password;
    const char *role;             /* admin, coordinator, analyst, member */
    bool first;                   /* only while there is no account at all */
    const char *issuer, *subject; /* known by single sign-on only: no password */
};
/* E_USAGE: the name is taken, or there is an account already (`first`). */
CHECKED enum status account_add(struct request *q, const struct account_new *n,
                                struct account_row *out, struct err *e);

/* Change role, password or whether it may sign in (one of them), and end its sessions everywhere.
 * E_USAGE: it is the last administrator. */
CHECKED enum status account_change(struct request *q, const struct account_row *to,
                                   enum account_column column, const char *what, struct err *e);
CHECKED enum status account_set_password(struct request *q, struct account_row account,
                                         struct str password, struct err *e);

/* The client's address for the log; "" unless the client is staff or asks for what only staff use:
 * no address of a rater is logged. */
const char *account_address(const struct request *q);
/* Log a refusal; a limit for each network keeps strangers from filling the log. */
CHECKED enum status account_refused(struct request *q, const char *what, const char *subject,
                                    struct err *e);
/* Log what the reader did to `subject`, with details. Never a secret. */
CHECKED enum status account_audit(struct request *q, const char *what, const char *subject,
                                  const char *detail, struct err *e);

#endif
