/* ledger.h - the facts of a campaign as numbers, for those who compute with them.
 *
 * Raters, passages, systems and texts become indices from 0, in the order in which they first
 * appear. Everything lives in the arena. */
#ifndef PANEL_LEDGER_H
#define PANEL_LEDGER_H

#include "math/cell.h"
#include "panel/fact.h"

/* One mark. Of two talks at once: what was said of the whole, or where nothing was, what more of
 * the votes on their turns say. */
struct entry {
    uint32_t rater, passage, system, text;
    uint32_t other;  /* system of the second of a pair */
    uint32_t second; /* the text that was shown second of a pair; `text` where there is none */
    uint32_t dimension;
    bool counts; /* in the main table */
    bool bad;    /* of a pair: both were bad; the value is a tie's */
    double value;
};

/* A mark on an anchor text: value less key, in steps of the scale. */
struct anchor_entry {
    uint32_t rater, dimension;
    double error;
};

/* Two marks by one rater on the same text, or of the same pair, the later one handed in; how far
 * apart they are. */
struct repeat_entry {
    uint32_t rater, dimension;
    double apart; /* in steps of the scale; of a pair 1 when the other one was chosen */
};

struct ledger {
    const char **systems, **raters, **passages;
    int64_t *samples;    /* [texts] 0: a reference */
    uint32_t *text_of;   /* [texts] passage that it belongs to */
    uint32_t *system_of; /* [texts] */
    int64_t *items;      /* [passages] */
    size_t nsystems, nraters, npassages, ntexts;
    struct entry *v; /* by rater, in the order in which they rated */
    size_t n;
    struct entry *turns; /* votes on single turns of two talks, those of a talk together */
    size_t nturns;
    size_t *first;                /* [raters + 1] where the marks of each begin */
    struct anchor_entry *anchors; /* silent ones, likewise */
    size_t nanchors;
    struct repeat_entry *repeats; /* likewise; no mark of a repeat is among v */
    size_t nrepeats;
};

CHECKED enum status ledger_read(struct arena *a, struct store *s, const struct campaign *c,
                                struct ledger *out, struct err *e);

/* The marks of one dimension as ratings of texts by raters; `main`: only those that count. Sorted.
 * Texts and raters keep their numbers. */
struct cells ledger_cells(struct arena *a, const struct ledger *l, size_t dimension, bool main);

#endif
