/* finding.h - the result of a report in a sentence or two, with cautions and limitations,
 * computed from the report alone. Pure; texts are in arena a and in the language of the suite. */
#ifndef REPORT_FINDING_H
#define REPORT_FINDING_H

#include "report/report.h"

/* "aurora leads with 32.8. Its interval lies above those of 6 of the 7 other models. 2 answers
 * could not be scored." Empty if nothing is scored. If paired differences are known
 * (report.lead), they decide who is ahead: they are shown beside this sentence, and the two must
 * not contradict each other. */
const char *finding_of(struct arena *a, const struct report *r);

/* "Judged by reader. 95 % interval over items; n answers scored": which jury, and what the
 * intervals are over. */
const char *finding_whose(struct arena *a, const struct report *r);

/* Sentences about what the numbers cannot say; returns their number. */
enum { FINDING_LIMITS = 5 };
size_t finding_limits(struct arena *a, const struct report *r, const char *out[FINDING_LIMITS]);

#endif
