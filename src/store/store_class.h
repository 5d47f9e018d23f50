/* store_class.h - results of classifiers. */
#ifndef STORE_STORE_CLASS_H
#define STORE_STORE_CLASS_H

#include "store/store.h"

/* A classifier's name, and what distinguishes it from others of that name. */
struct class_name {
    const char *name, *identity;
    const char *label; /* the class for which logits are above 0 */
};

/* Deletes results of another classifier of this name on the run; *any: there were some. */
CHECKED enum status store_class_forget(struct store *s, int64_t run, const struct class_name *c,
                                       bool *any, struct err *e);

struct id_list {
    int64_t *v;
    size_t n;
};
/* Answers without a result of the classifier, ordered by id. */
CHECKED enum status store_class_missing(struct arena *a, struct store *s, int64_t run,
                                        const char *classifier, struct id_list *out, struct err *e);
CHECKED enum status store_class_answer(struct arena *a, struct store *s, int64_t sample,
                                       struct str *out, struct err *e);
CHECKED enum status store_class_put(struct store *s, int64_t sample, const struct class_name *c,
                                    double logit, struct err *e);

/* The class that its rate counts, or its name if no class was stored. */
CHECKED enum status store_class_label(struct arena *a, struct store *s, int64_t run,
                                      const char *classifier, const char **out, struct err *e);

struct logit_list {
    double *v;
    size_t n;
};
CHECKED enum status store_class_logits(struct arena *a, struct store *s, int64_t run,
                                       const char *classifier, struct logit_list *out,
                                       struct err *e);

/* How many answers of a model to one item it has classified, and how many of the logits are above
 * 0. */
struct class_tally {
    const char *model, *classifier;
    int64_t n, above;
};
struct class_tally_list {
    struct class_tally *v;
    size_t n;
};
/* Ordered by classifier, then model, then item. */
CHECKED enum status store_class_tally(struct arena *a, struct store *s, int64_t run,
                                      struct class_tally_list *out, struct err *e);

#endif
