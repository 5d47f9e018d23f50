#include "web/account.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/words.h"
#include "store/store_people.h"
#include "store/store_sign_in.h"
#include "web/password.h"
#include "web/site.h"

bool account_name_ok(struct str name)
{
    return str_made_of(name, "._-@") && name.n <= ACCOUNT_NAME_MAX;
}

bool account_password_ok(struct str password, struct str name)
{
    return password.n <= ACCOUNT_PASSWORD_BYTES && utf8_count(password) >= ACCOUNT_PASSWORD_MIN &&
           password_pieces(password, name) >= PASSWORD_PIECES_MIN && !password_is_word(password);
}

enum status account_audit(struct request *q, const char *what, const char *subject,
                          const char *detail, struct err *e)
{
    struct audit_row row = {.at_ms = q->now_ms,
                            .who = !q->session                         ? "-"
                                   : q->session->kind == SESSION_STAFF ? q->session->name
                                                                       : "rater",
                            .what = what,
                            .subject = subject,
                            .detail = detail};

    return store_audit_add(q->store, &row, e);
}

const char *account_address(const struct request *q)
{
    const struct route *to = q->route;
    bool staff = q->session ? q->session->kind == SESSION_STAFF
                            : to && (!(to->allow & ROLE_RATER) || to->flags & ROUTE_SIGN_IN);

    return staff ? q->address : "";
}

enum status account_refused(struct request *q, const char *what, const char *subject, struct err *e)
{
    if (throttle_take(q->site->throttle, THROTTLE_AUDIT, str_of(q->network), clock_mono_ms()))
        return OK;
    return account_audit(q, what, subject, account_address(q), e);
}

static const char no_password[] = "-"; /* nothing has this hash */

bool account_has_password(const struct account_row *account)
{
    return strcmp(account->password, no_password) != 0;
}

static enum status hashed(struct str password, char out[HASH_PASSWORD], struct err *e)
{
    return hash_password(password, out)
               ? OK
               : err_set(e, E_BUSY, "out of memory for hashing a password; try again");
}

/* Takes as long as checking a password does: the time must not tell whether a name exists. */
static enum status check_nobody(struct str password, struct err *e)
{
    char unused[HASH_PASSWORD];

    return hashed(password, unused, e);
}

enum status account_named(struct request *q, struct str name, struct account_row *out, bool *found,
                          struct err *e)
{
    *found = false;
    if (!account_name_ok(name))
        return OK;
    return store_account_get(q->arena, q->store, 0, arena_text(q->arena, name), out, found, e);
}

enum status account_check(struct request *q, struct str name, struct str password,
                          struct account_row *out, bool *ok, struct err *e)
{
    struct account_row row = {0};
    char again[HASH_PASSWORD];
    bool found = false;

    *ok = false;
    if (password.n > ACCOUNT_PASSWORD_BYTES)
        return OK;
    if (account_named(q, name, &row, &found, e) != OK)
        return e->code;
    if (!found || !account_has_password(&row))
        return check_nobody(password, e);
    if (!hash_password_fits(row.password, password) || row.disabled_ms)
        return OK;
    if (hash_password_old(row.password) &&
        (hashed(password, again, e) != OK ||
         store_account_rehash(q->store, row.id, again, row.password, e) != OK))
        return e->code;
    *out = row;
    *ok = true;
    return OK;
}

static enum status refuse_second(struct request *q, struct err *e)
{
    int64_t all, admins;

    if (store_account_counts(q->store, &all, &admins, e) != OK)
        return e->code;
    return all ? err_set(e, E_USAGE, "this server has already been set up") : OK;
}

static enum status tie(struct request *q, const struct account_new *n, int64_t id, struct err *e)
{
    bool fresh = false;

    if (store_sign_in_tie(q->store, n->issuer, n->subject, id, &fresh, e) != OK)
        return e->code;
    return fresh ? OK
                 : err_set(e, E_BUSY, "someone else is signing in as the same person; try again");
}

enum status account_add(struct request *q, const struct account_new *n, struct account_row *out,
                        struct err *e)
{
    char password[HASH_PASSWORD];
    struct account_row row = {.name = arena_text(q->arena, n->name),
                              .role = n->role,
                              .password = n->issuer ? no_password : password,
                              .created_ms = q->now_ms};

    if (!n->issuer && hashed(n->password, password, e) != OK)
        return e->code;
    if (store_atomically(q->store, e,
                         (n->first && refuse_second(q, e) != OK) ||
                                 store_account_add(q->store, &row, e) != OK ||
                                 (n->issuer && tie(q, n, row.id, e) != OK) ||
                                 account_audit(q, n->first ? "set-up" : "account-add", row.name,
                                               row.role, e) != OK
                             ? e->code
                             : OK) != OK)
        return e->code;
    row.password = NULL;
    *out = row;
    return OK;
}

static enum status keep_an_admin(struct request *q, struct err *e)
{
    int64_t all, admins;

    if (store_account_counts(q->store, &all, &admins, e) != OK)
        return e->code;
    return admins ? OK : err_set(e, E_USAGE, "%s", words_of(q->language, PHRASE_LAST_ADMIN));
}

enum status account_change(struct request *q, const struct account_row *to,
                           enum account_column column, const char *what, struct err *e)
{
    return store_atomically(
        q->store, e,
        store_account_set(q->store, to, column, e) == OK && keep_an_admin(q, e) == OK &&
                store_session_drop_who(q->store, "staff", to->id, e) == OK &&
                (column != ACCOUNT_PASSWORD ||
                 (store_device_forget(q->store, to->id, e) == OK &&
                  store_people_token_revoke(q->store, to->id, 0, q->now_ms, e) == OK))
            ? account_audit(q, what, to->name, to->role, e)
            : e->code);
}

enum status account_set_password(struct request *q, struct account_row account, struct str password,
                                 struct err *e)
{
    char text[HASH_PASSWORD];

    if (hashed(password, text, e) != OK)
        return e->code;
    account.password = text;
    return account_change(q, &account, ACCOUNT_PASSWORD, "password", e);
}
