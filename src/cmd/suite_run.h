/* suite_run.h - a run of one suite, from its file and the names on the command line to the end. */
#ifndef CMD_SUITE_RUN_H
#define CMD_SUITE_RUN_H

#include "cmd/drive.h"
#include "eval/plan.h"

/* Who takes part. */
struct suite_run_people {
    struct roster roster;
    const struct endpoint **models;
    size_t nmodels;
    const struct endpoint **others; /* see plan.h */
    size_t nothers;
    struct drive_judges judges;
};

CHECKED enum status suite_run_find(struct app *app, const struct drive_values *v,
                                   struct suite_run_people *q, struct diags *d, struct err *e);

/* A suite that was read and can be run, and its run once there is one. */
struct suite_run {
    const char *path;
    struct drive_values values; /* for this suite */
    struct suite_run_people people;
    struct plan plan;
    struct run_row run;
};

/* Read the suite and find everybody who takes part. All faults are shown, those of the items if the
 * suite has any itself. Nothing is asked or stored. */
CHECKED enum status suite_run_load(struct app *app, const char *path, const struct drive_values *v,
                                   struct suite_run *out, struct err *e);
/* --dry-run: print what would be asked. */
CHECKED enum status suite_run_dry(struct app *app, struct suite_run *r, struct err *e);
/* Find or make the run in the open store, and work it off. Sets app->exit. */
CHECKED enum status suite_run_work(struct app *app, struct suite_run *r, struct err *e);

#endif
