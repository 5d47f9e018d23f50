/* item.h - what is asked. Items are not kept in a suite, because there can be a hundred thousand of
 * them: they are streamed from their file into the store. */
#ifndef SUITE_ITEM_H
#define SUITE_ITEM_H

#include "base/str.h"

/* A member of an item that templates may name. */
struct item_var {
    const char *name;
    struct str value;
};

struct item_turn {
    const char *role; /* "user" or "assistant" */
    struct str text;
};

/* What its author says of an item: for readers and tables, never for models. */
struct item_card {
    const struct str *skills; /* what it asks for: short words, the same in every language */
    size_t nskills;
    int difficulty;        /* 1 to 5, a guess; 0: not said */
    struct str hard, weak; /* why it is hard; what a weak answer looks like */
};

struct item {
    const char *id;
    const char *character; /* id; NULL: the suite's default */
    struct str prompt;
    struct str reference;          /* may be empty */
    struct str keeps;              /* what a good answer keeps, for judges; may be empty */
    const struct item_turn *turns; /* dialogue before the prompt */
    size_t nturns;
    const struct item_var *vars; /* every other scalar member: tag, context, ... */
    size_t nvars;
    struct item_card card;
    struct str paper; /* of an interview: paper_freeze() of what is asked; else empty */
};

#endif
