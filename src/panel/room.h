/* room.h - the interview room: a rater holds a sitting with a model that goes by no name.
 *
 * The course of it is that of sitting.h; every turn is a row as soon as it was said, so that a
 * sitting goes on after a reload, on another device, after the server was killed. A turn has a
 * place, and a place is taken once: of two windows that ask, one is told that it is late. Whoever
 * waits for an answer holds the sitting for as long as they wait. A sitting that was left half way
 * goes to somebody else when its lease has ended, who begins it afresh (assign.h). What the model
 * is never leaves the server, and words by which it gives itself away are blotted out before the
 * rater sees them. Everything lives in the arena that the room was opened in. */
#ifndef PANEL_ROOM_H
#define PANEL_ROOM_H

#include "panel/seat.h"
#include "suite/item.h"
#include "suite/sitting.h"

enum { ROOM_WORDS_MAX = 2000 }; /* code points of a follow-up */

struct room {
    struct seat seat;
    struct item item;
    struct paper paper;
    const struct character *who;
    struct turn_list turns; /* so far, as they were said; room for the whole sitting */
    struct turn opening;    /* of the part that begins with the next question, if `opens` */
    bool opens;
    enum sitting_move next; /* after the opening; SITTING_DONE: the sitting is to be scored */
    struct turn due;        /* what comes next, as far as the paper knows it */
    bool awaited;           /* an answer is due, and somebody waits for it now */
    struct leak *leak;
};

/* The room of an assignment of a campaign that examines (campaign_examines()). */
CHECKED enum status room_open(struct arena *a, struct store *s, const struct campaign *c,
                              const struct assignment *as, struct room *out, struct err *e);

/* The words of a turn as the rater may see them. */
struct str room_shown(struct arena *a, const struct room *r, struct str words);
/* Has the paper's question i of the part that is under way, or its prepared follow-up i, been
 * asked? */
bool room_asked(const struct room *r, size_t i);

/* What the rater says next. */
struct room_words {
    int64_t position; /* how many turns the rater has seen, and one */
    int64_t choice;   /* which of the paper's questions or prepared follow-ups; -1: none */
    struct str own;   /* a follow-up of the rater's own; p == NULL: none */
};
/* Store it, with the opening of the part where there is one. *stale: something else was said in the
 * meantime, or this very thing. E_INPUT: these words cannot be said now. */
CHECKED enum status room_say(struct arena *a, struct store *s, const struct campaign *c,
                             struct room *r, const struct room_words *w, bool *stale,
                             struct err *e);

/* ---- the answer ---- */

/* What the model is asked now; the caller fills in who listens. */
CHECKED enum status room_question(struct arena *a, const struct campaign *c, const struct room *r,
                                  struct live_question *out, struct err *e);
/* Store a good answer; the last one ends the sitting. */
CHECKED enum status room_answer(struct arena *a, struct store *s, const struct campaign *c,
                                struct room *r, const struct live_answer *answer, struct err *e);

#endif
