/* tables.h - the tables of a run, for every form of report.
 *
 * Each column is declared once, here, and appears wherever the report does: a head puts it before
 * people, a key into CSV and JSON. Builds only; see table.h. Everything is in arena a. */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include "report/table.h"

struct tables_how {
    const char *language;
    const char *dash;  /* between the ends of a range that is text: "-" on a plain terminal */
    const char *links; /* NULL, or what the ids of the models' answers begin with: "#m" */
    bool told;         /* what stands on the page besides tells how many are unscored */
};

/* Models with their headline, best first: all of them, or the slice of a group (show_group()), the
 * first of which is number `from` of the report. */
struct table *tables_board(struct arena *a, const struct report *r, const struct tables_how *how,
                           size_t from);

/* Where the numbers come from: run, suite, seed, templates, program, command. */
struct table *tables_provenance(struct arena *a, const struct report *r,
                                const struct tables_how *how);
/* The same of several runs, a row each. */
struct table *tables_sources(struct arena *a, const struct report *runs, size_t n,
                             const char *language);

/* What there is beside the board, in the order in which it is shown. */
enum tables_about { ABOUT_MODELS, ABOUT_JUDGES, ABOUT_STYLE, ABOUT_NOISE, ABOUT_TURNS };
struct tables {
    struct tables_one {
        enum tables_about about; /* the rows */
        const char *id;          /* of its section; NULL: people do not see it */
        struct table *table;
    } * v;
    size_t n;
};
void tables_beside(struct arena *a, const struct report *r, const struct tables_how *how,
                   struct tables *out);

/* For tables_beside(). */
void tables_add(struct tables *l, enum tables_about about, const char *id, struct table *t);
void tables_pair(struct arena *a, const struct report *r, const struct tables_how *how,
                 struct tables *out); /* wins and ranks, Glicko-2, style, judges and their biases */

#endif
