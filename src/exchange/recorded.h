/* recorded.h - replies from a JSONL file instead of a network: imports, references, the demo.
 *
 * A model's line:   {"item": "greet", "repeat": 0, "text": "..."}
 *                   and, in a file of several models, "model"
 * A judge's line:   {"model": "steady", "item": "greet", "repeat": 0, "text": "..."}
 *                   and, where it matters, "judge_repeat" and "attempt" (1: the reply to a repair);
 *                   about a pair also "other": the model shown second, as B; on something else
 *                   than the answer (reply/about.h) "about": "user" or "knowledge"
 * In an interview both the model's lines and the examiner's have "turn", the number of the turn.
 * "answer" (as `audition export` writes it) or "reply" may stand for "text". Only places in the
 * file are kept in memory, not the replies. */
#ifndef EXCHANGE_RECORDED_H
#define EXCHANGE_RECORDED_H

#include "base/err.h"
#include "base/mem.h"

struct recorded;

/* Path "" holds no reply at all: what such a party said was imported. */
CHECKED enum status recorded_open(struct recorded **out, const char *path, struct err *e);
void recorded_close(struct recorded *r); /* NULL is fine */
/* The reply for a tag: model TAB item TAB repeat, or for a judge model TAB item TAB repeat TAB
 * judge repeat TAB attempt, where the model of a pair is two names with a line break between. Of an
 * interview: model TAB item TAB repeat TAB # turn, and for an examiner who is asked again TAB 1; on
 * something else than the answer the same with @ and what it is about. */
CHECKED enum status recorded_find(struct arena *a, struct recorded *r, const char *tag,
                                  struct str *out, bool *found, struct err *e);

#endif
