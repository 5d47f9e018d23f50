/* ballot.h - what a rater sees of an assignment, and says about it.
 *
 * The names of texts are derived from the campaign's secret, the assignment and the text: each
 * rater sees other names, and none reveals the author. So are the names of pages, but
 * reversibly: plain numbers of assignments would tell how many other raters began meanwhile.
 *
 * Marks are saved field by field. A save states the version it replaces (0: none) and has a name
 * of its own, so repeating it does no harm, and an old draft never overwrites a newer mark. Zero
 * is a value; "cannot say" is something else, and so is no mark. Comments and quotations may be
 * saved before there is a mark; without one they count nowhere and are not enough to submit. */
#ifndef PANEL_BALLOT_H
#define PANEL_BALLOT_H

#include "panel/assign.h"
#include "panel/shelf.h"
#include "suite/instrument.h"
#include "suite/item.h"
#include "suite/turn.h"

enum {
    BALLOT_NAME = 17,              /* size of the name of a text or a page, with NUL */
    BALLOT_COMMENT_MAX = 16 << 10, /* code points */
    BALLOT_QUOTES_MAX = 64 << 10,  /* code points of JSON */
    BALLOT_CLIENT_MAX = 64,
};

#define BALLOT_CHOICE "choice" /* the dimension of a pair */
#define BALLOT_TURN   "turn-"  /* ... and of one exchange of two talks, with its number: "turn-3" */
#define BALLOT_BAD    (-1.0)   /* both are bad; counts as a tie */

/* Something to be rated. */
struct slot {
    char name[BALLOT_NAME];
    struct shown is;        /* never leaves the server */
    struct str text, other; /* other: the second text of a pair */
    struct turn_list turns; /* of an interview; n == 0: none */
};

/* What is shown of an assignment. */
struct ballot {
    struct assignment of;
    struct item item;             /* of an anchor text: only its prompt */
    const struct example *anchor; /* NULL: a passage */
    struct slot *slots;
    size_t n;
    bool outline; /* the texts were not read */
};

/* The slots without their texts, which is enough to mark one. */
struct ballot ballot_outline(struct arena *a, const struct campaign *c,
                             const struct assignment *of);
CHECKED enum status ballot_open(struct arena *a, struct store *s, const struct campaign *c,
                                const struct assignment *of, struct ballot *out, struct err *e);
/* Is a sitting of it still to be held? */
bool ballot_waits(const struct ballot *b);
/* The name of an assignment's page for this rater; other raters cannot use it. */
void ballot_page(const char *secret, int64_t rater, int64_t assignment, char out[BALLOT_NAME]);
/* The assignment of a page; 0 or an unused number if the name is forged or belongs to another
 * rater. */
int64_t ballot_page_of(const char *secret, int64_t rater, struct str name);

/* NULL if no slot has this name. */
const struct slot *ballot_slot(const struct ballot *b, struct str name);

struct ballot_mark {
    const char *dimension;
    struct shown is;
    bool unmarked; /* only words: there is no mark, or this save does not change it */
    bool cannot;   /* "cannot say" */
    double value;  /* of a pair: 1 the first is better, 0 the second, .5 neither, BALLOT_BAD */
    struct str comment, quotes;
    int64_t version, saved_ms;
    const char *client; /* name of the last save; only set after saving */
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
/* Were there votes on single exchanges? Then a vote on the whole is optional. */
bool ballot_turned(const struct ballot_marks *m, const struct shown *is);

/* E_INPUT unless the instrument has this dimension and its scale this value. */
CHECKED enum status ballot_check(const struct instrument *in, const struct ballot_mark *m,
                                 struct err *e);

/* A save. m->version is the version that the client has seen; `client` names this save. */
struct ballot_save {
    struct ballot_mark m;
    const char *client;
    int64_t active_ms; /* time spent since the last save, measured by the page */
};

enum ballot_result { BALLOT_SAVED, BALLOT_STALE };

/* *now is the resulting mark: for a stale save, the newer one that was kept. E_INPUT: not a
 * value of the instrument; E_USAGE: ratings are no longer taken, or the assignment was
 * submitted. */
CHECKED enum status ballot_save(struct arena *a, struct store *s, const struct campaign *c,
                                const struct ballot *b, const struct ballot_save *save,
                                enum ballot_result *result, struct ballot_mark *now, struct err *e);

/* One of several saves from different requests that are written together, to save round trips to
 * a remote server. A vote with `e` set is skipped. */
struct ballot_vote {
    struct arena *arena;
    int64_t who, assignment;         /* the rater, and the assignment they name */
    const struct campaign *campaign; /* found; lives as long as the votes */
    struct ballot ballot;            /* its assignment is found; the caller sets the rest */
    struct ballot_save save;
    struct ballot_mark now; /* results, as of ballot_save() */
    enum ballot_result result;
    struct err e;
};
/* Another rater's assignment is reported as absent. */
CHECKED enum status ballot_find_all(struct store *s, struct shelf *f, struct ballot_vote *const *v,
                                    size_t n, struct err *e);
/* If one of them was submitted meanwhile, nothing is saved: E_USAGE. */
CHECKED enum status ballot_save_all(struct store *s, struct ballot_vote *const *v, size_t n,
                                    struct err *e);

/* Submits the assignment. If marks are missing it is not submitted: *missing is their number,
 * and *slot and *dimension name the first. A rater who has done enough has finished. */
CHECKED enum status ballot_submit(struct arena *a, struct store *s, const struct campaign *c,
                                  const struct ballot *b, size_t *missing, const struct slot **slot,
                                  const char **dimension, struct err *e);

CHECKED enum status ballot_report(struct store *s, const struct campaign *c, const struct ballot *b,
                                  const struct slot *slot, struct str why, struct err *e);
/* The rater does not want to rate this. Marks are kept but not submitted; the passage goes to
 * others and never again to this rater. E_USAGE for a practice text, or a sitting that is not
 * over. Skipping twice is the same as once. */
CHECKED enum status ballot_skip(struct store *s, const struct campaign *c, const struct ballot *b,
                                struct str why, struct err *e);
/* The page was read to its end. */
CHECKED enum status ballot_read(struct store *s, const struct ballot *b, struct err *e);

struct complaint {
    int64_t at_ms;
    int64_t sample; /* -1: the whole passage was skipped */
    const char *rater, *item_name, *why;
    struct str text; /* the answer; empty if it is not an answer of a model */
};
struct complaint_list {
    struct complaint *v;
    size_t n;
};
CHECKED enum status ballot_complaints(struct arena *a, struct store *s, const struct campaign *c,
                                      struct complaint_list *out, struct err *e);

#endif
