/* suite_read.h - between the files that read suites; nobody else includes it. */
#ifndef SUITE_SUITE_READ_H
#define SUITE_SUITE_READ_H

#include "suite/bank.h"
#include "suite/field.h"
#include "suite/suite.h"

/* One suite that is being read. */
struct suite_reading {
    struct arena *a;
    struct diags *d;
    const char *path; /* of the suite file; NULL: from the store, so that no file may be named */
    struct suite *s;
    const struct bank *bank; /* of an interview; NULL: none, or one with faults */
};

/* Everything but the items. The same for a suite file and for what suite_freeze() wrote. */
void suite_read(struct suite_reading *r, const struct node *root);
void suite_read_characters(struct suite_reading *r, const struct node *root);
void suite_read_instrument(struct suite_reading *r, const struct node *n);
/* The rules, from n (NULL: none are named); and written out in full. */
void suite_read_rules(struct suite_reading *r, const struct node *n);
json_t *suite_rules_json(struct arena *a, const struct rules *rules);
/* An instrument of kind pair, and a score of kind rating, which belong together. */
void suite_read_pair(struct suite_reading *r, const struct node *n);
void suite_read_rating(struct suite_reading *r, const struct node *n);
/* A judge of pairs is shown both answers, any other one answer. */
void suite_check_pair_slots(const struct suite *s, const struct template *t, struct place at,
                            struct diags *d);
void suite_read_examples(struct suite_reading *r, const struct node *root);
void suite_read_pick(struct suite_reading *r, const struct node *root);

/* The scene that an instrument names, built in or a file. NULL when it is faulty, and when `n` is
 * simply a text; *named tells the two apart. */
const struct node *suite_scene_load(struct suite_reading *r, const struct node *n, bool *named);
/* No scene is built in under this name. */
void suite_scene_unknown(struct suite_reading *r, const struct node *n);
/* Bands and steps as judges read them. Marks go from min to max. */
struct str suite_scene_bands(struct suite_reading *r, const struct node *n, double min, double max);
struct str suite_scene_steps(struct suite_reading *r, const struct node *n);

/* Which items of the groups in `pick` are used. Look at all items, end, then ask. */
struct suite_draw;
struct suite_draw *suite_pick_draw(struct arena *a, const struct suite *s);
void suite_pick_look(struct suite_draw *draw, const struct item *item);
/* Groups that have too few are faults, in the suite's `pick` (NULL: place unknown). */
void suite_pick_check(const struct suite_draw *draw, const struct node *pick, struct diags *d);
bool suite_pick_has(const struct suite_draw *draw, const struct item *item);

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
/* What a suite without a character does not fill. */
bool suite_needs_character(struct str name);

/* An interview, from `elicit`; and its template, written out. */
void suite_read_interview(struct suite_reading *r, const struct node *elicit);
json_t *suite_interview_json(const struct interview *how);

/* Words of the file, by the value of the enum. */
extern const char *const suite_elicit_words[3];
extern const char *const suite_examiner_words[3];
extern const char *const suite_score_words[6];
extern const char *const suite_round_words[4];

#endif
