/* Raters: who took part, and signs that somebody should look at. A sign never removes anything;
 * rules that exclude raters are in the campaign file. */
#include <math.h>

#include "base/message.h"
#include "gen/queries.h"
#include "math/calibrate.h"
#include "math/correlate.h"
#include "math/describe.h"
#include "math/misfit.h"
#include "panel/outcome_parts.h"
#include "panel/rater.h"

enum { SAME_FROM = 10 }; /* fewest marks for which using a single value means anything */

void outcome_put_sign(struct tally_sheet *t, size_t rater, const char *metric, const char *method,
                      double value, int64_t n)
{
    if (!isnan(value))
        score_put_value(&t->rows, outcome_subject(t, "rater", t->l.raters[rater]), metric, method,
                        value, n);
}

#define FIT "mean square of residuals of the additive model; 0.5 to 1.5 is usual"

/* ---- one value for everything ---- */

/* The number of occurrences of the most frequent value. Sorts v. */
static size_t most_used(double *v, size_t n)
{
    size_t run = 1, longest = n ? 1 : 0;

    describe_sort(v, n);
    for (size_t i = 1; i < n; i++) {
        run = v[i] == v[i - 1] ? run + 1 : 1;
        longest = run > longest ? run : longest;
    }
    return longest;
}

/* Two-valued scales say little: most texts are fluent. */
static bool is_wide(const struct dimension *d)
{
    return d->nlevels > 2 || (d->nlevels == 0 && d->max - d->min > 1);
}

static bool has_wide(const struct instrument *in)
{
    for (size_t i = 0; i < in->ndimensions; i++)
        if (is_wide(&in->dimensions[i]))
            return true;
    return false;
}

/* Over dimensions with more than two values, if there are any; for pairs, the side chosen. */
static void sign_same(struct tally_sheet *t, size_t rater, double *scratch)
{
    const struct instrument *in = &t->c->suite.instrument;
    bool pair = in->kind == INSTRUMENT_PAIR, wide = !pair && has_wide(in);
    size_t all = 0, same = 0;

    for (size_t d = 0; d < (pair ? 1 : in->ndimensions); d++) {
        size_t n = 0;
        if (wide && !is_wide(&in->dimensions[d]))
            continue;
        for (size_t i = t->l.first[rater]; i < t->l.first[rater + 1]; i++)
            if (t->l.v[i].dimension == d)
                scratch[n++] = t->l.v[i].value;
        all += n;
        same += most_used(scratch, n);
    }
    if (all >= SAME_FROM)
        outcome_put_sign(t, rater, "sign:same",
                         "share of marks with the value used most in its dimension",
                         (double)same / (double)all, (int64_t)all);
}

/* ---- against the others ---- */

/* Sums over all marks on a text in a dimension: [text * dims + dimension]. */
struct sums {
    double *sum;
    size_t *n;
    size_t dims;
};

static struct sums sum_up(const struct tally_sheet *t)
{
    size_t dims = t->c->suite.instrument.ndimensions + 1, all = t->l.ntexts * dims + 1;
    struct sums s = {NEW_N(t->a, double, all), NEW_N(t->a, size_t, all), dims};

    for (size_t i = 0; i < t->l.n; i++) {
        size_t at = t->l.v[i].text * dims + t->l.v[i].dimension;
        s.sum[at] += t->l.v[i].value;
        s.n[at]++;
    }
    return s;
}

/* Correlation of a rater's marks with the mean of the others on the same text and dimension. */
static void sign_agree(struct tally_sheet *t, size_t rater, const struct sums *s, double *mine,
                       double *others)
{
    size_t n = 0;

    if (t->c->suite.instrument.kind == INSTRUMENT_PAIR)
        return; /* a choice is about two texts, in an order */
    for (size_t i = t->l.first[rater]; i < t->l.first[rater + 1]; i++) {
        size_t at = t->l.v[i].text * s->dims + t->l.v[i].dimension;
        if (s->n[at] < 2)
            continue;
        mine[n] = t->l.v[i].value;
        others[n++] = (s->sum[at] - t->l.v[i].value) / (double)(s->n[at] - 1);
    }
    outcome_put_sign(t, rater, "sign:agree", "correlation with the mean of the others",
                     n < SAME_FROM ? NAN : correlate_pearson(mine, others, n), (int64_t)n);
}

/* Infit and outfit: mean squared residuals of a rater's marks in the additive model, over all
 * dimensions. */
