/* items.h - what the items of a run tell (math/itemwise.h), by readings of one jury.
 *
 * Models are the persons; a model's value on an item is the mean over its answers of the mean over
 * judges, as a share of the scale, before any rule. Of battles it is the mean of what the model won
 * on the item, a tie half: how hard an item is has no meaning there, whether it tells models apart
 * has. Computed when somebody asks; everything lives in the arena. */
#ifndef GAUGE_ITEMS_H
#define GAUGE_ITEMS_H

#include "math/itemwise.h"
#include "store/store_read.h"
#include "suite/item.h"
#include "suite/vocab.h"

enum { ITEMS_TWINS = 20 };

struct items_one {
    const char *name;
    struct itemwise of;
    double split;  /* greatest less least judge on an answer, in the mean; NaN: one judge */
    double turned; /* share of matches seen both ways round that another answer won; NaN: none */
    double guess;  /* the author's difficulty, 1 to 5; NaN: the item has no card */
    double found; /* as it turned out, 1 to 5: by fifths of the items; NaN: too few models, items */
    double difficulty; /* see items_difficulty() */
    uint64_t asked;    /* hash of what is asked, card aside */
};

struct items_analysis {
    struct items_one *v; /* in the order of the suite */
    size_t n;
    struct itemwise_twins twins[ITEMS_TWINS];
    size_t ntwins;
    size_t models, judges; /* that have readings */
    bool battles;
};

CHECKED enum status items_analyse(struct arena *a, struct store *s, const struct run_row *run,
                                  const struct suite *suite, const struct jury *jury,
                                  struct items_analysis *out, struct err *e);

/* How hard an item is, from 1 to 5: as it turned out where this run measured it, otherwise as its
 * author guessed. An item that has been changed since is another one, but for its card. */
struct items_difficulty {
    double value; /* NaN: nobody said */
    bool measured;
};
struct items_difficulty items_difficulty(const struct items_analysis *x, const struct item *item);

/* The names of the n items that tell models apart best, in the order of the suite. */
const char **items_best(struct arena *a, const struct items_analysis *x, size_t n);

#endif
