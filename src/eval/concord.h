/* concord.h - do two juries agree?
 *
 * Krippendorff's alpha for intervals over the values that both give the same answers, rules
 * applied. Subjects and metrics of the rows, of a jury that is not the run's first:
 *   run/juries  agreement  with the first jury; n: answers that both have valued
 * Battles have no values: a suite of pairs has no such rows. Derived; `verify` compares them. */
#ifndef EVAL_CONCORD_H
#define EVAL_CONCORD_H

#include "eval/score.h"

CHECKED enum status concord_compute(struct arena *a, struct store *s, const struct run_row *run,
                                    const struct suite *suite, const struct facts *facts,
                                    const struct jury *jury, struct score_list *out, struct err *e);

#endif
