#include "store/store_people.h"

#include "gen/queries.h"

static const char kind[] = "staff";

/* ---- sessions ---- */

enum status store_people_sessions(struct arena *a, struct store *s, int64_t account,
                                  struct signed_in_list *out, struct err *e)
{
    return db_list(s->db, Q_SESSION_LIST, ARGS(V_TEXT(kind), V_INT(account)),
                   ROWS_INTO(a, out, COLUMNS_SESSION_LIST(struct signed_in)), e);
}

enum status store_people_end(struct store *s, int64_t account, const char *token, struct err *e)
{
    return db_run(s->db, Q_SESSION_DROP_ONE, ARGS(V_TEXT(kind), V_INT(account), V_TEXT(token)),
                  NULL, e);
}

enum status store_people_confirm(struct store *s, const char *token, int64_t now_ms, struct err *e)
{
    return db_run(s->db, Q_SESSION_CONFIRM, ARGS(V_TEXT(token), V_INT(now_ms)), NULL, e);
}

enum status store_people_strong(struct store *s, const char *token, struct err *e)
{
    return db_run(s->db, Q_SESSION_STRONG, ARGS(V_TEXT(token)), NULL, e);
}

/* ---- the second factor ---- */

enum status store_people_totp(struct store *s, int64_t account, const char *secret, struct err *e)
{
    return db_run(s->db, Q_TOTP_SET, ARGS(V_INT(account), secret ? V_TEXT(secret) : V_NULL), NULL,
                  e);
}

enum status store_people_totp_use(struct store *s, int64_t account, int64_t step, bool *fresh,
                                  struct err *e)
{
    return db_change(s->db, Q_TOTP_USE, ARGS(V_INT(account), V_INT(step)), fresh, e);
}

enum status store_people_forget_codes(struct store *s, int64_t account, struct err *e)
{
    return db_run(s->db, Q_RECOVERY_DROP, ARGS(V_INT(account)), NULL, e);
}

enum status store_people_recovery(struct store *s, int64_t account, const char *hash, struct err *e)
{
    return db_run(s->db, Q_RECOVERY_ADD, ARGS(V_INT(account), V_TEXT(hash)), NULL, e);
}

enum status store_people_recover(struct store *s, int64_t account, const char *hash, bool *good,
                                 struct err *e)
{
    return db_change(s->db, Q_RECOVERY_USE, ARGS(V_INT(account), V_TEXT(hash)), good, e);
}

/* ---- tokens of programs ---- */

enum status store_people_token_add(struct store *s, const struct api_token *t, const char *hash,
                                   struct err *e)
{
    return db_run(s->db, Q_API_TOKEN_ADD,
                  ARGS(V_INT(t->account), V_TEXT(t->name), V_TEXT(hash), V_TEXT(t->scope),
                       V_INT(t->created_ms), V_INT(t->expires_ms), V_INT(t->strong)),
                  NULL, e);
}

enum status store_people_token(struct arena *a, struct store *s, const char *hash, int64_t now_ms,
                               struct api_token *out, bool *found, struct err *e)
{
    if (db_row(s->db, Q_API_TOKEN_GET, ARGS(V_TEXT(hash), V_INT(now_ms)), a,
               COLUMNS_API_TOKEN(struct api_token), out, found, e) != OK)
        return e->code;
    if (!*found)
        return OK;
    return db_run(s->db, Q_API_TOKEN_USED, ARGS(V_INT(out->id), V_INT(now_ms)), NULL, e);
}

enum status store_people_tokens(struct arena *a, struct store *s, int64_t account,
                                struct api_token_list *out, struct err *e)
{
    return db_list(s->db, Q_API_TOKEN_LIST, ARGS(V_INT(account)),
                   ROWS_INTO(a, out, COLUMNS_API_TOKEN_LIST(struct api_token)), e);
}

