/* drift.h - the chart of a rater's drift: how errors on anchor texts add up. */
#ifndef WEB_DRIFT_H
#define WEB_DRIFT_H

#include "store/store_read.h"
#include "web/page.h"

/* One line a rater who has rated anchor texts, with the lines at which somebody should look.
 * Nothing when nobody has. The points are stored rows (panel/outcome.h). */
void drift_chart(struct page *p, const struct score_list *rows);

#endif
