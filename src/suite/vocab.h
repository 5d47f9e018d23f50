/* vocab.h - the words of the program as plain structs. Read this first.
 *
 * A suite fixes four things: how answers are obtained (elicit), what is asked of whoever judges
 * (instrument), how judgements become numbers (score), and the facts that rules look
 * for (rules). Items are what is asked; they are not kept here, because there can be
 * a hundred thousand of them: they are streamed from their file into the store.
 *
 * Values live in the arena of whoever read them; views are valid UTF-8. */
#ifndef SUITE_VOCAB_H
#define SUITE_VOCAB_H

#include "base/diag.h"
#include "base/str.h"
#include "net/limit.h"

/* ---- who ---- */

/* A prompt template: up to three texts in which {{name}} is replaced (see prompt.h). */
struct template
{
    const char *name;
    struct str system; /* may be empty */
    struct str user;
    struct str repair; /* judge templates: asked when a reply broke the rules; may be empty */
};

enum endpoint_kind { ENDPOINT_CHAT, ENDPOINT_RECORDED, ENDPOINT_OBJECTIVE };
enum { ENDPOINT_KINDS = ENDPOINT_OBJECTIVE + 1 };

/* Who answers or judges, as configured in models.yaml. Never holds a key, only the name of the
 * environment variable that does. */
struct endpoint {
    enum endpoint_kind kind;
    const char *name;       /* how the user calls it */
    const char *family;     /* "" when not said; a judge does not judge its own family */
    const char *base_url;   /* chat */
    const char *url;        /* chat: the final URL that requests go to */
    const char *model;      /* chat: the provider's model id; objective: the scorer */
    const char *key_var;    /* chat: environment variable with the key; "": none is sent */
    bool key_named;         /* ... was written in the file, so its absence is a fault */
    const char *parameters; /* JSON object merged into every request body: sampling, extra fields */
    const struct str *headers; /* extra "Name: value" */
    size_t nheaders;
    const char *file;           /* recorded: JSONL of replies, path as seen from here */
    double price_in, price_out; /* USD per million tokens; NaN: not said */
    struct limit_config limits;
    int64_t timeout_ms, stall_ms;
    struct template template; /* chat: in place of the suite's; no user text (NULL): none */
    struct place template_at; /* in models.yaml */
};

struct card_book;

/* A role card. `text` is the whole description as it goes into prompts. */
struct character {
    const char *id;
    struct str name;
    struct str text;
    struct str greeting;              /* may be empty */
    const struct card_book *lorebook; /* what role.h puts beside the text; NULL: none */
};

/* ---- the four axes ---- */

/* The system message of items whose tag is of this kind: see tag.h. */
struct tag_system {
    struct str kind, text;
};

enum elicit_kind { ELICIT_SINGLE, ELICIT_CONTINUE, ELICIT_INTERVIEW };
enum take_kind { TAKE_ALL, TAKE_FIRST_LINES, TAKE_LINES };

/* The words of an interview that are not its characters' own. */
struct interview_template {
    const char *name;
    struct str system;         /* what the model under test is told */
    struct str part[3];        /* what the examiner opens each part with */
    struct str task;           /* the task card as it is handed over */
    struct str examiner;       /* what transcripts call whoever asks */
    struct template follow_up; /* what an examiner that is a model is told */
};

/* Who asks. A person does so in a browser (panel/room.h): a run plans such sittings and leaves
 * them. */
enum examiner_kind { EXAMINER_MODEL, EXAMINER_SCRIPT, EXAMINER_PERSON };

struct interview {
    const char *bank; /* directory of characters, as the suite names it */
    int sittings;
    int part1, part3; /* questions */
    int follow_ups;
    enum examiner_kind examiner; /* who follows up; a script uses what is prepared */
    struct interview_template template;
};

struct elicit {
    enum elicit_kind kind;
    int repeats;
    struct template template; /* no system text at all (NULL): items find theirs by tag */
    const struct tag_system *systems;
    size_t nsystems;
    enum take_kind take;        /* which part of the reply counts */
    int lines;                  /* how many, where it is lines; one first line is `first-line` */
    const char *sampling;       /* JSON object; "{}": the model's defaults */
    struct interview interview; /* of ELICIT_INTERVIEW */
};

struct level {
    double value;
    struct str text;
};

