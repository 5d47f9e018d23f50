/* assign.h - which passage a rater gets next, and in which order its texts are shown.
 *
 * One at a time: whoever stops half way holds nothing back but one passage, and that only until its
 * lease ends. Chosen is the passage that counts and is being rated least; among those the one
 * that raters of the same passages have had least, then the one that people like this rater have
 * had least, then by lot. Texts are shown in a row of a Williams square whose labels are drawn anew
 * for every passage and every round of its rows, and the rows too, all with the campaign's secret:
 * no text comes first more often than another, and a rater's order of one passage tells nothing
 * about the next. Anchor texts are mixed in silently where the campaign says so, and so are
 * passages that the rater has had. They look like any passage: as many texts, one more on the
 * counter. */
#ifndef PANEL_ASSIGN_H
#define PANEL_ASSIGN_H

#include "base/rng.h"
#include "panel/rater.h"

/* PHASE_REPEAT: a passage once more, to see whether the rater says the same. */
enum phase { PHASE_PRACTICE, PHASE_ANCHOR, PHASE_MAIN, PHASE_REPEAT };
const char *assign_phase_name(enum phase p);
bool assign_phase_read(struct str name, enum phase *out);
enum phase assign_phase_of(struct str name); /* PHASE_MAIN for any other word */

/* One text, or two that are compared, as shown: `sample` first. */
struct shown {
    int64_t sample; /* 0: the reference, or the practice text; below -1: a silent anchor */
    int64_t other;  /* -1: none */
};

bool assign_same(const struct shown *x, const struct shown *y);

/* Anchor text k among the texts that are shown, and back. */
#define ASSIGN_ANCHOR(k) (-2 - (k))

struct assignment {
    int64_t id, campaign, rater;
    enum phase phase;
    int64_t item;   /* 0: an anchor text */
    int64_t anchor; /* of the campaign file, of several the first; -1: none */
    int64_t attempt, position;
    bool done;
    bool gone; /* skipped; closed because the rater left; or a sitting that somebody else has begun
                  afresh meanwhile */
    int64_t started_ms, submitted_ms, active_ms;
    struct shown *shown;
    size_t nshown;
};
struct assignment_list {
    struct assignment *v;
    size_t n;
};

/* Practice is due again (rater_must_practise()) and something is left to rate after it. */
CHECKED enum status assign_practice_due(struct arena *a, struct store *s, const struct campaign *c,
                                        const struct rater *r, bool *due, struct err *e);

/* What the rater goes on with: practice where it is due again, else what was begun, else something
 * new. *found is false when there is
 * nothing to do: the rater has done enough, or has had every passage that may be shown (and then
 * has finished, unless some wait for a decision on a text). Passages are given beyond the overlap
 * that was asked for: whoever has come should not be sent away. */
CHECKED enum status assign_next(struct arena *a, struct store *s, const struct campaign *c,
                                const struct rater *r, struct assignment *out, bool *found,
                                struct err *e);
/* What was begun and not handed in; changes nothing. */
CHECKED enum status assign_begun(struct arena *a, struct store *s, const struct rater *r,
                                 struct assignment *out, bool *found, struct err *e);
/* As its row has it: "[[7,-1],[9,-1]]". */
const char *assign_shown(struct arena *a, const struct shown *v, size_t n);
/* A row of `assignment`, see db_list(). */
row_read_fn assign_read;
/* E_ABSENT unless it is this rater's. */
CHECKED enum status assign_get(struct arena *a, struct store *s, const struct rater *r, int64_t id,
                               struct assignment *out, struct err *e);
CHECKED enum status assign_list(struct arena *a, struct store *s, int64_t rater,
                                struct assignment_list *out, struct err *e);

/* ---- the choice alone; pure ---- */

struct passage_use {
    int64_t item, uses, together, stratum;
    bool mine, waits; /* this rater has had it; a text of it is withheld */
};
/* Index of the passage to give, or n when there is none: all others are the rater's or waiting. */
size_t assign_pick(const struct passage_use *v, size_t n, struct rng *lot);
/* n texts in the order for the use-th showing of a passage. Over as many showings as a Williams
 * square has rows, each text stands at each place equally often. */
void assign_order(const char *secret, int64_t item, int64_t use, size_t n, size_t *out);

/* `some` of `all` pairs for the use-th showing of a passage, none twice. Over all showings together
 * every pair comes once before any comes again, and then the other way round. */
struct assign_pair {
    size_t pair;
    bool turned;
};
void assign_pairs(const char *secret, int64_t item, int64_t use, size_t all, size_t some,
                  struct assign_pair *out);

/* What is mixed in among the passages of this rater, where each has so many texts. */
struct assign_extras {
    int64_t anchors, repeats;
};
struct assign_extras assign_extras(const struct campaign *c, int64_t rater, size_t texts);
/* ... and at the most, for whoever is still nobody. */
struct assign_extras assign_extras_most(const struct campaign *c, size_t texts);

#endif
