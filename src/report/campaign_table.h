/* campaign_table.h - how a campaign stands and what it found, as tables of text and as JSON.
 *
 * Computes nothing: the rows come from panel/outcome.h. Before the campaign is unmasked systems go
 * by their masked names. */
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
    const struct rater_list *raters;      /* they are needed for how it stands, and so is: */
    const struct practice_list *practice;
};

/* The signs of a rater, as they are shown. */
enum { CAMPAIGN_SIGNS = 10 };
struct campaign_sign {
    const char *metric;
    enum word word;
    int decimals;
    bool arena; /* of open arenas alone; those are the last */
};
extern const struct campaign_sign campaign_signs[CAMPAIGN_SIGNS];

/* What it found, as tables for terminal and pages alike. The systems of one dimension, best first
 * (NULL: of pairs): of those who count and of everybody, severity taken out, people and judges
 * together; measures of agreement; how severe each rater is. The last two are NULL where there is
 * nothing to say. */
struct table *campaign_table_systems(struct arena *a, const char *language,
                                     const struct campaign_view *v, const struct dimension *d);
struct table *campaign_table_agreement(struct arena *a, const char *language,
                                       const struct campaign_view *v);
struct table *campaign_table_severity(struct arena *a, const char *language,
                                      const struct campaign_view *v);
bool campaign_table_rated(const struct campaign_view *v); /* there is anything to show */
/* All of that but severity, on a terminal. */
void campaign_table_results(struct arena *a, const struct campaign_view *v,
                            const struct render_terminal *how, struct buf *out);
/* Coverage, raters and signs, without any mark. */
void campaign_table_state(struct arena *a, const struct campaign_view *v,
                          const struct render_terminal *how, struct buf *out);
/* New values, the caller's. */
json_t *campaign_table_json(struct arena *a, const struct campaign_view *v);
json_t *campaign_table_state_json(struct arena *a, const struct campaign_view *v);
struct table *campaign_table_list(struct arena *a, const struct campaign_list *l);

#endif
