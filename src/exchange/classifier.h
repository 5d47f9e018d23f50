/* classifier.h - a classifier of short texts, trained here, and what it is worth.
 *
 * Logistic regression (math/linear.h) on hashed character n-grams (text/hashed.h). A text's logit
 * is the log odds of the positive label; it has that label when the logit exceeds the threshold, 0
 * unless told otherwise.
 *
 * The file is text: a line of JSON, then a line "PLACE WEIGHT" for each weight that is not 0.
 *
 *     {"format":"classifier","version":1,"labels":["plain","polite"],"lines":200,
 *      "constant":0.12,"weights":5210,"hash":"..."}
 *
 * The hash covers everything else, so that a file that was cut or changed is refused rather than
 * believed; it is also how two classifiers of one name are told apart. */
#ifndef EXCHANGE_CLASSIFIER_H
#define EXCHANGE_CLASSIFIER_H

#include "base/hash.h"
#include "exchange/labels.h"
#include "math/interval.h"
#include "math/linear.h"

struct classifier {
    const char *labels[2]; /* [1]: the positive one */
    int64_t lines;         /* it was trained on */
    struct linear_model model;
    char hash[HASH_HEX];
};

CHECKED enum status classifier_train(struct arena *a, const struct labels *l,
                                     struct classifier *out, struct err *e);

/* A text in which nothing is left to hash has the logit of the constant alone. */
double classifier_logit(const struct classifier *c, struct str text);

/* The hash of all that a file holds. */
void classifier_seal(const struct classifier *c, char out[HASH_HEX]);
CHECKED enum status classifier_save(const struct classifier *c, const char *path, struct err *e);
CHECKED enum status classifier_load(struct arena *a, const char *path, struct classifier *out,
                                    struct err *e);
/* The same from text; `path` is for messages. */
CHECKED enum status classifier_parse(struct arena *a, struct str text, const char *path,
                                     struct classifier *out, struct err *e);

/* Each line's logit by a classifier that has not seen it: folds are drawn by the seed, both labels
 * spread evenly. E_INPUT when a label has fewer lines than there are folds. logits[l->n]. */
CHECKED enum status classifier_cross(const struct labels *l, int folds, uint64_t seed,
                                     double *logits, struct err *e);

/* ---- what logits are worth, where the labels are known ---- */

enum { CLASSIFIER_BINS = 10 };

struct classifier_bin {
    size_t n, positive;
    double predicted; /* mean probability; NaN: none in it */
};

struct classifier_measures {
    size_t n, positive;
    size_t hits, false_alarms, misses;           /* at threshold 0 */
    struct interval accuracy;                    /* 95 % */
    struct interval precision, recall;           /* of the positive label; NaN: undefined */
    double log_loss;                             /* nats a line */
    struct classifier_bin bins[CLASSIFIER_BINS]; /* by probability */
    double calibration_error; /* mean distance of predicted and observed, bins by their n */
};

struct classifier_measures classifier_measure(const struct labels *l, const double *logits);

/* ---- how many are above a threshold ---- */

enum { CLASSIFIER_CURVE = 11 };

struct classifier_point {
    double threshold;
    struct interval rate; /* 95 %, texts taken as independent */
};

struct interval classifier_rate(const double *logits, size_t n, double threshold);
/* The rate at thresholds from -4 to 4. */
void classifier_curve(const double *logits, size_t n, struct classifier_point *out);

#endif
