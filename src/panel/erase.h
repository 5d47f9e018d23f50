/* erase.h - what is deleted of a rater: because they leave, because staff erase them, because the
 * campaign's retention period is over.
 *
 * Leaving takes away what a person told about themselves, the note on the invitation, the code to
 * come back with, and the session; every page that was open is closed, so that no request that is
 * still under way writes anything. Where the ratings go too, so do comments, quotations, practice,
 * reports, and the rater's own words in conversations, wherever they were kept, with all that
 * judges wrote about these; the judges' marks stay. What stays of the rater is a row with a
 * pseudonym and the text that was agreed to. When a retention period is over that does not cover
 * the ratings, nobody has left: they count as before. */
#ifndef PANEL_ERASE_H
#define PANEL_ERASE_H

#include "panel/rater.h"

/* With `ratings` these as well. In a transaction of the caller's; twice is once, and ratings can go
 * later. */
CHECKED enum status erase_rater(struct store *s, const struct rater *r, bool ratings,
                                struct err *e);
/* Carry out what campaign files say about retention, where it is due; *n counts the campaigns. */
CHECKED enum status erase_due(struct store *s, int64_t now_ms, size_t *n, struct err *e);

/* SQLite moves rows about as others are written, and leaves copies behind that no row stands for: a
 * file in which somebody was erased after line *last of the audit log (0: ever) is written anew,
 * and *last is the newest such line. *large: it was not, for whoever writes would wait too long.
 * Its log, which holds the pages as they were, is emptied. */
CHECKED enum status erase_traces(struct store *s, int64_t *last, bool *large, struct err *e);

#endif
