/* exchange_line.h - one line of a file that is imported: its form, and what it is about.
 *
 * Files are JSON lines or one JSON list, told apart by their content; a BOM, CRLF and blank lines
 * are fine. Faults are "file:line: what was expected". What a line holds is borrowed from it and
 * from the arena of `next`. */
#ifndef EXCHANGE_EXCHANGE_LINE_H
#define EXCHANGE_EXCHANGE_LINE_H

#include "base/err.h"
#include "base/json.h"
#include "base/map.h"
#include "suite/mark.h"
#include "suite/vocab.h"

#define EXCHANGE_RATING "rating" /* kind of a line that says what a person said */

struct exchange_line {
    const json_t *json;
    bool is_verdict;
    struct str judge, model, item;
    struct str other;  /* of a verdict on a pair: shown second, the model first; else empty */
    struct str answer; /* of a sample */
    struct str reply;  /* of a verdict: the judge's words, where they are there */
    int64_t repeat;
    int64_t judge_repeat; /* of a verdict; -1: not said */
    enum state state;
};

/* `model` is that of lines that name none; may be NULL. `next` counts the repeats of a model and an
 * item (int64_t), for lines that do not say which they are. */
CHECKED enum status exchange_line_read(const json_t *j, const char *model, struct map *next,
                                       struct exchange_line *out, struct err *e);

/* number: of the line, or of the list's entry, from 1. */
typedef enum status exchange_line_fn(void *user, const json_t *line, int64_t number, struct err *e);
CHECKED enum status exchange_line_each(const char *path, exchange_line_fn *fn, void *user,
                                       struct err *e);

#endif
