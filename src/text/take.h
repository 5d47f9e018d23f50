/* take.h - the part of a continuation that counts.
 *
 * A model that continues a dialogue is given the text up to an opening quote and goes on from
 * there, often far past the line that was asked for. Results are views into the text unless an
 * arena is passed. Pure. */
#ifndef TEXT_TAKE_H
#define TEXT_TAKE_H

#include "base/mem.h"

struct take_quotes {
    struct str open, close;
};

/* The first n units, n > 0, of a text that begins inside a quote. Inside a quote, a unit ends with
 * the closing quote (quotes do not nest); outside, it ends with a full stop (。！？ or ASCII .!?)
 * or a line break, and what leads up to a quote forms one unit with it. A single unit that never
 * ends is kept whole. Of several, one that never ends is dropped, since nobody knows what it would
 * have been. */
struct str take_units(struct str text, struct take_quotes quotes, size_t n);

/* The first n lines that are not blank, without the spaces around them, joined by newlines. */
struct str take_lines(struct arena *a, struct str text, size_t n);

#endif
