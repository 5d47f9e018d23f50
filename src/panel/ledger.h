/* ledger.h - the facts of a campaign as numbers.
 *
 * Raters, passages, systems and texts become indices from 0, in the order of their first
 * appearance. Everything lives in the arena. */
#ifndef PANEL_LEDGER_H
#define PANEL_LEDGER_H

#include "math/cell.h"
#include "panel/fact.h"

/* A mark. For two talks at once: the vote on the whole, or without one, the majority of the
 * votes on turns. */
struct entry {
    uint32_t rater, passage, system, text;
    uint32_t other;  /* system of the second text of a pair */
    uint32_t second; /* second text of a pair; `text` if it is no pair */
    uint32_t dimension;
    bool counts; /* in the main table */
    bool bad;    /* of a pair: both are bad; the value is that of a tie */
    double value;
};

/* A mark on an anchor text: value minus expected mark, in steps of the scale. */
struct anchor_entry {
    uint32_t rater, dimension;
    double error;
};

/* The distance of two marks by one rater on the same text or pair; the later one was submitted. */
struct repeat_entry {
    uint32_t rater, dimension;
    double apart; /* in steps of the scale; for a pair, 1 if the other text was chosen */
};

struct ledger {
    const char **systems, **raters, **passages;
    int64_t *samples;    /* [texts] 0: a reference */
    uint32_t *text_of;   /* [texts] its passage */
    uint32_t *system_of; /* [texts] */
    int64_t *items;      /* [passages] */
    size_t nsystems, nraters, npassages, ntexts;
    struct entry *v; /* by rater, in the order in which they rated */
    size_t n;
    struct entry *turns; /* votes on single turns of two talks; those of a talk are adjacent */
    size_t nturns;
    size_t *first;                /* [raters + 1] index of the first mark of each */
    struct anchor_entry *anchors; /* silent anchors, in the same order */
    size_t nanchors;
    struct repeat_entry *repeats; /* in the same order; v has no marks of repeats */
    size_t nrepeats;
};

CHECKED enum status ledger_read(struct arena *a, struct store *s, const struct campaign *c,
                                struct ledger *out, struct err *e);

/* The marks of one dimension as ratings of texts by raters, sorted; `main`: only those that
 * count. Texts and raters keep their numbers. */
struct cells ledger_cells(struct arena *a, const struct ledger *l, size_t dimension, bool main);

#endif
