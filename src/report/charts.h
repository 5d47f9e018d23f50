/* charts.h - the pictures of a run, each drawn from a table that says the same in numbers.
 *
 * A table is gathered from the store; drawing it, or writing it in another form, asks for nothing
 * more. Values live in the arena. */
#ifndef REPORT_CHARTS_H
#define REPORT_CHARTS_H

#include "report/html.h"
#include "report/table.h"

enum charts_kind {
    CHARTS_LEADERBOARD,    /* models with their intervals */
    CHARTS_DIMENSIONS,     /* models by dimensions, as a heat map */
    CHARTS_ITEMS,          /* items by models, as a heat map */
    CHARTS_DISTRIBUTION,   /* how many answers of each model have which value */
    CHARTS_MATRIX,         /* row less column, every two models, paired by item */
    CHARTS_COST,           /* score against what it cost */
    CHARTS_LATENCY,        /* ... and how long a reply took */
    CHARTS_HISTORY,        /* the models of the run in all runs of its suite */
    CHARTS_HUMAN,          /* an answer each: what the judge gives, what people give */
    CHARTS_RELIABILITY,    /* what people give where the judge gives so much */
    CHARTS_CONTRADICTIONS, /* of dialogues, as all below: how many there are in one */
    CHARTS_DRIFT,          /* marks by turn, with bands */
    CHARTS_SURVIVAL,       /* which share of the roles lasts until when */
    CHARTS_MEMORY,         /* which share of the facts is known how long after */
    CHARTS_KINDS
};
const char *charts_name(enum charts_kind k); /* "leaderboard", ... */

/* E_INPUT where the run has nothing of the kind: a suite of pairs has no values of answers. */
CHECKED enum status charts_table(struct arena *a, struct store *s, const struct report *r,
                                 enum charts_kind k, struct table **out, struct err *e);

/* Who is ahead of whom in battles, in the order of the report: the share that each of two has won
 * of those between them, less the other's, in percentage points; no places. */
struct values_matrix;
CHECKED enum status charts_battles(struct arena *a, struct store *s, const struct report *r,
                                   struct values_matrix *out, struct err *e);

/* How far the first model of a report is ahead of each other one, for its finding. */
CHECKED enum status charts_lead(struct arena *a, struct store *s, struct report *r, struct err *e);

/* What it shows, in a few words. */
const char *charts_title(const struct report *r, enum charts_kind k);
/* Inside a page; returns its height. */
int charts_draw(struct html *h, const struct report *r, enum charts_kind k, const struct table *t);

/* An SVG file of its own, with the style sheet of reports: light and dark. */
void charts_svg(const struct report *r, enum charts_kind k, const struct table *t, struct buf *out);

#endif
