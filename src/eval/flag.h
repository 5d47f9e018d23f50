/* flag.h - the stage that looks for facts about samples.
 *
 * Flags are facts, not opinions: the scoring decides what they do, and a person can overrule one,
 * which survives looking again. A flag holds its evidence as JSON, each member where it applies:
 *   this, other    the answer, and what it was compared with
 *   shared         the part that both have, as `this` has it, or the words that gave it away
 *   shared_other   the same as `other` has it, where it is written differently
 *   similarity     S of text/similar.h
 *   where          where the other text stands ("train.jsonl:123"); in conversations the turn,
 *                  "[12] Name", or "[12]" after which something is missing
 *   why            one word that says more about the kind (see text/plain.h and its neighbours); of
 *                  an empty answer, what is known about the reply
 *   judged         where the rule asks judges (reply/about.h): "found", of what they found and no
 *                  rule did; of what a rule found "confirmed", "overruled" or "unconfirmed". More
 *                  than half of them decide, and their share is the flag's value
 *   judge, said    who decided so, and the reason of the first of them
 *   quote          true words that bear it out: "[5] words"
 *
 * Nothing here asks anybody, and no callback of the store uses the store. */
#ifndef EVAL_FLAG_H
#define EVAL_FLAG_H

#include "store/store_flag.h"
#include "suite/training.h"

struct flag_found; /* what is to be written */

/* Whose flags are looked for. */
struct flag_look {
    struct store *store;
    int64_t run;
    const struct suite *suite;
    const struct training_watch *watch; /* while training lines are searched; NULL: nobody */
    bool same; /* of flag_refresh(): the answers are those whose flags are stored */
    /* of flag_check(): they were found by a program whose `identity` knew fewer words, or whose
     * `user` named no turn where the dialogue ended */
    bool fewer_words, fewer_turns;
};

/* A search of the training lines. It may take minutes, so it is made before the transaction that
 * writes what it found. */
struct flag_training {
    struct flag_found *found;
    bool searched;    /* false: nothing to search, or all of it was searched before */
    struct look look; /* what was searched in what, and what went wrong */
};

/* Search the lines that the suite names for the run's answers, unless that was done already. What
 * is found lives in arena a. A file that is gone or has changed is no error but a note. E_STOP:
 * the watch has ended it. */
CHECKED enum status flag_training(struct arena *a, const struct flag_look *look,
                                  struct flag_training *out, struct err *e);

/* Look at every done or failed sample of the run, unless they were all looked at before, and bring
 * its flags up to date, in one transaction of the caller's. *whole is false when answers have come
 * since the training lines were searched. */
CHECKED enum status flag_refresh(const struct flag_look *look, const struct flag_training *training,
                                 bool *whole, struct err *e);

/* Look for all of them again, training lines included, and compare with what is stored. Nothing is
 * written. */
struct flag_check {
    int64_t compared;
    const char *note; /* why training lines could not be searched again; "" when they were */
};
typedef void flag_differs(void *user, const char *difference);
CHECKED enum status flag_check(struct arena *a, const struct flag_look *look, flag_differs *fn,
                               void *user, struct flag_check *out, struct err *e);

#endif
