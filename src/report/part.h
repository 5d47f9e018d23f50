/* part.h - the parts of the HTML report, shared between the files that write it. */
#ifndef REPORT_PART_H
#define REPORT_PART_H

#include "report/html.h"
#include "report/report.h"
#include "report/wording.h"

struct part {
    struct html *h;
    const struct report *r;
    const char *language;
    int decimals;
    const char *flags; /* the page where flags stand with their evidence; NULL: this one */
};

const char *part_word(const struct part *p, enum word w);
/* A number of this report's scores; "–" when undefined. In the scratch arena. */
const char *part_number(const struct part *p, double v);
/* <section id><h2>; the caller closes it. */
void part_section(const struct part *p, const char *id, enum word title);

/* A block of somebody's text, line breaks kept; `mark` (may be empty) is highlighted where it
 * stands first. */
void part_quote(const struct part *p, const char *cls, struct str text, struct str mark);

/* Of an interview: what bears a mark out and what is advised; signs, probes and transcript. */
void part_comment(const struct part *p, const struct report_sample *s, const struct report_mark *m);
void part_sitting(const struct part *p, const struct report_sample *s);
/* The turn of a conversation that a flag is about: the one that it names, else the first with the
 * words that gave it away; 0: the whole, or none that can be told. */
int64_t part_flag_turn(const struct report_sample *s, const struct flag_row *f);
/* A link to a turn; its transcript stands on this page. */
void part_turn_link(const struct part *p, const struct report_sample *s, int64_t turn);
/* Behind the judge: what a verdict is about, if not the whole; a stretch leads to where it begins.
 */
void part_about(const struct part *p, const struct report_sample *s,
                const struct report_verdict *v);

void part_flags(const struct part *p);   /* with the two answers side by side */
void part_samples(const struct part *p); /* every answer with what was said about it */

#endif
