/* agreement.h - do the judges of a run agree?
 *
 * Krippendorff's alpha for intervals over answers that at least two judges marked; a judge that
 * marked an answer several times counts with its mean. Each dimension is on its own scale, so
 * dimensions are pooled (math/agree.h), each as a fraction of its range. One pass over the marks,
 * in memory that grows with judges times dimensions alone. */
#ifndef GAUGE_AGREEMENT_H
#define GAUGE_AGREEMENT_H

#include "store/facts.h"
#include "suite/vocab.h"

struct agreement_judge {
    double alpha;  /* of this judge and the mean of the others; NaN: undefined */
    int64_t units; /* marks that could be compared */
};

struct agreement {
    double alpha; /* of all judges; NaN with fewer than two */
    int64_t units;
    struct agreement_judge *judges; /* in the order of the list that was passed */
};

CHECKED enum status agreement_measure(struct arena *a, const struct facts *facts,
                                      const struct instrument *in, const struct jury *jury,
                                      struct agreement *out, struct err *e);

#endif
