/* suite.h - reads suite files and items, and reports all errors in them at once.
 *
 * A suite is read from YAML into a struct suite, with its characters and templates resolved.
 * suite_freeze() serializes it as one JSON text, which a run stores; suite_thaw() reads that back,
 * so that a run never looks at the files again. */
#ifndef SUITE_SUITE_H
#define SUITE_SUITE_H

#include "base/doc.h"
#include "suite/vocab.h"

extern const struct shape suite_shape, suite_template_shape; /* see shape.h */

struct bank;
struct endpoint;

/* Where the items of a suite come from: a linked list. */
struct item_source {
    const char *path; /* JSONL or CSV file to stream; NULL: `inline_items` or `bank` */
    enum { ITEMS_INLINE, ITEMS_JSONL, ITEMS_CSV, ITEMS_BANK } format;
    const struct node *inline_items; /* list node, from the suite itself or a YAML/JSON file */
    const struct bank *bank;         /* interviews: sittings are drawn from this bank */
    struct place at;
    const struct node
        *suite; /* first source only: the suite file, for errors that concern all items */
    struct item_source *next; /* a suite may name several files */
};

/* Errors go to d; NULL if the file cannot be read at all. If there were errors, the result is only
 * fit for further checks. */
struct suite *suite_load(struct arena *a, const char *path, struct item_source **items,
                         struct diags *d);

const char *suite_freeze(struct arena *a, const struct suite *s);
/* The part that goes into a run's key. */
const char *suite_hashed(struct arena *a, const struct suite *s);
CHECKED enum status suite_thaw(struct arena *a, struct str frozen, struct suite *out,
                               struct err *e);

/* Reads items one by one, in order, in little memory (about eight bytes per item, for its id). From
 * groups that the suite picks from, returns only those that its seed draws. An item is valid until
 * the next call. Errors (a missing prompt, a duplicate id, an unknown character, a name of the
 * elicitation template that the item does not fill) are added to d with their location, and the
 * item is skipped. Having no items at all is an error too. */
struct item_reader;
struct item_reader *item_reader_new(const struct suite *s, const struct item_source *from,
                                    struct diags *d);
/* Also requires every item to fill the names used by this model's own template. Call before the
 * first item. */
void item_reader_model(struct item_reader *r, const struct endpoint *model);
bool item_reader_next(struct item_reader *r, struct item *out);
void item_reader_free(struct item_reader *r);

/* Serialized as stored in a run, and the inverse. */
const char *item_freeze(struct arena *a, const struct item *item);
CHECKED enum status item_thaw(struct arena *a, struct str frozen, struct item *out, struct err *e);
/* Same without the author's notes: only what is asked. */
const char *item_asked(struct arena *a, const struct item *item);

/* Loads a template by name ("rubric.zh": built in) or by path, resolved against `beside` (NULL: the
 * current directory). Errors are reported at `at`. */
bool suite_template(struct arena *a, const char *name, const char *beside, struct place at,
                    struct template *out, struct diags *d);

/* Reads worked examples from a file that is not a suite, under the same key and in the same form,
 * with marks for the dimensions of s. */
const struct example *suite_examples(struct arena *a, const struct node *root, const char *beside,
                                     const struct suite *s, size_t *n, struct diags *d);

/* Loads a template from a node: a text, a name, a file or a map {name, system, user, repair}. */
bool suite_template_at(struct arena *a, const struct node *n, const char *beside,
                       struct template *out, struct diags *d);

/* Reports names that the model under test must not see. */
void suite_check_hidden(const struct template *t, struct place at, struct diags *d);
/* Reports every {{name}} of a model's own template that this item does not fill. For stored items:
 * the item reader checks the others. */
void suite_check_filled(const struct suite *s, const struct endpoint *model,
                        const struct item *item, struct diags *d);

/* The names that judge templates may use in their system and user texts, NULL-terminated. Whoever
 * fills a template provides all of them. */
extern const char *const suite_judge_names[];
/* Same for the follow-up texts of an interview. */
extern const char *const suite_follow_up_names[];
/* Reports names in a judge template that are none of these. suite_load() checks its own. */
void suite_check_judge(const struct template *t, struct place at, struct diags *d);
/* Reports slots of a judge template for which the suite has no text: a heading with nothing below
 * it would mislead judges. */
void suite_check_slots(const struct suite *s, const struct template *t, struct place at,
                       struct diags *d);

#endif
