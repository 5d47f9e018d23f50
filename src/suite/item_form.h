/* item_form.h - one item of a suite: from what stands in a file to a struct item, with its faults.
 *
 * Between the files that read items; nobody else includes it. */
#ifndef SUITE_ITEM_FORM_H
#define SUITE_ITEM_FORM_H

#include "base/map.h"
#include "suite/id_set.h"
#include "suite/suite.h"

enum { ITEM_VARS_MAX = 1000 };

/* What is asked of every item, and what is remembered from one to the next. */
struct item_form {
    const struct suite *suite;
    struct arena *kept;
    struct item_need *needs;
    struct map keys;   /* unknown keys that were looked at */
    struct id_set ids; /* of the items so far; whoever takes an item adds its own */
    int untagged;      /* items reported for having no system message */
    bool wants_topic;  /* a template names it */
    bool varies;       /* an item so far has other forms */
};

void item_form_init(struct item_form *f, const struct suite *s);
void item_form_done(struct item_form *f);
/* What this model's own template names is wanted of every item too. */
void item_form_model(struct item_form *f, const struct endpoint *model, struct diags *d);

/* A template names it. */
bool item_form_needs(const struct item_form *f, struct str name);

/* Whether faults are only looked for, or said. */
enum item_pass { ITEM_PROBE, ITEM_REPORT };

struct item_check {
    struct item_form *form;
    struct arena *a; /* of the item */
    struct diags *d;
    enum item_pass pass;
    int64_t position; /* of the item, from 1: its id where it has none */
};

/* False when the item has a fault. */
bool item_form_read(const struct item_check *c, const struct node *n, struct item *out);

#endif
