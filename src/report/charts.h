/* charts.h - the pictures of a run; each is drawn from a table that holds the same numbers.
 *
 * The table is read from the store; drawing it or writing it in another form needs no further
 * query. Values live in the arena. */
#ifndef REPORT_CHARTS_H
#define REPORT_CHARTS_H

#include "report/html.h"
#include "report/table.h"

enum charts_kind {
    CHARTS_LEADERBOARD,    /* models with their intervals */
    CHARTS_DIMENSIONS,     /* models by dimensions, as a heat map */
    CHARTS_ITEMS,          /* items by models, as a heat map */
    CHARTS_DISTRIBUTION,   /* number of answers per model and value */
    CHARTS_MATRIX,         /* row minus column for every two models, paired by item */
    CHARTS_COST,           /* score against cost */
    CHARTS_LATENCY,        /* ... against response time */
    CHARTS_HISTORY,        /* the models of the run in all runs of its suite */
    CHARTS_HUMAN,          /* a point per answer: the judge's mark and people's */
    CHARTS_RELIABILITY,    /* people's mean mark for each range of the judge's marks */
    CHARTS_CONTRADICTIONS, /* from here on of dialogues: contradictions per dialogue */
    CHARTS_DRIFT,          /* marks by turn, with bands */
    CHARTS_SURVIVAL,       /* share of roles that last until a turn */
    CHARTS_MEMORY,         /* share of facts that are still known after a distance */
    CHARTS_KINDS
};
const char *charts_name(enum charts_kind k); /* "leaderboard", ... */

/* E_INPUT if the run has nothing of this kind: for example, a suite of pairs has no values of
 * single answers. */
CHECKED enum status charts_table(struct arena *a, struct store *s, const struct report *r,
                                 enum charts_kind k, struct table **out, struct err *e);

/* Who is ahead of whom in battles, in the order of the report: for every two models, the share
 * of their battles that one won minus the share that the other won, in percentage points. No
 * places. */
struct values_matrix;
CHECKED enum status charts_battles(struct arena *a, struct store *s, const struct report *r,
                                   struct values_matrix *out, struct err *e);

/* How far the first model of a report is ahead of every other one; for its finding. */
CHECKED enum status charts_lead(struct arena *a, struct store *s, struct report *r, struct err *e);

/* Its title. */
const char *charts_title(const struct report *r, enum charts_kind k);
/* Inside a page; returns its height. */
int charts_draw(struct html *h, const struct report *r, enum charts_kind k, const struct table *t);

/* A self-contained SVG file with the style sheet of reports, light and dark. */
void charts_svg(const struct report *r, enum charts_kind k, const struct table *t, struct buf *out);

#endif
