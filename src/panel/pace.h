/* pace.h - when the words of an answer are handed out: the speed of a model would tell which it is.
 * Pure.
 *
 * An answer waits until it is whole, and until a multiple of the campaign's wait has passed since
 * it was asked for. From then on its words come at a speed that is the same for all. So what can be
 * measured is how long an answer is, which can be seen anyway; and of a model's speed no more than
 * in which of the waits it fell: in the first, where the wait is long enough for the run's models.
 */
#ifndef PANEL_PACE_H
#define PANEL_PACE_H

#include "base/base.h"

/* When an answer that was whole after so long begins to be shown. */
int64_t pace_begin(int64_t wait_ms, int64_t whole_ms);
/* How many of its code points are out, so long after they began. */
size_t pace_points(int64_t shown_ms, size_t points);

#endif
