/* items.h - item analysis of a run (math/itemwise.h), from the readings of one jury.
 *
 * Models are the persons. A model's value on an item is the mean over its answers of the mean over
 * judges, as a fraction of the scale, before any rule. For battles it is the model's mean result on
 * the item, with ties as half wins: this says nothing about how hard an item is, but still how well
 * it separates models. Computed on demand; everything lives in the arena. */
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
    double split; /* mean difference of the highest and lowest judge of an answer; NaN: one judge */
    double turned;     /* share of matches shown in both orders whose winner changed; NaN if none */
    double guess;      /* the author's difficulty, 1 to 5; NaN: no estimate */
    double found;      /* measured difficulty, 1 to 5, by quintiles; NaN: too few models or items */
    double difficulty; /* see items_difficulty() */
    uint64_t asked;    /* hash of the item without its card */
};

struct items_analysis {
    struct items_one *v; /* in the order of the suite */
    size_t n;
    struct itemwise_twins twins[ITEMS_TWINS];
    size_t ntwins;
    size_t models, judges; /* number with readings */
    bool battles;
};

CHECKED enum status items_analyse(struct arena *a, struct store *s, const struct run_row *run,
                                  const struct suite *suite, const struct jury *jury,
                                  struct items_analysis *out, struct err *e);

/* The difficulty of an item from 1 to 5: the measured one if this run has it, otherwise the
 * author's estimate. An item that was changed since is another item, unless only its card was. */
struct items_difficulty {
    double value; /* NaN: unknown */
    bool measured;
};
struct items_difficulty items_difficulty(const struct items_analysis *x, const struct item *item);

/* The names of the n items that separate models best, in the order of the suite. */
const char **items_best(struct arena *a, const struct items_analysis *x, size_t n);

#endif
