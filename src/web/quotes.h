/* quotes.h - words of an answer that its judges quote: numbered, marked where they stand, and
 * linked from where they are quoted. Pure but for the page written into. */
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

/* What stands between quotation marks in this comment and, letter by letter, in the answer. */
void quotes_find(struct quotes *q, struct str comment);

/* The answer with its quoted words marked, and a comment whose quotations lead to them. */
void quotes_answer(struct page *p, const struct quotes *q, const char *language);
void quotes_comment(struct page *p, const struct quotes *q, const char *language,
                    struct str comment);

#endif
