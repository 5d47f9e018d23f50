/* suite_args.h - suites and models named on the command line.
 *
 * Faults in files are collected in one struct diags and shown together by suite_args_faults(). */
#ifndef CMD_SUITE_ARGS_H
#define CMD_SUITE_ARGS_H

#include "cmd/cmd.h"
#include "suite/models.h"
#include "suite/suite.h"

/* Who can be asked. Without a file, endpoints come from the environment. */
struct roster {
    struct models models;
    const char *path;
    bool there;
};

/* Read the file that -c names, or models.yaml if it exists. */
CHECKED enum status suite_args_roster(struct app *app, struct roster *out, struct diags *d,
                                      struct err *e);
/* Everybody named; `what`: "model", "judge", "examiner" or "user". Where faults in the file may be
 * why a name is not found, its place holds NULL and the faults are in d. */
CHECKED enum status suite_args_find(struct app *app, const struct roster *r, const char *what,
                                    const struct opt_list *names, const struct endpoint ***out,
                                    struct diags *d, struct err *e);
/* The names to choose from: "a, b, c". */
const char *suite_args_names(struct arena *a, const struct roster *r);

/* Read all items to find their faults. Returns how many are good. */
int64_t suite_args_items(struct app *app, const struct suite *s, const struct item_source *from,
                         struct diags *d);

/* The suite of a run whose texts are shown. E_USAGE, saying what to do, when it is sensitive and
 * --sensitive was not given. */
CHECKED enum status suite_args_sensitive(struct app *app, const struct run_row *run, bool asked,
                                         struct suite *out, struct err *e);

/* Show the faults; E_INPUT, "what: nothing was asked", if any of them is an error. */
CHECKED enum status suite_args_faults(struct app *app, const struct diags *d, const char *what,
                                      struct err *e);
/* The same with another end of the sentence, for commands that ask nobody. */
CHECKED enum status suite_args_undone(struct app *app, const struct diags *d, const char *what,
                                      const char *undone, struct err *e);

#endif
