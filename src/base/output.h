/* output.h - writes a file atomically: readers see the old or the new one.
 *
 * The file is written beside its target and then renamed. Where that makes no sense it is written
 * in place: "-" is standard output, and devices and pipes stay what they are. Links are
 * followed. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/err.h"

struct output {
    FILE *to;
    char *target, *part; /* part NULL: in place */
};

CHECKED enum status output_open(struct output *o, const char *path, struct err *e);
/* The same for data about people: only the owner may read it. */
CHECKED enum status output_open_private(struct output *o, const char *path, struct err *e);
/* Closes it. With `keep` the new content takes effect; otherwise the old file stays, and this
 * cannot fail. */
CHECKED enum status output_close(struct output *o, bool keep, struct err *e);

#endif
