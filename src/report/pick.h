/* pick.h - selects the samples of a report, and reads their verdicts. */
#ifndef REPORT_PICK_H
#define REPORT_PICK_H

#include "report/report.h"

/* Fills in samples, nsamples and samples_left_out; the rest of *r is set. Needs memory for the
 * selected samples, and about 32 bytes for each of the others. */
CHECKED enum status pick_samples(struct arena *a, struct store *s, size_t limit, struct report *r,
                                 struct err *e);

/* All samples that match a filter, with verdicts and stored values (values.h). Needs only run,
 * suite, jury and flags of the report. */
CHECKED enum status pick_those(struct arena *a, struct store *s, const struct sample_filter *f,
                               struct report *r, struct err *e);

#endif
