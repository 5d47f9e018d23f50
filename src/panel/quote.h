/* quote.h - words that a rater picked out of a text, to show what a mark is based on.
 *
 * Edited as lines, "[7] the words": the number of the turn where there are turns. Stored as JSON,
 * each with the turn. Words that do not stand there are no quotation: they are given back, and
 * whoever wrote them decides. White space counts as one space, since browsers show and copy it so.
 * Pure. */
#ifndef PANEL_QUOTE_H
#define PANEL_QUOTE_H

#include "base/mem.h"
#include "suite/turn.h"

/* "[7] words": takes the number off and returns it; 0: there is none. */
int64_t quote_turn(struct str *line);

struct quotes {
    struct str json;      /* those that stand in the text; "" when there are none */
    const char **refused; /* the lines of the others */
    size_t nrefused;
};
/* `turns` may be empty: then `text` is all that was said. */
struct quotes quote_read(struct arena *a, struct str lines, struct str text,
                         const struct turn_list *turns);
/* And back. */
const char *quote_lines(struct arena *a, struct str json);

#endif
