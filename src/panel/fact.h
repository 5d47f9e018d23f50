/* fact.h - everything raters said in a campaign, fact by fact.
 *
 * The source of results, exports and quality signs. */
#ifndef PANEL_FACT_H
#define PANEL_FACT_H

#include "panel/assign.h"
#include "store/cursor.h"

struct fact {
    int64_t assignment, item, anchor, position;
    const char *pseudonym, *stratum, *item_name; /* item_name NULL: an anchor text */
    enum rater_state rater_state;
    const char *excluded; /* why; NULL: not */
    enum phase phase;
    bool handed_in;
    int64_t submitted_ms, active_ms;
    struct str shown; /* JSON: everything that was shown, in order */
    int64_t sample, other;
    const char *system, *other_system; /* author; NULL: an anchor text */
    int64_t repeat;
    const char *dimension;
    bool cannot;
    double value;
    struct str comment, quotes;
    int64_t version, created_ms, saved_ms;
};

/* By rater, then in the order in which they rated. */
struct cursor fact_list(struct store *s, const struct campaign *c, struct err *e);
bool fact_next(struct cursor *c, struct fact *out);

/* Does it count in the main table? Not if the rater was excluded, or has not finished where only
 * completers count. */
bool fact_counts(const struct campaign *c, const struct fact *f);
/* Its place among the texts of its assignment, from 1; 0: not found. */
int fact_place(const struct fact *f);

#endif
