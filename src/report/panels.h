/* panels.h - the other juries of the run, as columns beside a report's own. */
#ifndef REPORT_PANELS_H
#define REPORT_PANELS_H

#include "report/tables.h"

/* Fills in r->panels; models and suite are set. The columns of people stay empty until their
 * campaign is unmasked. */
CHECKED enum status panels_take(struct arena *a, struct store *s, struct report *r, struct err *e);

/* Fills in r->judges[].kin: judges that judged themselves or their family. */
CHECKED enum status panels_kin(struct arena *a, struct store *s, const struct party_list *models,
                               struct report *r, struct err *e);

/* Removes names and counts that would reveal authors from a report of people whose campaign is
 * not unmasked. */
CHECKED enum status panels_mask(struct arena *a, struct store *s, const struct score_list *scores,
                                struct report *r, struct err *e);

/* The table of models by jury, for tables_beside(). */
struct table *panels_table(struct arena *a, const struct report *r, const char *language);

#endif
