/* bank.h - characters that can be interviewed, and the questions they are asked.
 *
 * A bank is a directory with one file per character. Each file holds a role card, questions of four
 * kinds for part 1 and of four other kinds for part 3, task cards for part 2, facts that are asked
 * in part 1 and again in part 3, and words that the character cannot know. A character without its
 * own questions for a part (an imported card) gets the generic ones.
 *
 * Everything lives in the arena; errors go to struct diags with their location. */
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
    PART_KINDS = QUESTION_COMPARE, /* kinds per part */
    TASK_POINTS = 4,
    FOLLOW_UPS_MAX = 2, /* per sitting; a task card has at least this many prepared */
};

const char *bank_kind_name(enum question_kind k); /* "identity", as used in files and rows */

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
    struct shape_said ask, again; /* the question, and the same question reworded */
    const struct str *expect;     /* any of these words shows that an answer states the fact */
    size_t nexpect;
};

/* Questions of parts 1 and 3 and the task cards: a character's own, or the generic ones. */
struct bank_questions {
    struct str surroundings; /* generic questions only: used for cards without surroundings */
    struct bank_texts of[QUESTION_KINDS];
    const struct bank_task *tasks;
    size_t ntasks;
    bool part[3]; /* which of parts 1, 2 and 3 have questions */
};

struct bank_character {
    const char *id, *language;
    struct str name, era, card, surroundings;
    struct str address;        /* how the interviewer addresses the character; empty: by name */
    struct shape_said opening; /* the interviewer's first words; empty: use the template's */
    const struct card_book *lorebook; /* from an imported card; NULL if none */
    bool ai;                          /* the character is an AI */
    const struct bank_fact *facts;
    size_t nfacts;
    const struct str *anachronisms;
    size_t nanachronisms;
    struct bank_questions questions;
    struct place at;
    const struct source *source; /* the character file */
};

/* The keys of a character file: `audition help interviewee`. */
extern const struct shape bank_shape;

struct bank {
    const struct bank_character *v; /* sorted by id */
    size_t n;
};

/* Loads all character files in and below a directory. Returns NULL if none can be read; a directory
 * without character files is an error at `at`. Errors are what makes a character unusable: no name,
 * a kind without questions, a task card without four points. */
const struct bank *bank_load(struct arena *a, const char *dir, struct place at, struct diags *d);

/* True if the character has no questions of its own, like an imported card. */
bool bank_is_bare(const struct bank_character *c);
/* The built-in questions for such characters; English if there are none for the language. */
const struct bank_questions *bank_generic(struct arena *a, const char *language);

/* Quality checks beyond those of bank_load(): two questions of each kind, three task cards, facts
 * to ask about, and no two similar questions within a character or across characters. */
void bank_check(const struct bank *b, struct diags *d);

#endif
