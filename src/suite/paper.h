/* paper.h - an examination paper: everything that one sitting of an interview asks, drawn from a
 * bank and written out.
 *
 * The draw depends on the seed, the bank and the number of the sitting, and on nothing else: every
 * model of a run gets the same papers. No character comes twice before all have come; when one
 * comes again, its questions and cards go on where the sitting before left off. Pure. */
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

/* A fact that this paper asks for twice. */
struct paper_fact {
    const char *id;
    struct str fact;
    const struct str *expect;
    size_t nexpect;
};

struct paper {
    int64_t number;     /* of the sitting, from 1 */
    struct str era;     /* of the character; may be empty */
    struct str address; /* how it is addressed; empty: by its name */
    struct str surroundings;
    struct str instruction[3]; /* with which each part opens */
    struct paper_questions part1, part3;
    struct str theme, points[TASK_POINTS];
    struct str task;            /* the card as it is handed over */
    const char *task_source;    /* "bank" or "generic" */
    const struct str *prepared; /* follow-ups, in the order in which they are used */
    size_t nprepared;
    size_t follow_ups; /* that are asked: at most nprepared */
    const struct paper_fact *facts;
    size_t nfacts;
    const struct str *anachronisms; /* words that the character cannot know */
    size_t nanachronisms;
    bool ai; /* the character is itself a machine */
};

/* Who sits in sitting i (from 0). */
const struct bank_character *paper_character(struct arena *a, const struct suite *s,
                                             const struct bank *b, size_t i);
/* Its paper. E_INPUT when a template names what nothing fills; suite_interview.c has checked that.
 */
CHECKED enum status paper_draw(struct arena *a, const struct suite *s, const struct bank *b,
                               size_t i, struct paper *out, struct err *e);

/* The same as an item of the run. */
CHECKED enum status paper_item(struct arena *a, const struct suite *s, const struct bank *b,
                               size_t i, struct item *out, struct err *e);

/* How whoever asks speaks to the person. */
struct str paper_address(const struct paper *p, struct str name);

const char *paper_freeze(struct arena *a, const struct paper *p);
CHECKED enum status paper_thaw(struct arena *a, struct str frozen, struct paper *out,
                               struct err *e);

#endif
