/* erase.h - deletes data of raters: because they leave, because staff erase them, or because the
 * campaign's retention period is over.
 *
 * Leaving deletes what a person told about themselves, the note on the invitation, the code to
 * come back and the session; open pages are closed, so that no pending request can write
 * anything. If the ratings are deleted too, so are comments, quotations, practice, reports, and
 * the rater's own words in conversations, wherever they were stored, with everything that judges
 * wrote about them; the judges' marks stay. What remains is a row with a pseudonym and the text
 * that was agreed to. A retention period that does not cover ratings does not make anybody
 * leave: they still count. */
#ifndef PANEL_ERASE_H
#define PANEL_ERASE_H

#include "panel/rater.h"

/* With `ratings`, deletes these too. Must be called in a transaction; may be repeated, and
 * ratings may be deleted later. */
CHECKED enum status erase_rater(struct store *s, const struct rater *r, bool ratings,
                                struct err *e);
/* Applies the retention rules of campaign files that are due; *n counts the campaigns. */
CHECKED enum status erase_due(struct store *s, int64_t now_ms, size_t *n, struct err *e);

/* SQLite leaves copies of deleted and moved rows in its file. If somebody was erased after line
 * *last of the audit log (0: ever), the file is rewritten, and *last is set to the newest such
 * line. *large: it was not rewritten, because writers would have to wait too long. Also empties
 * the write-ahead log, which holds old pages. */
CHECKED enum status erase_traces(struct store *s, int64_t *last, bool *large, struct err *e);

#endif
