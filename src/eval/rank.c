#include "eval/rank.h"

#include <math.h>

#include "base/message.h"
#include "eval/adaptive.h"
#include "eval/bias.h"
#include "eval/rating.h"
#include "math/dist.h"
#include "math/interval.h"
#include "math/pairing.h"

#define LEVEL 0.95

struct ranker {
    struct arena *arena;
    const struct suite *suite;
    const struct jury *jury;
    struct bouts bouts;
    struct adaptive_state pairing;
    struct score_row *rows;
    size_t nrows, rows_cap, nnotes;
};

/* ---- rows ---- */

static void put_row(struct ranker *k, struct score_row row)
{
    k->rows = arena_grow(k->arena, k->rows, &k->rows_cap, k->nrows + 1, sizeof *k->rows);
    k->rows[k->nrows++] = row;
}

static void put_value(struct ranker *k, const char *subject, const char *metric, const char *method,
                      double value, int64_t n)
{
    put_row(k, (struct score_row){subject, metric, method, value, NAN, NAN, n, 0, NULL});
}

static void put_count(struct ranker *k, const char *subject, const char *metric, int64_t value,
                      int64_t n)
{
    put_value(k, subject, metric, "count", (double)value, n);
}

static void put_interval(struct ranker *k, const char *subject, const char *metric,
                         const char *method, struct interval i)
{
    put_row(k, (struct score_row){subject, metric, method, i.value, i.low, i.high, (int64_t)i.n,
                                  (int64_t)i.clusters, interval_why_name(i.why)});
}

static const char *subject_of(const struct ranker *k, const char *kind, const char *name)
{
    return arena_printf(k->arena, "%s/%s", kind, name);
}

static void put_models(struct ranker *k)
{
    for (size_t i = 0; i < k->bouts.nmodels; i++) {
        const struct bouts_model *m = &k->bouts.models[i];
        const char *subject = subject_of(k, "model", m->name);
        if (m->planned == 0)
            continue;
        put_count(k, subject, "unscored", m->unscored, m->planned);
        put_count(k, subject, "unjudged", m->unjudged, m->planned);
    }
}

static void put_share(struct ranker *k, const char *subject, const char *metric,
                      const struct interval_cluster *by_item)
{
    struct interval i = interval_of_ratio(by_item, k->bouts.items, interval_share, LEVEL);

    if (i.n)
        put_interval(k, subject, metric, "M, by item", i);
}

static void put_position(struct ranker *k, const struct bouts_judge *j)
{
    const char *subject = subject_of(k, "judge", j->name);
    size_t turned = j->first_twice + j->last_twice;
    double bias = (double)j->first_twice - (double)j->last_twice;
    int64_t consistent = 0, pairs = (int64_t)j->pairs;

    put_share(k, subject, "first-shown", j->first);
    if (pairs == 0)
        return;
    for (size_t i = 0; i < k->bouts.items; i++)
        consistent += (int64_t)j->consistent[i].sum;
    put_count(k, subject, "inconsistent", pairs - consistent, pairs);
    put_share(k, subject, "swap-consistency", j->consistent);
    put_value(k, subject, "position-bias", "(first - second) / pairs", bias / (double)pairs, pairs);
    put_value(k, subject, "position-bias-p", "exact binomial",
              dist_binomial_test(j->first_twice, turned, 0.5), (int64_t)turned);
}

static void put_likings(struct ranker *k, const char *name, const struct bias *b)
{
    const char *subject = subject_of(k, "judge", name);

    if (isfinite(b->length.value))
        put_interval(k, subject, "length", "logits for one standard deviation", b->length);
    if (b->against)
        put_interval(k, subject, "own-family", b->against, b->family);
    else if (b->has_family)
        put_value(k, subject, "own-family", "not measured", NAN, 0);
}

/* A judge is measured by what it said, whatever flags made of it. */
static enum status put_judges(struct ranker *k, const struct bouts *said, struct err *e)
{
    for (size_t i = 0; i < said->njudges; i++) {
        struct bias bias;
        if (!jury_has(k->jury, said->judges[i].name))
            continue;
        put_position(k, &said->judges[i]);
        if (bias_compute(said, i, &bias, e) != OK)
            return e->code;
        put_likings(k, said->judges[i].name, &bias);
    }
    return OK;
}

/* ---- ratings ---- */

