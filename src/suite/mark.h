/* mark.h - states of planned work, and a judge's marks. */
#ifndef SUITE_MARK_H
#define SUITE_MARK_H

#include "base/str.h"

/* STATE_LEASED counts the planned rows that a worker holds. */
enum state { STATE_PLANNED, STATE_LEASED, STATE_DONE, STATE_UNSCORED, STATE_FAILED };
enum { STATES = STATE_FAILED + 1 };

const char *vocab_state_name(enum state s); /* "planned", ... as stored */
enum state vocab_state_of(struct str name); /* the inverse; STATE_FAILED for unknown names */

struct mark {
    const char *dimension;
    double value;
    struct str analysis;
    struct str evidence; /* JSON list of quotations, or empty; for interviews see evidence.h */
    struct str advice;   /* what would earn a higher mark, or empty */
};

#endif
