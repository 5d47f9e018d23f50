/* meeting.h - a person plays the user of a dialogue, with one model or with two at once, none of
 * which goes by a name.
 *
 * Both hear the same words; neither hears the other. What they answer is shown when both have.
 * Turns may be voted on as they come; the vote on the whole is an ordinary ballot when the meeting
 * is over, and decides where it is given (ledger.h). Everything is a row as soon as it was said
 * (seat.h). Which model sits where is drawn when the meeting is given (assign.h). Lives in the
 * arena that it was opened in. */
#ifndef PANEL_MEETING_H
#define PANEL_MEETING_H

#include "panel/seat.h"
#include "talk/talk.h"

enum { MEETING_SIDES = 2, MEETING_WORDS_MAX = 2000 /* code points said at once */ };

enum meeting_move {
    MEETING_SAY,    /* the person's turn */
    MEETING_ANSWER, /* a model's */
    MEETING_DONE,   /* to be voted on, or scored */
};

struct meeting_side {
    struct seat seat;
    struct talk talk;
    size_t saved; /* turns that are in the store */
    bool asked;   /* a request stands */
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
    int64_t said;     /* times that the person has spoken ... */
    int64_t answered; /* ... and was answered by everybody */
    int64_t limit;
    bool awaited; /* an answer is due, and somebody waits for it now */
    struct leak *leak;
};

/* The meeting of an assignment of a campaign that meets (campaign_meets()), in the arena; both stay
 * as long as it does. */
CHECKED enum status meeting_open(struct arena *a, struct store *s, const struct campaign *c,
                                 const struct assignment *as, struct meeting *out, struct err *e);

/* Words as the person may see them. */
struct str meeting_shown(const struct meeting *m, struct str words);
/* What this side said in this exchange, of the first `answered`. NULL: nothing. */
const struct turn *meeting_answer_of(const struct meeting *m, size_t side, int64_t exchange);
const struct turn *meeting_said_of(const struct meeting *m, int64_t exchange);

/* Say these words to everybody; `number` is how often the sender has spoken, and one. *stale:
 * something was said in the meantime. E_INPUT: they cannot be said. */
CHECKED enum status meeting_say(struct store *s, struct meeting *m, int64_t number,
                                struct str words, bool *stale, struct err *e);
/* What the models are asked now; 0: nothing. The caller fills in who listens. */
size_t meeting_questions(const struct meeting *m, struct live_question out[MEETING_SIDES]);
/* Store the good ones of the answers to them, in their order, and who gave none. The last ones end
 * the meeting.
 * E_ABSENT: it was answered in the meantime. */
CHECKED enum status meeting_answers(struct store *s, struct meeting *m,
                                    const struct live_answer *answers, struct err *e);
/* The person leaves, after at least one exchange. */
CHECKED enum status meeting_leave(struct store *s, struct meeting *m, struct err *e);

/* Which was better in an exchange, a value of a pair (ballot.h), and why. E_INPUT: it is none, or
 * there was no such exchange. */
CHECKED enum status meeting_vote(struct store *s, const struct meeting *m, int64_t exchange,
                                 double value, struct str why, struct err *e);
/* The vote on an exchange; NULL: there is none. */
const struct ballot_mark *meeting_vote_of(const struct ballot_marks *marks, int64_t exchange);

#endif
