/* mark.h - what happened to planned work, and what a judge gave. */
#ifndef SUITE_MARK_H
#define SUITE_MARK_H

#include "base/str.h"

/* Of rows that are planned, those that somebody holds are counted by themselves. */
enum state { STATE_PLANNED, STATE_LEASED, STATE_DONE, STATE_UNSCORED, STATE_FAILED };
enum { STATES = STATE_FAILED + 1 };

const char *vocab_state_name(enum state s); /* "planned", ... as stored */
enum state vocab_state_of(struct str name); /* its inverse; STATE_FAILED for any other word */

struct mark {
    const char *dimension;
    double value;
    struct str analysis;
    struct str evidence; /* JSON list of quotations, or empty; of interviews see evidence.h */
    struct str advice;   /* what would earn more; or empty */
};

#endif
