/* outcome.h - what a campaign found: computed here and stored, so that pages only show it.
 *
 * Everything is derived and can be computed again. Subjects and metrics of the rows:
 *   system/NAME      total:ID, mean:ID            of those who count; means with their interval
 *                    all:total:ID, all:mean:ID    of everybody, as a check
 *                    over:ID TAB NAME             mean less that of another system, which is worse
 *                    over-p:ID TAB NAME           how sure: p after Holm, over all pairs
 *                    above:ID                     how many others it is better than by that
 *                    adjusted:ID                  mean as if all raters were equally severe
 *                    ppi:ID                       people and AI judges together (math/ppi.h)
 *                    rating                       of pairs: Bradley-Terry; n counts its choices
 *                    rating:turns                 of votes on single turns, those of a conversation
 *                                                 weighing as much as one choice
 *                    both-bad                     of pairs: share of them in which both were bad
 *   dimension/ID     alpha, agreement, fleiss, ac1, icc:1,1 ... icc:3,k
 *                    variance:SOURCE, noise:SOURCE  where the noise of means comes from
 *                    ai:alpha, ai:spearman, ai:tau, ai:bias
 *                                                 people against the AI judges of the run
 *   rater/NAME       severity:ID, sign:fast, sign:same, sign:anchor, sign:drift, sign:agree,
 *                    sign:self (marks on the same text twice), sign:infit, sign:outfit,
 *                    sign:network, sign:crowd (where anybody may join: outcome_crowd.c),
 *                    drift:N (the course of sign:drift), excluded (by a rule of the file),
 *                    counts (marks in the main table): who is on the jury of the run's scores
 *   campaign         raters, began, finished, ratings, ratings:counted
 *                    excluded (by somebody), excluded:rules, ai:verdicts (that were looked at)
 * Pairs are left out where fewer than three raters or five passages were there, or too many
 * systems. Totals and means leave "cannot say" out. Intervals of means come from leaving out raters
 * and passages, because other people and other passages could have been asked. */
#ifndef PANEL_OUTCOME_H
#define PANEL_OUTCOME_H

#include "panel/campaign.h"
#include "store/store_read.h"

/* Computes without writing. */
CHECKED enum status outcome_compute(struct arena *a, struct store *s, const struct campaign *c,
                                    struct score_list *out, struct err *e);
/* Updates the stored rows if raters have submitted or judges have judged since, then reads them.
 * Safe to call concurrently; raters are not kept waiting. */
CHECKED enum status outcome_refresh(struct arena *a, struct store *s, const struct campaign *c,
                                    struct score_list *out, struct err *e);
/* The campaigns over a run that have at least reached state `least`: the first function updates
 * them and sets run->stale if one was out of date; the second only checks. The run's scores
 * count their marks. */
CHECKED enum status outcome_refresh_run(struct store *s, struct run_row *run,
                                        enum campaign_state least, struct err *e);
CHECKED enum status outcome_stale_run(struct store *s, int64_t run, enum campaign_state least,
                                      bool *stale, struct err *e);
/* Compares the stored rows of the campaigns over a run with recomputed ones; fn gets each
 * difference. Campaigns that are out of date are skipped. */
typedef void outcome_fn(void *user, const char *difference);
struct outcome_counts {
    int64_t rows; /* rows compared */
    bool older;   /* some were stored by an older version: only their values are compared */
};
CHECKED enum status outcome_verify_run(struct arena *a, struct store *s, const struct run_row *run,
                                       outcome_fn *fn, void *user, struct outcome_counts *out,
                                       struct err *e);
/* The stored rows, however old: for pages, which compute nothing. */
CHECKED enum status outcome_stored(struct arena *a, struct store *s, const struct campaign *c,
                                   struct score_list *out, struct err *e);

/* The systems of stored rows, best first by a metric (`less`: less is better). Equal systems,
 * and those without the metric at the end, are ordered by the names shown: the order of their
 * real names would reveal them. */
struct outcome_order {
    const char **v; /* their real names */
    size_t n;
};
struct outcome_order outcome_order(struct arena *a, const struct campaign *c,
                                   const struct score_list *rows, const char *metric, bool less);

/* Is this sign of a rater outside the usual range, so that somebody should look at it? It has no
 * consequences. */
bool outcome_unusual(const struct campaign *c, const struct score_row *sign);

#endif
