/* instrument.h - what is asked of whoever judges, and how judgements become numbers. */
#ifndef SUITE_INSTRUMENT_H
#define SUITE_INSTRUMENT_H

#include "base/mem.h"

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

/* As people know it, and as files do: "Tone (d1)"; the id alone where nobody gave a title. */
struct str vocab_label(struct arena *a, const struct dimension *d);

/* v is a value of this dimension's scale. */
bool vocab_allows(const struct dimension *d, double v);

/* What a flagged answer does in a battle. */
enum flagged { FLAGGED_IGNORE, FLAGGED_LOSE, FLAGGED_DROP };

/* Whose words bear a mark out. */
enum quoted { QUOTED_MODEL, QUOTED_USER, QUOTED_ALL };

enum instrument_kind { INSTRUMENT_DIMENSIONS, INSTRUMENT_PAIR };

struct instrument {
    enum instrument_kind kind;
    const struct dimension *dimensions; /* by falling weight */
    size_t ndimensions;
    int window;          /* a conversation is marked by stretches of so many turns; 0: as a whole */
    bool contradictions; /* judges list pairs of statements that cannot both be true: claim.h */
    bool quotes;         /* every mark needs words of the interview that bear it out: evidence.h */
    enum quoted quoted;  /* ... and whose; no suite says so: about.h */
    /* for scene templates; empty where the suite says nothing */
    struct str scene, scene_description, score_details, steps;
    /* of a pair: which of two answers is better */
    const struct str *criteria;
    size_t ncriteria;
    bool ties;        /* a judge may call it even */
    bool both_orders; /* each pair is shown both ways round; who wins only one way ties */
    enum flagged flagged;
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

#endif
