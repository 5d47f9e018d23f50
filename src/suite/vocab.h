/* vocab.h - a suite as plain structs. Read this first.
 *
 * A suite defines how answers are obtained (elicit.h), what judges are asked and how judgements
 * become numbers (instrument.h), and which facts rules look for (rule.h). Who answers or judges is
 * an endpoint (endpoint.h), what is asked is an item (item.h), and the result is a mark (mark.h).
 *
 * Values live in the arena of whoever read them; texts are valid UTF-8. */
#ifndef SUITE_VOCAB_H
#define SUITE_VOCAB_H

#include "suite/elicit.h"
#include "suite/instrument.h"
#include "suite/rule.h"

struct item;

struct card_book;

enum { CHARACTERS_MAX = 1000 }; /* of a suite */

/* A role card. `text` is the whole description, as used in prompts. */
struct character {
    const char *id;
    struct str name;
    struct str text;
    struct str greeting;              /* may be empty */
    const struct card_book *lorebook; /* entries that role.h adds to the text; NULL if none */
};

/* An answer with the marks that it deserves: raters practise on it, and judges may be shown it. */
struct example {
    struct str prompt, answer;
    struct str reference, reason; /* may be empty */
    const double *scores;         /* one per dimension, in the instrument's order */
};

/* Only n items of this group are used: see suite_pick.c. */
struct pick {
    struct str group;
    int64_t n;
};

struct suite {
    const char *id;
    struct str title, description;
    const char *titles;   /* JSON: title by language; "" if there is only one. Not frozen */
    const char *language; /* "zh", "ja", "en", ... */
    const char *path;     /* of its file; NULL if it came from the store */
    struct character *characters;
    size_t ncharacters; /* the first one is the default; may be 0 */
    struct elicit elicit;
    struct instrument instrument;
    struct rules rules;
    struct template judge;      /* the default template for judges */
    const char *judge_sampling; /* JSON object merged into judge requests */
    bool judge_examples;        /* show the examples to judges */
    size_t judge_answer_limit;  /* code points of an answer shown to judges; 0: all */
    const struct example *examples;
    size_t nexamples;
    const struct pick *picks;
    size_t npicks;
    struct score_spec score;
    uint64_t seed;
    int64_t form;   /* form of the items; 0: the published one (slot.h) */
    bool sensitive; /* keep items and answers out of pages and exports unless asked for */
};

/* True if answers are conversations, whose turns are rows. */
bool vocab_is_talk(const struct suite *s);
/* Verdicts of a judge on one answer, at most: a conversation may be marked by stretches. */
int64_t vocab_stretches(const struct suite *s);
/* True if other models are needed: an examiner, one that plays the user, a director. */
bool vocab_asks_others(const struct suite *s);
/* True if a person conducts the conversations in a browser: a run only plans them. */
bool vocab_is_held(const struct suite *s);
/* Selects one of three punctuation marks by language. Words are in share/words: words_of(). */
const char *vocab_in(const char *language, const char *en, const char *zh, const char *ja);
/* The one with this id; NULL if none. */
const struct dimension *vocab_dimension(const struct instrument *in, const char *id);
const struct character *vocab_character_by(const struct suite *s, const char *id);
/* Dialogues: the user that the item names, else the suite's first. */
const struct user *vocab_user(const struct suite *s, const struct item *item);
/* The name in transcripts of whoever talks with the model; empty if nobody does. */
struct str vocab_other(const struct suite *s, const struct item *item);
/* True if this is the name of somebody who is not judged: the examiner, a user, another model's
 * character, the narrator. */
bool vocab_is_other(const struct suite *s, struct str name);

/* The character that the item names, else the suite's first; an empty one if the suite has none. */
const struct character *vocab_character(const struct suite *s, const struct item *item);

#endif
