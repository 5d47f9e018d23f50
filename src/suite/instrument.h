/* instrument.h - what judges are asked, and how their judgements become numbers. */
#ifndef SUITE_INSTRUMENT_H
#define SUITE_INSTRUMENT_H

#include "base/mem.h"

struct level {
    double value;
    struct str text;
};

struct dimension {
    const char *id;
    struct str title;       /* in the suite's language; the id if none was given */
    struct str description; /* may be empty */
    double weight;
    double min, max;
    bool whole;                 /* whole numbers only */
    const struct level *levels; /* ascending; if there are any, no other value is allowed */
    size_t nlevels;
    bool lower_is_better;
};

/* The title with the id that files use: "Tone (d1)"; the id alone if there is no title. */
struct str vocab_label(struct arena *a, const struct dimension *d);

/* True if v is a valid value of the dimension. */
bool vocab_allows(const struct dimension *d, double v);

/* How a battle treats flagged answers. */
enum flagged { FLAGGED_IGNORE, FLAGGED_LOSE, FLAGGED_DROP };

/* Whose words may be quoted as evidence for a mark. */
enum quoted { QUOTED_MODEL, QUOTED_USER, QUOTED_ALL };

enum instrument_kind { INSTRUMENT_DIMENSIONS, INSTRUMENT_PAIR };

struct instrument {
    enum instrument_kind kind;
    const struct dimension *dimensions; /* by descending weight */
    size_t ndimensions;
    int window;          /* mark conversations in windows of this many turns; 0: as a whole */
    bool contradictions; /* judges list contradictory statements: claim.h */
    bool quotes;         /* every mark needs quotations as evidence: evidence.h */
    enum quoted quoted;  /* set internally, never by a suite: about.h */
    /* for scene templates; empty if the suite has none */
    struct str scene, scene_description, score_details, steps;
    /* INSTRUMENT_PAIR: which of two answers is better */
    const struct str *criteria;
    size_t ncriteria;
    bool ties;        /* judges may call a tie */
    bool both_orders; /* show each pair in both orders; a win in only one order is a tie */
    enum flagged flagged;
};

enum score_kind {
    SCORE_MEAN_OF_ITEMS,
    SCORE_SUM,
    SCORE_WEIGHTED_MEAN,
    SCORE_TOTALS,
    SCORE_BAND,   /* the mean of four whole marks in half steps: math/band.h */
    SCORE_RATING, /* Bradley-Terry rating from battles; the only kind for pairs */
};
enum rounding { ROUND_NONE, ROUND_NEAREST, ROUND_DOWN, ROUND_UP };

struct score_spec {
    enum score_kind kind;
    double times, divide; /* factor of the mean, divisor of the sum */
    enum rounding round;  /* applied to a sample's weighted mean */
    bool glicko;          /* also compute Glicko-2 ratings */
    bool one_period;      /* one rating period for the whole run instead of one per battle */
};

#endif
