/* export.h - the ratings of a campaign as a long table: one line per mark.
 *
 * Streamed in constant memory. CSV is safe to open in a spreadsheet. Until the campaign is
 * unmasked, systems have meaningless names, the same throughout, so that an analysis can be
 * written blind. Comments and quotations could be found in the texts of the run, so they are
 * left out for users who may not unmask. export_codebook() explains every column. */
#ifndef PANEL_EXPORT_H
#define PANEL_EXPORT_H

#include "panel/campaign.h"

#define EXPORT_SCHEMA "audition-ratings/1" /* of every line */

enum export_form { EXPORT_CSV, EXPORT_JSONL };

struct export_how {
    enum export_form form;
    bool may_unmask; /* may the user unmask? */
};

/* Receives the output in parts: a file, a network connection. */
typedef enum status export_fn(void *user, struct str part, struct err *e);

/* Raters excluded by a rule of the file are those in the stored outcomes (outcome_refresh()
 * updates them). */
CHECKED enum status export_ratings(struct store *s, const struct campaign *c,
                                   const struct export_how *how, export_fn *fn, void *user,
                                   struct err *e);
/* Explains every column, dimension and question, in Markdown. */
struct str export_codebook(struct arena *a, const struct campaign *c);

/* The name of a system for exports and pages: its own after unmasking, otherwise a meaningless
 * one that is the same throughout the campaign. */
const char *export_system(struct arena *a, const struct campaign *c, const char *system);

#endif
