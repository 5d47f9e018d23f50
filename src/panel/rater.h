/* rater.h - the people who rate: invitations, consent, coming back, leaving.
 *
 * A rater is known by a pseudonym. Whoever holds an invitation or the words to come back is that
 * rater; only hashes of both are stored. What raters tell about themselves is one column that goes
 * when they withdraw. */
#ifndef PANEL_RATER_H
#define PANEL_RATER_H

#include "panel/campaign.h"

enum { RATER_TOKEN = 68 }; /* letters, digits and dashes, and NUL */

/* The way of a rater, in order; the last two are ends besides RATER_FINISHED. */
enum rater_state {
    RATER_INVITED,
    RATER_CONSENTED,
    RATER_PRACTISING,
    RATER_RATING,
    RATER_FINISHED,
    RATER_REJECTED, /* the practice was not passed */
    RATER_WITHDRAWN,
};
const char *rater_state_name(enum rater_state s);
/* The other way; false when there is no such state. */
bool rater_state_read(struct str name, enum rater_state *out);
enum rater_state rater_state_of(struct str name); /* RATER_WITHDRAWN for any other word */

struct rater {
    int64_t id, campaign;
    const char *pseudonym, *language, *stratum;
    const char *panel;   /* number that a panel gave them; NULL: none */
    const char *network; /* keyed hash, of an open arena; NULL: not kept */
    enum rater_state state;
    const char *consent; /* version; NULL: not yet */
    const char *about;   /* JSON; NULL: not told */
    const char *code;    /* shown at the end */
    int64_t practice;    /* attempts that are over */
    int64_t rounds;      /* of practice that were passed */
    /* Attempts that were over, and passages handed in, when the last one was passed; when. */
    int64_t passed_attempts, passed_done, passed_ms;
    int64_t created_ms, consent_ms, finished_ms;
    const char *excluded_by, *excluded_why; /* NULL: counts */
    int64_t done;                           /* passages handed in */
    int64_t handed_in;                      /* ... and what was mixed in among them */
};
struct rater_list {
    struct rater *v;
    size_t n;
};

CHECKED enum status rater_get(struct arena *a, struct store *s, int64_t id, struct rater *out,
                              struct err *e);
/* E_ABSENT when the campaign has nobody of this pseudonym. */
CHECKED enum status rater_named(struct arena *a, struct store *s, const struct campaign *c,
                                const char *pseudonym, struct rater *out, struct err *e);
/* What a log that is only added to calls them: whoever came with a file has the name that they had
 * in it, which goes when they are erased. */
const char *rater_logged(struct arena *a, const struct rater *r);
CHECKED enum status rater_list(struct arena *a, struct store *s, int64_t campaign,
                               struct rater_list *out, struct err *e);
/* At most n of them, after the one with this id (0: from the first). */
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

/* The token is told once and never stored. E_USAGE when the campaign is closed. */
CHECKED enum status invite_add(struct store *s, const struct campaign *c, const char *label,
                               int64_t expires_ms, char token[RATER_TOKEN], struct err *e);
CHECKED enum status invite_page(struct arena *a, struct store *s, int64_t campaign, int64_t after,
                                int64_t n, struct invite_list *out, struct err *e);
CHECKED enum status invite_revoke(struct store *s, const struct campaign *c, int64_t id,
                                  struct err *e);
/* What the token is for; changes nothing. E_ABSENT when there is none such; E_USAGE says why it
 * cannot be used (any more). */
CHECKED enum status invite_look(struct arena *a, struct store *s, struct str token,
                                struct invite *out, struct err *e);

/* ---- becoming a rater ---- */

/* Take the invitation up. *words let the rater come back, from another device too; told once. */
CHECKED enum status rater_accept(struct arena *a, struct store *s, struct str token,
                                 const char *language, struct rater *out, char words[RATER_TOKEN],
                                 struct err *e);
/* Open registration: E_USAGE when the code is wrong, or the campaign has none and is not open. */
CHECKED enum status rater_join(struct arena *a, struct store *s, const struct campaign *c,
                               struct str code, const char *language, struct rater *out,
                               char words[RATER_TOKEN], struct err *e);
/* Where somebody comes from: with which number of a panel (p == NULL: none), from which network. */
struct rater_from {
    struct str panel;
    const char *network;
};
enum { RATER_PANEL_MAX = 200 }; /* bytes */
/* May somebody from there become a rater? *known: their number has taken part. *crowded: from their
 * network as many came within a day as the file allows. In a transaction of the caller's, who
 * becomes one in it: whoever asks meanwhile, perhaps another server, waits for its end. */
CHECKED enum status rater_look(struct arena *a, struct store *s, const struct campaign *c,
                               const struct rater_from *from, bool *known, bool *crowded,
                               struct err *e);
/* Keep it: the number, and of an open arena a keyed hash of the network. */
CHECKED enum status rater_came(struct arena *a, struct store *s, const struct campaign *c,
                               int64_t id, const struct rater_from *from, struct err *e);

/* Who comes back with these words. E_ABSENT: nobody. */
CHECKED enum status rater_back(struct arena *a, struct store *s, struct str words,
                               struct rater *out, struct err *e);
/* Other words for the same rater; the old ones are void. */
CHECKED enum status rater_new_words(struct store *s, int64_t id, char words[RATER_TOKEN],
                                    struct err *e);

/* ---- on the way ---- */

/* The version must be the one that the campaign has now. */
CHECKED enum status rater_consent(struct store *s, const struct campaign *c, const struct rater *r,
                                  const char *version, const char *language, struct err *e);
/* answers[i] is the chosen option of question i, or -1: not said. Goes on to practice or rating. */
CHECKED enum status rater_about(struct store *s, const struct campaign *c, const struct rater *r,
                                const int *answers, struct err *e);
/* Practice is due again before anything else is rated: so many passages or days have gone by. */
bool rater_must_practise(const struct campaign *c, const struct rater *r, int64_t now_ms);
/* Who has handed in at least so many passages has finished, and gets a completion code. */
CHECKED enum status rater_finish(struct store *s, const struct campaign *c, int64_t id,
                                 int64_t least, struct err *e);
/* Kept, and left out of the main table. E_USAGE without a reason, and when it is known which system
 * is which. In a transaction of the caller's. */
CHECKED enum status rater_exclude(struct store *s, const struct campaign *c, const char *pseudonym,
                                  const char *who, const char *why, struct err *e);

#endif
