/* rater.h - the people who rate: invitations, consent, coming back, leaving.
 *
 * A rater is known by a pseudonym. Whoever has the invitation or the words to come back is that
 * rater; only hashes of both are stored. What raters tell about themselves is stored in one
 * column, which is cleared when they withdraw. */
#ifndef PANEL_RATER_H
#define PANEL_RATER_H

#include "panel/campaign.h"

enum { RATER_TOKEN = 68 }; /* letters, digits and dashes, and NUL */

/* States in order; the last two are final, like RATER_FINISHED. */
enum rater_state {
    RATER_INVITED,
    RATER_CONSENTED,
    RATER_PRACTISING,
    RATER_RATING,
    RATER_FINISHED,
    RATER_REJECTED, /* failed the practice */
    RATER_WITHDRAWN,
};
const char *rater_state_name(enum rater_state s);
/* False if there is no such state. */
bool rater_state_read(struct str name, enum rater_state *out);
enum rater_state rater_state_of(struct str name); /* RATER_WITHDRAWN for unknown names */

struct rater {
    int64_t id, campaign;
    const char *pseudonym, *language, *stratum;
    const char *panel;   /* their number in a panel; NULL: none */
    const char *network; /* keyed hash, only in open arenas; NULL: not stored */
    enum rater_state state;
    const char *consent; /* version agreed to; NULL: not yet */
    const char *about;   /* JSON; NULL: not told */
    const char *code;    /* completion code */
    int64_t practice;    /* attempts completed */
    int64_t rounds;      /* practice rounds passed */
    /* When the last round was passed: attempts completed, passages submitted, time. */
    int64_t passed_attempts, passed_done, passed_ms;
    int64_t created_ms, consent_ms, finished_ms;
    const char *excluded_by, *excluded_why; /* NULL: not excluded */
    int64_t done;                           /* passages submitted */
    int64_t handed_in;                      /* the same, including what was mixed in */
};
struct rater_list {
    struct rater *v;
    size_t n;
};

CHECKED enum status rater_get(struct arena *a, struct store *s, int64_t id, struct rater *out,
                              struct err *e);
/* E_ABSENT if the campaign has no rater of this pseudonym. */
CHECKED enum status rater_named(struct arena *a, struct store *s, const struct campaign *c,
                                const char *pseudonym, struct rater *out, struct err *e);
/* The name of a rater in append-only logs. An imported rater has the name from the file, which
 * is deleted when they are erased, so logs use the id. */
const char *rater_logged(struct arena *a, const struct rater *r);
CHECKED enum status rater_list(struct arena *a, struct store *s, int64_t campaign,
                               struct rater_list *out, struct err *e);
/* At most n raters after the one with this id (0: from the first). */
CHECKED enum status rater_page(struct arena *a, struct store *s, int64_t campaign, int64_t after,
                               int64_t n, struct rater_list *out, struct err *e);

/* ---- invitations ---- */

struct invite {
    int64_t id, campaign;
    const char *label;
    const char *rater; /* who used it; NULL */
    int64_t created_ms, expires_ms, revoked_ms, used_ms;
};
struct invite_list {
    struct invite *v;
    size_t n;
};

/* The token is returned once and not stored. E_USAGE if the campaign is closed. */
CHECKED enum status invite_add(struct store *s, const struct campaign *c, const char *label,
                               int64_t expires_ms, char token[RATER_TOKEN], struct err *e);
CHECKED enum status invite_page(struct arena *a, struct store *s, int64_t campaign, int64_t after,
                                int64_t n, struct invite_list *out, struct err *e);
CHECKED enum status invite_revoke(struct store *s, const struct campaign *c, int64_t id,
                                  struct err *e);
/* Looks up a token; changes nothing. E_ABSENT: there is no such invitation; E_USAGE: it cannot
 * be used, or not any more. */
CHECKED enum status invite_look(struct arena *a, struct store *s, struct str token,
                                struct invite *out, struct err *e);

/* ---- becoming a rater ---- */

/* Uses the invitation. *words, returned only once, let the rater come back, also from another
 * device. */
CHECKED enum status rater_accept(struct arena *a, struct store *s, struct str token,
                                 const char *language, struct rater *out, char words[RATER_TOKEN],
                                 struct err *e);
/* Open registration. E_USAGE: wrong code, or the campaign is by invitation only. */
CHECKED enum status rater_join(struct arena *a, struct store *s, const struct campaign *c,
                               struct str code, const char *language, struct rater *out,
                               char words[RATER_TOKEN], struct err *e);
/* Origin of a rater: number in a panel (p == NULL: none), and network. */
struct rater_from {
    struct str panel;
    const char *network;
};
enum { RATER_PANEL_MAX = 200 }; /* bytes */
/* May somebody with this origin become a rater? *known: the number has already taken part.
 * *crowded: the daily limit of the network is reached. Must be called in the transaction that
 * adds the rater: concurrent calls, also on other servers, wait for its end. */
CHECKED enum status rater_look(struct arena *a, struct store *s, const struct campaign *c,
                               const struct rater_from *from, bool *known, bool *crowded,
                               struct err *e);
/* Stores the number, and in open arenas a keyed hash of the network. */
CHECKED enum status rater_came(struct arena *a, struct store *s, const struct campaign *c,
                               int64_t id, const struct rater_from *from, struct err *e);

/* The rater with these words. E_ABSENT: none. */
CHECKED enum status rater_back(struct arena *a, struct store *s, struct str words,
                               struct rater *out, struct err *e);
/* Replaces the words of a rater; the old ones become invalid. */
CHECKED enum status rater_new_words(struct store *s, int64_t id, char words[RATER_TOKEN],
                                    struct err *e);

/* ---- on the way ---- */

/* The version must be the campaign's current one. */
CHECKED enum status rater_consent(struct store *s, const struct campaign *c, const struct rater *r,
                                  const char *version, const char *language, struct err *e);
/* answers[i]: chosen option of question i, or -1: not said. The rater goes on to practice or
 * rating. */
CHECKED enum status rater_about(struct store *s, const struct campaign *c, const struct rater *r,
                                const int *answers, struct err *e);
/* Is practice due again, after so many passages or days, before anything else is rated? */
bool rater_must_practise(const struct campaign *c, const struct rater *r, int64_t now_ms);
/* Marks the rater as finished, with a completion code, if at least `least` passages were
 * submitted. */
CHECKED enum status rater_finish(struct store *s, const struct campaign *c, int64_t id,
                                 int64_t least, struct err *e);
/* Excludes a rater from the main table; the ratings are kept. E_USAGE: without a reason, or
 * after unmasking. Must be called in a transaction. */
CHECKED enum status rater_exclude(struct store *s, const struct campaign *c, const char *pseudonym,
                                  const char *who, const char *why, struct err *e);

#endif