struct dimension {
    const char *id;
    struct str title;       /* in the suite's language; the id when none was given */
    struct str description; /* may be empty */
    double weight;
    double min, max;
    bool whole;                 /* whole numbers only */
    const struct level *levels; /* ascending; when there are any, no other value is allowed */
    size_t nlevels;
    bool lower_is_better;
};

/* v is a value of this dimension's scale. */
bool vocab_allows(const struct dimension *d, double v);

/* What a flagged answer does in a battle. */
enum flagged { FLAGGED_IGNORE, FLAGGED_LOSE, FLAGGED_DROP };

enum instrument_kind { INSTRUMENT_DIMENSIONS, INSTRUMENT_PAIR };

struct instrument {
    enum instrument_kind kind;
    const struct dimension *dimensions; /* by falling weight */
    size_t ndimensions;
    bool quotes; /* every mark needs words of the interview that bear it out: evidence.h */
    /* for scene templates; empty where the suite says nothing */
    struct str scene, scene_description, score_details, steps;
    /* of a pair: which of two answers is better */
    const struct str *criteria;
    size_t ncriteria;
    bool ties;        /* a judge may call it even */
    bool both_orders; /* each pair is shown both ways round; who wins only one way ties */
    enum flagged flagged;
};

/* What a fact found by rule does to the sample's value. */
enum effect { EFFECT_NOTE, EFFECT_CAP, EFFECT_ZERO };

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
};
enum { RULE_KINDS = RULE_EMPTY + 1 };

const char *vocab_rule_name(enum rule_kind k);                /* "training-near", as stored */
bool vocab_rule_find(const char *name, enum rule_kind *kind); /* false: not one of ours */

struct rule {
    bool on;
    double threshold; /* of a similarity, where the fact is one */
    enum effect effect;
    double cap;
};

struct rules {
    struct rule of[RULE_KINDS];
    const char *training;             /* file of training lines; NULL: none */
    const char *training_hash;        /* of its content, see training.h */
    const struct str *words, *except; /* identity: names to look for too, words to leave alone */
    size_t nwords, nexcept;
};

enum score_kind {
    SCORE_MEAN_OF_ITEMS,
    SCORE_SUM,
    SCORE_WEIGHTED_MEAN,
    SCORE_TOTALS,
    SCORE_BAND,   /* the mean of four whole marks in steps of a half: math/band.h */
    SCORE_RATING, /* of battles, by Bradley-Terry; pairs have no other */
};
enum rounding { ROUND_NONE, ROUND_NEAREST, ROUND_DOWN, ROUND_UP };

struct score_spec {
    enum score_kind kind;
    double times, divide; /* the mean is multiplied, the sum divided */
    enum rounding round;  /* of a sample's weighted mean */
    bool glicko;          /* rating: Glicko-2 beside it */
    bool one_period;      /* ... with the run as one rating period, not each battle */
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
    const struct example *examples;
    size_t nexamples;
    const struct pick *picks;
    size_t npicks;
    struct score_spec score;
    uint64_t seed;
    bool sensitive; /* items and answers stay out of pages and exports unless asked for */
};

/* A member of an item that templates may name. */
struct item_var {
    const char *name;
    struct str value;
};

struct item_turn {
    const char *role; /* "user" or "assistant" */
    struct str text;
};

struct item {
    const char *id;
    const char *character; /* id; NULL: the suite's default */
    struct str prompt;
    struct str reference;          /* may be empty */
    const struct item_turn *turns; /* dialogue before the prompt */
    size_t nturns;
    const struct item_var *vars; /* every other scalar member: tag, context, ... */
    size_t nvars;
    struct str paper; /* of an interview: paper_freeze() of what is asked; else empty */
};

/* Who the item is about: the one that it names, else the suite's first; a nameless one when the
 * suite has none. */
const struct character *vocab_character(const struct suite *s, const struct item *item);

/* ---- what happened ---- */

enum state { STATE_PLANNED, STATE_LEASED, STATE_DONE, STATE_UNSCORED, STATE_FAILED };
enum { STATES = STATE_FAILED + 1 };

const char *vocab_state_name(enum state s); /* "planned", ... as stored */
enum state vocab_state_of(struct str name); /* its inverse; STATE_FAILED for any other word */

struct mark {
    const char *dimension;
    double value;
    struct str analysis;
    struct str evidence; /* JSON list of quotations, or empty; of interviews see evidence.h */
    struct str advice;   /* what would earn more; or empty */
};

#endif
