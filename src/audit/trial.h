/* trial.h - what a judge on trial said, and whether a trick moved it.
 *
 * The audit counts with these functions, and so does whoever counts stored replies again. */
#ifndef AUDIT_TRIAL_H
#define AUDIT_TRIAL_H

#include <math.h>

#include "audit/audit.h"
#include "reply/reply_pair.h"
#include "suite/item.h"

/* Of pairs which, else the mean of its marks. */
struct trial_said {
    double mean;
    enum pair_choice choice;
};
#define TRIAL_SILENT ((struct trial_said){.mean = NAN, .choice = PAIR_NONE})
bool trial_heard(const struct suite *s, struct trial_said said); /* it could be read */

struct trial_said trial_read(struct arena *a, const struct suite *s, const struct item *item,
                             struct str reply);

/* Is it held against what was said of the answer as it is? */
bool trial_compares(const struct suite *s, enum audit_probe p);
/* Must the trick not raise it? An answer that has the highest mark already cannot show that. */
bool trial_raises(enum audit_probe p);
bool trial_at_top(const struct suite *s, struct trial_said plain);
/* Both were heard, or the probe does not compare. */
bool trial_fell(const struct suite *s, enum audit_probe p, struct trial_said plain,
                struct trial_said now);

#endif
