/* labels.h - texts that people have put into one of two classes.
 *
 * JSON lines {"text": ..., "label": ...} or CSV with those columns (a name that ends in .csv).
 * Labels are words, numbers or true and false; a file has exactly two of them. Lines whose text and
 * label were there before are left out, since a line in two folds would be tested on itself; the
 * same text under both labels is a fault. Everything lives in the arena. */
#ifndef EXCHANGE_LABELS_H
#define EXCHANGE_LABELS_H

#include "math/linear.h"

enum { LABELS_MAX = 1000000, LABEL_LINE_MAX = 1 << 20, LABEL_BYTES_MAX = 100 };

struct labels {
    const char *name[2];  /* [1]: the positive one */
    struct linear_row *v; /* of each line, its hashed text (text/hashed.h) */
    size_t n, positive;
    size_t repeated; /* lines left out */
};

/* `positive`: which label is the positive one; NULL: "1", "true" or "yes", else the one that comes
 * first in the file. Faults name file and line. */
CHECKED enum status labels_read(struct arena *a, const char *path, const char *positive,
                                struct labels *out, struct err *e);

#endif
