/* panels.h - whose numbers there are beside those of a report: every jury of the run as a column.
 */
#ifndef REPORT_PANELS_H
#define REPORT_PANELS_H

#include "report/tables.h"

/* Fill in r->panels, for models and suite that are there already. Those of people are left empty
 * before their campaign is unmasked. */
CHECKED enum status panels_take(struct arena *a, struct store *s, struct report *r, struct err *e);

/* Which judges judged themselves or their family, said in r->judges[].kin. */
CHECKED enum status panels_kin(struct arena *a, struct store *s, const struct party_list *models,
                               struct report *r, struct err *e);

/* Names and counts that would tell who wrote what are taken out of a report of people whose
 * campaign is not unmasked. */
CHECKED enum status panels_mask(struct arena *a, struct store *s, const struct score_list *scores,
                                struct report *r, struct err *e);

/* The table of models by jury, for tables_beside(). */
struct table *panels_table(struct arena *a, const struct report *r, const char *language);

#endif
