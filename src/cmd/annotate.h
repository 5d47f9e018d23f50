/* annotate.h - what people write on a run: a name, a note, tags. Of run and describe. */
#ifndef CMD_ANNOTATE_H
#define CMD_ANNOTATE_H

#include "cmd/cmd.h"

struct annotate {
    const char *name, *note; /* NULL: as it was */
    struct opt_list add, drop;
};

/* Write it; `run` then says what is stored. E_USAGE names what is wrong with a name or a tag. */
CHECKED enum status annotate_run(struct app *app, struct run_row *run, const struct annotate *what,
                                 struct err *e);

#endif
