/* rule.h - the facts that rules look for, and what they do to a score. */
#ifndef SUITE_RULE_H
#define SUITE_RULE_H

#include "suite/template.h"

/* What a fact found by rule does to the sample's value. */
enum effect { EFFECT_NOTE, EFFECT_CAP, EFFECT_ZERO, EFFECT_LEAVE_OUT };

/* The facts that rules look for; each is the kind of a flag. */
enum rule_kind {
    RULE_DUPLICATE,     /* like an earlier repeat of the same item */
    RULE_TRAINING,      /* equal to a training line, but for particles */
    RULE_TRAINING_NEAR, /* like a training line */
    RULE_LEAK,          /* equal to the reference, but for particles */
    RULE_MARKUP,        /* more than plain text */
    RULE_MALFORMED,     /* broken output */
    RULE_TRUNCATED,     /* cut off */
    RULE_LANGUAGE,      /* not in the suite's language */
    RULE_IDENTITY,      /* speaks as a program, or names one */
    RULE_EMPTY,         /* no answer: the model was asked, and said nothing that counts */
    RULE_USER,          /* of a dialogue: whoever played the user did not */
    RULE_ECHO,          /* the prompt or the card again, instead of an answer */
    RULE_STOCK,         /* the same answer to several items */
    RULE_LOOP,          /* the answer goes round in circles */
    RULE_KNOWLEDGE,     /* of a scene: a character speaks of what it cannot know */
};
enum { RULE_KINDS = RULE_KNOWLEDGE + 1 };

const char *vocab_rule_name(enum rule_kind k);                /* "training-near", as stored */
bool vocab_rule_find(const char *name, enum rule_kind *kind); /* false: not one of ours */

struct rule {
    bool on;
    double threshold; /* of a similarity, where the fact is one */
    enum effect effect;
    double cap;
    const struct template *judge; /* what judges are asked about it; NULL: nobody is. See about.h */
};

struct rules {
    struct rule of[RULE_KINDS];
    const char *training;             /* file of training lines; NULL: none */
    const char *training_hash;        /* of its content, see training.h */
    const struct str *words, *except; /* identity: names to look for too, words to leave alone */
    size_t nwords, nexcept;
};

#endif
