/* render_compare.h - a comparison of two runs, in every form. Renderers append to out and compute
 * nothing. */
#ifndef REPORT_RENDER_COMPARE_H
#define REPORT_RENDER_COMPARE_H

#include "report/compare.h"
#include "report/table.h"

/* Models; and each dimension of each model, or of one, where there are several. */
struct table *render_compare_models(struct arena *a, const struct compare *c);
struct table *render_compare_marks(struct arena *a, const struct compare *c,
                                   const struct compare_model *only);

/* As many items as have changed in this way (m->counts), the largest change first. */
const struct compare_item *render_compare_items(struct arena *a, const struct compare_model *m,
                                                enum compare_change change);
/* The first of them. */
struct table *render_compare_changed(struct arena *a, const struct compare *c,
                                     const struct compare_model *m, enum compare_change change);

void render_compare_terminal(const struct compare *c, const struct render_terminal *how,
                             struct buf *out);
void render_compare_markdown(const struct compare *c, struct buf *out);
void render_compare_json(const struct compare *c, struct buf *out);
/* JUnit XML: a test case per model and item; an item that got worse has failed, one that could not
 * be compared was skipped. */
void render_compare_junit(const struct compare *c, struct buf *out);

#endif
