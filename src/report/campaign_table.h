/* campaign_table.h - state and results of a campaign, as text tables and as JSON.
 *
 * Computes nothing: the rows come from panel/outcome.h. Until the campaign is unmasked, systems
 * appear under their masked names. */
#ifndef REPORT_CAMPAIGN_TABLE_H
#define REPORT_CAMPAIGN_TABLE_H

#include "base/json.h"
#include "eval/score.h"
#include "panel/outcome.h"
#include "panel/practice.h"
#include "report/table.h"

struct campaign_view {
    const struct campaign *campaign;
    const struct score_list *rows;
    const struct coverage_list *coverage; /* may be NULL */
    const struct rater_list *raters;      /* raters and practice are needed for the state only */
    const struct practice_list *practice;
};

/* Signs of a rater, in the order in which they are shown. */
enum { CAMPAIGN_SIGNS = 10 };
struct campaign_sign {
    const char *metric;
    enum word word;
    int decimals;
    bool arena; /* only for open arenas; these come last */
};
extern const struct campaign_sign campaign_signs[CAMPAIGN_SIGNS];

/* Results, as tables for both terminal and pages: the systems of one dimension (NULL: of pairs),
 * best first, by counted raters and by everybody, adjusted for severity, and with AI judges;
 * measures of agreement; the severity of each rater. The last two return NULL if there is
 * nothing to show. */
struct table *campaign_table_systems(struct arena *a, const char *language,
                                     const struct campaign_view *v, const struct dimension *d);
struct table *campaign_table_agreement(struct arena *a, const char *language,
                                       const struct campaign_view *v);
struct table *campaign_table_severity(struct arena *a, const char *language,
                                      const struct campaign_view *v);
bool campaign_table_rated(const struct campaign_view *v); /* is there anything to show? */
/* All of these but severity, for a terminal. */
void campaign_table_results(struct arena *a, const struct campaign_view *v,
                            const struct render_terminal *how, struct buf *out);
/* Coverage, raters and signs, but no marks. */
void campaign_table_state(struct arena *a, const struct campaign_view *v,
                          const struct render_terminal *how, struct buf *out);
/* The caller owns the returned values. */
json_t *campaign_table_json(struct arena *a, const struct campaign_view *v);
json_t *campaign_table_state_json(struct arena *a, const struct campaign_view *v);
struct table *campaign_table_list(struct arena *a, const struct campaign_list *l);

#endif
