/* suite_read.h - private to the files that read suites. */
#ifndef SUITE_SUITE_READ_H
#define SUITE_SUITE_READ_H

#include "suite/bank.h"
#include "suite/field.h"
#include "suite/shape.h"
#include "suite/suite.h"

/* State of reading one suite. */
struct suite_reading {
    struct arena *a;
    struct diags *d;
    const char *path; /* of the suite file; NULL: from the store, and no files may be named */
    struct suite *s;
    const struct bank *bank; /* interviews: NULL if it has errors */
};

/* shape_read() with the settings of this suite. */
bool suite_read_shape(const struct suite_reading *r, const struct shape *s, const struct node *n,
                      void *out);
/* Loads the file that n names and that errors call `what`; NULL on errors. */
const struct node *suite_read_file(const struct suite_reading *r, const struct node *n,
                                   const char *what);
extern const struct shape suite_elicit_shape, suite_words_shape, suite_dialogue_words_shape,
    suite_user_shape, suite_cast_shape, suite_follow_up_shape, suite_instrument_shape,
    suite_dimension_shape, suite_level_shape, suite_band_shape, suite_scene_shape, suite_used_shape,
    suite_rules_shape, suite_judge_shape, suite_score_shape, suite_example_shape,
    suite_character_shape, suite_item_shape, suite_item_card_shape;

/* Lengths of lists that are read by hand. */
enum {
    EXAMPLES_MAX = 100,
    DIMENSIONS_MAX = 64,
    LEVELS_MIN = 2,
    LEVELS_MAX = 21,
    BANDS_MAX = 21,
    SYSTEMS_MAX = 1000,
};

/* Reads everything but the items, from a suite file or from the output of suite_freeze(). */
void suite_read(struct suite_reading *r, const struct node *root);
void suite_read_characters(struct suite_reading *r, const struct node *root);
void suite_read_instrument(struct suite_reading *r, const struct node *n);
/* Reads the rules from n; NULL: none are given. */
void suite_read_rules(struct suite_reading *r, const struct node *n);
void suite_read_examples(struct suite_reading *r, const struct node *root);
void suite_read_pick(struct suite_reading *r, const struct node *root);

/* Loads the scene that an instrument names, built in or a file. Returns NULL on errors, and if `n`
 * is just a text; *named tells the two apart. */
const struct node *suite_scene_load(struct suite_reading *r, const struct node *n, bool *named);
/* Reports that there is no built-in scene of this name. */
void suite_scene_unknown(struct suite_reading *r, const struct node *n);
/* Bands and steps as text for judges. Marks range from min to max. */
struct str suite_scene_bands(struct suite_reading *r, const struct node *n, double min, double max);
struct str suite_scene_steps(struct suite_reading *r, const struct node *n);

/* Selects the items that are used from the groups in `pick`. Pass all items to suite_pick_look(),
 * call suite_pick_check(), then ask suite_pick_has(). */
struct suite_draw;
struct suite_draw *suite_pick_draw(struct arena *a, const struct suite *s);
void suite_pick_look(struct suite_draw *draw, const struct item *item);
/* Reports groups with too few items, at the suite's `pick` (NULL: location unknown). */
void suite_pick_check(const struct suite_draw *draw, const struct node *pick, struct diags *d);
bool suite_pick_has(const struct suite_draw *draw, const struct item *item);

/* Reads a file that may hold items. NULL on errors: if it is too large, they say what to do. */
const struct source *suite_source(struct arena *a, const char *path, struct place at,
                                  struct diags *d);
/* The sources of its items; NULL on errors. */
struct item_source *suite_read_items(struct suite_reading *r, const struct node *root);

/* Names that an elicitation template may use besides the item's own keys; NULL-terminated. */
enum { SUITE_NAMES = 6 };
extern const char *const suite_names[SUITE_NAMES + 1];
bool suite_knows(struct str name);
/* True for names that it must never use, because the model under test must not see them. */
bool suite_hides(struct str name);
/* True if the template's system or user text uses {{slot}}. */
bool suite_template_names(const struct template *t, const char *slot);
/* True for names that only a suite with a character can fill. */
bool suite_needs_character(struct str name);

/* Reads the template and the bank of an interview from `elicit`. */
void suite_read_interview(struct suite_reading *r, const struct node *elicit);
/* Reads the template, the users or the cast and the context of a dialogue from `elicit`. */
void suite_read_dialogue(struct suite_reading *r, const struct node *elicit);

/* Loads a template that does not depend on items: the one that `elicit` names, or the built-in one
 * of this kind in the suite's language. NULL on errors. */
const struct node *suite_words_load(struct suite_reading *r, const struct node *elicit,
                                    const char *kind);
/* Reports every {{name}} of a text that is not in `known`. */
void suite_check_names(struct suite_reading *r, struct str text, const char *const *known,
                       struct place at);

#endif
