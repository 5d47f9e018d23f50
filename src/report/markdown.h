/* markdown.h - text of others inside Markdown. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "base/mem.h"

/* Append text on one line in which nothing is markup. */
void markdown_text(struct arena *a, struct buf *out, struct str text);
/* The same for every text in a line of ours: "- %s · %.*s", which are the conversions there are. */
void markdown_fmt(struct arena *a, struct buf *out, const char *fmt, ...) PRINTF(3, 4);

struct report;
/* Every interview of the report: comments, signs, transcript. */
void markdown_sittings(struct arena *a, const struct report *r, struct buf *out);

#endif
