/* part.h - parts of the HTML report, shared by the files that write it. */
#ifndef REPORT_PART_H
#define REPORT_PART_H

#include "report/html.h"
#include "report/report.h"
#include "report/wording.h"

struct part {
    struct html *h;
    const struct report *r;
    const char *language;
    const char *flags; /* URL of the page that shows flags with their evidence; NULL: this page */
};

const char *part_word(const struct part *p, enum word w);
/* <section id><h2>; the caller closes it. */
void part_section(const struct part *p, const char *id, enum word title);

/* A block of text by others, with its line breaks; the first occurrence of `mark` (may be empty)
 * is highlighted. */
void part_quote(const struct part *p, const char *cls, struct str text, struct str mark);

/* Interviews: quotations and advice; signs, probes and transcript. */
void part_comment(const struct part *p, const struct report_sample *s, const struct report_mark *m);
void part_sitting(const struct part *p, const struct report_sample *s);
/* The turn a flag is about: the one it names, otherwise the first that contains the words of its
 * evidence; 0: the whole conversation, or unknown. */
int64_t part_flag_turn(const struct report_sample *s, const struct flag_row *f);
/* A link to a turn; its transcript is on this page. */
void part_turn_link(const struct part *p, const struct report_sample *s, int64_t turn);
/* After the judge's name: what a verdict is about, if not the whole; a range of turns links to
 * its first. */
void part_about(const struct part *p, const struct report_sample *s,
                const struct report_verdict *v);

void part_flags(const struct part *p);   /* with the two answers side by side */
void part_samples(const struct part *p); /* every answer with what was said about it */

#endif
