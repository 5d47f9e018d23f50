/* own.h - everything stored about a rater, for that rater. */
#ifndef PANEL_OWN_H
#define PANEL_OWN_H

#include "panel/ballot.h"

/* As JSON. Texts have the names under which the rater saw them. It does not say which pages were
 * anchors or repeats, or who wrote what: that is not the rater's data. */
CHECKED enum status own_data(struct arena *a, struct store *s, const struct campaign *c,
                             const struct rater *r, const char **out, struct err *e);

#endif
