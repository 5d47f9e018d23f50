/* Reads the rules of a suite from its file or from the store, and writes them for the store.
 *
 * Rules are on by default and only note what they find. Two are off: duplicates, which only matter
 * to tests of variety, and training lines, which need a file. */
#include <stdlib.h>

#include "suite/suite_read.h"
#include "suite/training.h"

#define THRESHOLD 0.80 /* see docs/STATISTICS.md */

enum { WORDS_MAX = 1000 };

/* ---- writing ---- */

/* Of the rule at the key's offset, in struct rules or in the rule itself. */
static bool write_effect(const struct shape_writing *w, const void *in)
{
    const struct rule *rule = (const void *)((const char *)in + w->key->at);

    if (rule->effect == EFFECT_CAP)
        buf_fmt(w->b, "\"cap %.17g\"", rule->cap);
    else
        buf_text(w->b, rule->effect == EFFECT_ZERO        ? "\"zero\""
                       : rule->effect == EFFECT_LEAVE_OUT ? "\"leave-out\""
                                                          : "\"note\"");
    return true;
}

static bool write_asked(const struct shape_writing *w, const void *in)
{
    const struct rule *rule = in;

    if (rule->judge)
        shape_write(w, w->key->of, rule->judge);
    return rule->judge != NULL;
}

static enum rule_kind kind_of(const struct shape_key *rule)
{
    return (enum rule_kind)((rule->at - offsetof(struct rules, of)) / sizeof(struct rule));
}

static bool write_rule(const struct shape_writing *w, const void *in)
{
    const struct rules *rules = in;
    enum rule_kind kind = kind_of(w->key);

    if (!rules->of[kind].on)
        buf_text(w->b, "\"off\"");
    else
        shape_write(w, w->key->of, kind == RULE_IDENTITY ? in : &rules->of[kind]);
    return true;
}

static bool write_training(const struct shape_writing *w, const void *in)
{
    const struct rules *rules = in;

    if (rules->of[RULE_TRAINING].on)
        shape_write(w, w->key->of, rules);
    return rules->of[RULE_TRAINING].on;
}

/* ---- keys ---- */

#define OF(kind) offsetof(struct rules, of[kind])

static const struct shape_key then_keys[] = {{"then", SHAPE_OWN, .write = write_effect}};
static const struct shape_key asked_keys[] = {
    {"then", SHAPE_OWN, .write = write_effect},
    {"judge", SHAPE_OWN, .write = write_asked, .of = &suite_template_shape, .since = "0.2"},
};
static const struct shape_key duplicate_keys[] = {
    {"threshold", SHAPE_REAL, .at = offsetof(struct rule, threshold), .max = 1,
     .otherwise = THRESHOLD},
    {"then", SHAPE_OWN, .write = write_effect},
};
static const struct shape_key identity_keys[] = {
    {"then", SHAPE_OWN, .at = OF(RULE_IDENTITY), .write = write_effect},
    {"words", SHAPE_TEXTS, SHAPE_SPARE, .at = offsetof(struct rules, words),
     .count = offsetof(struct rules, nwords), .max = WORDS_MAX},
    {"except", SHAPE_TEXTS, SHAPE_SPARE, .at = offsetof(struct rules, except),
     .count = offsetof(struct rules, nexcept), .max = WORDS_MAX},
};
static const struct shape_key training_keys[] = {
    {"file", SHAPE_WORD, SHAPE_SPARE, .at = offsetof(struct rules, training)},
    {"hash", SHAPE_WORD, SHAPE_STORE, .at = offsetof(struct rules, training_hash)},
    {"threshold", SHAPE_REAL, .at = offsetof(struct rules, of[RULE_TRAINING_NEAR].threshold),
     .max = 1, .otherwise = THRESHOLD},
    {"near", SHAPE_OWN, .at = OF(RULE_TRAINING_NEAR), .write = write_effect},
    {"particles", SHAPE_OWN, .at = OF(RULE_TRAINING), .write = write_effect},
};
static const struct shape rule_shape = {SHAPE_OF("rule", then_keys, struct rule)};
static const struct shape asked_shape = {SHAPE_OF("asked", asked_keys, struct rule)};
static const struct shape duplicate_shape = {SHAPE_OF("duplicate", duplicate_keys, struct rule)};
static const struct shape identity_shape = {SHAPE_OF("identity", identity_keys, struct rules)};
static const struct shape training_shape = {SHAPE_OF("training", training_keys, struct rules)};

/* The original rules are stored whether they are on or off. A rule added later has `since`, and its
 * default as stored in `usual`. */
#define ADDED(version) .since = (version), .usual = "{\"then\":\"note\"}"

