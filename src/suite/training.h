/* training.h - reads a file of training lines, of any size, text by text.
 *
 * Either JSON lines (a string; an object with a text under answer, text, reply, output, response,
 * content or target; or a chat under messages or conversations, of which the assistant's turns
 * count), or plain text with one text per line: the first non-blank line decides. An unusable line
 * is returned with its fault. The hash covers the lines as they are in the file. */
#ifndef SUITE_TRAINING_H
#define SUITE_TRAINING_H

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"

struct training {
    struct hash hash;
    struct lines lines;
    json_t *value; /* current line */
    size_t turn;   /* next turn of its chat */
    bool begun;    /* a line was read, so the format is known */
    bool json;     /* the lines are JSON */
    int64_t size;  /* bytes of the file; 0: unknown */
};

/* Valid until the next call. */
struct training_text {
    int64_t line; /* from 1 */
    struct str text;
    const char *fault; /* why there is no text; NULL if there is one */
};

CHECKED enum status training_open(struct training *t, const char *path, struct err *e);
/* Reads the next text. *more is false at the end. Blank lines are skipped. */
CHECKED enum status training_next(struct training *t, struct training_text *out, bool *more,
                                  struct err *e);
/* Hash of everything read. Finalizes the hash: call once, at the end. */
void training_hash_hex(struct training *t, char out[HASH_HEX]);
void training_close(struct training *t);

/* How far a search has read a file. */
struct training_progress {
    int64_t lines, bytes, size;
};

/* Progress callback of a search. Called before the file is opened, every few hundred lines, and
 * with NULL at the end; returning false cancels the search. */
struct training_watch {
    bool (*tell)(void *user, const struct training_progress *now);
    void *user;
};

/* Next assistant's turn of a chat under messages or conversations, starting at turn *at. */
bool training_turn(const json_t *object, size_t *at, struct str *out);

/* Hash of a whole file. */
CHECKED enum status training_hash(const char *path, char out[HASH_HEX], struct err *e);

#endif
