/* suite_read.h - between the files that read suites; nobody else includes it. */
#ifndef EVAL_SUITE_READ_H
#define EVAL_SUITE_READ_H

#include "eval/field.h"
#include "eval/suite.h"

/* One suite that is being read. */
struct suite_reading {
    struct arena *a;
    struct diags *d;
    const char *path; /* of the suite file; NULL: from the store, so that no file may be named */
    struct suite *s;
};

/* Everything but the items. The same for a suite file and for what suite_freeze() wrote. */
void suite_read(struct suite_reading *r, const struct node *root);
void suite_read_characters(struct suite_reading *r, const struct node *root);
void suite_read_instrument(struct suite_reading *r, const struct node *n);
/* A template where it is used: a text, a name, a file or a map of texts. */
void suite_read_template(struct suite_reading *r, const struct node *n, struct template *out);

/* Where its items are; NULL when that is nowhere. */
struct item_source *suite_read_items(struct suite_reading *r, const struct node *root);

/* What an elicitation template may name besides the item's own keys. */
enum { SUITE_NAMES = 6 };
extern const char *const suite_names[SUITE_NAMES];
bool suite_knows(struct str name);
/* What it may never name, because the model that is asked must not see it. */
bool suite_hides(struct str name);

/* Words of the file, by the value of the enum. */
extern const char *const suite_elicit_words[2];
extern const char *const suite_score_words[4];
extern const char *const suite_round_words[4];

#endif
