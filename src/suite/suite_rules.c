/* The rules of a suite: read from its file or from the store, and written for the store.
 *
 * Facts are looked for whether a suite names them or not, and then only noted; two are not:
 * duplicates, which mean something only to tests of variety, and training lines, which need a file.
 */
#include <stdlib.h>

#include "suite/suite_read.h"
#include "suite/training.h"

#define THRESHOLD 0.80 /* of docs/STATISTICS */

enum { WORDS_MAX = 1000 };

static const char *const plain_keys[] = {"then"}, *const similar_keys[] = {"threshold", "then"},
                         *const identity_keys[] = {"then", "words", "except"};

/* Rules that are written alike: a word, or a map with `then` and little else. */
static const struct form {
    enum rule_kind kind;
    const char *const *keys;
    size_t nkeys;
} forms[] = {
    {RULE_DUPLICATE, similar_keys, COUNT(similar_keys)},
    {RULE_LEAK, plain_keys, COUNT(plain_keys)},
    {RULE_MARKUP, plain_keys, COUNT(plain_keys)},
    {RULE_MALFORMED, plain_keys, COUNT(plain_keys)},
    {RULE_TRUNCATED, plain_keys, COUNT(plain_keys)},
    {RULE_LANGUAGE, plain_keys, COUNT(plain_keys)},
    {RULE_IDENTITY, identity_keys, COUNT(identity_keys)},
    {RULE_EMPTY, plain_keys, COUNT(plain_keys)},
};

/* ---- reading ---- */

/* zero | note | cap 0.5 */
static bool effect_of(struct str word, struct rule *out)
{
    double cap;

    if (str_is(word, "zero")) {
        out->effect = EFFECT_ZERO;
    } else if (str_is(word, "note")) {
        out->effect = EFFECT_NOTE;
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
        diags_error(r->d, n->at, "expected zero, note, or cap and a number ('cap 0.5')");
}

static void read_threshold(struct suite_reading *r, const struct node *map, struct rule *out)
{
    out->threshold = node_double(field_get(map, "threshold"), 0, 1, THRESHOLD, r->d);
}

static void read_word(struct suite_reading *r, const struct node *n, struct rule *out)
{
    out->on = !str_is(n->text, "off");
    if (out->on && !str_is(n->text, "on") && !effect_of(n->text, out))
        diags_error(r->d, n->at, "expected off, on, zero, note, or cap and a number ('cap 0.5')");
}

static const struct str *read_words(struct suite_reading *r, const struct node *n, size_t *count)
{
    struct str *v;

    if (!n)
        return NULL;
    if (n->kind != NODE_LIST || n->n > WORDS_MAX) {
        diags_error(r->d, n->at, "expected a list of at most %d words", WORDS_MAX);
        return NULL;
    }
    v = NEW_N(r->a, struct str, n->n);
    for (const struct node *one = n->first; one; one = one->next) {
        v[*count] = str_trim(field_plain(r->a, one, r->d));
        if (v[*count].n)
            ++*count;
        else
            diags_error(r->d, one->at, "expected a word");
    }
    return v;
}

static void read_rule(struct suite_reading *r, const struct node *n, const struct form *f)
{
    struct rules *rules = &r->s->rules;
    struct rule *rule = &rules->of[f->kind];

    if (n->kind == NODE_SCALAR) {
        read_word(r, n, rule);
    } else if (node_keys(n, f->keys, f->nkeys, r->d)) {
        rule->on = true;
        read_threshold(r, n, rule);
        read_effect(r, field_get(n, "then"), rule);
    }
    if (f->kind == RULE_IDENTITY) {
        rules->words = read_words(r, field_get(n, "words"), &rules->nwords);
        rules->except = read_words(r, field_get(n, "except"), &rules->nexcept);
    }
    if (f->kind == RULE_EMPTY && rule->effect == EFFECT_CAP)
        diags_error(r->d, n->at,
                    "no judge sees an empty answer, so there is nothing to cap: expected off, note "
                    "(it stays unscored) or zero");
    if (f->kind == RULE_DUPLICATE && rule->on && r->s->elicit.repeats == 1)
        diags_warn(r->d, n->key->at,
                   "'duplicate' compares an item's repeats, and 'elicit' asks for only one");
}

/* The file is named by its place on this machine and known by its content. */
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
    static const char *const keys[] = {"file", "threshold", "near", "particles", "hash"};
    struct rules *rules = &r->s->rules;
    struct rule *equal = &rules->of[RULE_TRAINING], *near = &rules->of[RULE_TRAINING_NEAR];
    const struct node *file = field_get(n, "file");
    size_t nkeys = r->path ? COUNT(keys) - 1 : COUNT(keys); /* only the store knows a hash */

    if (n->kind == NODE_SCALAR && str_is(n->text, "off"))
        return;
    if (!node_keys(n, keys, nkeys, r->d))
        return;
    equal->on = near->on = true;
    read_threshold(r, n, near);
    if (near->threshold == 0)
        diags_error(r->d, field_get(n, "threshold")->at, "everything is alike from 0 on");
    read_effect(r, field_get(n, "near"), near);
    read_effect(r, field_get(n, "particles"), equal);
    if (!r->path) {
        rules->training = arena_text(r->a, node_text(file, STR(""), r->d));
        rules->training_hash = arena_text(r->a, node_text(field_get(n, "hash"), STR(""), r->d));
    } else if (file) {
        read_training_file(r, file);
    } else {
        diags_error(r->d, n->at,
                    "'training' needs the file of training lines: {file: train.jsonl}");
    }
}

