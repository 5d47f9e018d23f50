/* suite_read.h - between the files that read suites; nobody else includes it. */
#ifndef SUITE_SUITE_READ_H
#define SUITE_SUITE_READ_H

#include "suite/bank.h"
#include "suite/field.h"
#include "suite/shape.h"
#include "suite/suite.h"

/* One suite that is being read. */
struct suite_reading {
    struct arena *a;
    struct diags *d;
    const char *path; /* of the suite file; NULL: from the store, so that no file may be named */
    struct suite *s;
    const struct bank *bank; /* of an interview; NULL: none, or one with faults */
};

/* shape_read() for it. */
bool suite_read_shape(const struct suite_reading *r, const struct shape *s, const struct node *n,
                      void *out);
extern const struct shape suite_elicit_shape, suite_words_shape, suite_dialogue_words_shape,
    suite_user_shape, suite_cast_shape, suite_follow_up_shape, suite_instrument_shape,
    suite_dimension_shape, suite_level_shape, suite_band_shape, suite_scene_shape, suite_used_shape,
    suite_rules_shape, suite_rule_shape, suite_asked_shape, suite_duplicate_shape,
    suite_identity_shape, suite_training_shape, suite_judge_shape, suite_score_shape,
    suite_example_shape, suite_character_shape, suite_item_shape, suite_item_card_shape,
    suite_turn_shape;

/* Everything but the items. The same for a suite file and for what suite_freeze() wrote. */
void suite_read(struct suite_reading *r, const struct node *root);
void suite_read_characters(struct suite_reading *r, const struct node *root);
void suite_read_instrument(struct suite_reading *r, const struct node *n);
/* The rules, from n (NULL: none are named). */
void suite_read_rules(struct suite_reading *r, const struct node *n);
/* A score of kind rating, which belongs to pairs. */
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

/* Where its items are; NULL when that is nowhere. */
struct item_source *suite_read_items(struct suite_reading *r, const struct node *root);

/* What an elicitation template may name besides the item's own keys. */
enum { SUITE_NAMES = 6 };
extern const char *const suite_names[SUITE_NAMES];
bool suite_knows(struct str name);
/* What it may never name, because the model that is asked must not see it. */
bool suite_hides(struct str name);
/* Does the template use {{slot}}? */
bool suite_template_names(const struct template *t, const char *slot);
/* What a suite without a character does not fill. */
bool suite_needs_character(struct str name);

/* The bank and the template of an interview, from `elicit`. */
void suite_read_interview(struct suite_reading *r, const struct node *elicit);
/* The users, the context and the template of a dialogue. */
void suite_read_dialogue(struct suite_reading *r, const struct node *elicit);

/* A template that no item fills: the one that `elicit` names, or the built-in one of this kind in
 * the suite's language. NULL: it has faults. */
const struct node *suite_words_load(struct suite_reading *r, const struct node *elicit,
                                    const char *kind);
/* Every {{name}} of a text is one of these. */
void suite_check_names(struct suite_reading *r, struct str text, const char *const *known,
                       struct place at);

#endif
