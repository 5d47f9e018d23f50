/* render_paper.h - an examination paper to print: role card, questions, task card. */
#ifndef REPORT_RENDER_PAPER_H
#define REPORT_RENDER_PAPER_H

#include "suite/paper.h"

struct paper_sheet {
    const struct character *who;
    const struct paper *paper;
};

/* One page of HTML that needs nothing from elsewhere; each sheet begins on a page of its own when
 * it is printed. In the suite's language. */
void render_paper(const struct suite *s, const struct paper_sheet *sheets, size_t n,
                  struct buf *out);

/* What a kind of questions ("habits") is called. */
const char *render_paper_kind(const char *language, const char *kind);

#endif
