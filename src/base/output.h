/* output.h - a file that is written as one step: a reader sees the old one or the new one.
 *
 * Written beside its target and renamed when it is whole. Where that makes no sense it is written
 * in place: "-" is standard output, and a device or a pipe stays what it is. A link is followed. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include "base/err.h"

struct output {
    FILE *to;
    char *target, *part; /* part NULL: in place */
};

CHECKED enum status output_open(struct output *o, const char *path, struct err *e);
/* The same for what concerns people: nobody else on this machine may read it. */
CHECKED enum status output_open_private(struct output *o, const char *path, struct err *e);
/* End it. With `keep` the new content takes effect; else what was there stays, and this cannot
 * fail. */
CHECKED enum status output_close(struct output *o, bool keep, struct err *e);

#endif
