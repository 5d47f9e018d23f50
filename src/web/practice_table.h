/* practice_table.h - how the raters of a campaign practised, round after round, for those who run
 * it. Nothing where nobody did. */
#ifndef WEB_PRACTICE_TABLE_H
#define WEB_PRACTICE_TABLE_H

#include "panel/practice.h"
#include "web/page.h"

void practice_table(struct page *p, const struct practice_list *l);

#endif
