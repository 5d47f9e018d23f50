/* ballot.h - what a rater sees of an assignment, and says about it.
 *
 * Texts go by names that are made from the campaign's secret, the assignment and the text: the same
 * text has another name for each rater, and none tells who wrote it. So do pages, though theirs can
 * be read back: numbers of assignments would tell a rater how many others had begun meanwhile. A
 * mark is saved field by field. Every save names the version that it replaces (0: none) and itself,
 * so that sending it again does no harm and an old draft never overwrites a newer one. Zero is a
 * value; "cannot say" is another thing, and so is nothing. A comment and quotations may be saved
 * before there is a mark; such words count nowhere, and are not handed in without one. */
#ifndef PANEL_BALLOT_H
#define PANEL_BALLOT_H

#include "panel/assign.h"
#include "panel/shelf.h"
#include "suite/instrument.h"
#include "suite/item.h"
#include "suite/turn.h"

enum {
    BALLOT_NAME = 17,              /* of a text or a page, and NUL */
    BALLOT_COMMENT_MAX = 16 << 10, /* code points */
    BALLOT_QUOTES_MAX = 64 << 10,  /* code points of JSON */
    BALLOT_CLIENT_MAX = 64,
};

#define BALLOT_CHOICE "choice" /* the dimension of a pair */
#define BALLOT_TURN   "turn-"  /* ... and of a vote on one exchange of two talks: "turn-3" */
#define BALLOT_BAD    (-1.0)   /* neither is better, and neither is good; counts as a tie */

/* One thing to be rated. */
struct slot {
    char name[BALLOT_NAME];
    struct shown is;        /* never leaves the server */
    struct str text, other; /* other: of a pair, the one shown second */
    struct turn_list turns; /* of an interview; n == 0: it has none */
};

/* What is shown of an assignment. */
struct ballot {
    struct assignment of;
    struct item item;             /* of an anchor text: its prompt alone */
    const struct example *anchor; /* NULL: a passage */
    struct slot *slots;
    size_t n;
    bool outline; /* the texts were not read */
};

/* The slots without their texts: enough to say something about one. */
struct ballot ballot_outline(struct arena *a, const struct campaign *c,
                             const struct assignment *of);
CHECKED enum status ballot_open(struct arena *a, struct store *s, const struct campaign *c,
                                const struct assignment *of, struct ballot *out, struct err *e);
/* A sitting of it is still to be held. */
bool ballot_waits(const struct ballot *b);
/* What the page of an assignment is called for this rater, who alone can use the name. */
void ballot_page(const char *secret, int64_t rater, int64_t assignment, char out[BALLOT_NAME]);
/* The assignment; 0 or one that nobody has when the name is made up, or was for somebody else. */
int64_t ballot_page_of(const char *secret, int64_t rater, struct str name);

/* NULL when no slot has this name. */
const struct slot *ballot_slot(const struct ballot *b, struct str name);

struct ballot_mark {
    const char *dimension;
    struct shown is;
    bool unmarked; /* words alone: there is no mark yet, or a save leaves it as it is */
    bool cannot;   /* cannot say */
    double value; /* of a pair: 1 the first shown is better, 0 the second, .5 neither, BALLOT_BAD */
    struct str comment, quotes;
    int64_t version, saved_ms;
    const char *client; /* what its last save called itself; of a mark that was just saved */
};
struct ballot_marks {
    struct ballot_mark *v;
    size_t n;
};
CHECKED enum status ballot_marks(struct arena *a, struct store *s, int64_t assignment,
                                 struct ballot_marks *out, struct err *e);
/* NULL: nothing was said about it. There may be words without a mark. */
const struct ballot_mark *ballot_mark_of(const struct ballot_marks *m, const struct shown *is,
                                         const char *dimension);
/* Two talks were voted on as they went on: nothing need be said of the whole then. */
bool ballot_turned(const struct ballot_marks *m, const struct shown *is);

/* E_INPUT unless the instrument has this dimension, and the value on its scale. */
CHECKED enum status ballot_check(const struct instrument *in, const struct ballot_mark *m,
                                 struct err *e);

/* A save. m->version is the version that the sender saw; client names this save. */
struct ballot_save {
    struct ballot_mark m;
    const char *client;
    int64_t active_ms; /* spent since the last save, as the page measured it */
};

enum ballot_result { BALLOT_SAVED, BALLOT_STALE };

/* *now holds the mark as it stands afterwards: of a stale save, the newer one that was kept.
 * E_INPUT for a value that the instrument does not have, E_USAGE when ratings are not taken any
 * more or the assignment was handed in. */
CHECKED enum status ballot_save(struct arena *a, struct store *s, const struct campaign *c,
                                const struct ballot *b, const struct ballot_save *save,
                                enum ballot_result *result, struct ballot_mark *now, struct err *e);

/* One of several marks that come at the same moment, each of another request: a server that is
 * elsewhere is asked once for all of them. Whoever has `e` set takes no further part. */
struct ballot_vote {
    struct arena *arena;
    int64_t who, assignment;         /* the rater who asks, and what they name */
    const struct campaign *campaign; /* found; lives as long as the votes */
    struct ballot ballot;            /* its assignment is found, the rest is the caller's */
    struct ballot_save save;
    struct ballot_mark now; /* what came of it, as of ballot_save() */
    enum ballot_result result;
    struct err e;
};
/* Another rater's assignment is as absent as one that does not exist. */
CHECKED enum status ballot_find_all(struct store *s, struct shelf *f, struct ballot_vote *const *v,
                                    size_t n, struct err *e);
/* Where one of them was handed in meanwhile nothing is saved: E_USAGE. */
CHECKED enum status ballot_save_all(struct store *s, struct ballot_vote *const *v, size_t n,
                                    struct err *e);

/* Hand in. What is still missing is counted in *missing, and named in *slot and *dimension (the
 * first); then nothing is handed in. A rater who has done enough has finished. */
CHECKED enum status ballot_submit(struct arena *a, struct store *s, const struct campaign *c,
                                  const struct ballot *b, size_t *missing, const struct slot **slot,
                                  const char **dimension, struct err *e);

CHECKED enum status ballot_report(struct store *s, const struct campaign *c, const struct ballot *b,
                                  const struct slot *slot, struct str why, struct err *e);
/* The rater does not want to rate this. What was marked is kept and not handed in; the passage goes
 * to others, and not to this rater again. E_USAGE of a practice text, and of a sitting that is not
 * over. Twice is once. */
CHECKED enum status ballot_skip(struct store *s, const struct campaign *c, const struct ballot *b,
                                struct str why, struct err *e);
/* The page was read to its end. */
CHECKED enum status ballot_read(struct store *s, const struct ballot *b, struct err *e);

struct complaint {
    int64_t id, at_ms;
    int64_t sample; /* -1: the whole passage was skipped */
    const char *rater, *item_name, *why;
    struct str text; /* the answer it is about; empty where it is no answer of a model */
};
struct complaint_list {
    struct complaint *v;
    size_t n;
};
CHECKED enum status ballot_complaints(struct arena *a, struct store *s, const struct campaign *c,
                                      struct complaint_list *out, struct err *e);

#endif
