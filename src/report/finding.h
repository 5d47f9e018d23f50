/* finding.h - what a report found, in a sentence or two with their caution, and what limits it;
 * from the report alone. Pure; texts are in arena a and in the language of the suite. */
#ifndef REPORT_FINDING_H
#define REPORT_FINDING_H

#include "report/report.h"

/* "aurora leads with 32.8. Its interval lies above those of 6 of the 7 other models. 2 answers
 * could not be scored." Empty where nothing is scored. Where differences by item are known
 * (report.lead), it is they that tell who is ahead: a reader who sees them beside the sentence must
 * not read two answers. */
const char *finding_of(struct arena *a, const struct report *r);

/* "Judged by reader. 95 % interval over items; n answers scored": whose the scores are, and what
 * their intervals are made of. */
const char *finding_whose(struct arena *a, const struct report *r);

/* Sentences on what the numbers cannot say; returns how many. */
enum { FINDING_LIMITS = 5 };
size_t finding_limits(struct arena *a, const struct report *r, const char *out[FINDING_LIMITS]);

#endif
