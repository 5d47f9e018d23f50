/* rouge.h - ROUGE-1, ROUGE-2 and ROUGE-L of one pair, by character.
 *
 * Defined as the `rouge` package of PyPI computes it for a text whose characters are joined by
 * spaces, because published tables were made with it (Lin 2004 defines the measure with
 * counts, not sets): white space is no token, an ASCII full stop ends a sentence and is no
 * token, n-grams are sets, F = 2PR / (P + R + 1e-8). ROUGE-L is at summary level: the set of
 * the tokens that occur in the longest common subsequence of any two sentences, against the
 * sets of tokens. A sentence without tokens ("..") counts as one empty token. The arena is
 * scratch; it takes |hyp| |ref| / 8 bytes. Pure. */
#ifndef TEXT_ROUGE_H
#define TEXT_ROUGE_H

#include "text/rune.h"

struct rouge {
    double one, two, l; /* F in [0, 1] */
};

struct rouge rouge_pair(struct arena *scratch, struct runes hyp, struct runes ref);

#endif
