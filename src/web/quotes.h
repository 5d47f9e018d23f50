/* quotes.h - words of an answer that its judges quote: numbered and marked in the answer, and
 * linked from where they are quoted. Pure, but for writing into the page. */
#ifndef WEB_QUOTES_H
#define WEB_QUOTES_H

#include "web/page.h"

struct quote_place {
    size_t at, n; /* in the answer */
    size_t number;
};

struct quotes {
    struct str answer;
    struct quote_place *v; /* in order; none overlaps another */
    size_t n;
    struct arena *a;
};

/* Add what this comment has in quotation marks and the answer contains literally. */
void quotes_find(struct quotes *q, struct str comment);

/* Write the answer with the quoted words marked, and a comment whose quotations link to them. */
void quotes_answer(struct page *p, const struct quotes *q, const char *language);
void quotes_comment(struct page *p, const struct quotes *q, const char *language,
                    struct str comment);

#endif