/* Half of an interview is the examiner's words: the whole is looked at where a suite says so. */
static void set_defaults(struct rules *rules, bool interview)
{
    for (size_t i = 0; i < COUNT(rules->of); i++)
        rules->of[i] =
            (struct rule){.on = !interview, .threshold = THRESHOLD, .effect = EFFECT_NOTE};
    rules->of[RULE_TRAINING].on = rules->of[RULE_TRAINING_NEAR].on = false;
    rules->of[RULE_DUPLICATE].on = false;
    rules->of[RULE_DUPLICATE].effect = EFFECT_ZERO;
}

void suite_read_rules(struct suite_reading *r, const struct node *n)
{
    const char *keys[COUNT(forms) + 1] = {"training"};
    const struct node *training;

    set_defaults(&r->s->rules, r->s->elicit.kind == ELICIT_INTERVIEW);
    for (size_t i = 0; i < COUNT(forms); i++)
        keys[i + 1] = vocab_rule_name(forms[i].kind);
    if (!n || !node_keys(n, keys, COUNT(keys), r->d))
        return;
    for (size_t i = 0; i < COUNT(forms); i++) {
        const struct node *m = field_get(n, keys[i + 1]);
        if (m)
            read_rule(r, m, &forms[i]);
    }
    training = field_get(n, "training");
    if (training)
        read_training(r, training);
}

/* ---- writing ---- */

static json_t *effect_json(struct arena *a, const struct rule *rule)
{
    if (rule->effect == EFFECT_CAP)
        return json_string(arena_printf(a, "cap %.17g", rule->cap));
    return json_string(rule->effect == EFFECT_ZERO ? "zero" : "note");
}

static json_t *words_json(const struct str *v, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        (void)json_array_append_new(list, json_from_str(v[i]));
    return list;
}

static json_t *rule_json(struct arena *a, const struct rules *rules, const struct form *f)
{
    const struct rule *rule = &rules->of[f->kind];
    json_t *j;

    if (!rule->on)
        return json_string("off");
    j = json_object();
    if (f->kind == RULE_DUPLICATE)
        (void)json_object_set_new(j, "threshold", json_real(rule->threshold));
    (void)json_object_set_new(j, "then", effect_json(a, rule));
    if (f->kind == RULE_IDENTITY && rules->nwords)
        (void)json_object_set_new(j, "words", words_json(rules->words, rules->nwords));
    if (f->kind == RULE_IDENTITY && rules->nexcept)
        (void)json_object_set_new(j, "except", words_json(rules->except, rules->nexcept));
    return j;
}

static json_t *training_json(struct arena *a, const struct rules *rules)
{
    const struct rule *near = &rules->of[RULE_TRAINING_NEAR];
    json_t *j = json_object();

    if (rules->training)
        (void)json_object_set_new(j, "file", json_string(rules->training));
    (void)json_object_set_new(j, "hash", json_string(rules->training_hash));
    (void)json_object_set_new(j, "threshold", json_real(near->threshold));
    (void)json_object_set_new(j, "near", effect_json(a, near));
    (void)json_object_set_new(j, "particles", effect_json(a, &rules->of[RULE_TRAINING]));
    return j;
}

json_t *suite_rules_json(struct arena *a, const struct rules *rules)
{
    json_t *j = json_object();

    for (size_t i = 0; i < COUNT(forms); i++)
        (void)json_object_set_new(j, vocab_rule_name(forms[i].kind),
                                  rule_json(a, rules, &forms[i]));
    if (rules->of[RULE_TRAINING].on)
        (void)json_object_set_new(j, "training", training_json(a, rules));
    return j;
}
