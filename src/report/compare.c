#include "report/compare.h"

#include <math.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/words.h"
#include "eval/score.h"
#include "gauge/readings.h"
#include "math/describe.h"
#include "math/dist.h"
#include "report/values.h"
#include "store/store_compare.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/suite.h"

#define LEVEL 0.95

enum { ANSWERS_MAX = 1000 }; /* most answers of regressed items that are kept per model */

const char *compare_change_name(enum compare_change c)
{
    static const char *const names[COMPARE_CHANGES] = {
        [COMPARE_REGRESSED] = "regressed",
        [COMPARE_IMPROVED] = "improved",
        [COMPARE_UNCHANGED] = "unchanged",
        [COMPARE_MISSING] = "missing",
    };

    return names[c];
}

/* ---- one of the two runs ---- */

/* Values of one model, by place of the item. */
struct column {
    struct interval_cluster *v;
    struct interval_cluster *marks; /* the same for one dimension after another; or NULL */
};

struct side {
    struct arena *arena;
    struct store *store;
    const struct run_row *run;
    const char *judge; /* which jury; NULL: the first */
    struct suite suite;
    struct party_list models;
    struct jury jury;
    struct column *columns;     /* by model */
    size_t places;              /* number of items in a column */
    int64_t first_item;         /* ids are close together: see store_item_span() */
    const struct entry **items; /* by id minus first_item; NULL: no such item */
    size_t span;
};

/* An item of the run, and whether the baseline has it. */
struct entry {
    const char *name;
    char hash[HASH_HEX];
    size_t place;
    bool met, edited;
};

struct work {
    struct arena *arena;
    struct side now, then;
    struct map by_name; /* to struct entry */
    struct entry **entries;
    size_t n, cap;
    int64_t only_then, edited;
    bool forms;
};

static void remember(struct side *s, int64_t id, const struct entry *entry)
{
    if (id >= s->first_item && (size_t)(id - s->first_item) < s->span)
        s->items[id - s->first_item] = entry;
}

static enum status add_items(struct work *w, struct err *e)
{
    struct cursor c = store_items(w->now.store, w->now.run->id, e);
    struct item_fact f;

    while (store_item_next(&c, &f)) {
        struct entry *entry = NEW(w->arena, struct entry);
        entry->name = arena_text(w->arena, str_of(f.name));
        entry->place = w->n;
        hash_hex_of(f.body, entry->hash);
        (void)map_put(&w->by_name, str_of(entry->name), entry);
        w->entries = arena_grow(w->arena, w->entries, &w->cap, w->n + 1, sizeof(struct entry *));
        w->entries[w->n++] = entry;
        remember(&w->now, f.id, entry);
    }
    return cursor_end(&c);
}

static enum status meet_items(struct work *w, struct err *e)
{
    struct cursor c = store_items(w->then.store, w->then.run->id, e);
    struct item_fact f;

    while (store_item_next(&c, &f)) {
        struct entry *entry = map_get(&w->by_name, str_of(f.name));
        char hash[HASH_HEX];
        if (!entry) {
            w->only_then++;
            continue;
        }
        hash_hex_of(f.body, hash);
        entry->met = true;
        entry->edited = (strcmp(hash, entry->hash) != 0) != w->forms;
        w->edited += entry->edited;
        if (!entry->edited)
            remember(&w->then, f.id, entry);
    }
    return cursor_end(&c);
}

static enum status side_open(struct side *s, struct err *e)
{
    int64_t last;

    if (suite_thaw(s->arena, s->run->frozen, &s->suite, e) != OK)
        return err_wrap(e, "suite of run %s", s->run->name);
    if (s->suite.instrument.kind == INSTRUMENT_PAIR)
        return err_set(e, E_USAGE,
                       "run %s compares pairs: its ratings compare the models of one run; put both "
                       "models into it",
                       s->run->name);
    if (jury_find(s->arena, s->store, s->run->id, s->judge, &s->jury, e) != OK)
        return err_wrap(e, "run %s", s->run->name);
    if (store_party_list(s->arena, s->store, PARTY_MODEL, s->run->id, &s->models, e) != OK ||
        store_item_span(s->store, s->run->id, &s->first_item, &last, e) != OK)
        return e->code;
    if (s->jury.masked)
        return err_set(e, E_USAGE, "%s is not unmasked: authorship must stay hidden for now",
                       s->jury.name);
    s->span = (size_t)(last - s->first_item + 1);
    s->items = NEW_N(s->arena, const struct entry *, s->span + 1);
    s->columns = NEW_N(s->arena, struct column, s->models.n);
    return OK;
}

