/* readings.h - the verdicts of a run as numbers: which judge read which answer how.
 *
 * A reading is the weighted mean of one verdict's marks, before any rule: what a judge made of an
 * answer. Of answers that a rule leaves out there are none. Models, items, answers and judges
 * become numbers from 0, in columns, so that a million readings take some 24 MB. They live in
 * malloc'd memory: readings_done(). Battles have none here: matches.h. */
#ifndef GAUGE_READINGS_H
#define GAUGE_READINGS_H

#include "store/store_read.h"
#include "suite/vocab.h"

struct readings {
    double *value;
    uint32_t *model, *item, *answer, *judge; /* model: in the run's list; answer: a sample */
    size_t n, cap;
    size_t models, items, answers, judges; /* numbers are below these */
    int64_t first_item;                    /* id of item 0 */
};

struct reading {
    double value;
    uint32_t model, item, answer, judge;
};
void readings_put(struct readings *r, struct reading one);

/* Where this one is in the list; as many as there are: nowhere. */
size_t readings_place(const struct party_list *l, int64_t id);

/* In one walk over the marks. */
CHECKED enum status readings_take(struct arena *a, struct store *s, int64_t run,
                                  const struct suite *suite, const struct jury *jury,
                                  struct readings *out, struct err *e);
void readings_done(struct readings *r);

/* The same for whoever walks over the marks anyway (store_mark_each()): begin, hand on every fact,
 * end. The taker lives in arena a. */
struct readings_taker;
CHECKED enum status readings_begin(struct arena *a, struct store *s, int64_t run,
                                   const struct suite *suite, const struct jury *jury,
                                   struct readings *out, struct readings_taker **taker,
                                   struct err *e);
void readings_add(struct readings_taker *t, const struct mark_fact *f);
void readings_end(struct readings_taker *t);

#endif
