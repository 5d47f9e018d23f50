/* rate_scale.h - the marks of one text: a row for each scale, or one choice for a pair.
 *
 * Fields are named KIND.TEXT.DIMENSION: v the mark ("x": cannot say), n the version that was shown,
 * c the comment, q quotations, one on a line. Where the page answers a form, its fields keep what
 * was sent, so that nobody has to write anything twice. */
#ifndef WEB_RATE_SCALE_H
#define WEB_RATE_SCALE_H

#include "web/rate_form.h"

/* All scales of the text that is shown; of a pair the two texts too, each with its button. */
void rate_scale_all(struct page *p, const struct rate_form *f);

#endif
