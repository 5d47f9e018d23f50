/* intake.h - imports ratings from a file in the format of export.h, as a closed campaign.
 *
 * For ratings made elsewhere, or exported and taken somewhere else: over the same run they give
 * the same results. Practice texts are skipped, since nothing is computed from them. Only rater,
 * passage, system, dimension and value are required; otherwise the rater is assumed to have done
 * everything asked for, and the texts to have been shown in random order. */
#ifndef PANEL_INTAKE_H
#define PANEL_INTAKE_H

#include "panel/campaign.h"

struct intake {
    const char *path; /* .csv or .jsonl; see campaign_file.h */
    const struct run_row *run;
    const struct suite *suite;
    const char *frozen; /* the campaign file: spec_load(), spec_read() */
    const char *who;    /* for the audit log */
    struct diags *faults;
};

/* One transaction: after faults nothing is imported, and *out is unchanged. Faults of lines go
 * to in->faults, with E_INPUT; E_USAGE: the name of the campaign is taken. */
CHECKED enum status intake_ratings(struct arena *a, struct store *s, const struct intake *in,
                                   struct campaign *out, struct err *e);

#endif
