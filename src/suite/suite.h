/* suite.h - read suite files and items; find every fault in them at once.
 *
 * A suite is read from YAML into a struct suite, with its characters and templates resolved.
 * suite_freeze() writes the same thing as one JSON text, which a run stores; suite_thaw() reads it
 * back, so that a run never looks at the files again. */
#ifndef SUITE_SUITE_H
#define SUITE_SUITE_H

#include "base/doc.h"
#include "suite/vocab.h"

extern const struct shape suite_shape, suite_template_shape; /* see shape.h */

struct bank;
struct endpoint;

/* Where the items of a suite come from. */
struct item_source {
    const char *path; /* a JSONL or CSV file to be streamed; NULL: `inline_items` or `bank` */
    enum { ITEMS_INLINE, ITEMS_JSONL, ITEMS_CSV, ITEMS_BANK } format;
    const struct node *inline_items; /* list node, from the suite itself or from a YAML/JSON file */
    const struct bank *bank;         /* whose papers are drawn: the sittings of an interview */
    struct place at;
    const struct node
        *suite; /* of the first: the suite file, for faults that only all items show */
    struct item_source *next; /* a suite may name several files */
};

/* Faults are added to d; NULL when the file cannot be read at all. With faults the result
 * is fit for further checks only. */
struct suite *suite_load(struct arena *a, const char *path, struct item_source **items,
                         struct diags *d);

const char *suite_freeze(struct arena *a, const struct suite *s);
/* What of it is part of a run's key. */
const char *suite_hashed(struct arena *a, const struct suite *s);
CHECKED enum status suite_thaw(struct arena *a, struct str frozen, struct suite *out,
                               struct err *e);

/* Items one by one, in order, in little memory (eight bytes or so per item, to know their ids); of
 * groups that the suite picks from, those that its seed draws. An item lives until the next call.
 * Faults (a missing prompt, an id twice, an unknown character, a name of the elicitation template
 * that the item does not fill) are added to d at their place and the item is passed over. Files
 * without any item are a fault too. */
struct item_reader;
struct item_reader *item_reader_new(const struct suite *s, const struct item_source *from,
                                    struct diags *d);
/* What this model's own template names is wanted of every item too. Call before the first item. */
void item_reader_model(struct item_reader *r, const struct endpoint *model);
bool item_reader_next(struct item_reader *r, struct item *out);
void item_reader_free(struct item_reader *r);

/* An item as stored in a run, and back. */
const char *item_freeze(struct arena *a, const struct item *item);
CHECKED enum status item_thaw(struct arena *a, struct str frozen, struct item *out, struct err *e);
/* The same of what is asked, whatever its author says of it. */
const char *item_asked(struct arena *a, const struct item *item);

/* A template by name ("rubric.zh": built in), or by path as seen from `beside` (NULL: from here).
 * Faults at `at`. */
bool suite_template(struct arena *a, const char *name, const char *beside, struct place at,
                    struct template *out, struct diags *d);

/* Worked examples of a file that is no suite, under the same key and in the same form; the marks
 * are those of s. */
const struct example *suite_examples(struct arena *a, const struct node *root, const char *beside,
                                     const struct suite *s, size_t *n, struct diags *d);

/* The same where it is written: a text, a name, a file or a map {name, system, user, repair}. */
bool suite_template_at(struct arena *a, const struct node *n, const char *beside,
                       struct template *out, struct diags *d);

/* No name of it is one that the model which is asked must not see. */
void suite_check_hidden(const struct template *t, struct place at, struct diags *d);
/* Every {{name}} of a model's own template is filled by this item of this suite; faults name both.
 * For items that are stored: the item reader sees to others. */
void suite_check_filled(const struct suite *s, const struct endpoint *model,
                        const struct item *item, struct diags *d);

/* What judge templates may name in their system and user texts, up to a NULL. Whoever fills them
 * fills all of these. */
extern const char *const suite_judge_names[];
/* The same of the follow-up texts of an interview. */
extern const char *const suite_follow_up_names[];
/* Every {{name}} of a judge template is one of them. suite_load() has done this for its own. */
void suite_check_judge(const struct template *t, struct place at, struct diags *d);
/* Every slot that it names has a text in this suite; a judge who is told "## Steps" and then
 * nothing is told something else than was meant. */
void suite_check_slots(const struct suite *s, const struct template *t, struct place at,
                       struct diags *d);

#endif
