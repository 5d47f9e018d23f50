#include "store/store_sign_in.h"

#include "gen/queries.h"

enum status store_sign_in_begin(struct store *s, const char *token, const struct sign_in *b,
                                int64_t old_ms, struct err *e)
{
    if (db_run(s->db, Q_SIGN_IN_SWEEP, ARGS(V_INT(old_ms)), NULL, e) != OK)
        return e->code;
    return db_run(s->db, Q_SIGN_IN_ADD,
                  ARGS(V_TEXT(token), V_TEXT(b->kind), V_TEXT(b->browser), V_TEXT(b->nonce),
                       V_TEXT(b->verifier), V_TEXT(b->next), V_TEXT(b->session),
                       V_INT(b->created_ms)),
                  NULL, e);
}

enum status store_sign_in_take(struct arena *a, struct store *s, const char *token,
                               struct sign_in *out, bool *found, struct err *e)
{
    return db_row(s->db, Q_SIGN_IN_TAKE, ARGS(V_TEXT(token)), a, COLUMNS_SIGN_IN(struct sign_in),
                  out, found, e);
}

/* ---- who somebody is to a provider ---- */

enum status store_sign_in_account(struct store *s, const char *issuer, const char *subject,
                                  int64_t *account, struct err *e)
{
    *account = 0;
    return db_int(s->db, Q_IDENTITY_GET, ARGS(V_TEXT(issuer), V_TEXT(subject)), account, NULL, e);
}

enum status store_sign_in_tie(struct store *s, const char *issuer, const char *subject,
                              int64_t account, bool *fresh, struct err *e)
{
    return db_change(s->db, Q_IDENTITY_ADD, ARGS(V_TEXT(issuer), V_TEXT(subject), V_INT(account)),
                     fresh, e);
}

enum status store_sign_in_tied(struct store *s, int64_t account, bool *tied, struct err *e)
{
    return db_true(s->db, Q_IDENTITY_OF, ARGS(V_INT(account)), tied, e);
}

/* ---- passkeys ---- */

enum status store_passkey_add(struct store *s, const struct passkey_row *k, bool *fresh,
                              struct err *e)
{
    return db_change(s->db, Q_PASSKEY_ADD,
                     ARGS(V_TEXT(k->id), V_INT(k->account), V_TEXT(k->name), V_TEXT(k->kind),
                          V_TEXT(k->spki), V_INT(k->counter), V_INT(k->created_ms)),
                     fresh, e);
}

enum status store_passkey_get(struct arena *a, struct store *s, const char *id,
                              struct passkey_row *out, bool *found, struct err *e)
{
    return db_row(s->db, Q_PASSKEY_GET, ARGS(V_TEXT(id)), a, COLUMNS_PASSKEY(struct passkey_row),
                  out, found, e);
}

enum status store_passkey_list(struct arena *a, struct store *s, int64_t account,
                               struct passkey_list *out, struct err *e)
{
    return db_list(s->db, Q_PASSKEY_LIST, ARGS(V_INT(account)),
                   ROWS_INTO(a, out, COLUMNS_PASSKEY(struct passkey_row)), e);
}

enum status store_passkey_use(struct store *s, const char *id, int64_t counter, int64_t now_ms,
                              bool *fresh, struct err *e)
{
    return db_change(s->db, Q_PASSKEY_USE, ARGS(V_TEXT(id), V_INT(counter), V_INT(now_ms)), fresh,
                     e);
}

enum status store_passkey_drop(struct store *s, int64_t account, const char *id, struct err *e)
{
    if (!id)
        return db_run(s->db, Q_PASSKEY_DROP_ALL, ARGS(V_INT(account)), NULL, e);
    return db_run(s->db, Q_PASSKEY_DROP, ARGS(V_TEXT(id), V_INT(account)), NULL, e);
}
