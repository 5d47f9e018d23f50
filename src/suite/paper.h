/* paper.h - an examination paper: everything that one sitting of an interview asks, drawn from a
 * bank and written out.
 *
 * The draw depends only on the seed, the form, the bank and the number of the sitting: every model
 * of a run gets the same papers. No character is used twice before all have been used; when one
 * comes up again, its questions and task cards continue where its last sitting stopped. Pure. */
#ifndef SUITE_PAPER_H
#define SUITE_PAPER_H

#include "suite/bank.h"
#include "suite/vocab.h"

struct paper_question {
    const char *kind; /* "identity", ... or "fact" */
    struct str text;
    const char *fact;   /* id, or "" */
    const char *source; /* "bank" or "generic" */
};

struct paper_questions {
    const struct paper_question *v;
    size_t n;
};

/* A fact that this paper asks about twice. */
struct paper_fact {
    const char *id;
    struct str fact;
    const struct str *expect;
    size_t nexpect;
};

struct paper {
    int64_t number;     /* of the sitting, from 1 */
    struct str era;     /* of the character; may be empty */
    struct str address; /* how the character is addressed; empty: by name */
    struct str surroundings;
    struct str instruction[3]; /* the opening of each part */
    struct paper_questions part1, part3;
    struct str theme, points[TASK_POINTS];
    struct str task;            /* the task card as presented */
    const char *task_source;    /* "bank" or "generic" */
    const struct str *prepared; /* follow-ups, in order of use */
    size_t nprepared;
    size_t follow_ups; /* number asked, at most nprepared */
    const struct paper_fact *facts;
    size_t nfacts;
    const struct str *anachronisms; /* words that the character cannot know */
    size_t nanachronisms;
    bool ai; /* the character is an AI */
};

/* Draws sitting i (from 0) as an item of the run: its character, and the paper as it is stored.
 * E_INPUT if a template uses an unknown name, which suite_interview.c has already checked. */
CHECKED enum status paper_item(struct arena *a, const struct suite *s, const struct bank *b,
                               size_t i, struct item *out, struct err *e);

/* How the examiner addresses the character. */
struct str paper_address(const struct paper *p, struct str name);

const char *paper_freeze(struct arena *a, const struct paper *p);
CHECKED enum status paper_thaw(struct arena *a, struct str frozen, struct paper *out,
                               struct err *e);

#endif
