/* agreement.h - agreement between the judges of a run.
 *
 * Krippendorff's alpha for interval data, over answers marked by at least two judges. If a judge
 * marked an answer several times, its mean counts. Dimensions have different scales, so each is
 * taken as a fraction of its range, and all are pooled (math/agree.h). One pass over the marks;
 * memory depends only on the number of judges times dimensions. */
#ifndef GAUGE_AGREEMENT_H
#define GAUGE_AGREEMENT_H

#include "store/facts.h"
#include "suite/vocab.h"

struct agreement_judge {
    double alpha;  /* of this judge and the mean of the others; NaN if undefined */
    int64_t units; /* number of marks compared */
};

struct agreement {
    double alpha; /* of all judges; NaN with fewer than two */
    int64_t units;
    struct agreement_judge *judges; /* in the order of the jury's members */
};

CHECKED enum status agreement_measure(struct arena *a, const struct facts *facts,
                                      const struct instrument *in, const struct jury *jury,
                                      struct agreement *out, struct err *e);

#endif
