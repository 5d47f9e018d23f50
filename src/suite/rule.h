/* rule.h - the facts that rules look for, and what they do to a score. */
#ifndef SUITE_RULE_H
#define SUITE_RULE_H

#include "suite/template.h"

/* What a rule does to a sample's value when its fact is found. */
enum effect { EFFECT_NOTE, EFFECT_CAP, EFFECT_ZERO, EFFECT_LEAVE_OUT };

/* The facts that rules look for; each is the kind of a flag. */
enum rule_kind {
    RULE_DUPLICATE,     /* similar to an earlier repeat of the same item */
    RULE_TRAINING,      /* equal to a training line, ignoring particles */
    RULE_TRAINING_NEAR, /* similar to a training line */
    RULE_LEAK,          /* equal to the reference, ignoring particles */
    RULE_MARKUP,        /* not plain text */
    RULE_MALFORMED,     /* broken output */
    RULE_TRUNCATED,     /* cut off */
    RULE_LANGUAGE,      /* not in the suite's language */
    RULE_IDENTITY,      /* speaks as an AI, or names one */
    RULE_EMPTY,         /* no answer: the model said nothing that counts */
    RULE_USER,          /* dialogues: whoever played the user fell out of that role */
    RULE_ECHO,          /* repeats the prompt or the card instead of answering */
    RULE_STOCK,         /* the same answer to several items */
    RULE_LOOP,          /* repeats itself */
    RULE_KNOWLEDGE,     /* scenes: a character mentions what it cannot know */
    RULE_KINDS
};

const char *suite_rule_name(enum rule_kind kind); /* "loop": its key in suites, and as stored */
bool suite_rule_find(const char *name, enum rule_kind *kind); /* false if unknown */

struct rule {
    bool on;
    double threshold; /* similarity, for rules that use one */
    enum effect effect;
    double cap;
    const struct template *judge; /* what judges are asked; NULL: they are not. See about.h */
};

struct rules {
    struct rule of[RULE_KINDS];
    const char *training;             /* file of training lines; NULL if none */
    const char *training_hash;        /* of the file's content, see training.h */
    const struct str *words, *except; /* identity: extra names to look for; words to ignore */
    size_t nwords, nexcept;
};

#endif
