/* cast.h - a scene of several characters: who is there when, who speaks next, what happens, and who
 * can know what.
 *
 * A turn of a scene is what one character says; they are counted from 1. Members are characters of
 * the suite, by id. */
#ifndef SUITE_CAST_H
#define SUITE_CAST_H

#include "base/mem.h"
#include "base/str.h"

struct cast_member {
    const char *character;
    int from, to; /* the turns in which it is present; 0: from the beginning, to the end */
    bool other;   /* played by the run's other model, not by the one under test */
};

/* Something that happens before a turn. */
struct cast_event {
    int at;
    struct str text;
    const struct str *seen; /* by whom; none: by all who are present */
    size_t nseen;
};

/* Something that only its witnesses know, until they speak of it. */
struct cast_fact {
    const char *id;
    struct str fact;
    const struct str *words; /* any of them gives it away */
    size_t nwords;
    const struct str *witnesses;
    size_t nwitnesses;
    int from; /* from this turn on; 0: from the beginning */
};

enum cast_takes { TAKES_ROUND, TAKES_NAME, TAKES_DIRECTOR, TAKES_SCRIPT };

struct cast {
    const char *id;
    enum cast_takes takes; /* who speaks next */
    bool each;             /* a conversation of its own for each member; else one for all */
    const struct cast_member *members;
    size_t nmembers; /* 0: the dialogue is with a user */
    const struct str *order;
    size_t norder;
    const struct cast_event *events;
    size_t nevents;
    const struct cast_fact *facts;
    size_t nfacts;
};

bool cast_present(const struct cast_member *m, int64_t turn);
/* The member with this id; NULL: none. */
const struct cast_member *cast_find(const struct cast *c, struct str id);
/* An event that this member sees; where it names nobody, everybody who is there. */
bool cast_sees(const struct cast_event *e, const struct cast_member *m);
bool cast_witnessed(const struct cast_fact *f, const char *character);
/* Somebody besides the model under test has to be asked. */
bool cast_needs_other(const struct cast *c);
/* Who plays a member: 0, the model under test; else the k-th other. A director is the first. */
int cast_player(const struct cast *c, size_t member);

#endif