static void sign_fit(struct tally_sheet *t)
{
    struct misfit *raters = NEW_N(t->a, struct misfit, t->l.nraters + 1);

    if (t->c->suite.instrument.kind == INSTRUMENT_PAIR)
        return;
    for (size_t d = 0; d < t->c->suite.instrument.ndimensions; d++) {
        struct cells cells = ledger_cells(t->a, &t->l, d, false);
        struct severity s;
        if (cells.n == 0)
            continue;
        severity_solve(t->a, &cells, &s);
        misfit_add(&cells, &s, raters);
    }
    for (size_t i = 0; i < t->l.nraters; i++) {
        if (raters[i].n < SAME_FROM)
            continue;
        outcome_put_sign(t, i, "sign:infit", FIT, misfit_infit(&raters[i]), (int64_t)raters[i].n);
        outcome_put_sign(t, i, "sign:outfit", FIT, misfit_outfit(&raters[i]), (int64_t)raters[i].n);
    }
}

/* ---- against themselves ---- */

static void sign_self(struct tally_sheet *t, size_t rater)
{
    struct describe d = {0};

    for (size_t i = 0; i < t->l.nrepeats; i++)
        if (t->l.repeats[i].rater == rater)
            describe_add(&d, t->l.repeats[i].apart);
    if (d.n)
        outcome_put_sign(t, rater, "sign:self",
                         "mean distance of two marks on the same text, in steps", describe_mean(&d),
                         (int64_t)d.n);
}

/* ---- against anchor texts ---- */

#define DRIFT "cumulative sum of errors; alarm at 5"

/* The greater of the two sums, negative if it is the one for marks that are too low. */
static double side(const struct calibrate_drift *d)
{
    return d->up >= d->down ? d->up : -d->down;
}

static void sign_anchor(struct tally_sheet *t, size_t rater)
{
    struct describe error = {0}, size = {0};
    struct calibrate_drift drift = {0};
    double sd;

    for (size_t i = 0; i < t->l.nanchors; i++)
        if (t->l.anchors[i].rater == rater) {
            describe_add(&error, t->l.anchors[i].error);
            describe_add(&size, fabs(t->l.anchors[i].error));
        }
    if (error.n == 0)
        return;
    outcome_put_sign(t, rater, "sign:anchor", "mean distance from the anchor texts, in steps",
                     describe_mean(&size), (int64_t)error.n);
    sd = describe_sd(&error);
    if (isnan(sd) || sd == 0)
        return;
    for (size_t i = 0; i < t->l.nanchors; i++) {
        if (t->l.anchors[i].rater != rater)
            continue;
        calibrate_drift_add(&drift, t->l.anchors[i].error / sd);
        /* a point of the chart */
        outcome_put_sign(t, rater, arena_printf(t->a, "drift:%04zu", drift.n), DRIFT, side(&drift),
                         (int64_t)drift.n);
    }
    outcome_put_sign(t, rater, "sign:drift", DRIFT, side(&drift), (int64_t)error.n);
}

/* ---- time ---- */

static enum status read_effort(struct tally_sheet *t, const struct rater_list *raters,
                               struct err *e)
{
    double *characters = NEW_N(t->a, double, raters->n + 1);
    double *ms = NEW_N(t->a, double, raters->n + 1);
    size_t at = 0; /* both are ordered by rater */
    struct rows *r = db_query(t->s->db, Q_EFFORT_EACH, ARGS(V_INT(t->c->id)), e);

    while (rows_next(r)) {
        while (at < raters->n && raters->v[at].id < row_int(r, C_EFFORT_RATER))
            at++;
        if (at == raters->n)
            break;
        ms[at] += (double)row_int(r, C_EFFORT_ACTIVE_MS);
        characters[at] += (double)row_int(r, C_EFFORT_CHARACTERS);
    }
    if (rows_end(r, e) != OK)
        return e->code;
    for (size_t i = 0; i < raters->n; i++)
        if (ms[i] > 0)
            score_put_value(&t->rows, outcome_subject(t, "rater", raters->v[i].pseudonym),
                            "sign:fast", "characters in a second of active time",
                            characters[i] / (ms[i] / 1000), raters->v[i].done);
    return OK;
}

/* ---- what to look at ---- */

/* Usual ranges: three times the speed at which people read Chinese; always the same value;
 * Page's alarm; Wright and Linacre's limits of a mean square. Contradicting the others is also
 * unusual. */
static const struct {
    const char *metric;
    double low, high;
} usual[] = {
    {"sign:fast", 0, 15},          {"sign:same", 0, 0.999},  {"sign:agree", 0, 1},
    {"sign:drift", -4.999, 4.999}, {"sign:infit", 0.5, 1.5}, {"sign:outfit", 0.5, 1.5},
    {"sign:network", 0, 10},       {"sign:crowd", 0, 3},
};

