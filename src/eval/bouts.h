/* bouts.h - the verdicts on pairs of a run as battles: who met whom, who won, before which judge.
 *
 * A battle of both orders is one battle: won by who wins both times, else a tie, and none while one
 * of the two verdicts is missing. A flag that stands, of a rule that does more than note it, does
 * to a judged battle what `flagged` of the suite says: nothing, it loses, or the battle is dropped;
 * an answer that its rule leaves out is in no battle.
 * A match is two answers that met; every judge's verdict on it is a battle. Everything lives in the
 * arena. */
#ifndef EVAL_BOUTS_H
#define EVAL_BOUTS_H

#include "exchange/battle_file.h"
#include "math/interval.h"
#include "store/jury.h"

struct bouts_model {
    int64_t id;
    const char *name, *family;
    bool met;        /* it is in the battle set */
    uint32_t number; /* ... under this number */
    int64_t planned, unscored, unjudged;
};

struct bouts_judge {
    int64_t id;
    const char *name, *family;
    /* By item, [items]: verdicts for what was shown first, of those for one side; pairs with the
     * same winner, of those judged both ways round. */
    struct interval_cluster *first, *consistent;
    size_t pairs;                   /* judged both ways round */
    size_t first_twice, last_twice; /* ... that turned with the order */
};

struct bouts_match {
    int64_t item, repeat;
    uint32_t a, b; /* indices of models */
};

struct bouts_fought {
    uint32_t judge, match; /* indices */
};

struct bouts {
    struct bouts_model *models;  /* all of the run, as they came into it */
    struct bouts_judge *judges;  /* likewise; of the jury, if there is one */
    struct bouts_match *matches; /* all that are planned, item by item */
    size_t nmodels, njudges, nmatches;
    size_t items;                /* places in what is counted by item */
    struct battle_set set;       /* the battles that count, item by item; clusters are items */
    struct bouts_fought *fought; /* [set.n] */
    uint32_t *model;             /* [set.models] index of each */
    bool open;                   /* some verdict is planned or under way */
    size_t flagged;              /* battles that were lost, or dropped, for a flag */
    size_t left_out;             /* ... of which a rule leaves a side out */
};

struct bouts_want {
    struct store *store;
    int64_t run;
    const struct suite *suite;
    const struct jury *jury; /* whose verdicts; NULL: of all judges that were asked */
    bool style;              /* look at the answers too, for set.style */
    bool flags;              /* and do with flagged ones what the suite says */
};
CHECKED enum status bouts_read(struct arena *a, const struct bouts_want *want, struct bouts *out,
                               struct err *e);

/* Are the two of one family? Who has none is kin to nobody. */
static inline bool bouts_kin(const char *family, const char *other)
{
    return family[0] && strcmp(family, other) == 0;
}

/* The battles with weights that sum to 1 in each match: several judges on the same two answers are
 * not several meetings of the models. */
struct duel *bouts_weighted(struct arena *a, const struct bouts *b);

#endif
