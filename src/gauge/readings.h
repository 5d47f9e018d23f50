/* readings.h - the verdicts of a run as numbers: each judge's overall mark for each answer.
 *
 * A reading is the weighted mean of one verdict's marks, before any rule. Answers that a rule
 * leaves out have none. Models, items, answers and judges are numbered from 0. Values are stored in
 * columns: a million readings take about 24 MB. Allocated with malloc; free with readings_done().
 * For battles see matches.h. */
#ifndef GAUGE_READINGS_H
#define GAUGE_READINGS_H

#include "store/store_read.h"
#include "suite/vocab.h"

struct readings {
    double *value;
    uint32_t *model, *item, *answer, *judge; /* model: index in the run's list; answer: a sample */
    size_t n, cap;
    size_t models, items, answers, judges; /* number of each */
    int64_t first_item;                    /* id of item 0 */
};

struct reading {
    double value;
    uint32_t model, item, answer, judge;
};
void readings_put(struct readings *r, struct reading one);

/* Index of this id in the list; l->n if it is not there. */
size_t readings_place(const struct party_list *l, int64_t id);

/* Reads all marks of a run in one pass. */
CHECKED enum status readings_take(struct arena *a, struct store *s, int64_t run,
                                  const struct suite *suite, const struct jury *jury,
                                  struct readings *out, struct err *e);
void readings_done(struct readings *r);

/* Same, for callers that iterate over the marks anyway (store_mark_each()): begin, add every fact,
 * end. The taker lives in arena a. */
struct readings_taker;
CHECKED enum status readings_begin(struct arena *a, struct store *s, int64_t run,
                                   const struct suite *suite, const struct jury *jury,
                                   struct readings *out, struct readings_taker **taker,
                                   struct err *e);
void readings_add(struct readings_taker *t, const struct mark_fact *f);
void readings_end(struct readings_taker *t);

#endif
