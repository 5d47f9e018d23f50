/* training.h - a file of training lines, of any size, read text by text.
 *
 * JSON lines (a text; an object with a text under answer, text, reply, output, response, content or
 * target; or a chat under messages or conversations, of which the assistant's turns count), or
 * plain text with one text per line: the first line that is not blank tells. A line that cannot be
 * used is handed out with its fault. The hash is of the lines as they stand in the file. */
#ifndef SUITE_TRAINING_H
#define SUITE_TRAINING_H

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"

struct training {
    struct hash hash;
    struct lines lines;
    json_t *value;    /* of the line at hand */
    size_t turn;      /* of its chat: the next to look at */
    bool known, json; /* whether the form of the file is known; that form */
    int64_t size;     /* bytes of the file; 0: not known */
};

/* Lent until the next call. */
struct training_text {
    int64_t line; /* from 1 */
    struct str text;
    const char *fault; /* why there is no text, or NULL */
};

CHECKED enum status training_open(struct training *t, const char *path, struct err *e);
/* *more is false at the end. Blank lines are passed over. */
CHECKED enum status training_next(struct training *t, struct training_text *out, bool *more,
                                  struct err *e);
/* Of all that was read; ends the hash, so only once and at the end. */
void training_hash_hex(struct training *t, char out[HASH_HEX]);
void training_close(struct training *t);

/* How far a file was read that is searched. */
struct training_progress {
    int64_t lines, bytes, size;
};

/* Whoever looks on while a file is searched. Told before it is opened, every few hundred lines, and
 * NULL when all is searched; false ends it. */
struct training_watch {
    bool (*tell)(void *user, const struct training_progress *now);
    void *user;
};

/* The assistant's turns of a chat under messages or conversations, from turn *at on. */
bool training_turn(const json_t *object, size_t *at, struct str *out);

/* The hash of a whole file. */
CHECKED enum status training_hash(const char *path, char out[HASH_HEX], struct err *e);

#endif
