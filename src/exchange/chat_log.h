/* chat_log.h - conversations that people have: exports of chat programs and training files.
 *
 *     SillyTavern     JSON lines, a message each; swipes are other answers, notes are passed over,
 *                     in group chats a speaker's name stands before the words
 *     ShareGPT        {"conversations": [{"from": "human", "value": ...}]}
 *     OpenAI          {"messages": [{"role": "user", "content": ...}]}
 *     Character.AI    {"histories": {"histories": [{"msgs": [...]}]}} and the like
 *     plain text      "Name: words", a paragraph each; who speaks first is the user
 *
 * What a system message said before anybody spoke is who the model was to be.
 *
 * One conversation is an object, several are a list or one a line. Everything is in the arena. */
#ifndef EXCHANGE_CHAT_LOG_H
#define EXCHANGE_CHAT_LOG_H

#include "base/err.h"
#include "base/json.h"
#include "base/mem.h"

struct chat_message {
    bool model;     /* else the user */
    struct str who; /* name; may be empty */
    struct str text;
    struct str *others; /* other answers that were given at this place */
    size_t nothers;
};

struct chat_log {
    struct chat_message *v; /* never two of one side in a row */
    size_t n;
    struct str role; /* who the model was to be; may be empty */
    size_t silent;   /* messages without text, which are left out */
};

struct chat_log_list {
    const char *tool;
    struct chat_log *v;
    size_t n;
    int64_t bad_line; /* of JSON lines: the first that is none; 0: all are */
    /* The first line, or else the first entry of a list, that holds no conversation while others
     * do; 0: all do. */
    int64_t strange_line, strange_entry;
};

/* The conversations of a JSON document, of JSON lines or of a plain text; n == 0: there are none,
 * because it is something else. */
struct chat_log_list chat_log_read(struct arena *a, struct str bytes, const json_t *root);

#endif
