/* session.h - who is signed in.
 *
 * A session is a row with the hash of its token; the token itself is only in the browser's cookie.
 * Tokens are made when somebody signs in and never taken from the client, so that nobody can be
 * signed in with a token that somebody else knows. In an open arena, a browser without cookies gets
 * passes instead: every form contains one, which is valid once and for one conversation, and the
 * answer contains the next. No address contains a pass. Staff are signed out after 30 minutes
 * without a request, raters after two hours, everybody after twelve hours. */
#ifndef WEB_SESSION_H
#define WEB_SESSION_H

#include "base/err.h"
#include "base/mem.h"

struct request;
struct response;
struct guest;

enum session_kind {
    SESSION_STAFF,
    SESSION_RATER,
    SESSION_PASS, /* a rater by passes; once begun, its kind is SESSION_RATER */
};

/* Who may see a page: a set of these. */
enum {
    ROLE_RATER = 1,
    ROLE_COORDINATOR = 2, /* invites and progress; no scores by model */
    ROLE_ANALYST = 4,     /* results and exports */
    ROLE_ADMIN = 8,
    ROLE_STAFF = ROLE_COORDINATOR | ROLE_ANALYST | ROLE_ADMIN,
    ROLE_NOBODY = 16, /* not signed in */
    ROLE_MEMBER = 32, /* has an account, and what campaigns give to it */
    ROLE_PEOPLE = ROLE_STAFF | ROLE_MEMBER,
    ROLE_ANYONE = ROLE_NOBODY | ROLE_RATER | ROLE_PEOPLE,
};

struct session {
    enum session_kind kind;
    int64_t who;          /* id of the account or the rater */
    const char *name;     /* of the account; "" for a rater */
    unsigned role;        /* ROLE_...: of the account, and of the campaign that the address names */
    unsigned own;         /* of the account alone: on pages of no campaign */
    bool strong;          /* a second factor was given in this session */
    bool totp;            /* the account has an authenticator app */
    bool local;           /* the account has a password */
    bool program;         /* a program with a token, not a browser ... */
    bool writes;          /* ... which may change something */
    int64_t confirmed_ms; /* the password was given then */
    const char *csrf;
    const char *token;  /* its hash */
    const char *pass;   /* the token itself, where passes are made of it; NULL: a cookie has it */
    int64_t ends_ms;    /* without a further request */
    const char *secret; /* of the rater's campaign, which names their pages; NULL: of staff */
};

enum {
    SESSION_STAFF_IDLE_MS = 30 * 60 * 1000,
    SESSION_RATER_IDLE_MS = 2 * 60 * 60 * 1000,
    SESSION_WHOLE_MS = 12 * 60 * 60 * 1000,
    SESSION_TOKEN = 65, /* 256 random bits in hexadecimal, and NUL */
};

/* Set q->session from the API token, the cookie or the pass; it stays NULL where none is valid. */
CHECKED enum status session_load(struct request *q, struct err *e);
/* The same for several requests with one query; API tokens are not looked at. */
CHECKED enum status session_load_all(struct guest *const *g, size_t n, struct err *e);
/* End the current session, begin a new one, and set its cookie and q->session. `strong`: a second
 * factor was given. Works inside a transaction of the caller and outside. */
CHECKED enum status session_begin(struct request *q, struct response *r, enum session_kind kind,
                                  int64_t who, bool strong, struct err *e);
/* End this session, or with `everywhere` all sessions of this person. */
CHECKED enum status session_end(struct request *q, struct response *r, bool everywhere,
                                struct err *e);

/* The token for the field "csrf" of this reader's forms; sets a cookie for readers without a
 * session. */
const char *session_csrf(struct request *q, struct response *r);
/* The same for a form to this address: the reader's pass for it, where passes are used. */
const char *session_form(struct request *q, struct response *r, const char *action);
/* Does the form, or the header X-CSRF-Token, contain that token? In constant time. */
bool session_csrf_ok(const struct request *q);
/* Did the browser send none of our cookies? */
bool session_bare(const struct request *q);
/* Use up the pass of this request. *good is false if another request had used it already. */
CHECKED enum status session_spend(struct request *q, bool *good, struct err *e);

/* "Authorization: Bearer " and this before the token's digits. */
#define SESSION_API_PREFIX "aud_"

/* What the store keeps of a token. */
const char *session_hash(struct arena *a, struct str token);
/* 256 random bits in hexadecimal. */
void session_random(char out[SESSION_TOKEN]);
/* Random letters in groups of four, for people to copy: n bytes with the dashes and a NUL. */
void session_code(char *out, size_t n, const char letters[33]);
/* Which ROLE_ a word of the account table names; 0: none. */
unsigned session_role(const char *word);
/* Does the reader have one of these roles on this page? */
bool session_may(const struct request *q, unsigned roles);

#endif
