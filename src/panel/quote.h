/* quote.h - words that a rater quotes from a text in support of a mark.
 *
 * Edited as lines, "[7] the words", with the number of the turn if there are turns; stored as
 * JSON. Words that are not in the text are not accepted as a quotation: they are returned, and
 * the rater decides. Any white space counts as one space, because browsers display and copy it
 * that way. Pure. */
#ifndef PANEL_QUOTE_H
#define PANEL_QUOTE_H

#include "base/mem.h"
#include "suite/turn.h"

/* "[7] words": removes the number and returns it; 0: there is none. */
int64_t quote_turn(struct str *line);

struct quotes {
    struct str json;      /* quotations found in the text; "" if there are none */
    const char **refused; /* the other lines */
    size_t nrefused;
};
/* If `turns` is empty, `text` is all that was said. */
struct quotes quote_read(struct arena *a, struct str lines, struct str text,
                         const struct turn_list *turns);
/* The stored form as lines. */
const char *quote_lines(struct arena *a, struct str json);

#endif
