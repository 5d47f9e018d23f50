/* peer.h - logs of other evaluation tools as files of our own: a suite, its items, and the answers
 * and verdicts that exchange.h imports.
 *
 *     Inspect      .eval (a zip of JSON, packed by deflate or zstd) and .json logs
 *     promptfoo    results as JSON (results.results) or one result a line
 *     lm-eval      samples_TASK.jsonl; the model's name is in none of them and must be given
 *     chat_log.h   conversations of people; likewise
 *
 * Of a conversation every answer is an item with what was said before it, its swipes are repeats.
 * Else an item is a prompt with its reference; repeats are epochs or answers to the same prompt.
 * What a scorer of theirs gave is the verdict of a judge of its name, on one dimension that spans
 * all values of the log. Errors, log-likelihoods and what holds no text are counted, not made up.
 * Everything is kept in the arena and the buffers. */
#ifndef EXCHANGE_PEER_H
#define EXCHANGE_PEER_H

#include "base/err.h"
#include "base/mem.h"

struct peer {
    const char *tool;                 /* "Inspect", "promptfoo", "lm-eval", "SillyTavern"... */
    struct buf suite, items, answers; /* YAML; JSON lines; JSON lines */
    struct buf begun; /* of conversations: the same items for dialogues, which take over there */
    size_t nitems, samples, verdicts;
    size_t silent; /* entries without an answer in words */
};

struct peer_want {
    const char *model; /* of what names none; NULL: that is a fault */
    int64_t turn;      /* of conversations only the answer at this turn; 0: every one */
};
/* Read one log. */
CHECKED enum status peer_read(struct arena *a, const char *path, const struct peer_want *want,
                              struct peer *out, struct err *e);
void peer_done(struct peer *p);

#endif
