/* store_people.h - rows about staff: sessions, second factors, API tokens, teams, and roles in
 * campaigns. What they mean is decided in web/. */
#ifndef STORE_STORE_PEOPLE_H
#define STORE_STORE_PEOPLE_H

#include "store/store.h"

/* ---- sessions ---- */

struct signed_in {
    const char *token; /* its hash */
    const char *address, *agent;
    int64_t created_ms, seen_ms;
};
struct signed_in_list {
    struct signed_in *v;
    size_t n;
};
CHECKED enum status store_people_sessions(struct arena *a, struct store *s, int64_t account,
                                          struct signed_in_list *out, struct err *e);
/* Ends one session, if it is one of this account. */
CHECKED enum status store_people_end(struct store *s, int64_t account, const char *token,
                                     struct err *e);
/* Notes that a second factor was given in this session. */
CHECKED enum status store_people_strong(struct store *s, const char *token, struct err *e);
/* Notes that the password was given again in this session. */
CHECKED enum status store_people_confirm(struct store *s, const char *token, int64_t now_ms,
                                         struct err *e);

/* ---- the second factor ---- */

/* NULL removes it. */
CHECKED enum status store_people_totp(struct store *s, int64_t account, const char *secret,
                                      struct err *e);
/* *fresh is false if this step, or a later one, was used before. */
CHECKED enum status store_people_totp_use(struct store *s, int64_t account, int64_t step,
                                          bool *fresh, struct err *e);
CHECKED enum status store_people_forget_codes(struct store *s, int64_t account, struct err *e);
CHECKED enum status store_people_recovery(struct store *s, int64_t account, const char *hash,
                                          struct err *e);
/* *good: the code existed; it cannot be used again. */
CHECKED enum status store_people_recover(struct store *s, int64_t account, const char *hash,
                                         bool *good, struct err *e);

/* ---- tokens of programs ---- */

struct api_token {
    int64_t id, account, created_ms, expires_ms, used_ms;
    const char *name, *scope; /* read, write */
    bool strong;              /* made in a session with a second factor */
};
struct api_token_list {
    struct api_token *v;
    size_t n;
};
CHECKED enum status store_people_token_add(struct store *s, const struct api_token *t,
                                           const char *hash, struct err *e);
/* Reads id, account, scope and strong of a valid token, and notes its use. */
CHECKED enum status store_people_token(struct arena *a, struct store *s, const char *hash,
                                       int64_t now_ms, struct api_token *out, bool *found,
                                       struct err *e);
CHECKED enum status store_people_tokens(struct arena *a, struct store *s, int64_t account,
                                        struct api_token_list *out, struct err *e);
/* Revokes one token of an account, or (id 0) all. */
CHECKED enum status store_people_token_revoke(struct store *s, int64_t account, int64_t id,
                                              int64_t now_ms, struct err *e);

/* ---- teams and roles ---- */

/* Two columns: team and member ("" for an empty team), or name and role. */
struct word_pair {
    const char *name, *word;
};
struct word_pairs {
    struct word_pair *v;
    size_t n;
};
CHECKED enum status store_people_teams(struct arena *a, struct store *s, struct word_pairs *out,
                                       struct err *e);
CHECKED enum status store_people_is_team(struct store *s, const char *name, bool *is,
                                         struct err *e);
CHECKED enum status store_people_team_add(struct store *s, const char *team, struct err *e);
/* Deletes a team with its members and its roles in campaigns. E_ABSENT: there is none. Call it in a
 * transaction. */
CHECKED enum status store_people_team_drop(struct store *s, const char *team, struct err *e);
/* E_ABSENT: there is no such team or account. */
CHECKED enum status store_people_team_member(struct store *s, const char *team, const char *account,
                                             bool in, struct err *e);
CHECKED enum status store_people_grants(struct arena *a, struct store *s, int64_t campaign,
                                        struct word_pairs *out, struct err *e);
/* Gives an account or a team a role; NULL takes it away. E_INPUT (E_ABSENT when taking it away):
 * the name belongs to neither, or to one of each. */
CHECKED enum status store_people_grant(struct store *s, int64_t campaign, const char *name,
                                       const char *role, struct err *e);

struct grant {
    int64_t campaign;
    const char *role;
};
struct grant_list {
    struct grant *v;
    size_t n;
};
/* The roles of an account, its own and those of its teams; in one campaign, or (name "") in
 * each. */
CHECKED enum status store_people_grants_of(struct arena *a, struct store *s, int64_t account,
                                           const char *campaign, struct grant_list *out,
                                           struct err *e);

#endif
