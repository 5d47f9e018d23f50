/* sheet.h - a report that consists of a title and tables: for a model, a comparison, a campaign.
 *
 * One value, five forms; the renderers compute nothing. Values live in the arena. */
#ifndef REPORT_SHEET_H
#define REPORT_SHEET_H

#include "report/campaign_table.h"
#include "report/compare.h"
#include "report/report.h"
#include "report/table.h"

enum { SHEET_PARTS = 64, SHEET_SOURCES = 12 };

struct sheet {
    struct arena *a;
    const char *language;
    const char *kind, *id; /* "model", "ann": names for programs */
    const char *title, *lead;
    struct sheet_part {
        const char *id, *title;
        struct table *t;
    } parts[SHEET_PARTS];
    size_t nparts;
    const char *note;                     /* below the tables; NULL: none */
    struct report sources[SHEET_SOURCES]; /* the runs behind the numbers */
    size_t nsources;
};

/* All runs of the model, and its dimensions in the newest run of each suite. E_ABSENT: none. */
CHECKED enum status sheet_model(struct arena *a, struct store *s, const char *name,
                                const char *language, struct sheet *out, struct err *e);
CHECKED enum status sheet_compare(struct arena *a, struct store *s, const struct compare *c,
                                  const char *language, struct sheet *out, struct err *e);
CHECKED enum status sheet_campaign(struct arena *a, struct store *s, const struct campaign_view *v,
                                   const char *language, struct sheet *out, struct err *e);

/* ---- renderers: append to out ---- */

void sheet_html(const struct sheet *x, struct buf *out); /* self-contained, no external links */
void sheet_markdown(const struct sheet *x, struct buf *out);
void sheet_csv(const struct sheet *x, struct buf *out);
void sheet_json(const struct sheet *x, struct buf *out);
void sheet_terminal(const struct sheet *x, const struct render_terminal *how, struct buf *out);

#endif
