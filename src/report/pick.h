/* pick.h - which samples a report takes along, and what was said about them. */
#ifndef REPORT_PICK_H
#define REPORT_PICK_H

#include "report/report.h"

/* Fill in samples, nsamples and samples_left_out; the rest of *r is there already. Memory is that
 * of the samples taken, and some 32 bytes for each of the others. */
CHECKED enum status pick_samples(struct arena *a, struct store *s, size_t limit, struct report *r,
                                 struct err *e);

/* Those of a filter, all of them, with their verdicts; values are the stored ones (values.h). Of
 * the report only run, suite, jury and flags need be there. */
CHECKED enum status pick_those(struct arena *a, struct store *s, const struct sample_filter *f,
                               struct report *r, struct err *e);

#endif