/* A rule's name is that of its key; RULE_TRAINING_NEAR has none. */
#define RULE(kind, shape) SHAPE_OWN, .at = OF(RULE_##kind), .write = write_rule, .of = &(shape)

static const struct shape_key rule_keys[] = {
    {"duplicate", RULE(DUPLICATE, duplicate_shape)},
    {"leak", RULE(LEAK, rule_shape)},
    {"markup", RULE(MARKUP, rule_shape)},
    {"malformed", RULE(MALFORMED, rule_shape)},
    {"truncated", RULE(TRUNCATED, rule_shape)},
    {"language", RULE(LANGUAGE, rule_shape)},
    {"identity", RULE(IDENTITY, identity_shape)},
    {"empty", RULE(EMPTY, rule_shape)},
    {"training", SHAPE_OWN, .at = OF(RULE_TRAINING), .write = write_training,
     .of = &training_shape},
    {"user", RULE(USER, asked_shape), ADDED("0.1")},
    {"knowledge", RULE(KNOWLEDGE, asked_shape), ADDED("0.1")},
    {"echo", RULE(ECHO, rule_shape), ADDED("0.1")},
    {"stock", RULE(STOCK, rule_shape), ADDED("0.1")},
    {"loop", RULE(LOOP, rule_shape), ADDED("0.1")},
};
const struct shape suite_rules_shape = {SHAPE_OF("rules", rule_keys, struct rules)};

const char *suite_rule_name(enum rule_kind kind)
{
    for (size_t i = 0; i < COUNT(rule_keys); i++)
        if (kind_of(&rule_keys[i]) == kind)
            return rule_keys[i].name;
    return "training-near";
}

bool suite_rule_find(const char *name, enum rule_kind *kind)
{
    for (int k = 0; k < RULE_KINDS; k++)
        if (strcmp(suite_rule_name((enum rule_kind)k), name) == 0) {
            *kind = (enum rule_kind)k;
            return true;
        }
    return false;
}

/* ---- reading ---- */

/* zero | note | leave-out | cap 0.5 */
static bool effect_of(struct str word, struct rule *out)
{
    double cap;

    if (str_is(word, "zero")) {
        out->effect = EFFECT_ZERO;
    } else if (str_is(word, "note")) {
        out->effect = EFFECT_NOTE;
    } else if (str_is(word, "leave-out")) {
        out->effect = EFFECT_LEAVE_OUT;
    } else if (str_starts(word, STR("cap ")) && str_double(str_trim(str_from(word, 4)), &cap)) {
        out->effect = EFFECT_CAP;
        out->cap = cap;
    } else {
        return false;
    }
    return true;
}

static void read_effect(struct suite_reading *r, const struct node *n, struct rule *out)
{
    if (n && !effect_of(node_text(n, STR("zero"), r->d), out))
        diags_error(r->d, n->at,
                    "expected zero, note, leave-out, or cap with a number ('cap 0.5')");
}

static void read_word(struct suite_reading *r, const struct node *n, struct rule *out)
{
    out->on = !str_is(n->text, "off");
    if (out->on && !str_is(n->text, "on") && !effect_of(n->text, out))
        diags_error(r->d, n->at,
                    "expected off, on, zero, note, leave-out, or cap with a number ('cap 0.5')");
}

/* Reads the template of a rule that also asks judges. */
static void read_asked(struct suite_reading *r, const struct node *n, struct rule *out)
{
    struct template *t = NEW(r->a, struct template);

    if (!n || !suite_template_at(r->a, n, r->path, t, r->d))
        return;
    suite_check_judge(t, n->at, r->d);
    out->judge = t;
}

/* On a scale that ends at 0 or below, 'zero' would reward. Stored suites stay what they were. */
static void check_zero(struct suite_reading *r, const struct node *n, const struct rule *rule)
{
    const struct instrument *in = &r->s->instrument;
    double best = 0, weights = 0;

    for (size_t i = 0; i < in->ndimensions; i++) {
        best += in->dimensions[i].weight * in->dimensions[i].max;
        weights += in->dimensions[i].weight;
    }
    if (r->path && rule->on && rule->effect == EFFECT_ZERO && weights > 0 && best <= 0)
        diags_error(r->d, n->at,
                    "'zero' would be no less than the best mark, which is %.15g: expected a cap in "
                    "the unit of the dimensions, leave-out or note",
                    best / weights);
}

static void read_rule(struct suite_reading *r, const struct node *n, const struct shape *shape,
                      enum rule_kind kind)
{
    struct rules *rules = &r->s->rules;
    struct rule *rule = &rules->of[kind];

