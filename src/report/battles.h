/* battles.h - what a run of pairs has to show beside its board, as tables that every form of report
 * can draw: wins and ranks, Glicko-2, style, judges and their biases; and sittings.h. Pure;
 * everything is in arena a, cells that hold names are not escaped. */
#ifndef REPORT_BATTLES_H
#define REPORT_BATTLES_H

#include "report/report.h"

enum { BATTLES_TABLES = 7, BATTLES_COLUMNS = 7 };

struct battles_table {
    const char *title;
    const char *heads[BATTLES_COLUMNS]; /* the first column holds names */
    size_t columns;
    const char *const (*rows)[BATTLES_COLUMNS];
    size_t nrows;
    const char **notes; /* sentences below it */
    size_t nnotes;
};

/* How many there are; 0 for answers that are marked and no interviews. `dash` stands between the
 * ends of a range. */
size_t battles_tables(struct arena *a, const struct report *r, const char *language,
                      const char *dash, struct battles_table out[BATTLES_TABLES]);

#endif
