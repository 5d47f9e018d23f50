/* items_from.h - `items --from NAME FILE... -o DIR`: downloaded files of a benchmark as a suite. */
#ifndef CMD_ITEMS_FROM_H
#define CMD_ITEMS_FROM_H

#include "cmd/cmd.h"

/* Writes DIR/suite.yaml and DIR/items.jsonl. Unusable records are reported and skipped. */
CHECKED enum status items_from(struct app *app, const char *name, const struct opt_args *files,
                               const char *output, struct err *e);

#endif
