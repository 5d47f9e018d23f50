/* sitting.h - the course of an interview: given the paper and what was said so far, what comes
 * next.
 *
 *     part 1   instruction, then question and answer in turn
 *     part 2   instruction, the task card, a long answer, then one or two follow-ups with answers
 *     part 3   instruction, then question and answer in turn
 *
 * Every turn has its place, so that the number of turns says where a sitting stands, whoever asks:
 * a model, a frozen script, or a person. Pure: no database, no network, no clock. */
#ifndef SUITE_SITTING_H
#define SUITE_SITTING_H

#include "suite/paper.h"
#include "suite/turn.h"

enum sitting_move {
    SITTING_SAY,       /* the examiner says what the paper has */
    SITTING_FOLLOW_UP, /* the examiner follows up on what was said */
    SITTING_ANSWER,    /* the model answers */
    SITTING_DONE,
};

/* What comes after n turns. *out is the turn as far as the paper knows it: of SITTING_SAY all of
 * it; of SITTING_FOLLOW_UP a prepared question, to be used as it is by a script, or when whoever
 * examines finds none; of SITTING_ANSWER everything but the words. */
enum sitting_move sitting_next(const struct paper *p, size_t n, struct turn *out);

/* Which of its questions part 1 and part 3 ask when is up to a person who examines. After these
 * turns, question i of the paper's part (from 0) as a turn; false when no question of the paper is
 * to be asked now, or this one was asked before. */
bool sitting_question(const struct paper *p, const struct turn_list *turns, size_t i,
                      struct turn *out);

/* How many turns the whole sitting has, and how many of them are answers. */
size_t sitting_length(const struct paper *p);
size_t sitting_answers(const struct paper *p);

/* A turn of which nothing is known but who says what, and where that comes from. */
struct turn sitting_turn(enum speaker speaker, const char *kind, struct str text,
                         const char *source, int64_t part);

/* Whether these turns are the beginning of a sitting on this paper; questions in any order. */
bool sitting_fits(const struct paper *p, const struct turn_list *turns);

enum { SITTING_ANSWER_MAX = 10000 }; /* code points of one answer that count */

/* What counts of a reply, and in *why what is odd about it ("" when nothing is): that it was cut,
 * that it speaks for the examiner too, that it is a question of the paper instead of an answer. */
struct str sitting_answer(struct arena *a, const struct paper *p, struct str reply,
                          const char **why);

/* The turns as one plain text: "[3] Name: words". The lines of a turn after its first are indented,
 * so that no answer can look like a turn. */
struct sitting_names {
    struct str examiner, model; /* how the two are called */
};
void sitting_add(struct buf *b, struct str who, const struct turn *t); /* one of them */
struct str sitting_transcript(struct arena *a, const struct sitting_names *names,
                              const struct turn_list *turns);

/* Turn n of such a transcript: who speaks, by name, and what is said, its lines still set in. False
 * when there is no such turn. */
struct sitting_said {
    struct str who, text;
};
bool sitting_said(struct str transcript, int64_t n, struct sitting_said *out);

/* What somebody is called by, one after another: the words of a name but for titles. */
bool sitting_called(struct str *name, struct str *out);
/* "Name:" at the head of a line, dressed up or not, or one of the words of the name; *rest is what
 * follows. */
bool sitting_speaks_as(struct str line, struct str name, struct str *rest);
/* The first line of an answer that speaks for the examiner; empty when none does. */
struct str sitting_other_voice(struct str answer);

#endif
