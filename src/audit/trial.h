/* trial.h - reads a judge's replies in an audit, and decides whether it fell for a trick.
 *
 * Used by the audit itself and to recount stored replies. */
#ifndef AUDIT_TRIAL_H
#define AUDIT_TRIAL_H

#include <math.h>

#include "audit/audit.h"
#include "reply/reply_pair.h"
#include "suite/item.h"

/* For pairs the choice, otherwise the mean of the marks. */
struct trial_said {
    double mean;
    enum pair_choice choice;
};
#define TRIAL_SILENT ((struct trial_said){.mean = NAN, .choice = PAIR_NONE})
bool trial_heard(const struct suite *s, struct trial_said said); /* the reply could be read */

struct trial_said trial_read(struct arena *a, const struct suite *s, const struct item *item,
                             struct str reply);

/* True if the reply is compared with that to the unchanged answer. */
bool trial_compares(const struct suite *s, enum audit_probe p);
/* True if the trick must not raise the mark. An answer near the highest mark cannot show that. */
bool trial_raises(enum audit_probe p);
bool trial_at_top(const struct suite *s, struct trial_said plain);
/* Both replies must be readable, or the probe must not compare. */
bool trial_fell(const struct suite *s, enum audit_probe p, struct trial_said plain,
                struct trial_said now);

#endif
