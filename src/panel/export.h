/* export.h - the ratings of a campaign as a long table: one line for each mark.
 *
 * Streamed in constant memory. CSV is safe to open in a spreadsheet. Before the campaign is
 * unmasked the systems go by names that say nothing, the same throughout, so that an analysis can
 * be written blind; what raters wrote and quoted can be found in the texts of the run, and is left
 * out for whoever may not unmask. export_codebook() says what every column means. */
#ifndef PANEL_EXPORT_H
#define PANEL_EXPORT_H

#include "panel/campaign.h"

#define EXPORT_SCHEMA "audition-ratings/1" /* of every line */

enum export_form { EXPORT_CSV, EXPORT_JSONL };

struct export_how {
#define EXPORT_SCHEMA "audition-ratings/1" /* of every line */

    enum export_form form;
    bool may_unmask; /* whoever asks */
};

/* Where lines go: a file, a network connection. */
typedef enum status export_fn(void *user, struct str part, struct err *e);

/* Raters whom a rule of the file excludes are those of the outcomes as stored (outcome_refresh()
 * brings them up to date). */
CHECKED enum status export_ratings(struct store *s, const struct campaign *c,
                                   const struct export_how *how, export_fn *fn, void *user,
                                   struct err *e);
/* What every column, dimension and question means: Markdown. */
struct str export_codebook(struct arena *a, const struct campaign *c);

/* The name of a system as exports and pages may show it: its own once the campaign is unmasked,
 * else one that is the same throughout the campaign and says nothing. */
const char *export_system(struct arena *a, const struct campaign *c, const char *system);

#endif