/* ---- values ---- */

static const struct entry *entry_of(const struct side *s, int64_t item)
{
    return item >= s->first_item && (size_t)(item - s->first_item) < s->span
               ? s->items[item - s->first_item]
               : NULL;
}

static void add_to(struct interval_cluster *c, double value)
{
    c->sum += value;
    c->n++;
}

static enum status add_value(void *user, const struct score_value *v, struct err *e)
{
    const struct side *s = user;
    const struct entry *entry = entry_of(s, v->item);
    size_t model = readings_place(&s->models, v->model);
    const struct column *c = &s->columns[model];

    (void)e;
    if (!entry || model == s->models.n)
        return OK;
    add_to(&c->v[entry->place], v->value);
    for (size_t d = 0; c->marks && v->means && d < s->suite.instrument.ndimensions; d++)
        if (!isnan(v->means[d]))
            add_to(&c->marks[d * s->places + entry->place], v->means[d]);
    return OK;
}

static enum status side_read(struct side *s, size_t items, struct err *e)
{
    size_t dimensions = s->suite.instrument.ndimensions;

    s->places = items;
    for (size_t i = 0; i < s->models.n; i++)
        s->columns[i] = (struct column){
            .v = NEW_N(s->arena, struct interval_cluster, items + 1),
            .marks = dimensions > 1
                         ? NEW_N(s->arena, struct interval_cluster, dimensions * items + 1)
                         : NULL,
        };
    return score_value_each(s->store, s->run, &s->suite, &s->jury, add_value, s, e);
}

/* ---- can they be compared? ---- */

static bool same_scale(const struct instrument *x, const struct instrument *y)
{
    if (x->ndimensions != y->ndimensions)
        return false;
    for (size_t i = 0; i < x->ndimensions; i++) {
        const struct dimension *a = &x->dimensions[i], *b = &y->dimensions[i];
        if (strcmp(a->id, b->id) != 0 || a->min != b->min || a->max != b->max ||
            a->weight != b->weight || a->lower_is_better != b->lower_is_better)
            return false;
    }
    return true;
}

static enum status check(const struct work *w, struct err *e)
{
    const struct side *now = &w->now, *then = &w->then;

    if (strcmp(now->run->suite, then->run->suite) != 0)
        return err_set(e, E_USAGE, "run %s is of suite '%s', run %s of '%s'", now->run->name,
                       now->run->suite, then->run->name, then->run->suite);
    if (!same_scale(&now->suite.instrument, &then->suite.instrument) ||
        now->suite.score.times != then->suite.score.times)
        return err_set(e, E_USAGE,
                       "runs %s and %s were judged on different dimensions, scales or weights",
                       now->run->name, then->run->name);
    if (w->forms && now->suite.form == then->suite.form)
        return err_set(e, E_USAGE, "runs %s and %s are of the same form, %lld", now->run->name,
                       then->run->name, (long long)now->suite.form);
    return OK;
}

static bool same_judges(const struct jury *x, const struct jury *y)
{
    for (size_t i = 0; i < x->members.n; i++)
        if (!jury_has(y, x->members.v[i].name))
            return false;
    return x->members.n == y->members.n;
}

/* ---- models ---- */

/* Sums of the same marks in another order differ in their last bits. */
static double noise(double value)
{
    return 1e-9 * fmax(1, fabs(value));
}

static enum compare_change change_of(double now, double then, double margin)
{
    double least = margin + noise(then);

