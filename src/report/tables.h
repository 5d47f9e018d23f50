/* tables.h - the tables of a run, for all forms of report.
 *
 * Each column is declared once, here, and appears in every form: with a head for people, with a
 * key in CSV and JSON. Only builds tables; see table.h. Everything is in arena a. */
#ifndef REPORT_TABLES_H
#define REPORT_TABLES_H

#include "report/table.h"

struct tables_how {
    const char *language;
    const char *dash;  /* between the ends of a range: "-" on a plain terminal */
    const char *links; /* NULL, or the prefix of the ids of the models' answers: "#m" */
    bool told;         /* something else on the page says how many are unscored */
};

/* Models with their headline, best first: all, or the slice of a group (show_group()) whose
 * first model is number `from` of the report. */
struct table *tables_board(struct arena *a, const struct report *r, const struct tables_how *how,
                           size_t from);

/* Provenance: run, suite, seed, templates, program, command. */
struct table *tables_provenance(struct arena *a, const struct report *r,
                                const struct tables_how *how);
/* The same for several runs, one row each. */
struct table *tables_sources(struct arena *a, const struct report *runs, size_t n,
                             const char *language);

/* The tables beside the board, in the order in which they are shown. */
enum tables_about { ABOUT_MODELS, ABOUT_JUDGES, ABOUT_STYLE, ABOUT_NOISE, ABOUT_TURNS };
struct tables {
    struct tables_one {
        enum tables_about about; /* what the rows are */
        const char *id;          /* id of its section; NULL: hidden from people */
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
