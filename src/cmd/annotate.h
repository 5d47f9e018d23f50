/* annotate.h - the name, note and tags that people give a run; used by `run` and `describe`. */
#ifndef CMD_ANNOTATE_H
#define CMD_ANNOTATE_H

#include "cmd/cmd.h"

struct annotate {
    const char *name, *note; /* NULL: unchanged */
    struct opt_list add, drop;
};

/* Store them; *run is updated to what is stored. E_USAGE says what is wrong with a name or tag. */
CHECKED enum status annotate_run(struct app *app, struct run_row *run, const struct annotate *what,
                                 struct err *e);

#endif