enum status store_people_token_revoke(struct store *s, int64_t account, int64_t id, int64_t now_ms,
                                      struct err *e)
{
    if (!id)
        return db_run(s->db, Q_API_TOKEN_REVOKE_ALL, ARGS(V_INT(account), V_INT(now_ms)), NULL, e);
    return db_run(s->db, Q_API_TOKEN_REVOKE, ARGS(V_INT(account), V_INT(id), V_INT(now_ms)), NULL,
                  e);
}

/* ---- teams and roles ---- */

static enum status list_pairs(struct arena *a, struct store *s, int query, struct args args,
                              struct word_pairs *out, struct err *e)
{
    return db_list(s->db, query, args, ROWS_INTO(a, out, COLUMNS_WORD_PAIR(struct word_pair)), e);
}

enum status store_people_teams(struct arena *a, struct store *s, struct word_pairs *out,
                               struct err *e)
{
    return list_pairs(a, s, Q_TEAM_LIST, NO_ARGS, out, e);
}

enum status store_people_grants(struct arena *a, struct store *s, int64_t campaign,
                                struct word_pairs *out, struct err *e)
{
    return list_pairs(a, s, Q_GRANT_LIST, ARGS(V_INT(campaign)), out, e);
}

enum status store_people_is_team(struct store *s, const char *name, bool *is, struct err *e)
{
    return db_true(s->db, Q_TEAM_NAMED, ARGS(V_TEXT(name)), is, e);
}

enum status store_people_team_add(struct store *s, const char *team, struct err *e)
{
    return db_run(s->db, Q_TEAM_ADD, ARGS(V_TEXT(team)), NULL, e);
}

enum status store_people_team_drop(struct store *s, const char *team, struct err *e)
{
    bool done = false;

    if (db_run(s->db, Q_TEAM_GRANTS_DROP, ARGS(V_TEXT(team)), NULL, e) != OK ||
        db_run(s->db, Q_TEAM_MEMBERS_DROP, ARGS(V_TEXT(team)), NULL, e) != OK ||
        db_change(s->db, Q_TEAM_DROP, ARGS(V_TEXT(team)), &done, e) != OK)
        return e->code;
    return done ? OK : err_set(e, E_ABSENT, "no team '%s'", team);
}

enum status store_people_team_member(struct store *s, const char *team, const char *account,
                                     bool in, struct err *e)
{
    int64_t known = 0;
    bool done = false;

    if (in && db_int(s->db, Q_TEAM_KNOWN, ARGS(V_TEXT(team), V_TEXT(account)), &known, &done, e))
        return e->code;
    if (in && !known)
        return err_set(e, E_ABSENT, "no account '%s'", account);
    if (db_change(s->db, in ? Q_TEAM_JOIN : Q_TEAM_LEAVE, ARGS(V_TEXT(team), V_TEXT(account)),
                  &done, e) != OK)
        return e->code;
    return done || in ? OK : err_set(e, E_ABSENT, "'%s' is not in '%s'", account, team);
}

enum status store_people_grant(struct store *s, int64_t campaign, const char *name,
                               const char *role, struct err *e)
{
    bool done = false;

    if ((role
             ? db_change(s->db, Q_GRANT_PUT, ARGS(V_INT(campaign), V_TEXT(name), V_TEXT(role)),
                         &done, e)
             : db_change(s->db, Q_GRANT_DROP, ARGS(V_INT(campaign), V_TEXT(name)), &done, e)) != OK)
        return e->code;
    return done ? OK
                : err_set(e, role ? E_INPUT : E_ABSENT, "no account or team '%s', or one of each",
                          name);
}

enum status store_people_grants_of(struct arena *a, struct store *s, int64_t account,
                                   const char *campaign, struct grant_list *out, struct err *e)
{
    return db_list(s->db, Q_GRANT_OF, ARGS(V_INT(account), V_TEXT(campaign)),
                   ROWS_INTO(a, out, COLUMNS_GRANT_OF(struct grant)), e);
}