    if (n->kind == NODE_SCALAR) {
        read_word(r, n, rule);
    } else if (suite_read_shape(r, shape, n, kind == RULE_IDENTITY ? (void *)rules : rule)) {
        rule->on = true;
        read_effect(r, field_get(n, "then"), rule);
        if (shape == &asked_shape)
            read_asked(r, field_get(n, "judge"), rule);
    }
    if (kind == RULE_EMPTY && rule->effect == EFFECT_CAP)
        diags_error(r->d, n->at,
                    "no judge sees an empty answer, so there is nothing to cap: expected off, note "
                    "(it stays unscored) or zero");
    check_zero(r, n, rule);
    if (r->path && rule->on && kind == RULE_USER &&
        (r->s->elicit.kind != ELICIT_DIALOGUE || r->s->elicit.dialogue.cast.nmembers))
        diags_warn(r->d, n->key->at,
                   "the rule 'user' looks at the users of dialogues, and the suite has none");
    if (r->path && rule->on && kind == RULE_KNOWLEDGE && !r->s->elicit.dialogue.cast.nfacts)
        diags_warn(r->d, n->key->at,
                   "the rule 'knowledge' looks at the 'facts' of a cast, and the suite has none");
    if (kind == RULE_DUPLICATE && rule->on && r->s->elicit.repeats == 1)
        diags_warn(r->d, n->key->at,
                   "'duplicate' compares repeats of an item, but 'elicit' asks only once");
}

/* Stores the file's path on this machine; its hash identifies the content. */
static void read_training_file(struct suite_reading *r, const struct node *n)
{
    const char *path = field_file(r->a, n, r->path, "file of training lines", r->d);
    char *real = path ? realpath(path, NULL) : NULL;
    char hex[HASH_HEX];
    struct err e = {0};

    if (!path)
        return;
    if (training_hash(path, hex, &e) != OK)
        diags_error(r->d, n->at, "%s", e.msg);
    else
        r->s->rules.training_hash = arena_text(r->a, str_of(hex));
    r->s->rules.training = arena_text(r->a, str_of(real ? real : path));
    free(real);
}

static void read_training(struct suite_reading *r, const struct node *n)
{
    struct rules *rules = &r->s->rules;
    struct rule *equal = &rules->of[RULE_TRAINING], *near = &rules->of[RULE_TRAINING_NEAR];
    const struct node *file = field_get(n, "file");

    if (n->kind == NODE_SCALAR && str_is(n->text, "off"))
        return;
    if (!suite_read_shape(r, &training_shape, n, rules))
        return;
    equal->on = near->on = true;
    if (near->threshold == 0)
        diags_error(r->d, field_get(n, "threshold")->at, "a threshold of 0 makes everything alike");
    read_effect(r, field_get(n, "near"), near);
    read_effect(r, field_get(n, "particles"), equal);
    check_zero(r, field_get(n, "near"), near);
    check_zero(r, field_get(n, "particles"), equal);
    if (r->path && file)
        read_training_file(r, file);
    else if (r->path)
        diags_error(r->d, n->at, "'training' needs the training data: {file: train.jsonl}");
}

/* Rules that a file omits are on and note what they find. Rules that a stored suite omits did not
 * exist then and are off. In conversations, half of the text is not the model's, so most rules are
 * off unless the suite asks for them. */
static void set_defaults(struct rules *rules, bool on, bool known)
{
    for (size_t i = 0; i < COUNT(rules->of); i++)
        rules->of[i] = (struct rule){.on = on, .threshold = THRESHOLD, .effect = EFFECT_NOTE};
    rules->of[RULE_TRAINING].on = rules->of[RULE_TRAINING_NEAR].on = false;
    rules->of[RULE_DUPLICATE].on = false;
    rules->of[RULE_DUPLICATE].effect = EFFECT_ZERO;
    /* These can tell conversations from single answers. */
    rules->of[RULE_USER].on = rules->of[RULE_KNOWLEDGE].on = known;
    rules->of[RULE_ECHO].on = rules->of[RULE_STOCK].on = rules->of[RULE_LOOP].on = known;
}

void suite_read_rules(struct suite_reading *r, const struct node *n)
{
    set_defaults(&r->s->rules, r->path && !vocab_is_talk(r->s), r->path);
    if (!n || !suite_read_shape(r, &suite_rules_shape, n, &r->s->rules))
        return;
    for (size_t i = 0; i < COUNT(rule_keys); i++) {
        const struct node *m = field_get(n, rule_keys[i].name);
        if (m && rule_keys[i].write == write_training)
            read_training(r, m);
        else if (m)
            read_rule(r, m, rule_keys[i].of, kind_of(&rule_keys[i]));
    }
}
