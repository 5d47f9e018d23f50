/* size_table.h - what it would take to know the scores of a run better. */
#ifndef REPORT_SIZE_TABLE_H
#define REPORT_SIZE_TABLE_H

#include "gauge/size.h"
#include "report/report.h"
#include "report/table.h"

struct size_asked {
    struct size_question q;
    double now;         /* half-width of the widest interval that is printed; NaN: there is none */
    const char *widest; /* model; NULL: there is none */
};

/* From the numbers of a report. False: nothing is known about its noise. */
bool size_table_ask(const struct report *r, double half, struct size_asked *out);
struct table *size_table(struct arena *a, const struct size_asked *q,
                         const struct size_option *options, size_t n, const char *language);

#endif
