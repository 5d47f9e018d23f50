/* course.h - marks over time: what judges gave to stretches of dialogues.
 *
 * Subjects and metrics of the rows, for suites whose instrument is `over` turns or windows:
 *
 *   model/NAME  drift:7-12      the weighted mean of the marks that dialogues got for these turns
 *               drift:ID:7-12   the same of one dimension
 *               slope           how much it changes in ten turns: the mean over dialogues of each
 *                               one's own slope by least squares, so that who leaves early does not
 *                               bend it
 *               slope:ID        the same of one dimension
 *               contradictions  pairs of statements in a dialogue that cannot both be true, as
 *                               judges quoted them and the transcript has them; where the suite
 *                               asks
 *
 * The bands of a drift are simultaneous: with k stretches each has the level 1 - .05 / k. Units are
 * dialogues. Derived: `verify` computes it again. */
#ifndef TALK_COURSE_H
#define TALK_COURSE_H

#include "store/store_read.h"
#include "suite/vocab.h"

/* Compute all rows of a jury, without writing; none for other suites. */
CHECKED enum status course_compute(struct arena *a, struct store *s, const struct run_row *run,
                                   const struct suite *suite, const struct jury *jury,
                                   struct score_list *out, struct err *e);

#endif
