/* study.h - imports the published comic-dialogue study as a closed campaign
 * (exchange/import_records.h).
 *
 * Its passages become a run, its systems the models, and the true continuation the reference, so
 * that the study can be analysed like any campaign. */
#ifndef PANEL_STUDY_H
#define PANEL_STUDY_H

#include "panel/campaign.h"

/* One transaction; who: for the audit log. E_USAGE if the folder was already imported. */
CHECKED enum status study_import(struct arena *a, struct store *s, const char *folder,
                                 const char *who, struct campaign *out, struct err *e);

#endif