    if (isnan(now) || isnan(then))
        return COMPARE_MISSING;
    if (fabs(now - then) <= least)
        return COMPARE_UNCHANGED;
    return now < then ? COMPARE_REGRESSED : COMPARE_IMPROVED;
}

/* Mean of c over the items that `other` has too. */
static double mean_over(const struct interval_cluster *c, const struct interval_cluster *other,
                        size_t items)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < items; i++) {
        if (c[i].n == 0 || other[i].n == 0)
            continue;
        sum += values_mean(&c[i]);
        n++;
    }
    return sum / n; /* 0 / 0: NaN */
}

static struct compare_mark *marks_of(const struct work *w, const struct column *now,
                                     const struct column *then)
{
    size_t dimensions = w->now.suite.instrument.ndimensions;
    struct compare_mark *marks;

    if (!now->marks)
        return NULL;
    marks = NEW_N(w->arena, struct compare_mark, dimensions);
    for (size_t d = 0; d < dimensions; d++) {
        const struct interval_cluster *x = now->marks + d * w->n, *y = then->marks + d * w->n;
        const struct dimension *of = &w->now.suite.instrument.dimensions[d];
        struct interval_scale scale = {of->min, of->max};
        marks[d] = (struct compare_mark){mean_over(x, y, w->n), mean_over(y, x, w->n),
                                         interval_of_difference(x, y, w->n, scale, LEVEL)};
    }
    return marks;
}

/* Items needed with power 0.8, two-sided at 0.05, paired over items, by the normal
 * approximation. NaN if all differences are the same: then nothing is known about their spread. */
static double needed(const struct column *now, const struct column *then, size_t items,
                     double least)
{
    double z = dist_normal_quantile(0.975) + dist_normal_quantile(0.8), sd;
    struct describe d = {0};

    for (size_t i = 0; i < items; i++)
        if (now->v[i].n && then->v[i].n)
            describe_add(&d, values_mean(&now->v[i]) - values_mean(&then->v[i]));
    sd = describe_sd(&d);
    z *= sd / least;
    return least > 0 && sd > noise(d.mean) && isfinite(z) ? fmax(2, ceil(z * z)) : (double)NAN;
}

static struct compare_model model_of(const struct work *w, const struct column *now,
                                     const struct column *then, const struct compare_options *o)
{
    struct score_bounds b = score_sample_bounds(&w->now.suite);
    struct interval_scale scale = {b.min, b.max};
    int64_t items = (int64_t)w->n;
    double factor = score_factor(&w->now.suite, items * w->now.run->repeats, items);
    struct compare_model m = {
        .items = NEW_N(w->arena, struct compare_item, w->n),
        .nitems = w->n,
        .difference =
            interval_times(interval_of_difference(now->v, then->v, w->n, scale, LEVEL), factor),
        .now = mean_over(now->v, then->v, w->n) * factor,
        .then = mean_over(then->v, now->v, w->n) * factor,
        .needed = needed(now, then, w->n, o->least / factor),
        .marks = marks_of(w, now, then),
    };

    for (size_t i = 0; i < w->n; i++) {
        struct compare_item *item = &m.items[i];
        item->name = w->entries[i]->name;
        item->now = values_mean(&now->v[i]) * w->now.suite.score.times;
        item->then = values_mean(&then->v[i]) * w->now.suite.score.times;
        item->change = change_of(item->now, item->then, o->margin);
        m.counts[item->change]++;
    }
    return m;
}

static enum status no_model(const struct side *s, const char *name, struct err *e)
{
    return err_set(e, E_ABSENT, "run %s has no model '%s'", s->run->name, name);
}

