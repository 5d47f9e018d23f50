/* class_table.h - what a classifier is worth and how much it finds, for terminals and as JSON. */
#ifndef REPORT_CLASS_TABLE_H
#define REPORT_CLASS_TABLE_H

#include "base/json.h"
#include "exchange/classifier.h"

struct class_table {
    const char *path; /* of the labelled lines */
    const struct labels *labels;
    const struct classifier_measures *measures;
    int folds; /* of cross-validation; 0: the lines were not trained on */
};

void class_table_measures(const struct class_table *t, struct buf *out);
json_t *class_table_measures_json(const struct class_table *t);

/* The share above a threshold, and above others. */
void class_table_rate(const struct interval *rate, double threshold, struct buf *out);
void class_table_curve(const struct classifier_point *curve, struct buf *out);
json_t *class_table_rate_json(const struct interval *rate, double threshold);
json_t *class_table_curve_json(const struct classifier_point *curve);

#endif
