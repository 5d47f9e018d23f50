/* render_compare.h - a comparison of two runs in all output forms. Renderers append to out and
 * compute nothing. */
#ifndef REPORT_RENDER_COMPARE_H
#define REPORT_RENDER_COMPARE_H

#include "report/compare.h"
#include "report/table.h"

/* The models; and the dimensions of all models, or of one. */
struct table *render_compare_models(struct arena *a, const struct compare *c);
struct table *render_compare_marks(struct arena *a, const struct compare *c,
                                   const struct compare_model *only);

/* The m->counts[change] items that changed this way, largest change first. */
const struct compare_item *render_compare_items(struct arena *a, const struct compare_model *m,
                                                enum compare_change change);
/* Table of the first of them. */
struct table *render_compare_changed(struct arena *a, const struct compare *c,
                                     const struct compare_model *m, enum compare_change change);

void render_compare_terminal(const struct compare *c, const struct render_terminal *how,
                             struct buf *out);
void render_compare_markdown(const struct compare *c, struct buf *out);
void render_compare_json(const struct compare *c, struct buf *out);
/* JUnit XML: a test case per model and item. A regressed item has failed; an item that could not
 * be compared was skipped. */
void render_compare_junit(const struct compare *c, struct buf *out);

#endif
