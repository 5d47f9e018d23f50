/* sitting.h - the course of an interview: what comes next, given the paper and the turns so far.
 *
 *     part 1   instruction, then question and answer in turn
 *     part 2   instruction, the task card, a long answer, then one or two follow-ups with answers
 *     part 3   instruction, then question and answer in turn
 *
 * Every turn has a fixed position, so the number of turns tells how far a sitting has got, whether
 * a model, a script or a person examines. Pure: no database, no network, no clock. */
#ifndef SUITE_SITTING_H
#define SUITE_SITTING_H

#include "suite/paper.h"
#include "suite/turn.h"

enum sitting_move {
    SITTING_SAY,       /* the examiner says a text of the paper */
    SITTING_FOLLOW_UP, /* the examiner follows up on an answer */
    SITTING_ANSWER,    /* the model answers */
    SITTING_DONE,
};

/* What comes after n turns. *out is filled as far as the paper determines it: for SITTING_SAY
 * completely; for SITTING_FOLLOW_UP with a prepared question, which a script uses and which is the
 * fallback for others; for SITTING_ANSWER with everything but the text. */
enum sitting_move sitting_next(const struct paper *p, size_t n, struct turn *out);

/* A person who examines may ask the questions of parts 1 and 3 in any order. Returns question i
 * (from 0) of the current part as the next turn; false if no such question is due now, or it was
 * asked before. */
bool sitting_question(const struct paper *p, const struct turn_list *turns, size_t i,
                      struct turn *out);

/* Total number of turns of the sitting, and of answers among them. */
size_t sitting_length(const struct paper *p);
size_t sitting_answers(const struct paper *p);

/* A turn with these values and all others empty or unknown. */
struct turn sitting_turn(enum speaker speaker, const char *kind, struct str text,
                         const char *source, int64_t part);

/* True if these turns are the beginning of a sitting on this paper, with questions in any order. */
bool sitting_fits(const struct paper *p, const struct turn_list *turns);

enum { SITTING_ANSWER_MAX = 10000 }; /* code points of an answer that count */

/* The part of a reply that counts. *why says what is odd about it ("" if nothing): it was cut, it
 * also speaks for the examiner, it repeats a question instead of answering. */
struct str sitting_answer(struct arena *a, const struct paper *p, struct str reply,
                          const char **why);

/* The turns as plain text: "[3] Name: words". Continuation lines of a turn are indented, so that no
 * answer can look like a turn. */
struct sitting_names {
    struct str examiner, model; /* names of the two speakers */
};
void sitting_add(struct buf *b, struct str who, const struct turn *t); /* appends one turn */
struct str sitting_transcript(struct arena *a, const struct sitting_names *names,
                              const struct turn_list *turns);

/* Turn n of such a transcript: the speaker's name and the text, still indented. False if there is
 * no such turn. */
struct sitting_said {
    struct str who, text;
};
bool sitting_said(struct str transcript, int64_t n, struct sitting_said *out);

/* Iterates over the words of a name by which its bearer may be called, skipping titles. */
bool sitting_called(struct str *name, struct str *out);
/* True if a line begins with "Name:" or with one word of the name, possibly with markup before it.
 * *rest is what follows. */
bool sitting_speaks_as(struct str line, struct str name, struct str *rest);
/* The first line of an answer that speaks for the examiner; empty if none. */
struct str sitting_other_voice(struct str answer);

#endif
