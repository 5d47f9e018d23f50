/* noise.h - sources of noise in scores.
 *
 * Variance components (math/components.h) of single readings within a model: how much would change
 * with other items, other judges or raters, another answer of the model, or another reading by the
 * judge. Rows are stored for every jury of a run (subject "run/noise") and every dimension of a
 * campaign ("dimension/ID"), with these metrics:
 *   variance:SOURCE  of one mark; n: number of levels of the source per model
 *   noise:SOURCE     its share of the variance of a model's mean, for that n
 * SOURCE is one of noise_name(). A source that cannot be separated has no row and is included in
 * another: answers are included in items if each item was answered once, and everything is if each
 * was judged once. Models are fixed. Derived: `verify` recomputes it. */
#ifndef GAUGE_NOISE_H
#define GAUGE_NOISE_H

#include "gauge/readings.h"

/* Stored by name: append only. */
enum noise_source {
    NOISE_ITEMS,   /* or passages */
    NOISE_JUDGES,  /* or raters: severity */
    NOISE_ANSWERS, /* different answers of one model to one item */
    NOISE_CROSS,   /* interaction of judges and items: one judge likes what another does not */
    NOISE_REST,    /* residual: repeated verdicts of a judge on the same answer */
    NOISE_SOURCES
};
const char *noise_name(enum noise_source s);

/* The stored rows of the sources. */
struct noise {
    const struct score_row *variance[NOISE_SOURCES], *share[NOISE_SOURCES]; /* NULL if none */
    size_t n; /* sources with both rows */
};
struct noise noise_of(struct arena *a, const struct score_list *rows, const char *subject);

/* Computes the rows from readings; none if nothing varies. */
void noise_rows(struct arena *a, const char *subject, const struct readings *r,
                struct score_list *out);

#endif
