/* size_table.h - how to make the scores of a run more precise. */
#ifndef REPORT_SIZE_TABLE_H
#define REPORT_SIZE_TABLE_H

#include "gauge/size.h"
#include "report/report.h"
#include "report/table.h"

struct size_asked {
    struct size_question q;
    double now;         /* half-width of the widest interval shown; NaN: none */
    const char *widest; /* name of that model; NULL: none */
};

/* Derives the question from a report. False: nothing is known about its noise. */
bool size_table_ask(const struct report *r, double half, struct size_asked *out);
struct table *size_table(struct arena *a, const struct size_asked *q,
                         const struct size_option *options, size_t n, const char *language);

#endif
