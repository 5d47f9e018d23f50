/* user.h - the user in a dialogue: who they are, what they want, how they write, what they bring up
 * and when, and when they leave.
 *
 * Every model meets the same user. What is scheduled for a turn (words to say, facts to tell and to
 * ask about later) is said as written; everything else comes from the script, a recording or a
 * model. A person who plays the user says everything, and leaves at will. Turns count from 1; a
 * turn is what the user says and the reply. */
#ifndef SUITE_USER_H
#define SUITE_USER_H

#include "base/mem.h"

/* Something to bring up: `say` verbatim, or `about` in the user's own words. */
struct user_topic {
    int at, until;         /* turn, drawn between the two by the seed; until 0: at `at` */
    struct str say, about; /* exactly one of them is set */
};

/* Something that the character must remember: told by the user, or given by the card. */
struct user_fact {
    const char *id;
    int at;          /* turn when it is told; for facts of the card, when it is first asked about */
    struct str tell; /* empty: a fact of the card */
    struct str ask;
    const struct str *expect; /* any of these words in the answer shows that it is known */
    size_t nexpect;
    const struct str *again; /* numbers: how many turns later it is asked about */
    size_t nagain;
};

struct user {
    const char *id;
    struct str name; /* in transcripts */
    struct str who, wants;
    struct user_style {
        struct str length, typos, mood;
    } writes;
    const struct str *lines; /* from a script or a recording */
    size_t nlines;
    const struct user_topic *brings;
    size_t nbrings;
    const struct user_fact *facts;
    size_t nfacts;
    struct user_leave {
        int after;       /* turns; 0: only the dialogue's limit */
        struct str when; /* a condition, for models that play the user */
        struct str words;
    } leaves;
};

enum { USERS_MAX = 1000, USER_TURNS_MAX = 200 }; /* of a suite; of a dialogue */

/* What is scheduled for a turn. */
enum user_cue_kind { USER_CUE_NONE, USER_CUE_SAY, USER_CUE_TELL, USER_CUE_ASK, USER_CUE_ABOUT };
struct user_cue {
    enum user_cue_kind kind;
    struct str text;
    const char *fact; /* id, or "" */
};

/* The plan of one dialogue: a cue for each turn from 1 to n. Depends only on the seed and the
 * number of the dialogue. If two cues fall on one turn, the second moves to the next free turn. */
struct user_cue *user_plan(struct arena *a, const struct user *u, uint64_t seed, int64_t number,
                           size_t n);

#endif
