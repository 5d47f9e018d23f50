/* study.h - the published comic-dialogue study as a closed campaign (eval/import_records.h).
 *
 * Its passages become a run of their own, its systems the models, the true continuation the
 * reference, its raters raters, so that everything said of a campaign can be said of it. */
#ifndef PANEL_STUDY_H
#define PANEL_STUDY_H

#include "panel/campaign.h"

/* One transaction; who: as the audit log says it. A folder that was imported before is E_USAGE. */
CHECKED enum status study_import(struct arena *a, struct store *s, const char *folder,
                                 const char *who, struct campaign *out, struct err *e);

#endif
