/* item.h - what is asked. A suite does not keep its items, because there can be a hundred thousand
 * of them: they are streamed from their file into the store. */
#ifndef SUITE_ITEM_H
#define SUITE_ITEM_H

#include "base/str.h"

enum { ITEM_TURNS_MAX = 1000 };

/* A member of an item that templates may use. */
struct item_var {
    const char *name;
    struct str value;
};

struct item_turn {
    const char *role; /* "user" or "assistant" */
    struct str text;
};

/* The author's notes on an item: for readers and tables, never shown to models. */
struct item_card {
    const struct str *skills; /* skills it tests: short words, the same in every language */
    size_t nskills;
    int difficulty;        /* the author's estimate, 1 to 5; 0: none */
    struct str hard, weak; /* why it is hard; what a weak answer looks like */
};

struct item {
    const char *id;
    const char *character; /* id; NULL: the suite's default */
    struct str prompt;
    struct str reference;          /* may be empty */
    struct str keeps;              /* what a good answer preserves, for judges; may be empty */
    const struct item_turn *turns; /* dialogue preceding the prompt */
    size_t nturns;
    const struct item_var *vars; /* all other scalar members: tag, context, ... */
    size_t nvars;
    struct item_card card;
    struct str paper; /* interviews: the sitting's questions, from paper_freeze(); else empty */
};

#endif