bool outcome_unusual(const struct campaign *c, const struct score_row *sign)
{
    bool dense = str_starts(str_of(c->suite.language), STR("zh")) ||
                 str_starts(str_of(c->suite.language), STR("ja"));

    for (size_t i = 0; i < COUNT(usual); i++)
        if (strcmp(usual[i].metric, sign->metric) == 0)
            return (i > 0 || dense) && (sign->value < usual[i].low || sign->value > usual[i].high);
    return false;
}

/* ---- rules of the campaign file ---- */

static double sign_of(const struct tally_sheet *t, size_t rater, const char *metric)
{
    const char *subject = outcome_subject(t, "rater", t->l.raters[rater]);

    for (size_t i = 0; i < t->rows.n; i++)
        if (strcmp(t->rows.v[i].metric, metric) == 0 && strcmp(t->rows.v[i].subject, subject) == 0)
            return t->rows.v[i].value;
    return NAN;
}

/* The rule of the campaign file that excludes a rater; NULL: none. Comparisons with an unknown
 * sign or an unset rule (NaN) are false. */
static const char *excluding(const struct tally_sheet *t, size_t rater)
{
    const struct exclusion *x = &t->c->spec.exclude;

    if (sign_of(t, rater, "sign:fast") > x->faster_than)
        return "faster_than";
    if (sign_of(t, rater, "sign:same") > x->same_marks)
        return "same_marks";
    return sign_of(t, rater, "sign:anchor") > x->anchor_error ? "anchor_error" : NULL;
}

/* Returns the number of excluded raters. */
static int64_t exclude(struct tally_sheet *t)
{
    int64_t n = 0;

    for (size_t k = 0; k < t->l.nraters; k++) {
        const char *why = excluding(t, k);
        if (!why)
            continue;
        n++;
        outcome_put_sign(t, k, "excluded", arena_printf(t->a, N_("by the rule '%s'"), why), 1, 0);
        for (size_t i = t->l.first[k]; i < t->l.first[k + 1]; i++)
            t->l.v[i].counts = false;
    }
    return n;
}

/* Records whose marks count in the scores of the run. */
static void seat(struct tally_sheet *t)
{
    for (size_t k = 0; k < t->l.nraters; k++) {
        int64_t n = 0;
        for (size_t i = t->l.first[k]; i < t->l.first[k + 1]; i++)
            n += t->l.v[i].counts;
        if (n)
            outcome_put_sign(t, k, "counts", "marks in the main table", (double)n, n);
    }
}

/* ---- everybody ---- */

static void put_count(struct tally_sheet *t, const char *metric, int64_t n)
{
    score_put_value(&t->rows, "campaign", metric, "count", (double)n, n);
}

static void put_counts(struct tally_sheet *t, const struct rater_list *raters, int64_t ruled_out)
{
    int64_t began = 0, finished = 0, excluded = 0, counted = 0;

    for (size_t i = 0; i < raters->n; i++) {
        finished += raters->v[i].state == RATER_FINISHED;
        excluded += raters->v[i].excluded_by != NULL;
    }
    for (size_t i = 0; i < t->l.nraters; i++)
        began += t->l.first[i + 1] > t->l.first[i];
    for (size_t i = 0; i < t->l.n; i++)
        counted += t->l.v[i].counts;
    put_count(t, "raters", (int64_t)raters->n);
    put_count(t, "began", began);
    put_count(t, "finished", finished);
    put_count(t, "excluded", excluded);
    put_count(t, "excluded:rules", ruled_out);
    put_count(t, "ratings", (int64_t)t->l.n);
    put_count(t, "ratings:counted", counted);
}

enum status outcome_people(struct tally_sheet *t, struct err *e)
{
    double *x = NEW_N(t->a, double, t->l.n + 1), *y = NEW_N(t->a, double, t->l.n + 1);
    struct sums sums = sum_up(t);
    struct rater_list raters;

    if (rater_list(t->a, t->s, t->c->id, &raters, e) != OK || read_effort(t, &raters, e) != OK)
        return e->code;
    for (size_t i = 0; i < t->l.nraters; i++) {
        sign_same(t, i, x);
        sign_agree(t, i, &sums, x, y);
        sign_anchor(t, i);
        sign_self(t, i);
    }
    sign_fit(t);
    outcome_crowds(t, &raters);
    put_counts(t, &raters, exclude(t));
    seat(t);
    return OK;
}
