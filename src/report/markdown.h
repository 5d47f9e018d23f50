/* markdown.h - text by others inside Markdown. */
#ifndef REPORT_MARKDOWN_H
#define REPORT_MARKDOWN_H

#include "base/mem.h"

/* Appends text on one line, with all markup escaped. */
void markdown_text(struct arena *a, struct buf *out, struct str text);
/* Appends a format of ours, escaping every argument. Conversions: "%s" and "%.*s" only. */
void markdown_fmt(struct arena *a, struct buf *out, const char *fmt, ...) PRINTF(3, 4);

struct report;
/* Every interview of the report: comments, signs, transcript. */
void markdown_sittings(struct arena *a, const struct report *r, struct buf *out);

#endif
