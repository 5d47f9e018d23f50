/* cast.h - a scene with several characters: who is present when, who speaks next, what happens, and
 * who can know what.
 *
 * Each utterance of a character is one turn of the scene; turns count from 1. Members are ids of
 * characters of the suite. */
#ifndef SUITE_CAST_H
#define SUITE_CAST_H

#include "base/str.h"

struct cast_member {
    const char *character;
    int from, to; /* turns in which it is present; 0: from the beginning, to the end */
    bool other;   /* played by the run's other model instead of the one under test */
};

/* Something that happens before turn `at`. */
struct cast_event {
    int at;
    struct str text;
    const struct str *seen; /* ids of those who notice it; none: everyone present */
    size_t nseen;
};

/* Something that only its witnesses know until it is mentioned. */
struct cast_fact {
    const char *id;
    struct str fact;
    const struct str *words; /* any of these mentions it */
    size_t nwords;
    const struct str *witnesses;
    size_t nwitnesses;
    int from; /* first turn from which it counts; 0: from the beginning */
};

enum cast_takes { TAKES_ROUND, TAKES_NAME, TAKES_DIRECTOR, TAKES_SCRIPT };

struct cast {
    const char *id;
    enum cast_takes takes; /* how the next speaker is chosen */
    bool each;             /* one conversation per member; false: a single one for all of them */
    const struct cast_member *members;
    size_t nmembers; /* 0: the dialogue is with a user instead */
    const struct str *order;
    size_t norder;
    const struct cast_event *events;
    size_t nevents;
    const struct cast_fact *facts;
    size_t nfacts;
};

bool cast_present(const struct cast_member *m, int64_t turn);
/* The member with this id; NULL if none. */
const struct cast_member *cast_find(const struct cast *c, struct str id);
/* True if this member is present and notices the event. */
bool cast_sees(const struct cast_event *e, const struct cast_member *m);
bool cast_witnessed(const struct cast_fact *f, const char *character);
/* True if a model other than the one under test is needed. */
bool cast_needs_other(const struct cast *c);
/* Who plays a member: 0 is the model under test, k the k-th other. A director is other 1. */
int cast_player(const struct cast *c, size_t member);

#endif
