/* user.h - whoever talks with the character in a dialogue: who they are, what they want, how they
 * write, what they bring up and when, when they leave.
 *
 * The same user meets every model. What is said at a set turn (words to say, facts that are told
 * and asked for again) is said as it is written; the rest is the script's, a recording's or a
 * model's. A person who plays the user says all of it, and leaves when they like. Turns are counted
 * from 1, a turn being what the user says and what is answered. */
#ifndef SUITE_USER_H
#define SUITE_USER_H

#include "base/mem.h"
#include "base/str.h"

/* Something to bring up: in these words, or in the user's own. */
struct user_topic {
    int at, until;         /* drawn between the two by the seed; 0: at `at` */
    struct str say, about; /* one of them */
};

/* Something that the character has to remember: told by the user, or fixed by the card. */
struct user_fact {
    const char *id;
    int at;          /* when it is told; of a fact of the card: when it is first asked for */
    struct str tell; /* empty: the card has it */
    struct str ask;
    const struct str *expect; /* any of these words in the answer shows that it is known */
    size_t nexpect;
    const struct str *again; /* numbers: so many turns later it is asked for */
    size_t nagain;
};

struct user {
    const char *id;
    struct str name; /* in transcripts */
    struct str who, wants;
    struct user_style {
        struct str length, typos, mood;
    } writes;
    const struct str *lines; /* of a script or a recording */
    size_t nlines;
    const struct user_topic *brings;
    size_t nbrings;
    const struct user_fact *facts;
    size_t nfacts;
    struct user_leave {
        int after;       /* turns; 0: the dialogue's limit alone */
        struct str when; /* for a user who is played */
        struct str words;
    } leaves;
};

enum { USER_TURNS_MAX = 200 };

/* What is said at a turn as it is written, and what it is about. */
enum user_cue_kind { USER_CUE_NONE, USER_CUE_SAY, USER_CUE_TELL, USER_CUE_ASK, USER_CUE_ABOUT };
struct user_cue {
    enum user_cue_kind kind;
    struct str text;
    const char *fact; /* id; "": none */
};

/* The plan of one dialogue, a cue for each turn from 1 to n: drawn by the seed and the dialogue's
 * number, and by nothing else. Two that fall on one turn: the second comes a turn later. */
struct user_cue *user_plan(struct arena *a, const struct user *u, uint64_t seed, int64_t number,
                           size_t n);

#endif
