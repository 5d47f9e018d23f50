/* dry.h - --dry-run: what a run would ask, without asking and without a database. */
#ifndef CMD_DRY_H
#define CMD_DRY_H

#include "cmd/drive.h"
#include "eval/plan.h"

/* Measure the items and print. Faults in them go to d; then nothing is printed. */
void dry_run(struct app *app, const struct plan *p, const struct drive_judges *judges,
             const struct drive_values *v, struct diags *d);

#endif
