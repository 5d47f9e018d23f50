/* flag_find.h - between the files of the flag stage; nobody else includes it.
 *
 * A finder looks at one answer after another, in the order of model, item and repeat, and adds what
 * it finds. It never touches the store. */
#ifndef EVAL_FLAG_FIND_H
#define EVAL_FLAG_FIND_H

#include "base/map.h"
#include "eval/flag.h"
#include "reply/evidence.h"
#include "store/store_read.h"
#include "suite/item.h"
#include "suite/vocab.h"
#include "text/fold.h"
#include "text/identity.h"
#include "text/similar.h"

/* A flag that is to be written when reading has ended. */
struct flag_found {
    int64_t sample;
    enum rule_kind kind;
    double value; /* NaN: a fact without a measure */
    const char *evidence;
    const char *formerly; /* what it was before users' ends named a turn; NULL: the same */
    bool past; /* older programs raised it: true where it is stored, and never stored anew */
    struct flag_found *next;
};

/* The item at hand, read once for all answers to it. */
struct flag_item {
    struct arena *arena;
    int64_t id;
    struct item item;
    struct folded reference;
    const struct runes *card; /* folded: who is played */
};

/* The answer at hand. */
struct flag_answer {
    const struct sample_row *row;
    struct runes folded; /* in the scratch arena */
};

/* One look at one run. */
struct flag_search {
    const struct suite *suite;
    bool objective;        /* functions alone judge: the reference is the one right answer */
    struct arena *keep;    /* what was found */
    struct arena *scratch; /* one answer */
    struct flag_item item;
    struct runes *cards; /* folded, of each character; a card may be long, so only once */
    struct identity *identity;
    struct flag_earlier *earlier; /* answers to the item at hand by the model at hand */
    struct arena *group;          /* where they are */
    int64_t group_model, group_item;
    struct map *said; /* what judges said about answers: flag_judge.c; NULL: nobody was asked */
    struct flag_stock *stock; /* what the model at hand has said to other items */
    struct flag_found *found;
};

typedef void flag_finder(struct flag_search *s, const struct flag_answer *now);

/* The rules that look at answers, each with its finder, flag_NAME(). Flags of one answer are
 * written in this order. Training lines are searched by flag_training(). */
/* clang-format off */
#define FLAG_FINDERS(X) \
    X(DUPLICATE, duplicate) X(LEAK, leak)           X(MARKUP, markup)     X(MALFORMED, malformed) \
    X(TRUNCATED, truncated) X(LANGUAGE, language)   X(IDENTITY, identity) X(EMPTY, empty) \
    X(USER, user)           X(KNOWLEDGE, knowledge) X(ECHO, echo)         X(STOCK, stock) \
    X(LOOP, loop)
/* clang-format on */
#define FLAG_DECLARE(kind, name) flag_finder flag_##name;
FLAG_FINDERS(FLAG_DECLARE)

/* A part that two texts have in common, as it is written in each. */
struct flag_shared {
    struct str this, other;
};

struct flag_evidence {
    struct str this, other;             /* cut to a length that can be shown */
    struct flag_shared shared;          /* or, without another text, the words that gave it away */
    const struct similar *similar;      /* NULL: nothing was measured */
    const char *where, *why;            /* may be NULL */
    int64_t other_sample, other_repeat; /* the other text is this answer; 0: it is none */
    const struct flag_ruling *ruling;   /* what judges say of it; NULL: nobody was asked */
};

/* What judges make of one thing that they were asked about an answer. */
struct flag_ruling {
    size_t n, ayes;              /* how many spoke of it, and gave it this value */
    const char *word;            /* see flag.h */
    const char *judges;          /* who decided so; "": nobody did */
    struct str said;             /* by the first of them */
    struct evidence_quote quote; /* ... and what it quotes; turn 0: nothing */
};
/* Of the dimension of verdicts about a rule; `value` is what is counted as an aye. */
struct flag_ruling flag_ruling(const struct flag_search *s, int64_t sample, enum rule_kind kind,
                               const char *dimension, double value);
CHECKED enum status flag_ruling_load(struct flag_search *s, const struct flag_look *look,
                                     struct err *e);

/* One more in the list; it lives in `keep`. */
struct flag_found *flag_add(struct flag_found **list, struct arena *keep, int64_t sample,
                            enum rule_kind kind, const struct flag_evidence *v);
/* The longest common part of two texts and their folded forms; empty when they are too long. */
struct flag_texts {
    struct str text[2];
    struct runes folded[2];
};
struct flag_shared flag_shared(struct arena *scratch, const struct flag_texts *t);

/* Everything that the answers of a run show by themselves, in the order of the samples. */
CHECKED enum status flag_find_all(struct arena *keep, const struct flag_look *look,
                                  struct flag_found **out, struct err *e);

/* Search the training lines, whether that was done before or not. */
CHECKED enum status flag_training_search(struct arena *a, const struct flag_look *look,
                                         struct flag_training *out, struct err *e);

/* A flag, as a key of a map: which sample, which kind. */
struct flag_key {
    int64_t sample, kind;
};
struct str flag_key(const struct flag_key *k); /* lent as long as *k is there */

/* A key for what a search of the training lines is about: the file, the threshold, the answers. */
CHECKED enum status flag_training_key(struct arena *a, const struct flag_look *look,
                                      const char **out, struct err *e);

static inline bool flag_is_training(enum rule_kind kind)
{
    return kind == RULE_TRAINING || kind == RULE_TRAINING_NEAR;
}

#endif
