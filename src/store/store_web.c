#include "store/store_web.h"

#include "base/clock.h"
#include "gen/queries.h"

/* ---- accounts ---- */

enum status store_account_get(struct arena *a, struct store *s, int64_t id, const char *name,
                              struct account_row *out, bool *found, struct err *e)
{
    return db_row(s->db, id ? Q_ACCOUNT_BY_ID : Q_ACCOUNT_BY_NAME,
                  ARGS(id ? V_INT(id) : V_TEXT(name)), a, COLUMNS_ACCOUNT(struct account_row), out,
                  found, e);
}

enum status store_account_list(struct arena *a, struct store *s, struct account_list *out,
                               struct err *e)
{
    return db_list(s->db, Q_ACCOUNT_LIST, NO_ARGS,
                   ROWS_INTO(a, out, COLUMNS_ACCOUNT(struct account_row)), e);
}

enum status store_account_counts(struct store *s, int64_t *all, int64_t *admins, struct err *e)
{
    int64_t n = 0, m = 0;

    if (db_int(s->db, Q_ACCOUNT_COUNT, NO_ARGS, &n, NULL, e) != OK ||
        db_int(s->db, Q_ACCOUNT_ADMINS, NO_ARGS, &m, NULL, e) != OK)
        return e->code;
    *all = n;
    *admins = m;
    return OK;
}

enum status store_account_add(struct store *s, struct account_row *row, struct err *e)
{
    int64_t id = 0;
    bool added = false;

    if (db_int(s->db, Q_ACCOUNT_ADD,
               ARGS(V_TEXT(row->name), V_TEXT(row->role), V_TEXT(row->password),
                    V_INT(row->created_ms)),
               &id, &added, e) != OK)
        return e->code;
    if (!added)
        return err_set(e, E_USAGE, "an account '%s' already exists", row->name);
    row->id = id;
    return OK;
}

enum status store_account_set(struct store *s, const struct account_row *row,
                              enum account_column what, struct err *e)
{
    static const int queries[] = {[ACCOUNT_ROLE] = Q_ACCOUNT_ROLE,
                                  [ACCOUNT_DISABLED] = Q_ACCOUNT_DISABLE,
                                  [ACCOUNT_PASSWORD] = Q_ACCOUNT_PASSWORD};
    struct val v = what == ACCOUNT_ROLE       ? V_TEXT(row->role)
                   : what == ACCOUNT_PASSWORD ? V_TEXT(row->password)
                   : row->disabled_ms         ? V_INT(row->disabled_ms)
                                              : V_NULL;

    return db_run(s->db, queries[what], ARGS(V_INT(row->id), v), NULL, e);
}

enum status store_account_rehash(struct store *s, int64_t id, const char *password, const char *was,
                                 struct err *e)
{
    return db_run(s->db, Q_ACCOUNT_REHASH, ARGS(V_INT(id), V_TEXT(password), V_TEXT(was)), NULL, e);
}

/* ---- sessions ---- */

enum status store_session_get_all(struct arena *a, struct store *s, const char *const *tokens,
                                  size_t n, struct session_row *out, struct err *e)
{
    struct val *v = NEW_N(a, struct val, n + 1);

    for (size_t i = 0; i < n; i++) {
        v[i] = V_TEXT(tokens[i] ? tokens[i] : "");
        out[i] = (struct session_row){0};
    }
    return db_row_of_each(s->db, Q_SESSION_GET, (struct args){v, n}, n, a,
                          COLUMNS_SESSION(struct session_row), out, e);
}

enum status store_session_get(struct arena *a, struct store *s, const char *token,
                              struct session_row *out, bool *found, struct err *e)
{
    return db_row(s->db, Q_SESSION_GET, ARGS(V_TEXT(token)), a, COLUMNS_SESSION(struct session_row),
                  out, found, e);
}

enum status store_session_add(struct store *s, const char *token, const struct session_row *row,
                              struct err *e)
{
    return db_run(s->db, Q_SESSION_ADD,
                  ARGS(V_TEXT(token), V_TEXT(row->kind), V_INT(row->who), V_TEXT(row->csrf),
                       V_INT(row->created_ms), V_INT(row->expires_ms),
                       V_TEXT(row->address ? row->address : ""),
                       V_TEXT(row->agent ? row->agent : ""), V_INT(row->strong)),
                  NULL, e);
}

enum status store_session_seen(struct store *s, const char *token, int64_t now_ms, struct err *e)
{
    return db_run(s->db, Q_SESSION_SEEN, ARGS(V_TEXT(token), V_INT(now_ms)), NULL, e);
}

enum status store_session_turn(struct store *s, const char *token, const char *csrf,
                               const char *fresh, bool *turned, struct err *e)
{
    return db_change(s->db, Q_SESSION_TURN, ARGS(V_TEXT(token), V_TEXT(csrf), V_TEXT(fresh)),
                     turned, e);
}

enum status store_session_drop(struct store *s, const char *token, struct err *e)
{
    return db_run(s->db, Q_SESSION_DROP, ARGS(V_TEXT(token)), NULL, e);
}

enum status store_session_drop_who(struct store *s, const char *kind, int64_t who, struct err *e)
{
    return db_run(s->db, Q_SESSION_DROP_WHO, ARGS(V_TEXT(kind), V_INT(who)), NULL, e);
}

enum status store_session_sweep(struct store *s, int64_t now_ms, struct err *e)
{
    return db_run(s->db, Q_SESSION_SWEEP, ARGS(V_INT(now_ms)), NULL, e);
}

/* ---- the audit log ---- */

enum status store_audit_add(struct store *s, const struct audit_row *row, struct err *e)
{
    return db_run(s->db, Q_AUDIT_ADD,
                  ARGS(V_INT(row->at_ms), V_TEXT(row->who), V_TEXT(row->what),
                       V_TEXT(row->subject ? row->subject : ""),
                       V_TEXT(row->detail ? row->detail : "")),
                  NULL, e);
}

enum status store_audit_find(struct arena *a, struct store *s, const struct audit_wanted *w,
                             struct audit_list *out, struct err *e)
{
    return db_list(s->db, Q_AUDIT_FIND,
                   ARGS(V_INT(w->before ? w->before : INT64_MAX), V_INT(w->n), V_TEXT(w->who),
                        V_TEXT(w->what), V_TEXT(w->subject)),
                   ROWS_INTO(a, out, COLUMNS_AUDIT(struct audit_row)), e);
}

enum status store_audit_list(struct arena *a, struct store *s, int64_t before, int64_t n,
                             struct audit_list *out, struct err *e)
{
    const struct audit_wanted all = {before, n, "", "", ""};

    return store_audit_find(a, s, &all, out, e);
}

/* ---- browsers that are known ---- */

enum status store_device_add(struct store *s, const char *token, int64_t account, int64_t now_ms,
                             struct err *e)
{
    const int64_t year = 366 * CLOCK_DAY_MS;

    if (db_run(s->db, Q_DEVICE_SWEEP, ARGS(V_INT(now_ms - year)), NULL, e) != OK)
        return e->code;
    return db_run(s->db, Q_DEVICE_ADD, ARGS(V_TEXT(token), V_INT(account), V_INT(now_ms)), NULL, e);
}

enum status store_device_known(struct store *s, const char *token, const char *name, bool *known,
                               struct err *e)
{
    return db_true(s->db, Q_DEVICE_KNOWN, ARGS(V_TEXT(token), V_TEXT(name)), known, e);
}

enum status store_device_forget(struct store *s, int64_t account, struct err *e)
{
    return db_run(s->db, Q_DEVICE_FORGET, ARGS(V_INT(account)), NULL, e);
}
