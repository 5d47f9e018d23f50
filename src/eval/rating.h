/* rating.h - from battles to a table of ratings: fit, intervals, ranks, groups.
 *
 * Models that no chain of battles joins are never in one list: each group is rated alone. A
 * rating has an interval where the system gives one. A model's rank is a range of all places that
 * are possible, given the differences to the other models. Notes say what had to be done about the
 * data (a ridge, too few prompts, groups). Everything lives in the arena. */
#ifndef EVAL_RATING_H
#define EVAL_RATING_H

#include "exchange/battle_file.h"
#include "exchange/start_file.h"
#include "math/bt.h"
#include "math/glicko.h"
#include "math/interval.h"

/* Every system, and its name in options and files. */
#define RATING_SYSTEMS(X)                                                                          \
    X(RATING_BT, "bradley-terry") X(RATING_GLICKO, "glicko2") X(RATING_ELO, "elo")
#define RATING_VALUE(value, name) value,
#define RATING_NAME(value, name)  name,
enum rating_system { RATING_SYSTEMS(RATING_VALUE) };

enum {
    RATING_PAIRS_MAX = 200,        /* models of a group whose pairs are told one by one */
    RATING_GROUPS_MAX = 1000,      /* of models that never met */
    RATING_SHUFFLES = 100,         /* of the order of battles */
    RATING_REPLAYED_MAX = 2000000, /* battles in all shuffles, but no fewer than ... */
    RATING_SHUFFLES_MIN = 2,
    RATING_CLUSTERS_FEW = 30,
};

struct rating_how {
    enum rating_system system;
    enum bt_ties ties;              /* Bradley-Terry */
    struct glicko_how glicko;       /* Glicko-2; with GLICKO_ALL ... */
    const struct start_list *start; /* where players of Glicko-2 begin; NULL: 1500, 350, 0.06 */
    bool by_run;  /* ... each run of the set is a period, in the order of the file */
    double elo_k; /* Elo; 0: ELO_K */
    double widen; /* Bradley-Terry: deviations by this factor; 0: as they are */
    uint64_t seed;
    const char *anchor; /* model whose rating is `anchored`, the others shift; NULL: none */
    double anchored;
};

/* What does not apply is NaN, or 0 for ranks. */
struct rating {
    uint32_t model; /* in the battle set */
    double rating, rd, volatility;
    double lo, hi;             /* 95 % */
    enum interval_why why;     /* there is none, or a caution */
    double order_lo, order_hi; /* where 95 % of shuffled orders of the battles put it */
    size_t rank_best, rank_worst;
    int64_t games, wins, losses, ties;
    struct interval
        won; /* share of battles, ties as halves; in groups of RATING_PAIRS_MAX or less */
};

/* Two models of a group, as the first sees it. */
struct rating_pair {
    int64_t wins, losses, ties;
    double expected; /* score of the first as the ratings have it */
    double better;   /* probability that it is the stronger; NaN when not known */
};

struct rating_group {
    struct rating *v; /* [n], best first */
    size_t n;
    struct rating_pair *pairs; /* [n][n] in the same order; NULL above RATING_PAIRS_MAX */
};

struct rating_table {
    struct rating_group *groups; /* larger ones first */
    size_t ngroups;
    const char *method; /* where the intervals come from; NULL: there are none */
    size_t shuffles;    /* 0: the order does not matter */
    double nu;          /* Davidson's, of the first group; 0: none */
    const char **notes;
    size_t nnotes, notes_cap;
};

CHECKED enum status rating_compute(struct arena *a, const struct battle_set *set,
                                   const struct rating_how *how, struct rating_table *out,
                                   struct err *e);
void rating_note(struct arena *a, struct rating_table *t, const char *text);

#endif
