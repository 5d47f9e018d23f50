/* room.h - the interview room: a rater holds a sitting with an anonymous model.
 *
 * The procedure is that of sitting.h. Every turn is stored as soon as it is said, so a sitting
 * can continue after a reload, on another device, or after the server was killed. Turns have
 * positions, and each position is filled once: of two concurrent requests, one is told that it
 * is stale. Waiting for an answer claims the sitting for as long as the client waits. A sitting
 * that was left goes to another rater when its lease expires, and starts again (assign.h). The
 * identity of the model never leaves the server, and words that reveal it are blotted out.
 * Everything lives in the arena the room was opened in. */
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
    struct turn_list turns; /* so far, as they were said; has room for the whole sitting */
    struct turn opening;    /* opening of the part that begins with the next question, if `opens` */
    bool opens;
    enum sitting_move next; /* after the opening; SITTING_DONE: the sitting can be scored */
    struct turn due;        /* the next turn, as far as the paper determines it */
    bool awaited;           /* an answer is due, and somebody is waiting for it */
    struct leak *leak;
};

/* Opens the room of an assignment of a campaign that examines (campaign_examines()). */
CHECKED enum status room_open(struct arena *a, struct store *s, const struct campaign *c,
                              const struct assignment *as, struct room *out, struct err *e);

/* The words of a turn as the rater may see them. */
struct str room_shown(struct arena *a, const struct room *r, struct str words);
/* Has question i of the current part, or prepared follow-up i, been asked? */
bool room_asked(const struct room *r, size_t i);

/* What the rater says next. */
struct room_words {
    int64_t position; /* number of turns the rater has seen, plus one */
    int64_t choice;   /* index of a question or prepared follow-up; -1: none */
    struct str own;   /* a follow-up in the rater's own words; p == NULL: none */
};
/* Stores it, together with the opening of the part if there is one. *stale: something was said
 * meanwhile, perhaps the same. E_INPUT: this cannot be said now. */
CHECKED enum status room_say(struct arena *a, struct store *s, const struct campaign *c,
                             struct room *r, const struct room_words *w, bool *stale,
                             struct err *e);

/* ---- the answer ---- */

/* What to ask the model now; the caller sets the callbacks. */
CHECKED enum status room_question(struct arena *a, const struct campaign *c, const struct room *r,
                                  struct live_question *out, struct err *e);
/* Stores a good answer; the last one ends the sitting. */
CHECKED enum status room_answer(struct arena *a, struct store *s, const struct campaign *c,
                                struct room *r, const struct live_answer *answer, struct err *e);

#endif
