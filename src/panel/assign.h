/* assign.h - which passage a rater gets next, and the order of its texts.
 *
 * One passage at a time: a rater who leaves blocks no more than one passage, and only until its
 * lease expires. Passages with the fewest ratings (counted or in progress) come first; ties are
 * broken by how often raters of the same passages had it, then by how often raters of the same
 * stratum had it, then at random.
 *
 * Texts are shown in the order of a row of a Williams square. Its labels and rows are shuffled
 * for every passage and every cycle through the rows, keyed with the campaign's secret: no text
 * comes first more often than another, and the order of one passage says nothing about the next.
 * If the campaign wants it, anchor texts and repeated passages are mixed in silently. They look
 * like any passage: the same number of texts, one more on the counter. */
#ifndef PANEL_ASSIGN_H
#define PANEL_ASSIGN_H

#include "base/rng.h"
#include "panel/rater.h"

/* PHASE_REPEAT: a passage shown again, to check the rater's consistency. */
enum phase { PHASE_PRACTICE, PHASE_ANCHOR, PHASE_MAIN, PHASE_REPEAT };
const char *assign_phase_name(enum phase p);
bool assign_phase_read(struct str name, enum phase *out);
enum phase assign_phase_of(struct str name); /* PHASE_MAIN for unknown names */

/* One text, or a pair, as shown: `sample` first. */
struct shown {
    int64_t sample; /* 0: the reference, or a practice text; below -1: a silent anchor */
    int64_t other;  /* -1: none */
};

bool assign_same(const struct shown *x, const struct shown *y);

/* Converts the index of an anchor text to the number it is shown under, and back. */
#define ASSIGN_ANCHOR(k) (-2 - (k))

struct assignment {
    int64_t id, campaign, rater;
    enum phase phase;
    int64_t item;   /* 0: an anchor text */
    int64_t anchor; /* index in the campaign file, of several the first; -1: none */
    int64_t attempt, position;
    bool done;
    bool gone; /* skipped, closed because the rater left, or taken over by another rater */
    int64_t started_ms, submitted_ms, active_ms;
    struct shown *shown;
    size_t nshown;
};
struct assignment_list {
    struct assignment *v;
    size_t n;
};

/* *due: practice is due again (rater_must_practise()), and something is left to rate after it. */
CHECKED enum status assign_practice_due(struct arena *a, struct store *s, const struct campaign *c,
                                        const struct rater *r, bool *due, struct err *e);

/* The rater's next task: practice if it is due, otherwise what was begun, otherwise something
 * new. *found is false if there is nothing to do: the rater has done enough, or has had every
 * passage available (and is then marked as finished, unless texts are waiting for a decision).
 * Passages are also assigned beyond the overlap wanted: no volunteer is turned away. */
CHECKED enum status assign_next(struct arena *a, struct store *s, const struct campaign *c,
                                const struct rater *r, struct assignment *out, bool *found,
                                struct err *e);
/* The assignment begun and not submitted, if any; changes nothing. */
CHECKED enum status assign_begun(struct arena *a, struct store *s, const struct rater *r,
                                 struct assignment *out, bool *found, struct err *e);
/* The stored form: "[[7,-1],[9,-1]]". */
const char *assign_shown(struct arena *a, const struct shown *v, size_t n);
/* Reads a row of `assignment`, see db_list(). */
row_read_fn assign_read;
/* E_ABSENT unless it belongs to this rater. */
CHECKED enum status assign_get(struct arena *a, struct store *s, const struct rater *r, int64_t id,
                               struct assignment *out, struct err *e);
CHECKED enum status assign_list(struct arena *a, struct store *s, int64_t rater,
                                struct assignment_list *out, struct err *e);

/* ---- the choice alone; pure ---- */

struct passage_use {
    int64_t item, uses, together, stratum;
    bool mine, waits; /* this rater has had it; a text of it waits for a decision */
};
/* Index of the passage to assign; n: none, because the rater has had all others or they are
 * waiting. */
size_t assign_pick(const struct passage_use *v, size_t n, struct rng *lot);
/* The order of n texts for the use-th showing of a passage. Over as many showings as a Williams
 * square has rows, each text is equally often at each place. */
void assign_order(const char *secret, int64_t item, int64_t use, size_t n, size_t *out);

/* `some` of `all` pairs for the use-th showing of a passage, without repetition. Over all
 * showings, every pair comes once before any pair comes again, then with swapped sides. */
struct assign_pair {
    size_t pair;
    bool turned;
};
void assign_pairs(const char *secret, int64_t item, int64_t use, size_t all, size_t some,
                  struct assign_pair *out);

/* Number of extras for this rater, if each passage has so many texts. */
struct assign_extras {
    int64_t anchors, repeats;
};
struct assign_extras assign_extras(const struct campaign *c, int64_t rater, size_t texts);
/* The same at most, before the rater is known. */
struct assign_extras assign_extras_most(const struct campaign *c, size_t texts);

#endif
