/* outcome_parts.h - between the files that compute outcomes; nobody else includes it. */
#ifndef PANEL_OUTCOME_PARTS_H
#define PANEL_OUTCOME_PARTS_H

#include "eval/score.h"
#include "math/crossed.h"
#include "panel/ledger.h"
#include "panel/outcome.h"

/* Rows that are being gathered. */
struct tally_sheet {
    struct arena *a;
    struct store *s;
    const struct campaign *c;
    struct ledger l;
    struct score_sheet rows;
};

/* "system/NAME": what a row is about. */
const char *outcome_subject(const struct tally_sheet *t, const char *kind, const char *name);
/* Nothing where there is no value. */
void outcome_put_sign(struct tally_sheet *t, size_t rater, const char *metric, const char *method,
                      double value, int64_t n);
void outcome_put_interval(struct tally_sheet *t, const char *subject, const char *metric,
                          const char *method, struct interval i);

#define OUTCOME_ALPHA 0.05 /* below it, a difference is taken for one */
#define OUTCOME_LEVEL 0.95

/* cells[systems] of one dimension, sorted; units are passages. */
void outcome_differences(struct tally_sheet *t, const struct dimension *of,
                         const struct cells *cells);
CHECKED enum status outcome_people(struct tally_sheet *t, struct err *e);
CHECKED enum status outcome_machines(struct tally_sheet *t, struct err *e);

/* Signs of ballot stuffing, where anybody may join. */
void outcome_crowds(struct tally_sheet *t, const struct rater_list *raters);

#endif
