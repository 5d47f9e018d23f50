/* rate_scale.h - what can be said about one text: a row for each scale, or one choice of a pair.
 *
 * Fields are named KIND.TEXT.DIMENSION: v the mark ("x": cannot say), n the version that was shown,
 * c the comment, q quotations, one on a line. Where the page answers a form that was sent, fields
 * hold what was sent: nothing has to be written twice. */
#ifndef WEB_RATE_SCALE_H
#define WEB_RATE_SCALE_H

#include "web/rate_form.h"

/* Every scale of the text at this place; of a pair the two texts too, each with its button. */
void rate_scale_all(struct page *p, const struct rate_form *f, size_t at);

#endif