/* How many items this model's battles are about; battles are sorted by item. */
static int64_t items_of(const struct battle_set *set, uint32_t model)
{
    uint32_t last = UINT32_MAX;
    int64_t n = 0;

    for (size_t i = 0; i < set->n; i++) {
        const struct duel *d = &set->v[i];
        if ((d->a != model && d->b != model) || d->cluster == last)
            continue;
        last = d->cluster;
        n++;
    }
    return n;
}

static void put_headline(struct ranker *k, const struct rating_table *t, size_t group,
                         const struct rating *r)
{
    const char *subject = subject_of(k, "model", k->bouts.set.names[r->model]);
    const char *method =
        t->method ? arena_printf(k->arena, N_("Bradley-Terry, %s"), t->method) : "Bradley-Terry";

    put_row(k, (struct score_row){subject, "score", method, r->rating, r->lo, r->hi, r->games,
                                  items_of(&k->bouts.set, r->model), interval_why_name(r->why)});
    if (t->ngroups > 1)
        put_count(k, subject, "group", (int64_t)group + 1, r->games);
    if (r->rank_best)
        put_row(k, (struct score_row){subject, "rank", "simultaneous differences",
                                      (double)r->rank_best, (double)r->rank_best,
                                      (double)r->rank_worst, r->games, 0, NULL});
    put_count(k, subject, "wins", r->wins, r->games);
    put_count(k, subject, "losses", r->losses, r->games);
    put_count(k, subject, "ties", r->ties, r->games);
}

static void put_glicko(struct ranker *k, const struct rating_table *t, const struct rating *r)
{
    const char *made = k->suite->score.one_period
                           ? "Glicko-2, the run as one period"
                           : "Glicko-2, each battle a period, in the order of the plan";
    const char *subject = subject_of(k, "model", k->bouts.set.names[r->model]);
    const char *shuffled = arena_printf(k->arena, "Glicko-2, %zu shuffled orders", t->shuffles);

    put_row(k, (struct score_row){subject, "glicko2", made, r->rating, r->lo, r->hi, r->games, 0,
                                  NULL});
    put_value(k, subject, "glicko2-rd", made, r->rd, r->games);
    if (t->shuffles)
        put_row(k, (struct score_row){subject, "glicko2-order", shuffled, r->rating, r->order_lo,
                                      r->order_hi, r->games, 0, NULL});
}

static void put_note(struct ranker *k, const char *text)
{
    put_value(k, "run/ratings", arena_printf(k->arena, "note:%zu", ++k->nnotes), text, NAN,
              (int64_t)k->bouts.set.n);
}

/* ---- chosen battles ---- */

static void put_pairing(struct ranker *k)
{
    const struct adaptive_state *p = &k->pairing;
    const char *robin = isfinite(p->round_robin)
                            ? arena_printf(k->arena, N_("about %.0f"), p->round_robin)
                            : N_("more than can be counted");

    if (!p->chosen)
        return;
    put_count(k, "run/ratings", "battles", (int64_t)p->judged, (int64_t)p->possible);
    put_value(k, "run/ratings", "largest-rd", "posterior deviation, widened by 1.1", p->rd,
              (int64_t)p->judged);
    put_value(k, "run/ratings", "round-robin", "battles for the same largest RD", p->round_robin,
              (int64_t)p->judged);
    put_note(
        k, arena_printf(k->arena,
                        N_("the most informative battles were chosen: %zu judged of %zu possible, "
                           "largest RD %.1f; a round robin would have needed %s. Deviations and "
                           "intervals are widened by 1.1, because battles were chosen by results"),
                        p->judged, p->possible, p->rd, robin));
}

/* ---- flagged answers ---- */

static void put_flagged(struct ranker *k)
{
    bool lose = k->suite->instrument.flagged == FLAGGED_LOSE;
    size_t lost = lose ? k->bouts.flagged : 0,
           out = k->bouts.left_out + (lose ? 0 : k->bouts.flagged);

    if (lost)
        put_note(k, arena_printf(k->arena,
                                 N_("%zu battle%s decided by a flagged answer, not by the judge"),
                                 lost, lost == 1 ? " was" : "s were"));
    if (out)
        put_note(k, arena_printf(k->arena, N_("%zu judged battle%s left out for a flagged answer"),
                                 out, out == 1 ? " was" : "s were"));
}

/* ---- with style taken out ---- */

