/* share/keys/campaign.yaml explains the keys. Campaigns store the file with all defaults, not
 * this struct. */
#include "panel/spec_keys.h"

#include <math.h>

#include "panel/spec.h"

#define AT(type, member) .at = offsetof(struct type, member)

static const char *const open_words[] = {"no", "yes"};
static const char *const reference_words[] = {"no", "takes-part"},
                         *const repeat_words[] = {"first", "all"},
                         *const count_words[] = {"everyone", "completers"},
                         *const delete_words[] = {"personal", "everything"};

static const struct shape_key question_keys[] = {
    {"id", SHAPE_ID, AT(question, id)},
    {"text", .type = SHAPE_OWN},
    {"options", SHAPE_OWN, .min = OPTIONS_MIN, .max = OPTIONS_MAX},
};
const struct shape spec_question_shape = {SHAPE_OF("question", question_keys, struct question)};

/* The last three are newer: campaigns stored before do not have them. */
static const struct shape_key practice_keys[] = {
    {"texts", SHAPE_LONG, AT(practice, texts), .min = 1, .max = 50, .otherwise = 6},
    {"attempts", SHAPE_LONG, AT(practice, attempts), .min = 1, .max = 5, .otherwise = 2},
    {"exact", SHAPE_REAL, AT(practice, exact), .max = 1, .otherwise = 0.5},
    {"within", SHAPE_REAL, AT(practice, within), .max = 1, .otherwise = 0.9},
    {"bias", SHAPE_REAL, AT(practice, bias), .max = 100, .otherwise = 0.5},
    {"kappa", SHAPE_REAL, AT(practice, kappa), .min = -1, .max = 1, .otherwise = 0.6},
    {"kappa_from", SHAPE_LONG, AT(practice, kappa_from), .min = 2, .max = 10000, .otherwise = 20},
    {"silent", SHAPE_REAL, AT(practice, silent), .max = 0.5, .otherwise = 0.1, .since = "0.1"},
    {"again_items", SHAPE_LONG, AT(practice, again_items), .max = 10000, .otherwise = 20,
     .since = "0.1"},
    {"again_days", SHAPE_LONG, AT(practice, again_days), .max = 3650, .otherwise = 14,
     .since = "0.1"},
};
const struct shape spec_practice_shape = {SHAPE_OF("practice", practice_keys, struct practice)};

static const struct shape_key exclusion_keys[] = {
    {"faster_than", SHAPE_REAL, AT(exclusion, faster_than), .max = 1000, .otherwise = NAN},
    {"same_marks", SHAPE_REAL, AT(exclusion, same_marks), .max = 1, .otherwise = NAN},
    {"anchor_error", SHAPE_REAL, AT(exclusion, anchor_error), .max = 1000, .otherwise = NAN},
};
static const struct shape spec_exclusion_shape = {
    SHAPE_OF("exclude", exclusion_keys, struct exclusion)};

static const struct shape_key consent_keys[] = {
    {"version", SHAPE_WORD, AT(spec, consent_version)},
    {"text", .type = SHAPE_OWN},
};
const struct shape spec_consent_shape = {SHAPE_OF("consent", consent_keys, struct spec)};

static const struct shape_key completion_keys[] = {
    {"code", SHAPE_WORD, AT(spec, completion_code)},
    {"return_url", SHAPE_WORD, AT(spec, return_url)},
    {"rejected", SHAPE_WORD, AT(spec, rejected_code), .since = "0.1"},
};
const struct shape spec_completion_shape = {SHAPE_OF("completion", completion_keys, struct spec)};

static const struct shape_key retention_keys[] = {
    {"days", SHAPE_LONG, SHAPE_NEEDED, AT(spec, retention_days), .min = 1, .max = 36500},
    {"delete", SHAPE_EITHER, AT(spec, retention_ratings), SHAPE_WORDS(delete_words)},
};
const struct shape spec_retention_shape = {SHAPE_OF("retention", retention_keys, struct spec)};

static const struct shape_key spec_keys[] = {
    {"campaign", SHAPE_ID, SHAPE_HAND | SHAPE_NEEDED, AT(spec, name)},
    {"title", .type = SHAPE_OWN},
    {"purpose", .type = SHAPE_OWN, .since = "0.1"},
    {"minutes", SHAPE_LONG, AT(spec, minutes), .max = 10000, .since = "0.1"},
    {"contact", SHAPE_WORD, AT(spec, contact), .since = "0.1"},
    {"instructions", .type = SHAPE_OWN},
    {"consent", SHAPE_MAP, SHAPE_HAND, .of = &spec_consent_shape},
    {"about", SHAPE_LIST, SHAPE_HAND, .of = &spec_question_shape, .max = QUESTIONS_MAX},
    {"passages_per_rater", SHAPE_LONG, AT(spec, passages), .min = 1, .max = 10000, .otherwise = 5},
    {"overlap", SHAPE_LONG, AT(spec, overlap), .min = 1, .max = 10000, .otherwise = 3},
    {"pairs_per_passage", SHAPE_LONG, AT(spec, pairs), .min = 1, .max = 1000, .otherwise = 6},
    {"shown_twice", SHAPE_REAL, AT(spec, twice), .max = 0.5},
    {"reference", SHAPE_EITHER, AT(spec, reference), SHAPE_WORDS(reference_words)},
    {"repeats", SHAPE_EITHER, AT(spec, all_repeats), SHAPE_WORDS(repeat_words)},
    {"counts", SHAPE_EITHER, AT(spec, completers), SHAPE_WORDS(count_words), .otherwise = 1},
    {"code", SHAPE_WORD, AT(spec, code)},
    {"open", SHAPE_EITHER, AT(spec, open), SHAPE_WORDS(open_words), .since = "0.1"},
    {"per_network", SHAPE_LONG, AT(spec, per_network), .min = 1, .max = 1000000, .otherwise = 20,
     .before = 20, .since = "0.1"},
    {"panel", SHAPE_WORD, AT(spec, panel), .since = "0.1"},
    {"deadline", .type = SHAPE_OWN},
    {"lease_hours", SHAPE_LONG, AT(spec, lease_ms), .min = 1, .max = 2160, .otherwise = 48},
    {"practice", SHAPE_MAP, SHAPE_HAND, .of = &spec_practice_shape},
    {"examples", .type = SHAPE_OWN},
    {"exclude", SHAPE_MAP, AT(spec, exclude), .of = &spec_exclusion_shape},
    {"completion", SHAPE_MAP, SHAPE_HAND, .of = &spec_completion_shape},
    {"retention", SHAPE_MAP, SHAPE_HAND, .of = &spec_retention_shape},
    {"answer_wait_seconds", SHAPE_SECONDS, AT(spec, answer_wait_ms), .max = 60, .otherwise = 5,
     .before = 0, .since = "0.1"},
    {"seed", SHAPE_LONG, AT(spec, seed), .max = 1e19, .otherwise = 1},
};
const struct shape spec_shape = {SHAPE_OF("campaign", spec_keys, struct spec)};
