/* pace.h - when the words of an answer are shown, because a model's speed could identify it.
 * Pure.
 *
 * An answer is held back until it is complete, and until a multiple of the campaign's wait has
 * passed since the request. Then its words appear at the same speed for all models. What can be
 * measured is the length of an answer, which is visible anyway, and in which wait it was
 * completed: the first one for all models, if the wait is long enough. */
#ifndef PANEL_PACE_H
#define PANEL_PACE_H

#include "base/base.h"

/* When to start showing an answer that took whole_ms to complete. */
int64_t pace_begin(int64_t wait_ms, int64_t whole_ms);
/* The number of code points visible after shown_ms. */
size_t pace_points(int64_t shown_ms, size_t points);

#endif
