/* panel_world.h - a run that raters can rate, in a store of store_world.h. Include after it. */
#ifndef UNIT_PANEL_WORLD_H
#define UNIT_PANEL_WORLD_H

#include "base/clock.h"
#include "panel/ballot.h"
#include "store/store_exchange.h"
#include "suite/instrument.h"
#include "suite/item.h"
#include "suite/mark.h"

enum { PANEL_ITEMS_MAX = 64, PANEL_MODELS_MAX = 12 };

struct panel_run {
    struct suite suite;
    int64_t items[PANEL_ITEMS_MAX], models[PANEL_MODELS_MAX];
    int64_t samples[PANEL_ITEMS_MAX][PANEL_MODELS_MAX];
    size_t nitems, nmodels;
};

static inline const char *panel_model(struct arena *a, size_t i)
{
    static const char *const names[] = {"ann", "bob", "cid"};

    return i < COUNT(names) ? names[i] : arena_printf(a, "m%zu", i);
}

/* Items i0, i1 ... with a reference, models ann, bob, cid, m3 ...; everything is answered. */
static inline void panel_run(struct world *w, const struct suite *suite, size_t items,
                             size_t models, struct panel_run *out)
{
    struct err e;
    bool found, taken;

    *out = (struct panel_run){.suite = *suite, .nitems = items, .nmodels = models};
    w->run = (struct run_row){
        .key = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
        .suite = suite->id,
        .frozen = str_of(suite_freeze(w->arena, suite)),
        .seed = 7,
        .repeats = 1,
        .stale = true,
    };
    w->judge = (struct party){.name = "jo",
                              .family = "",
                              .config = STR("{\"name\":\"jo\"}"),
                              .template = STR("{}"),
                              .repeats = 1};
    assert_ok(store_begin(w->store, &e));
    assert_ok(store_run_add(w->arena, w->store, &w->run, &e));
    assert_ok(store_party_put(w->store, PARTY_JUDGE, w->run.id, &w->judge, &e));
    for (size_t m = 0; m < models; m++) {
        const char *name = panel_model(w->arena, m);
        struct party p = {.name = name,
                          .family = "",
                          .config = str_of(arena_printf(w->arena, "{\"name\":\"%s\"}", name))};
        assert_ok(store_party_put(w->store, PARTY_MODEL, w->run.id, &p, &e));
        out->models[m] = p.id;
    }
    for (size_t i = 0; i < items; i++) {
        struct item item = {.id = arena_printf(w->arena, "i%zu", i),
                            .prompt = STR("Who goes there?"),
                            .reference = STR("A friend, and cold.")};
        assert_ok(store_item_add(w->store, w->run.id, (int64_t)i, item.id,
                                 str_of(item_freeze(w->arena, &item)), &e));
        assert_ok(store_item_find(w->store, w->run.id, item.id, &out->items[i], &found, &e));
        for (size_t m = 0; m < models; m++) {
            struct row_key key = {.run = w->run.id, .who = out->models[m], .about = out->items[i]};
            struct sample_result r = {
                .state = STATE_DONE,
                .answer = str_of(arena_printf(w->arena, "Answer %zu of guard %zu.", i, m)),
                .spent = {.cost = 0}};
            assert_ok(store_take(w->store, PARTY_MODEL, &key, &r.id, &taken, &e));
            assert_ok(store_sample_end(w->store, &r, &e));
            out->samples[i][m] = r.id;
        }
    }
    assert_ok(store_commit(w->store, &e));
}

/* What the AI judge says of a sample, with one mark. */
static inline void panel_verdict(struct world *w, int64_t sample, struct verdict_result v,
                                 const struct mark *mark)
{
    struct row_key key = {.run = w->run.id, .who = w->judge.id, .about = sample, .shown = ""};
    struct mark marks[] = {*mark};
    struct err e;
    bool taken;

    v.state = STATE_DONE;
    v.overall = NAN;
    v.marks = marks;
    v.nmarks = COUNT(marks);
    assert_ok(store_begin(w->store, &e));
    assert_ok(store_take(w->store, PARTY_JUDGE, &key, &v.id, &taken, &e));
    assert_ok(store_verdict_end(w->store, &v, &e));
    assert_ok(store_commit(w->store, &e));
}

static inline void panel_judge(struct world *w, const struct panel_run *r, size_t item,
                               size_t model, const char *dimension, double value)
{
    panel_verdict(w, r->samples[item][model], (struct verdict_result){0},
                  &(struct mark){.dimension = dimension, .value = value});
}

/* An open campaign over it. */
static inline struct campaign panel_open(struct world *w, const struct panel_run *r,
                                         const char *yaml)
{
    const char *frozen;
    struct campaign c;
    struct diags d;
    struct spec spec;
    struct err e;

    diags_init(&d, w->arena);
    spec_read(w->arena, str_of(yaml), &r->suite, &spec, &frozen, &d);
    if (d.errors)
        fail_msg("%s", d.first->msg);
    assert_ok(campaign_add(w->arena, w->store,
                           &(struct campaign_new){&w->run, &r->suite, frozen, "test"}, &c, &e));
    assert_ok(campaign_turn(w->store, &c, CAMPAIGN_OPEN, &e));
    assert_ok(campaign_get(w->arena, w->store, c.name, &c, &e));
    return c;
}

/* Somebody who has agreed and told nothing. */
static inline struct rater panel_rater(struct world *w, const struct campaign *c)
{
    char token[RATER_TOKEN], words[RATER_TOKEN];
    int *none = NEW_N(w->arena, int, c->spec.nabout + 1);
    struct rater r;
    struct err e;

    for (size_t i = 0; i < c->spec.nabout; i++)
        none[i] = -1;
    assert_ok(invite_add(w->store, c, "ada", clock_utc_ms() + 60000, token, &e));
    assert_ok(rater_accept(w->arena, w->store, str_of(token), "en", &r, words, &e));
    assert_ok(rater_consent(w->store, c, &r, c->spec.consent_version, "en", &e));
    assert_ok(rater_about(w->store, c, &r, none, &e));
    assert_ok(rater_get(w->arena, w->store, r.id, &r, &e));
    return r;
}

/* What the rater goes on with; false: nothing. */
static inline bool panel_next(struct world *w, const struct campaign *c, struct rater *r,
                              struct ballot *out)
{
    struct assignment as;
    struct err e;
    bool found;

    assert_ok(rater_get(w->arena, w->store, r->id, r, &e));
    assert_ok(assign_next(w->arena, w->store, c, r, &as, &found, &e));
    if (found)
        assert_ok(ballot_open(w->arena, w->store, c, &as, out, &e));
    return found;
}

/* Every text gets the mark that `value` of a dimension says; then it is handed in. */
static inline void panel_rate(struct world *w, const struct campaign *c, struct rater *r,
                              const struct ballot *b, const double *value)
{
    const struct instrument *in = &c->suite.instrument;
    const struct slot *slot;
    enum ballot_result result;
    struct ballot_mark now;
    const char *dimension;
    size_t missing;
    struct err e;

    for (size_t i = 0; i < b->n; i++)
        for (size_t d = 0; d < in->ndimensions; d++) {
            struct ballot_save s = {
                .m = {.is = b->slots[i].is, .dimension = in->dimensions[d].id, .value = value[d]},
                .client = "c"};
            assert_ok(ballot_save(w->arena, w->store, c, b, &s, &result, &now, &e));
        }
    assert_ok(ballot_submit(w->arena, w->store, c, b, &missing, &slot, &dimension, &e));
    assert_int_equal(missing, 0);
    assert_ok(rater_get(w->arena, w->store, r->id, r, &e));
}

#endif
