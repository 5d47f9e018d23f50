/* turn.h - what was said in a conversation, turn by turn.
 *
 * The turns of a sample, in order, are the whole conversation. What the examiner says comes from
 * the paper (an instruction, a question, the task card) or from whoever examines (a follow-up);
 * every question is followed by one answer. In a dialogue the user is who the examiner is here.
 * See sitting.h and talk/talk.h for the order, store_turn.h for the rows.
 * Texts live in the arena of whoever made or read the turn. */
#ifndef SUITE_TURN_H
#define SUITE_TURN_H

#include "base/str.h"

enum speaker { SPEAKER_EXAMINER, SPEAKER_MODEL };

/* Kinds of turns that are not kinds of questions; those are in bank.h. */
#define TURN_INSTRUCTION "instruction"
#define TURN_FACT        "fact" /* a question about a fact of the card; asked again in part 3 */
#define TURN_TASK        "task"
#define TURN_FOLLOW_UP   "follow-up"
#define TURN_ANSWER      "answer"

/* Those of dialogues. */
#define TURN_GREETING "greeting" /* with which the card lets the character begin */
#define TURN_BEFORE   "before"   /* of the item: what was said before the dialogue began */
#define TURN_LINE     "line"     /* of the user */
#define TURN_TOPIC    "topic"    /* that the user was to bring up */
#define TURN_TELL     "tell"     /* the user tells a fact */
#define TURN_PROBE    "probe"    /* ... or asks for it */
#define TURN_LEAVE    "leave"    /* the user's last words */
#define TURN_SUMMARY  "summary"  /* of what was said so far; said to nobody */

/* Those of scenes with several characters, where `source` says who speaks. */
#define TURN_EVENT     "event"
#define TURN_DIRECTION "direction" /* who speaks next; said to nobody */
#define TURN_NARRATOR  "*"         /* what transcripts call whoever tells an event */

/* Where an examiner's words come from. */
#define TURN_BANK     "bank"
#define TURN_GENERIC  "generic"  /* the character has no questions of its own */
#define TURN_EXAMINER "examiner" /* written by a model that examines */
#define TURN_PREPARED "prepared" /* a follow-up that stands on the task card */
#define TURN_PERSON   "person"
#define TURN_SCRIPT   "script" /* the user's own file */
#define TURN_PLAYER   "player" /* a model that plays the user */
#define TURN_CARD     "card"
#define TURN_ITEM     "item"

struct turn {
    int64_t position; /* from 1 */
    int64_t part;     /* 1, 2, 3; of a dialogue the exchange, 0: before the first */
    enum speaker speaker;
    const char *kind;
    struct str text;
    const char *fact;   /* id of the fact that is asked for, or "" */
    const char *source; /* of the examiner's words; "" of an answer; in a scene the speaker's id */
    struct str quote;   /* of a follow-up: words of an answer, found there letter by letter */
    const char *why;    /* why a prepared follow-up was used; what is odd about an answer; or "" */
    struct str thinking;
    const char *finish;
    int64_t tokens_in, tokens_out; /* -1: not known */
    int64_t elapsed_ms;            /* until it was there */
    int64_t at_ms;                 /* when it was said, UTC */
    int64_t call;                  /* row id; 0: nobody was asked for it */
};

/* A stretch of a dialogue, from exchange to exchange. */
struct turn_span {
    int64_t first, last;
};
/* Of "7-12"; nothing of any other text. */
struct turn_span turn_span_read(struct str text);

struct turn_list {
    struct turn *v;
    size_t n;
};

#endif
