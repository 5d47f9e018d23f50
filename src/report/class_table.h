/* class_table.h - quality and results of a classifier, for the terminal and as JSON. */
#ifndef REPORT_CLASS_TABLE_H
#define REPORT_CLASS_TABLE_H

#include "base/json.h"
#include "exchange/classifier.h"

struct class_table {
    const char *path; /* file with the labelled lines */
    const struct labels *labels;
    const struct classifier_measures *measures;
    int folds; /* of cross-validation; 0: evaluated on lines it was not trained on */
};

void class_table_measures(const struct class_table *t, struct buf *out);
json_t *class_table_measures_json(const struct class_table *t);

/* The share above one threshold, and above a series of thresholds. */
void class_table_rate(const struct interval *rate, double threshold, struct buf *out);
void class_table_curve(const struct classifier_point *curve, struct buf *out);
json_t *class_table_rate_json(const struct interval *rate, double threshold);
json_t *class_table_curve_json(const struct classifier_point *curve);

#endif
