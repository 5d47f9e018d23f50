/* campaign.h - human judging of a run: campaigns and their passages.
 *
 * A campaign shows the answers of a run to raters, under names that say nothing. A passage is an
 * item with all its answers; one rater rates all of them, so that the severity of raters and the
 * difficulty of passages cancel when systems are compared. A campaign is a draft until it is
 * opened, takes ratings until it is closed or its deadline has passed, and tells which system wrote
 * what only when it has been unmasked.
 *
 * In all of panel: what a function reads lives in the arena that it is given, and a struct store is
 * one thread's (store/store.h). */
#ifndef PANEL_CAMPAIGN_H
#define PANEL_CAMPAIGN_H

#include "panel/spec.h"
#include "store/store.h"

enum campaign_state { CAMPAIGN_DRAFT, CAMPAIGN_OPEN, CAMPAIGN_CLOSED, CAMPAIGN_UNMASKED };
const char *campaign_state_name(enum campaign_state s);

/* A campaign with all that it is about. Lives in the arena that it was read into. */
struct campaign {
    int64_t id;
    const char *name, *secret;
    enum campaign_state state;
    int64_t created_ms, closed_ms, erased_ms; /* 0: not yet */
    bool stale;
    struct spec spec;
    struct str frozen; /* the file, as stored */
    struct run_row run;
    struct suite suite;
};

struct campaign_list {
    struct campaign *v; /* without spec, frozen, run and suite, but for run.name and run.id */
    size_t n;
};

struct campaign_new {
    const struct run_row *run;
    const struct suite *suite;
    const char *frozen; /* the campaign file */
    const char *who;    /* makes it, as the audit log says it */
};

/* Make a draft over this run: one passage for each item with an answer (or that is to be examined),
 * texts that may give their author away withheld, those that a rule leaves out hidden. One
 * transaction, after the run was flagged. E_USAGE when there is a campaign of this name, the run
 * has no answers, or fewer passages than each rater is to rate: nobody could finish. */
CHECKED enum status campaign_add(struct arena *a, struct store *s, const struct campaign_new *n,
                                 struct campaign *out, struct err *e);
/* Its row alone, with a secret of its own, and its line in the audit log. In a transaction of the
 * caller's. E_USAGE: the name is taken. */
CHECKED enum status campaign_insert(struct store *s, const struct campaign_new *n, const char *name,
                                    int64_t *id, struct err *e);
CHECKED enum status campaign_get(struct arena *a, struct store *s, const char *name,
                                 struct campaign *out, struct err *e);
CHECKED enum status campaign_by_id(struct arena *a, struct store *s, int64_t id,
                                   struct campaign *out, struct err *e);
/* What may change of it, and its secret; the rest is empty. */
CHECKED enum status campaign_now(struct arena *a, struct store *s, int64_t id, struct campaign *out,
                                 bool *found, struct err *e);
CHECKED enum status campaign_list(struct arena *a, struct store *s, struct campaign_list *out,
                                  struct err *e);

/* Draft to open, open to closed, closed to unmasked; a closed one may be opened again as long as it
 * was not unmasked. Anything else is E_USAGE and says why, and so is opening after the deadline;
 * E_BUSY when somebody else has changed it since it was read. */
CHECKED enum status campaign_turn(struct store *s, const struct campaign *c, enum campaign_state to,
                                  struct err *e);
/* Ratings are taken now. */
bool campaign_takes(const struct campaign *c, int64_t now_ms);
/* Raters who have not finished and were last seen before this are not waited for: for the length of
 * a lease while ratings are taken, then no more. */
int64_t campaign_gone_ms(const struct campaign *c, int64_t now_ms);

/* Its raters hold the sittings of such a suite themselves (room.h), each alone: a rater gets one
 * sitting of a passage, not all. */
bool campaign_examines(const struct suite *suite);
/* ... and they are the user of a dialogue (meeting.h): with one model, or with two at once where
 * the instrument compares. */
bool campaign_meets(const struct suite *suite);

/* Who wrote the texts: the run's models, and the reference under this name. */
#define CAMPAIGN_REFERENCE "reference"

/* ---- texts that are not shown before somebody has decided ---- */

enum { WITHHELD_NAME = 17 }; /* and NUL */
struct withheld {
    int64_t sample;
    char name[WITHHELD_NAME]; /* for pages: the numbers of samples go by model */
    const char *model_name, *item_name, *why, *words;
    struct str text;
    const char *decision; /* NULL: not decided */
};
struct withheld_list {
    struct withheld *v;
    size_t n;
};
/* A rule of the suite hides it, and nobody has said that it is to be shown. */
bool withheld_left_out(const struct withheld *w);
/* By passage, and there in an order that tells nothing. */
CHECKED enum status campaign_withheld(struct arena *a, struct store *s, const struct campaign *c,
                                      struct withheld_list *out, struct err *e);
/* In a transaction of the caller's. */
CHECKED enum status campaign_decide(struct store *s, const struct campaign *c, int64_t sample,
                                    bool show, const char *who, struct err *e);

/* ---- how it stands ---- */

struct coverage {
    const char *item_name;
    int64_t item, done, live; /* handed in; being rated */
    int64_t counted; /* handed in by raters who count in the main table, or are on the way to it */
    bool waits;      /* a text of it waits for a decision */
};
struct coverage_list {
    struct coverage *v;
    size_t n;
    bool connected;   /* raters and passages handed in hang together */
    int64_t short_of; /* passages still to be rated so that each is `counted` often enough */
    int64_t top_up;   /* raters who would have to be invited for them */
};
CHECKED enum status campaign_coverage(struct arena *a, struct store *s, const struct campaign *c,
                                      struct coverage_list *out, struct err *e);

#endif