static enum status compare_models(struct work *w, const struct compare_options *o,
                                  struct compare *out, struct err *e)
{
    out->models = NEW_N(w->arena, struct compare_model, w->now.models.n);
    for (size_t i = 0; i < w->now.models.n; i++) {
        const char *name = w->now.models.v[i].name;
        const char *against = o->against ? o->against : name;
        const struct party *then = store_party_named(&w->then.models, against);
        struct compare_model *m = &out->models[out->nmodels];
        if (o->model && strcmp(o->model, name) != 0)
            continue;
        if (o->model && !then)
            return no_model(&w->then, against, e);
        if (!then)
            continue;
        *m = model_of(w, &w->now.columns[i], &w->then.columns[then - w->then.models.v], o);
        m->name = name;
        m->against = against;
        out->nmodels++;
    }
    if (o->model && out->nmodels == 0)
        return no_model(&w->now, o->model, e);
    if (out->nmodels == 0)
        return err_set(
            e, E_USAGE,
            "no model is in both runs; choose what to compare with --model A --against B");
    return OK;
}

/* ---- answers of regressed items ---- */

static enum status take_answers(struct work *w, struct compare_model *m, bool now, struct err *e)
{
    const struct side *s = now ? &w->now : &w->then;
    const struct sample_filter f = {.run = s->run->id, .model = now ? m->name : m->against};
    struct cursor c;
    struct sample_row row;
    size_t taken = 0;

    if (m->counts[COMPARE_REGRESSED] == 0 || s->suite.sensitive)
        return OK;
    c = store_samples(w->now.store, &f, e);
    while (store_sample_next(&c, &row) && taken < ANSWERS_MAX) {
        const struct entry *entry = entry_of(s, row.item);
        struct compare_item *item = entry ? &m->items[entry->place] : NULL;
        struct str *to = !item ? NULL : now ? &item->answer : &item->before;
        if (!to || to->p || item->change != COMPARE_REGRESSED || row.state != STATE_DONE)
            continue;
        *to = arena_str(s->arena, row.answer);
        taken++;
    }
    return cursor_end(&c);
}

static enum status compare_all(struct work *w, const struct compare_options *o, struct compare *out,
                               struct err *e)
{
    if (side_open(&w->now, e) != OK || side_open(&w->then, e) != OK || check(w, e) != OK ||
        add_items(w, e) != OK || meet_items(w, e) != OK || side_read(&w->now, w->n, e) != OK ||
        side_read(&w->then, w->n, e) != OK || compare_models(w, o, out, e) != OK)
        return e->code;
    for (size_t i = 0; i < out->nmodels; i++)
        if (take_answers(w, &out->models[i], true, e) != OK ||
            take_answers(w, &out->models[i], false, e) != OK)
            return e->code;
    out->title = arena_text(w->arena, w->now.suite.title);
    out->dimensions = w->now.suite.instrument.dimensions;
    out->ndimensions = w->now.suite.instrument.ndimensions;
    out->band = w->now.suite.score.kind == SCORE_BAND;
    out->judged_alike = same_judges(&w->now.jury, &w->then.jury);
    out->judge = w->now.jury.name;
    out->judge_then = w->then.jury.name;
    out->only_then = w->only_then;
    out->edited = w->edited;
    out->forms = w->forms;
    out->form_now = w->now.suite.form;
    out->form_then = w->then.suite.form;
    for (size_t i = 0; i < w->n; i++)
        out->only_now += !w->entries[i]->met;
    return OK;
}

const char *compare_whose(struct arena *a, const struct compare *c, const char *language)
{
    if (c->judged_alike)
        return words_with(a, language, SEE_SAME_JUDGES, *c->judge ? c->judge : "–");
    return words_two(a, language, SEE_OTHER_JUDGES, *c->judge ? c->judge : "–",
                     *c->judge_then ? c->judge_then : "–");
}

enum status compare_runs(struct arena *a, struct store *s, const struct run_row *run,
                         const struct run_row *baseline, const struct compare_options *o,
                         struct compare *out, struct err *e)
{
    struct work w = {
        .arena = a,
        .forms = o->forms,
        .now = {.arena = a, .store = s, .run = run, .judge = o->judge},
        .then = {.arena = a, .store = s, .run = baseline, .judge = o->judge},
    };
    struct compare c = {.run = *run, .baseline = *baseline, .margin = o->margin, .least = o->least};

    map_init(&w.by_name, a);
    if (compare_all(&w, o, &c, e) != OK)
        return e->code;
    *out = c;
    return OK;
}
