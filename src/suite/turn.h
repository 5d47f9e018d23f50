/* turn.h - the turns of a conversation.
 *
 * The turns of a sample, in order, are the whole conversation. The examiner's words come from the
 * paper (an instruction, a question, the task card) or from whoever examines (a follow-up); each
 * question is followed by one answer. In a dialogue the user takes the examiner's place. See
 * sitting.h and talk/talk.h for the order, store_turn.h for the rows. Texts live in the arena of
 * whoever made or read the turn. */
#ifndef SUITE_TURN_H
#define SUITE_TURN_H

#include "base/str.h"

enum speaker { SPEAKER_EXAMINER, SPEAKER_MODEL };

/* Kinds of turns other than the kinds of questions in bank.h. */
#define TURN_INSTRUCTION "instruction"
#define TURN_FACT        "fact" /* asks about a fact of the card; repeated in part 3 */
#define TURN_TASK        "task"
#define TURN_FOLLOW_UP   "follow-up"
#define TURN_ANSWER      "answer"

/* Kinds in dialogues. */
#define TURN_GREETING "greeting" /* the character's first message, from the card */
#define TURN_BEFORE   "before"   /* from the item: before the dialogue began */
#define TURN_LINE     "line"     /* by the user */
#define TURN_TOPIC    "topic"    /* the user brings up a topic */
#define TURN_TELL     "tell"     /* the user tells a fact */
#define TURN_PROBE    "probe"    /* the user asks about a fact */
#define TURN_LEAVE    "leave"    /* the user's last words */
#define TURN_SUMMARY  "summary"  /* of the conversation so far; not part of it */

/* Kinds in scenes with several characters, where `source` is the speaker. */
#define TURN_EVENT     "event"
#define TURN_DIRECTION "direction" /* who speaks next; not part of the conversation */
#define TURN_NARRATOR  "*"         /* the name of whoever tells an event, in transcripts */

/* Sources of an examiner's words. */
#define TURN_BANK     "bank"
#define TURN_GENERIC  "generic"  /* the character has no questions of its own */
#define TURN_EXAMINER "examiner" /* written by a model that examines */
#define TURN_PREPARED "prepared" /* a follow-up from the task card */
#define TURN_PERSON   "person"
#define TURN_SCRIPT   "script" /* from the user's own file */
#define TURN_PLAYER   "player" /* a model that plays the user */
#define TURN_CARD     "card"
#define TURN_ITEM     "item"

struct turn {
    int64_t position; /* from 1 */
    int64_t part;     /* 1, 2, 3; in a dialogue the exchange, 0: before the first */
    enum speaker speaker;
    const char *kind;
    struct str text;
    const char *fact;   /* id of the fact that is asked about, or "" */
    const char *source; /* of the examiner's words; "" for answers; in scenes the speaker */
    struct str quote;   /* follow-ups: words quoted verbatim from an answer */
    const char *why;    /* why a prepared follow-up was used; what is odd about an answer; or "" */
    struct str thinking;
    const char *finish;
    int64_t tokens_in, tokens_out; /* -1: unknown */
    int64_t elapsed_ms;            /* until it was complete */
    int64_t at_ms;                 /* time of the turn, UTC */
    int64_t call;                  /* row id; 0: no request was made */
};

/* A range of exchanges of a dialogue. */
struct turn_span {
    int64_t first, last;
};
/* Parses "7-12"; zeros for any other text. */
struct turn_span turn_span_read(struct str text);

struct turn_list {
    struct turn *v;
    size_t n;
};

#endif
