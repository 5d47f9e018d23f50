/* quote.h - words that a rater picked out of a text, to show what a mark is based on.
 *
 * Edited as lines, "[7] the words": the number of the turn where there are turns. Stored as JSON,
 * each with the turn and whether it stands there; nothing that a rater picked is thrown away. White
 * space counts as one space, since browsers show and copy it so. Pure. */
#ifndef PANEL_QUOTE_H
#define PANEL_QUOTE_H

#include "base/mem.h"
#include "suite/turn.h"

/* Lines to JSON, "" when there are none. `turns` may be empty: then `text` is all that was said. */
struct str quote_read(struct arena *a, struct str lines, struct str text,
                      const struct turn_list *turns);
/* And back. */
const char *quote_lines(struct arena *a, struct str json);

#endif
