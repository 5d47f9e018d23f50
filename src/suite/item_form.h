/* item_form.h - parses and checks one item of a suite.
 *
 * Private to the files that read items. */
#ifndef SUITE_ITEM_FORM_H
#define SUITE_ITEM_FORM_H

#include "base/map.h"
#include "suite/id_set.h"
#include "suite/suite.h"

enum { ITEM_VARS_MAX = 1000 };

/* Requirements on every item, and state carried from one item to the next. */
struct item_form {
    const struct suite *suite;
    struct arena *kept;
    struct item_need *needs;
    struct map keys;   /* unknown keys already checked */
    struct id_set ids; /* ids seen so far; the caller adds the id of each item it accepts */
    int untagged;      /* number of errors reported for items without a system message */
    bool wants_topic;  /* a template uses {{topic}} */
    bool varies;       /* an item so far has slots */
};

void item_form_init(struct item_form *f, const struct suite *s);
void item_form_done(struct item_form *f);
/* Also requires every item to fill the names used by this model's own template. */
void item_form_model(struct item_form *f, const struct endpoint *model, struct diags *d);

/* True if a template uses this name. */
bool item_form_needs(const struct item_form *f, struct str name);

/* ITEM_PROBE only detects errors; ITEM_REPORT reports them. */
enum item_pass { ITEM_PROBE, ITEM_REPORT };

struct item_check {
    struct item_form *form;
    struct arena *a; /* for the item */
    struct diags *d;
    enum item_pass pass;
    int64_t position; /* of the item, from 1; serves as its id if it has none */
};

/* Returns false if the item has errors. */
bool item_form_read(const struct item_check *c, const struct node *n, struct item *out);

#endif
