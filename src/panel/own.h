/* own.h - everything that is kept about one rater, for that rater. */
#ifndef PANEL_OWN_H
#define PANEL_OWN_H

#include "panel/ballot.h"

/* As JSON. Texts go by the names under which the rater saw them; which pages were anchors or
 * repeats, and who wrote what, is not the rater's and is not told. */
CHECKED enum status own_data(struct arena *a, struct store *s, const struct campaign *c,
                             const struct rater *r, const char **out, struct err *e);

#endif
