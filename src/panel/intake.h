/* intake.h - ratings from a file, in the form that export.h writes, as a closed campaign.
 *
 * For ratings that were made elsewhere, or exported and taken somewhere else: over the same run the
 * results are the same again. Practice texts are passed over, since nothing is computed from them;
 * of everything but rater, passage, system, dimension and value it is assumed, where the file does
 * not say it, that the rater did all that was asked, and that the order of texts was drawn by
 * lot. */
#ifndef PANEL_INTAKE_H
#define PANEL_INTAKE_H

#include "panel/campaign.h"

struct intake {
    const char *path; /* .csv or .jsonl; see campaign_file.h */
    const struct run_row *run;
    const struct suite *suite;
    const char *frozen; /* the campaign file: spec_load(), spec_read() */
    const char *who;    /* as the audit log says it */
    struct diags *faults;
};

/* One transaction: where there are faults nothing was made, and out is not touched. Faults of lines
 * go to in->faults, which then is E_INPUT; E_USAGE when there is a campaign of this name. */
CHECKED enum status intake_ratings(struct arena *a, struct store *s, const struct intake *in,
                                   struct campaign *out, struct err *e);

#endif
