/* meeting.h - a person plays the user of a dialogue, with one anonymous model or with two at
 * once.
 *
 * Two models hear the same words, but not each other. Their answers are shown once both have
 * answered. Single turns may be voted on; after the meeting the whole gets an ordinary ballot,
 * which overrides the votes on turns (ledger.h). Everything is stored as soon as it is said
 * (seat.h). The sides of the models are drawn when the meeting is assigned (assign.h). Lives in
 * the arena it was opened in. */
#ifndef PANEL_MEETING_H
#define PANEL_MEETING_H

#include "panel/seat.h"
#include "talk/talk.h"

enum { MEETING_SIDES = 2, MEETING_WORDS_MAX = 2000 /* code points per message */ };

enum meeting_move {
    MEETING_SAY,    /* it is the person's turn */
    MEETING_ANSWER, /* a model has to answer */
    MEETING_DONE,   /* to be voted on or scored */
};

struct meeting_side {
    struct seat seat;
    struct talk talk;
    size_t saved; /* number of turns in the store */
    bool asked;   /* it has to be asked */
};

struct meeting {
    struct arena *a;
    const struct campaign *c;
    int64_t assignment;
    struct item item;
    const struct user *user;
    const struct character *who;
    struct meeting_side sides[MEETING_SIDES];
    size_t n;
    enum meeting_move next;
    int64_t said;     /* messages of the person ... */
    int64_t answered; /* ... that were answered by all models */
    int64_t limit;
    bool awaited; /* an answer is due, and somebody is waiting for it */
    struct leak *leak;
};

/* Opens the meeting of an assignment of a campaign that meets (campaign_meets()); campaign and
 * arena must outlive it. */
CHECKED enum status meeting_open(struct arena *a, struct store *s, const struct campaign *c,
                                 const struct assignment *as, struct meeting *out, struct err *e);

/* Words as the person may see them. */
struct str meeting_shown(const struct meeting *m, struct str words);
/* What this side said in this exchange, among the first `answered`; NULL: nothing. */
const struct turn *meeting_answer_of(const struct meeting *m, size_t side, int64_t exchange);
const struct turn *meeting_said_of(const struct meeting *m, int64_t exchange);

/* Says these words to all models; `number` is the number of this message, from 1. *stale:
 * something else was said meanwhile. E_INPUT: they cannot be said. */
CHECKED enum status meeting_say(struct store *s, struct meeting *m, int64_t number,
                                struct str words, bool *stale, struct err *e);
/* The questions to ask now; returns their number. The caller sets the callbacks. */
size_t meeting_questions(const struct meeting *m, struct live_question out[MEETING_SIDES]);
/* Stores the good answers, in the order of the questions, and records which models gave none.
 * The last answers end the meeting. E_ABSENT: it was answered meanwhile. */
CHECKED enum status meeting_answers(struct store *s, struct meeting *m,
                                    const struct live_answer *answers, struct err *e);
/* The person leaves, after at least one exchange. */
CHECKED enum status meeting_leave(struct store *s, struct meeting *m, struct err *e);

/* Which side was better in an exchange, as a value of a pair (ballot.h), and why. E_INPUT:
 * invalid value or exchange. */
CHECKED enum status meeting_vote(struct store *s, const struct meeting *m, int64_t exchange,
                                 double value, struct str why, struct err *e);
/* The vote on an exchange; NULL: none. */
const struct ballot_mark *meeting_vote_of(const struct ballot_marks *marks, int64_t exchange);

#endif
