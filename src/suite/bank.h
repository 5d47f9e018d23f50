/* bank.h - characters that can be interviewed: who they are, and what they are asked.
 *
 * A bank is a directory of files, one for each character. Each holds a role card, questions of four
 * kinds for part 1 and of four for part 3, task cards for part 2, facts that part 1 asks for and
 * part 3 asks for again, and words that the character cannot know. A character without questions of
 * its own (an imported card) gets generic ones, part by part.
 *
 * Everything lives in the arena; faults go to struct diags at their place. */
#ifndef SUITE_BANK_H
#define SUITE_BANK_H

#include "base/err.h"
#include "suite/shape.h"

struct card_book;

enum question_kind {
    /* part 1 */
    QUESTION_IDENTITY,
    QUESTION_SURROUNDINGS,
    QUESTION_HABITS,
    QUESTION_RECENT,
    /* part 3 */
    QUESTION_COMPARE,
    QUESTION_PREDICT,
    QUESTION_ARGUE,
    QUESTION_VALUE,
};
enum {
    QUESTION_KINDS = QUESTION_VALUE + 1,
    PART_KINDS = QUESTION_COMPARE, /* of each part */
    TASK_POINTS = 4,
    FOLLOW_UPS_MAX = 2, /* that a sitting asks; a card has at least as many prepared */
};

const char *bank_kind_name(enum question_kind k); /* "identity", as in files and rows */

struct bank_texts {
    const struct shape_said *v;
    size_t n;
};

struct bank_task {
    struct shape_said theme;
    struct str points[TASK_POINTS];
    struct bank_texts follow_ups;
};

struct bank_fact {
    const char *id;
    struct str fact;
    struct shape_said ask, again; /* the question, and the same in other words */
    const struct str *expect;     /* any of these shows that an answer agrees */
    size_t nexpect;
};

/* Questions of both parts and task cards: a character's own, or the generic ones. */
struct bank_questions {
    struct str surroundings; /* of the generic ones: for cards that name none */
    struct bank_texts of[QUESTION_KINDS];
    const struct bank_task *tasks;
    size_t ntasks;
    bool part[3]; /* whether there are any for part 1, 2, 3 */
};

struct bank_character {
    const char *id, *language;
    struct str name, era, card, surroundings;
    struct str address;        /* how the interviewer addresses it; empty: by its name */
    struct shape_said opening; /* the interviewer's first words; empty: those of the template */
    const struct card_book *lorebook; /* of an imported card; NULL: none */
    bool ai;                          /* the character is itself a machine */
    const struct bank_fact *facts;
    size_t nfacts;
    const struct str *anachronisms;
    size_t nanachronisms;
    struct bank_questions questions;
    struct place at;
    const struct source *source; /* the file */
};

/* The keys of its file: `audition help interviewee`. */
extern const struct shape bank_shape;

struct bank {
    const struct bank_character *v; /* by id */
    size_t n;
};

/* All character files in and under a directory. NULL, and a fault at `at`, when there is none to be
 * read. Faults are what keeps a character from sitting: a missing name, a kind without a question,
 * a card without four points. */
const struct bank *bank_load(struct arena *a, const char *dir, struct place at, struct diags *d);

/* It brings no question of its own, as an imported card does. */
bool bank_is_bare(const struct bank_character *c);
/* What the program asks of such characters; English where nothing is built in for the language. */
const struct bank_questions *bank_generic(struct arena *a, const char *language);

/* What makes a bank good beyond that: two questions of each kind, three task cards, facts to ask
 * for, and no two questions alike within a character or across characters. */
void bank_check(const struct bank *b, struct diags *d);

#endif
