/* collect.h - arguments that may name several suites or several runs: files, folders, collection
 * files (suite/collection.h), collections by their name. */
#ifndef CMD_COLLECT_H
#define CMD_COLLECT_H

#include "base/folder.h"
#include "cmd/cmd.h"
#include "report/standing.h"
#include "suite/collection.h"

/* ---- suites ---- */

struct collect {
    const struct collection *of; /* as it is declared, or made up of what was named */
    bool several;                /* it ends with one board */
    const char *path;            /* of the collection file; NULL: there is none */
    const char *name;            /* under which the store keeps it; NULL: it does not */
    int64_t id;                  /* once it does */
};

/* The collection file that an argument means: itself, or the one that stands in a folder; NULL:
 * there is none. E_INPUT when there are several. */
CHECKED enum status collect_file(struct arena *a, const char *arg, const char **path,
                                 struct err *e);
/* The suites that an argument means: itself, or all in a folder and below it; among them files that
 * cannot be read, so that nothing is passed over in silence. */
struct folder collect_files(struct arena *a, const char *arg);
/* Read what the arguments name. A fresh form is a collection of its own. Faults are shown. */
CHECKED enum status collect_suites(struct app *app, const struct opt_args *args, int64_t form,
                                   struct collect *out, struct err *e);
/* Texts as values of an option. */
struct opt_list collect_names(struct arena *a, const struct str *v, size_t n);

/* Keep it in the store, where it has a name; then each run that was made for it. */
CHECKED enum status collect_begin(struct app *app, struct collect *c, struct err *e);
CHECKED enum status collect_keep(struct app *app, const struct collect *c,
                                 const struct run_row *run, struct err *e);
/* The board over these runs, one for each suite, at the end. */
CHECKED enum status collect_close(struct app *app, const struct collect *c, struct run_row *runs,
                                  struct err *e);

/* ---- runs ---- */

/* What the arguments of `board`, `report` and `verify` name: a collection, or runs. Their scores
 * are brought up to date. *several is false for a single run, and nothing else is set. */
CHECKED enum status collect_runs(struct app *app, const char *const *names, size_t n,
                                 const char *judge, struct standing_of *out, bool *several,
                                 struct err *e);
/* Their board, as text or JSON. */
CHECKED enum status collect_show(struct app *app, const struct standing_of *of, bool full,
                                 struct standing *out, struct buf *text, struct err *e);

#endif
