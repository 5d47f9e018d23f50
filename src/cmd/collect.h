/* collect.h - arguments that may name several suites or runs: files, folders, collection files
 * (suite/collection.h), and collections by name. */
#ifndef CMD_COLLECT_H
#define CMD_COLLECT_H

#include "base/folder.h"
#include "cmd/cmd.h"
#include "report/standing.h"
#include "suite/collection.h"

/* ---- suites ---- */

struct collect {
    const struct collection *of; /* as declared in a file, or made of the suites named */
    bool several;                /* ends with one board over all of them */
    const char *path;            /* of the collection file; NULL: there is none */
    const char *name;            /* in the store; NULL: it is not stored */
    int64_t id;                  /* in the store, after collect_begin() */
};

/* The collection file that an argument means: itself, or the one in the folder; NULL: none.
 * E_INPUT if the folder contains several. */
CHECKED enum status collect_file(struct arena *a, const char *arg, const char **path,
                                 struct err *e);
/* The suites that an argument means: itself, or all in the folder and below it. Files that cannot
 * be read are among them, so that none is skipped silently. */
struct folder collect_files(struct arena *a, const char *arg);
/* Read the suites or the collection named. Each fresh form is a collection of its own. Faults are
 * shown. */
CHECKED enum status collect_suites(struct app *app, const struct opt_args *args, int64_t form,
                                   struct collect *out, struct err *e);
/* The texts as the value of an option. */
struct opt_list collect_names(struct arena *a, const struct str *v, size_t n);

/* Store the collection if it has a name, and then each run that was made for it. */
CHECKED enum status collect_begin(struct app *app, struct collect *c, struct err *e);
CHECKED enum status collect_keep(struct app *app, const struct collect *c,
                                 const struct run_row *run, struct err *e);
/* Print the board over these runs, one per suite. */
CHECKED enum status collect_close(struct app *app, const struct collect *c, struct run_row *runs,
                                  struct err *e);

/* ---- runs ---- */

/* The collection or the runs that the arguments of `board`, `report` and `verify` name, with their
 * scores up to date. For a single run *several is false, and nothing else is set. */
CHECKED enum status collect_runs(struct app *app, const char *const *names, size_t n,
                                 const char *judge, struct standing_of *out, bool *several,
                                 struct err *e);
/* Their board, as text or JSON. */
CHECKED enum status collect_show(struct app *app, const struct standing_of *of, bool full,
                                 struct standing *out, struct buf *text, struct err *e);

#endif
