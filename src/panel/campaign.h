/* campaign.h - human judging of a run: campaigns and their passages.
 *
 * A campaign shows the answers of a run to raters under meaningless names. A passage is an item
 * with all its answers; a rater rates all of them, so that the severity of raters and the
 * difficulty of passages cancel out when systems are compared. A campaign is a draft until it is
 * opened, takes ratings until it is closed or its deadline has passed, and reveals the authors
 * only after it was unmasked.
 *
 * In all of panel: results live in the arena that is passed in, and a struct store belongs to
 * one thread (store/store.h). */
#ifndef PANEL_CAMPAIGN_H
#define PANEL_CAMPAIGN_H

#include "panel/spec.h"
#include "store/store.h"

enum campaign_state { CAMPAIGN_DRAFT, CAMPAIGN_OPEN, CAMPAIGN_CLOSED, CAMPAIGN_UNMASKED };
const char *campaign_state_name(enum campaign_state s);

/* A campaign with everything it refers to. Lives in the arena it was read into. */
struct campaign {
    int64_t id;
    const char *name, *secret;
    enum campaign_state state;
    int64_t created_ms, closed_ms, erased_ms; /* 0: not yet */
    bool stale;
    struct spec spec;
    struct str frozen; /* the campaign file, as stored */
    struct run_row run;
    struct suite suite;
};

struct campaign_list {
    struct campaign *v; /* without spec, frozen, run and suite, except run.name and run.id */
    size_t n;
};

struct campaign_new {
    const struct run_row *run;
    const struct suite *suite;
    const char *frozen; /* the campaign file */
    const char *who;    /* the creator, for the audit log */
};

/* Creates a draft over this run: a passage for each item that has an answer (or is to be
 * examined). Texts that may reveal their author are withheld; texts that a rule leaves out are
 * hidden. Flags the run, then one transaction. E_USAGE: the name is taken, the run has no
 * answers, or it has fewer passages than each rater is to rate, so nobody could finish. */
CHECKED enum status campaign_add(struct arena *a, struct store *s, const struct campaign_new *n,
                                 struct campaign *out, struct err *e);
/* Inserts only the row, with a new secret, and the line of the audit log. Must be called in a
 * transaction. E_USAGE: the name is taken. */
CHECKED enum status campaign_insert(struct store *s, const struct campaign_new *n, const char *name,
                                    int64_t *id, struct err *e);
CHECKED enum status campaign_get(struct arena *a, struct store *s, const char *name,
                                 struct campaign *out, struct err *e);
CHECKED enum status campaign_by_id(struct arena *a, struct store *s, int64_t id,
                                   struct campaign *out, struct err *e);
/* The columns that may change, and the secret; other members are empty. */
CHECKED enum status campaign_now(struct arena *a, struct store *s, int64_t id, struct campaign *out,
                                 bool *found, struct err *e);
CHECKED enum status campaign_list(struct arena *a, struct store *s, struct campaign_list *out,
                                  struct err *e);

/* Draft to open, open to closed, closed to unmasked; a closed campaign that was not unmasked may
 * be reopened. E_USAGE explains why a change is not possible, for example after the deadline;
 * E_BUSY: somebody else has changed it since it was read. */
CHECKED enum status campaign_turn(struct store *s, const struct campaign *c, enum campaign_state to,
                                  struct err *e);
/* Are ratings taken now? */
bool campaign_takes(const struct campaign *c, int64_t now_ms);
/* Unfinished raters who were last seen before this time are not waited for. While ratings are
 * taken they are waited for as long as a lease lasts, afterwards not at all. */
int64_t campaign_gone_ms(const struct campaign *c, int64_t now_ms);

/* Do the raters hold the sittings of this suite themselves (room.h)? Then a rater gets one
 * sitting of a passage, not all. */
bool campaign_examines(const struct suite *suite);
/* Are they the user of a dialogue (meeting.h)? With one model, or with two at once if the
 * instrument compares. */
bool campaign_meets(const struct suite *suite);

/* Name of the reference as an author, besides the run's models. */
#define CAMPAIGN_REFERENCE "reference"

/* ---- texts that are not shown before somebody has decided ---- */

enum { WITHHELD_NAME = 17 }; /* with NUL */
struct withheld {
    int64_t sample;
    char name[WITHHELD_NAME]; /* for pages: numbers of samples are ordered by model */
    const char *model_name, *item_name, *why, *words;
    struct str text;
    const char *decision; /* NULL: no decision yet */
};
struct withheld_list {
    struct withheld *v;
    size_t n;
};
/* Is it hidden by a rule of the suite, and has nobody decided to show it? */
bool withheld_left_out(const struct withheld *w);
/* By passage; within a passage in an order that reveals nothing. */
CHECKED enum status campaign_withheld(struct arena *a, struct store *s, const struct campaign *c,
                                      struct withheld_list *out, struct err *e);
/* Must be called in a transaction. */
CHECKED enum status campaign_decide(struct store *s, const struct campaign *c, int64_t sample,
                                    bool show, const char *who, struct err *e);

/* ---- how it stands ---- */

struct coverage {
    const char *item_name;
    int64_t item, done, live; /* submitted; in progress */
    int64_t counted;          /* by raters who count in the main table, or may still come to */
    bool waits;               /* a text of it waits for a decision */
};
struct coverage_list {
    struct coverage *v;
    size_t n;
    bool connected;   /* raters and submitted passages form a connected graph */
    int64_t short_of; /* ratings still needed until each passage is `counted` often enough */
    int64_t top_up;   /* raters to invite for that */
};
CHECKED enum status campaign_coverage(struct arena *a, struct store *s, const struct campaign *c,
                                      struct coverage_list *out, struct err *e);

#endif
