/* Flags looked for again, beside those that are stored. */
#include <math.h>

#include "base/map.h"
#include "eval/flag_find.h"

struct check {
    struct arena *arena;
    const struct flag_look *look;
    struct map found; /* struct flag_key to struct flag_found */
    bool searched;    /* the training lines were */
    flag_differs *fn;
    void *user;
    int64_t compared;
};

#define differs(c, ...) (c)->fn((c)->user, arena_printf((c)->arena, __VA_ARGS__))

static void remember(struct check *c, struct flag_found *f)
{
    for (; f; f = f->next) {
        struct flag_key key = {f->sample, f->kind};
        (void)map_put(&c->found, flag_key(&key), f);
    }
}

static bool same_value(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_evidence(const struct check *c, struct str was, const struct flag_found *is)
{
    return str_is(was, is->evidence) ||
           (c->look->fewer_turns && is->formerly && str_is(was, is->formerly));
}

/* A flag that is stored and found has its sample set to 0, so that what is left is not stored. */
static void compare(struct check *c, const struct flag_row *was)
{
    enum rule_kind kind;
    struct flag_found *is;
    char stored[STR_EXACT], found[STR_EXACT];

    if (!suite_rule_find(was->kind, &kind) || (flag_is_training(kind) && !c->searched) ||
        (kind == RULE_IDENTITY && c->look->fewer_words))
        return;
    c->compared++;
    is = map_get(&c->found, flag_key(&(struct flag_key){was->sample, kind}));
    if (!is) {
        differs(c, "flag %lld (%s, sample %lld): stored, but the answer does not warrant it",
                (long long)was->id, was->kind, (long long)was->sample);
        return;
    }
    if (!same_value(was->value, is->value))
        differs(c, "flag %lld (%s, sample %lld): stored %s, the answer gives %s",
                (long long)was->id, was->kind, (long long)was->sample,
                str_exact(stored, was->value), str_exact(found, is->value));
    else if (!same_evidence(c, was->evidence, is))
        differs(c, "flag %lld (%s, sample %lld): its evidence does not match the answer",
                (long long)was->id, was->kind, (long long)was->sample);
    is->sample = 0;
}

static void report_missing(struct check *c, const struct flag_found *f)
{
    for (; f; f = f->next) {
        if (!f->sample || f->past || (f->kind == RULE_IDENTITY && c->look->fewer_words))
            continue;
        c->compared++;
        differs(c, "sample %lld: its answer warrants '%s', but no such flag is stored",
                (long long)f->sample, suite_rule_name(f->kind));
    }
}

/* Lines that were never searched with success have left no flag to compare. */
static enum status search_again(struct arena *a, const struct flag_look *look,
                                struct flag_training *out, struct err *e)
{
    struct look was;

    *out = (struct flag_training){.look = {.key = "", .note = ""}};
    if (!look->suite->rules.of[RULE_TRAINING].on)
        return OK;
    if (store_look_get(a, look->store, look->run, &was, e) != OK)
        return e->code;
    if (was.key[0])
        return flag_training_search(a, look, out, e);
    out->look.note = was.note;
    return OK;
}

enum status flag_check(struct arena *a, const struct flag_look *look, flag_differs *fn, void *user,
                       struct flag_check *out, struct err *e)
{
    struct check c = {.arena = a, .look = look, .fn = fn, .user = user};
    struct flag_training training = {0};
    struct flag_found *found = NULL;
    struct flag_list stored;

    if (search_again(a, look, &training, e) != OK || flag_find_all(a, look, &found, e) != OK ||
        store_flag_list(a, look->store, look->run, &stored, e) != OK)
        return e->code;
    map_init(&c.found, a);
    c.searched = training.searched;
    remember(&c, found);
    remember(&c, training.found);
    for (size_t i = 0; i < stored.n; i++)
        compare(&c, &stored.v[i]);
    report_missing(&c, found);
    report_missing(&c, training.found);
    *out = (struct flag_check){c.compared, training.searched ? "" : training.look.note};
    return OK;
}
