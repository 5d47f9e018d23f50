/* outcome_parts.h - shared by the files that compute outcomes; not for others. */
#ifndef PANEL_OUTCOME_PARTS_H
#define PANEL_OUTCOME_PARTS_H

#include "eval/score.h"
#include "math/crossed.h"
#include "panel/ledger.h"
#include "panel/outcome.h"

/* Rows being collected. */
struct tally_sheet {
    struct arena *a;
    struct store *s;
    const struct campaign *c;
    struct ledger l;
    struct score_sheet rows;
};

/* "system/NAME": the subject of a row. */
const char *outcome_subject(const struct tally_sheet *t, const char *kind, const char *name);
/* These two add nothing if the value is NaN. */
void outcome_put_sign(struct tally_sheet *t, size_t rater, const char *metric, const char *method,
                      double value, int64_t n);
void outcome_put_interval(struct tally_sheet *t, const char *subject, const char *metric,
                          const char *method, struct interval i);

#define OUTCOME_ALPHA 0.05 /* significance level */
#define OUTCOME_LEVEL 0.95

/* cells[systems] of one dimension, sorted; units are passages. */
void outcome_differences(struct tally_sheet *t, const struct dimension *of,
                         const struct cells *cells);
CHECKED enum status outcome_people(struct tally_sheet *t, struct err *e);
CHECKED enum status outcome_machines(struct tally_sheet *t, struct err *e);

/* Signs of ballot stuffing in open arenas. */
void outcome_crowds(struct tally_sheet *t, const struct rater_list *raters);

#endif
