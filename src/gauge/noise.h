/* noise.h - where the noise of scores comes from.
 *
 * Variance components (math/components.h) of single readings inside a model: had other items been
 * asked, other judges or raters, had the model answered once more, had the judge read it again.
 * Subjects and metrics of the rows, of every jury of a run ("run/noise") and every dimension of a
 * campaign ("dimension/ID"):
 *   variance:SOURCE  of one mark; n: how many of them there were, of a model
 *   noise:SOURCE     its share of the variance of a model's mean, as many as there were
 * SOURCE is one of noise_name(). What cannot be told apart has no row and is in another: answers in
 * items, where each item was answered once; all of it in items, where each was judged once. Models
 * are fixed. Derived: `verify` computes it again. */
#ifndef GAUGE_NOISE_H
#define GAUGE_NOISE_H

#include "gauge/readings.h"

/* Stored by name: append only. */
enum noise_source {
    NOISE_ITEMS,   /* or passages */
    NOISE_JUDGES,  /* or raters: some are more severe */
    NOISE_ANSWERS, /* of one model to one item */
    NOISE_CROSS,   /* judges and items: one judge likes what another does not */
    NOISE_REST,    /* what is left: verdicts on the same answer by the same judge, where repeated */
    NOISE_SOURCES
};
const char *noise_name(enum noise_source s);

/* What is known of the sources, out of stored rows. */
struct noise {
    const struct score_row *variance[NOISE_SOURCES], *share[NOISE_SOURCES]; /* NULL: no row */
    size_t n;                                                               /* sources with rows */
};
struct noise noise_of(struct arena *a, const struct score_list *rows, const char *subject);

/* Rows of readings; none where nothing varies. */
void noise_rows(struct arena *a, const char *subject, const struct readings *r,
                struct score_list *out);

#endif
