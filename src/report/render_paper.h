/* render_paper.h - a printable examination paper: role card, questions, task card. */
#ifndef REPORT_RENDER_PAPER_H
#define REPORT_RENDER_PAPER_H

#include "suite/paper.h"

struct paper_sheet {
    const struct character *who;
    const struct paper *paper;
};

/* A self-contained HTML page in the suite's language. Each sheet is printed on a new page. */
void render_paper(const struct suite *s, const struct paper_sheet *sheets, size_t n,
                  struct buf *out);

/* The name of a kind of questions ("habits"). */
const char *render_paper_kind(const char *language, const char *kind);

#endif
