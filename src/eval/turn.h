/* turn.h - what was said in an interview, turn by turn, and its rows.
 *
 * A turn is stored as it happens; those of a sample, in order, are the whole conversation. What the
 * examiner says comes from the paper (an instruction, a question, the task card) or from whoever
 * examines (a follow-up); every question is followed by one answer. See sitting.h for the order.
 * Texts live in the arena of whoever made or read the turn. */
#ifndef EVAL_TURN_H
#define EVAL_TURN_H

#include "eval/store_work.h"

enum speaker { SPEAKER_EXAMINER, SPEAKER_MODEL };

/* Kinds of turns that are not kinds of questions; those are in bank.h. */
#define TURN_INSTRUCTION "instruction"
#define TURN_FACT        "fact" /* a question about a fact of the card; asked again in part 3 */
#define TURN_TASK        "task"
#define TURN_FOLLOW_UP   "follow-up"
#define TURN_ANSWER      "answer"

/* Where an examiner's words come from. */
#define TURN_BANK     "bank"
#define TURN_GENERIC  "generic"  /* the character has no questions of its own */
#define TURN_EXAMINER "examiner" /* written by a model that examines */
#define TURN_PREPARED "prepared" /* a follow-up that stands on the task card */
#define TURN_PERSON   "person"

struct turn {
    int64_t position; /* from 1 */
    int64_t part;     /* 1, 2, 3 */
    enum speaker speaker;
    const char *kind;
    struct str text;
    const char *fact;   /* id of the fact that is asked for, or "" */
    const char *source; /* of the examiner's words; "" of an answer */
    struct str quote;   /* of a follow-up: words of an answer, found there letter by letter */
    const char *why;    /* why a prepared follow-up was used; what is odd about an answer; or "" */
    struct str thinking;
    const char *finish;
    int64_t tokens_in, tokens_out; /* -1: not known */
    int64_t elapsed_ms;            /* until it was there */
    int64_t at_ms;                 /* when it was said, UTC */
    int64_t call;                  /* row id; 0: nobody was asked for it */
};

struct turn_list {
    struct turn *v;
    size_t n;
};

/* All turns of a sample, in order. */
CHECKED enum status store_turn_list(struct arena *a, struct store *s, int64_t sample,
                                    struct turn_list *out, struct err *e);
/* Add turns to a sample that we hold, with what they cost. *ours is false, and nothing is written,
 * when they are there already or the sample is no longer ours. */
CHECKED enum status store_turn_add(struct store *s, int64_t sample, const struct turn_list *turns,
                                   const struct spent *spent, bool *ours, struct err *e);
/* Add turns to a sitting that a person holds. *fresh is false when one of them is there already, or
 * the sitting is over: the caller then takes the transaction back. */
CHECKED enum status store_turn_say(struct store *s, int64_t sample, const struct turn_list *turns,
                                   bool *fresh, struct err *e);

#endif