static void put_controlled(struct ranker *k, const struct control *c)
{
    for (size_t m = 0; m < k->bouts.set.models; m++) {
        struct interval i = c->ratings[m];
        i.n = c->battles;
        i.clusters = (size_t)items_of(&k->bouts.set, (uint32_t)m);
        if (isfinite(i.value))
            put_interval(k, subject_of(k, "model", k->bouts.set.names[m]), "controlled", c->method,
                         i);
    }
    for (int f = 0; f < STYLE_FEATURES; f++) {
        struct interval i = c->effects[f];
        i.n = c->battles;
        if (isfinite(i.value))
            put_interval(k, "run/ratings",
                         arena_printf(k->arena, "style:%s", style_name((enum style_feature)f)),
                         "logits for one standard deviation", i);
    }
}

static enum status control(struct ranker *k, struct err *e)
{
    const struct control_how how = {.widen = k->pairing.chosen ? PAIRING_WIDEN : 1};
    struct control c;

    if (control_compute(k->arena, &k->bouts.set, &how, &c, e) != OK)
        return e->code;
    if (!c.any)
        return OK;
    put_controlled(k, &c);
    if (c.ridged)
        put_note(k, N_("these battles alone cannot tell style and models apart: a ridge prior "
                       "stabilises the controlled ratings"));
    if (c.rated < k->bouts.set.models)
        put_note(k, N_("style is controlled for in the largest group only"));
    return OK;
}

/* ---- */

static enum status rate(struct ranker *k, uint64_t seed, struct err *e)
{
    struct rating_how how = {
        .system = RATING_BT,
        .ties = BT_HALF,
        .widen = k->pairing.chosen ? PAIRING_WIDEN : 0,
        .seed = seed,
        .glicko = {.tau = GLICKO_TAU,
                   .period = k->suite->score.one_period ? GLICKO_ALL : GLICKO_SEQUENTIAL},
    };
    struct rating_table t;

    if (k->bouts.set.n == 0)
        return OK;
    if (rating_compute(k->arena, &k->bouts.set, &how, &t, e) != OK)
        return e->code;
    for (size_t g = 0; g < t.ngroups; g++)
        for (size_t i = 0; i < t.groups[g].n; i++)
            put_headline(k, &t, g, &t.groups[g].v[i]);
    for (size_t i = 0; i < t.nnotes; i++)
        put_note(k, t.notes[i]);
    put_pairing(k);
    if (control(k, e) != OK)
        return e->code;
    if (!k->suite->score.glicko)
        return OK;
    how.system = RATING_GLICKO;
    if (rating_compute(k->arena, &k->bouts.set, &how, &t, e) != OK)
        return e->code;
    for (size_t g = 0; g < t.ngroups; g++)
        for (size_t i = 0; i < t.groups[g].n; i++)
            put_glicko(k, &t, &t.groups[g].v[i]);
    return OK;
}

static enum status compute(struct ranker *k, struct store *s, const struct run_row *run,
                           struct err *e)
{
    struct bouts_want want = {.store = s,
                              .run = run->id,
                              .suite = k->suite,
                              .jury = k->jury,
                              .style = true,
                              .flags = true};
    struct bouts said;

    if (bouts_read(k->arena, &want, &k->bouts, e) != OK ||
        (!k->jury->campaign &&
         adaptive_measure(k->arena, s, run->id, &k->bouts, &k->pairing, e) != OK) ||
        rate(k, run->seed, e) != OK)
        return e->code;
    put_models(k);
    put_flagged(k);
    if (k->jury->campaign) /* what raters are like is in the results of their campaign */
        return OK;
    want.flags = false;
    want.jury = NULL; /* a judge is held against all others of the run */
    if (bouts_read(k->arena, &want, &said, e) != OK)
        return e->code;
    return put_judges(k, &said, e);
}

enum status rank_compute(struct arena *a, struct store *s, const struct run_row *run,
                         const struct suite *suite, const struct jury *jury, struct score_list *out,
                         struct err *e)
{
    struct ranker k = {.arena = a, .suite = suite, .jury = jury};

    *out = (struct score_list){0};
    if (suite->instrument.kind != INSTRUMENT_PAIR)
        return OK;
    if (compute(&k, s, run, e) != OK)
        return e->code;
    *out = (struct score_list){.v = k.rows, .n = k.nrows};
    return OK;
}
