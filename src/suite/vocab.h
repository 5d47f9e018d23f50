/* vocab.h - a suite as plain structs. Read this first.
 *
 * A suite fixes four things: how answers are obtained (elicit.h), what is asked of whoever judges
 * and how judgements become numbers (instrument.h), and the facts that rules look for (rule.h). Who
 * answers or judges is an endpoint (endpoint.h), what is asked an item (item.h), what came of it a
 * mark (mark.h).
 *
 * Values live in the arena of whoever read them; views are valid UTF-8. */
#ifndef SUITE_VOCAB_H
#define SUITE_VOCAB_H

#include "suite/elicit.h"
#include "suite/instrument.h"
#include "suite/rule.h"

struct item;

struct card_book;

/* A role card. `text` is the whole description as it goes into prompts. */
struct character {
    const char *id;
    struct str name;
    struct str text;
    struct str greeting;              /* may be empty */
    const struct card_book *lorebook; /* what role.h puts beside the text; NULL: none */
};

/* An answer with the marks that it deserves: raters practise on it, judges may be shown it. */
struct example {
    struct str prompt, answer;
    struct str reference, reason; /* may be empty */
    const double *scores;         /* one for each dimension, in the instrument's order */
};

/* Of the items of this group only n are used: see suite_pick.c. */
struct pick {
    struct str group;
    int64_t n;
};

struct suite {
    const char *id;
    struct str title, description;
    const char *titles;   /* JSON: the title by language; "" where it has one. Not frozen */
    const char *language; /* "zh", "ja", "en", ... */
    const char *path;     /* of the file it came from; NULL when it came from the store */
    struct character *characters;
    size_t ncharacters; /* the first one is the default; there may be none */
    struct elicit elicit;
    struct instrument instrument;
    struct rules rules;
    struct template judge;      /* the template that judges get unless told otherwise */
    const char *judge_sampling; /* JSON object merged into judge requests */
    bool judge_examples;        /* judges are shown the examples */
    size_t judge_answer_limit;  /* code points of an answer that judges are shown; 0: all */
    const struct example *examples;
    size_t nexamples;
    const struct pick *picks;
    size_t npicks;
    struct score_spec score;
    uint64_t seed;
    int64_t form;   /* of the items: 0 is the published one (slot.h) */
    bool sensitive; /* items and answers stay out of pages and exports unless asked for */
};

/* Answers are conversations: their turns are rows. */
bool vocab_is_talk(const struct suite *s);
/* Somebody besides the models has to be asked: an examiner, a player of the user, a director. */
bool vocab_asks_others(const struct suite *s);
/* A person leads its talks in a browser: a run plans them and holds none. */
bool vocab_is_held(const struct suite *s);
/* One of three, by how a language's tag begins; English where it is neither of the others. */
const char *vocab_in(const char *language, const char *en, const char *zh, const char *ja);
/* The one with this id; NULL: none. */
const struct dimension *vocab_dimension(const struct instrument *in, const char *id);
const struct character *vocab_character_by(const struct suite *s, const char *id);
/* Of a dialogue: the user whom the item names, else the suite's first. */
const struct user *vocab_user(const struct suite *s, const struct item *item);
/* What transcripts call whoever speaks with the model; empty where nobody does. */
struct str vocab_other(const struct suite *s, const struct item *item);
/* This is the name of one of those, and not of somebody who is judged. */
bool vocab_is_other(const struct suite *s, struct str name);

/* Who the item is about: the one that it names, else the suite's first; a nameless one when the
 * suite has none. */
const struct character *vocab_character(const struct suite *s, const struct item *item);

#endif
