/* render_standing.h - a board over several suites, in five forms. Each function appends to out. */
#ifndef REPORT_RENDER_STANDING_H
#define REPORT_RENDER_STANDING_H

#include "report/standing.h"
#include "report/table.h"

void render_standing_terminal(const struct standing *st, const struct render_terminal *how,
                              struct buf *out);
void render_standing_html(const struct standing *st, struct buf *out); /* a self-contained file */
void render_standing_markdown(const struct standing *st, struct buf *out);
void render_standing_csv(const struct standing *st, struct buf *out);
void render_standing_json(const struct standing *st, struct buf *out);

#endif
