/* cover.h - worlds whose truth is known, and how often intervals hold it.
 *
 * A regime is one row of docs/COVERAGE.md. A cell is drawn by one thread from beginning to end. */
#ifndef COVERAGE_COVER_H
#define COVERAGE_COVER_H

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "math/dist.h"
#include "math/interval.h"

#define LEVEL 0.95

enum { ITEMS_MOST = 400, RATERS_MOST = 60, CELLS_MOST = 4000, MODELS_MOST = 20 };

/* What a set gave: of several intervals at once, how many of each. */
struct tally {
    double given, held, refused, cautions, width;
};

struct regime {
    const char *kind, *regime;
    void (*draw)(const struct regime *c, struct rng *r, double truth, struct tally *t);
    double (*truth)(const struct regime *c); /* NULL: the cell's own */
    double a, b;                             /* of the regime */
    int n, raters, form;
};

void cover_count(struct tally *t, struct interval i, double truth);
double cover_normal(struct rng *r);
/* How many things the truth is taken from. The fewer sets are drawn, the less exact it need be. */
size_t cover_world(size_t n);

/* ---- judges.c: battles and marks before judges ---- */

enum { STYLE_RATING, STYLE_EFFECT, STYLE_WIN_RATE, STYLE_LOPSIDED };
/* a: how much judges like length; b: by so many Elo points (standard deviation) an item moves a
 * model; form: which interval, STYLE_LOPSIDED: that of ratings, where two items have thirty battles
 * of each pair; raters: models. */
void draw_style(const struct regime *c, struct rng *r, double truth, struct tally *t);

/* a: how much a judge likes its own, in logits; form: other judges saw the same answers, or others.
 */
enum { SAME_ANSWERS, OTHER_ANSWERS };
void draw_family(const struct regime *c, struct rng *r, double truth, struct tally *t);
double true_family(const struct regime *c);

/* a: noise of the judge; form: the judge against people, or one person. */
enum { ACCURACY, CEILING };
void draw_accuracy(const struct regime *c, struct rng *r, double truth, struct tally *t);
double true_accuracy(const struct regime *c);

/* ---- talks.c: marks over the turns of dialogues ---- */

/* a: change over the dialogue, in steps; b: chance that the user leaves, by stretch. */
void draw_drift(const struct regime *c, struct rng *r, double truth, struct tally *t);
void draw_slope(const struct regime *c, struct rng *r, double truth, struct tally *t);
double true_slope(const struct regime *c);
/* a: contradictions in a dialogue. */
void draw_contradictions(const struct regime *c, struct rng *r, double truth, struct tally *t);

#endif
