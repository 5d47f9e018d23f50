#include "panel/outcome.h"

#include <math.h>

#include "base/message.h"
#include "eval/rating.h"
#include "eval/score.h"
#include "eval/verify.h"
#include "gauge/noise.h"
#include "gen/queries.h"
#include "math/accord.h"
#include "math/crossed.h"
#include "math/severity.h"
#include "panel/outcome_parts.h"

void outcome_put_interval(struct tally_sheet *t, const char *subject, const char *metric,
                          const char *method, struct interval i)
{
    if (!isnan(i.value))
        score_put_interval(&t->rows, subject, metric, method, i);
}

const char *outcome_subject(const struct tally_sheet *t, const char *kind, const char *name)
{
    return arena_printf(t->a, "%s/%s", kind, name);
}

/* ---- systems ---- */

/* One dimension for one set of raters. */
struct slice {
    struct cells *cells; /* [systems], sorted; unit: the passage */
    const char *prefix;  /* prefix of metrics */
    const struct dimension *of;
    bool main; /* only raters who count */
};

static struct slice cut(const struct tally_sheet *t, size_t dimension, bool main)
{
    const struct ledger *l = &t->l;
    struct slice x = {.cells = NEW_N(t->a, struct cells, l->nsystems + 1),
                      .prefix = main ? "" : "all:",
                      .of = &t->c->suite.instrument.dimensions[dimension],
                      .main = main};
    size_t *n = NEW_N(t->a, size_t, l->nsystems + 1), from = 0;
    struct cell *v = NEW_N(t->a, struct cell, l->n + 1),
                **at = NEW_N(t->a, struct cell *, l->nsystems + 1);

    for (size_t i = 0; i < l->n; i++)
        n[l->v[i].system] += l->v[i].dimension == dimension && (!main || l->v[i].counts);
    for (size_t k = 0; k < l->nsystems; from += n[k++])
        at[k] = v + from;
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].dimension == dimension && (!main || l->v[i].counts))
            *at[l->v[i].system]++ = (struct cell){l->v[i].passage, l->v[i].rater, l->v[i].value};
    for (size_t k = 0; k < l->nsystems; k++) {
        x.cells[k] = (struct cells){at[k] - n[k], n[k], l->npassages, l->nraters};
        cell_sort(at[k] - n[k], n[k]);
    }
    return x;
}

static void put_slice(struct tally_sheet *t, const struct slice *x)
{
    struct interval_scale scale = {x->of->min, x->of->max};

    for (size_t k = 0; k < t->l.nsystems; k++) {
        struct crossed of = crossed_of(&x->cells[k], scale, OUTCOME_LEVEL);
        struct interval mean = crossed_interval(&of, OUTCOME_LEVEL);
        const char *who = outcome_subject(t, "system", t->l.systems[k]);
        double total = 0;
        if (of.n == 0)
            continue;
        for (size_t i = 0; i < x->cells[k].n; i++)
            total += x->cells[k].v[i].value;
        score_put(&t->rows,
                  (struct score_row){who, arena_printf(t->a, "%stotal:%s", x->prefix, x->of->id),
                                     "sum of marks", total, NAN, NAN, (int64_t)of.n,
                                     (int64_t)of.units, NULL});
        score_put_interval(&t->rows, who, arena_printf(t->a, "%smean:%s", x->prefix, x->of->id),
                           "jackknife over raters and passages", mean);
    }
    if (x->main)
        outcome_differences(t, x->of, x->cells);
}

/* Severities of raters, and means of systems adjusted for them. */
static void put_severity(struct tally_sheet *t, size_t dimension)
{
    const char *id = t->c->suite.instrument.dimensions[dimension].id;
    struct cells cells = ledger_cells(t->a, &t->l, dimension, true);
    double *means = NEW_N(t->a, double, t->l.nsystems + 1);
    struct severity s;

    if (cells.n == 0)
        return;
    severity_solve(t->a, &cells, &s);
    for (size_t i = 0; i < t->l.nraters; i++)
        if (!isnan(s.rater[i]))
            score_put_value(&t->rows, outcome_subject(t, "rater", t->l.raters[i]),
                            arena_printf(t->a, "severity:%s", id),
                            s.groups == 1 ? "additive model"
                                          : "additive model; comparable inside its group only",
                            s.rater[i], s.group[i]);
    if (s.groups != 1) /* groups cannot be compared */
        return;
    severity_means(&s, t->l.system_of, t->l.ntexts, means, t->l.nsystems);
    for (size_t k = 0; k < t->l.nsystems; k++)
        if (!isnan(means[k]))
            score_put_value(&t->rows, outcome_subject(t, "system", t->l.systems[k]),
                            arena_printf(t->a, "adjusted:%s", id), "severity of raters taken out",
                            means[k], (int64_t)cells.n);
}

static void put_systems(struct tally_sheet *t)
{
    for (size_t d = 0; d < t->c->suite.instrument.ndimensions; d++) {
        struct slice main = cut(t, d, true), all = cut(t, d, false);
        put_slice(t, &main);
        put_slice(t, &all);
        put_severity(t, d);
    }
}

/* ---- agreement ---- */

static void put_icc(struct tally_sheet *t, const struct icc *x, size_t n, const char *who)
{
    static const char *const single[] = {"icc:1,1", "icc:2,1", "icc:3,1"};
    static const char *const mean[] = {"icc:1,k", "icc:2,k", "icc:3,k"};
    const char *method =
        x->complete ? N_("Shrout and Fleiss") : N_("variance components, Henderson 1");

    for (size_t f = 0; f < ICC_FORMS; f++) {
        struct interval one = x->single[f], many = x->mean[f];
        one.n = many.n = n;
        one.clusters = many.clusters = 0;
        outcome_put_interval(t, who, single[f], method, one);
        outcome_put_interval(t, who, mean[f], method, many);
    }
}

/* With three or more raters, intervals allow for other raters. */
static void put_agreement(struct tally_sheet *t)
{
    for (size_t d = 0; d < t->c->suite.instrument.ndimensions; d++) {
        const struct dimension *dim = &t->c->suite.instrument.dimensions[d];
        bool yes_no = dim->nlevels == 2 || (dim->nlevels == 0 && dim->max - dim->min == 1);
        const char *who = outcome_subject(t, "dimension", dim->id);
        struct cells cells = ledger_cells(t->a, &t->l, d, true);
        struct accord_how how = {yes_no ? AGREE_NOMINAL : AGREE_ORDINAL, JACKKNIFE_NEW};
        struct accord a;
        if (cells.n == 0)
            continue;
        a = accord_of(&cells, &how);
        outcome_put_interval(t, who, "alpha",
                             yes_no ? N_("Krippendorff, nominal") : N_("Krippendorff, ordinal"),
                             a.alpha);
        outcome_put_interval(t, who, "agreement", N_("pairs of raters who gave the same mark"),
                             (struct interval){.value = a.many.agreement, .low = NAN, .high = NAN});
        outcome_put_interval(t, who, "fleiss", "Fleiss", a.fleiss);
        outcome_put_interval(t, who, "ac1", "Gwet", a.ac1);
        put_icc(t, &a.icc, cells.n, who);
    }
}

/* ---- where the noise comes from ---- */

/* Systems are fixed; passages and raters are random. */
static void outcome_noise(struct tally_sheet *t)
{
    const struct ledger *l = &t->l;
    struct readings r = {
        .models = l->nsystems, .items = l->npassages, .answers = l->ntexts, .judges = l->nraters};

    for (size_t d = 0; d < t->c->suite.instrument.ndimensions; d++) {
        struct score_list rows;
        r.n = 0;
        for (size_t i = 0; i < l->n; i++) {
            const struct entry *x = &l->v[i];
            if (x->dimension == d && x->counts)
                readings_put(&r,
                             (struct reading){x->value, x->system, x->passage, x->text, x->rater});
        }
        noise_rows(t->a, outcome_subject(t, "dimension", t->c->suite.instrument.dimensions[d].id),
                   &r, &rows);
        for (size_t i = 0; i < rows.n; i++)
            score_put(&t->rows, rows.v[i]);
    }
    readings_done(&r);
}

/* ---- pairs ---- */

static bool same_talk(const struct entry *x, const struct entry *y)
{
    return x->rater == y->rater && x->text == y->text && x->second == y->second;
}

/* The number of votes of one rater on one pair of texts, which are adjacent: several if turns of
 * a conversation were voted on. */
static size_t votes_of(const struct entry *v, size_t n, size_t at)
{
    size_t from = at, to = at + 1;

    while (from > 0 && same_talk(&v[from - 1], &v[at]))
        from--;
    while (to < n && same_talk(&v[to], &v[at]))
        to++;
    return to - from;
}

static struct battle_set battles(const struct tally_sheet *t, const struct entry *from, size_t all)
{
    const struct ledger *l = &t->l;
    struct duel *v = NEW_N(t->a, struct duel, all + 1);
    uint32_t *rater = NEW_N(t->a, uint32_t, all + 1);
    size_t n = 0;

    for (size_t i = 0; i < all; i++) {
        const struct entry *x = &from[i];
        if (!x->counts || x->system == x->other)
            continue;
        rater[n] = x->rater;
        v[n++] = (struct duel){
            .a = x->system,
            .b = x->other,
            .cluster = x->passage,
            .outcome = x->value > 0.5   ? DUEL_WON
                       : x->value < 0.5 ? DUEL_LOST
                                        : DUEL_TIED,
            .weight = 1.0 / (double)votes_of(from, all, i),
        };
    }
    return (struct battle_set){.names = l->systems,
                               .models = l->nsystems,
                               .v = v,
                               .n = n,
                               .cluster = "passage",
                               .clusters = l->npassages,
                               .rater = rater,
                               .raters = l->nraters};
}

/* How many of a system's choices were "both bad". All systems get it, or none. */
static void put_bad(struct tally_sheet *t)
{
    const struct ledger *l = &t->l;
    int64_t *bad = NEW_N(t->a, int64_t, l->nsystems + 1),
            *n = NEW_N(t->a, int64_t, l->nsystems + 1);
    int64_t all = 0;

    for (size_t i = 0; i < l->n; i++) {
        const struct entry *x = &l->v[i];
        if (!x->counts)
            continue;
        all += x->bad;
        bad[x->system] += x->bad;
        bad[x->other] += x->bad;
        n[x->system]++;
        n[x->other]++;
    }
    for (size_t i = 0; all && i < l->nsystems; i++)
        score_put_value(&t->rows, outcome_subject(t, "system", l->systems[i]), "both-bad",
                        "share of its choices", n[i] ? (double)bad[i] / (double)n[i] : NAN, n[i]);
}

static enum status put_ratings(struct tally_sheet *t, const char *metric,
                               const struct battle_set *set, struct err *e)
{
    struct rating_how how = {.system = RATING_BT, .ties = BT_HALF, .seed = t->c->spec.seed};
    struct rating_table table;

    if (set->n == 0)
        return OK;
    if (rating_compute(t->a, set, &how, &table, e) != OK)
        return e->code;
    for (size_t g = 0; g < table.ngroups; g++)
        for (size_t i = 0; i < table.groups[g].n; i++) {
            const struct rating *r = &table.groups[g].v[i];
            score_put(&t->rows,
                      (struct score_row){outcome_subject(t, "system", set->names[r->model]), metric,
                                         table.method ? table.method : "Bradley-Terry", r->rating,
                                         r->lo, r->hi, r->games, (int64_t)set->clusters,
                                         interval_why_name(r->why)});
        }
    return OK;
}

static enum status put_pairs(struct tally_sheet *t, struct err *e)
{
    const struct battle_set whole = battles(t, t->l.v, t->l.n),
                            turns = battles(t, t->l.turns, t->l.nturns);

    put_bad(t);
    if (put_ratings(t, "rating", &whole, e) != OK)
        return e->code;
    return put_ratings(t, "rating:turns", &turns, e);
}

/* ---- all of it ---- */

static enum status compute(struct tally_sheet *t, struct err *e)
{
    /* people first: rules may remove a rater from the main table */
    if (ledger_read(t->a, t->s, t->c, &t->l, e) != OK || outcome_people(t, e) != OK)
        return e->code;
    if (t->c->suite.instrument.kind == INSTRUMENT_PAIR)
        return put_pairs(t, e);
    put_systems(t);
    put_agreement(t);
    outcome_noise(t);
    return outcome_machines(t, e);
}

enum status outcome_compute(struct arena *a, struct store *s, const struct campaign *c,
                            struct score_list *out, struct err *e)
{
    struct tally_sheet t = {.a = a, .s = s, .c = c, .rows = {.arena = a}};
    int64_t judged = 0;

    if (db_int(s->db, Q_CAMPAIGN_JUDGED, ARGS(V_INT(c->run.id)), &judged, NULL, e) != OK)
        return e->code;
    score_put_value(&t.rows, "campaign", "ai:verdicts", "count", (double)judged, judged);
    if (compute(&t, e) != OK)
        return e->code;
    *out = score_sorted(&t.rows);
    return OK;
}

enum status outcome_stored(struct arena *a, struct store *s, const struct campaign *c,
                           struct score_list *out, struct err *e)
{
    return store_score_read(a, s, Q_OUTCOME_LIST, c->id, NULL, out, e);
}

/* Do the same raters count in both, with the same number of marks? */
static bool same_jury(const struct score_list *was, const struct score_list *is)
{
    size_t n = 0;

    for (size_t i = 0; i < was->n; i++)
        n += strcmp(was->v[i].metric, "counts") == 0;
    for (size_t i = 0; i < is->n; i++)
        if (strcmp(is->v[i].metric, "counts") == 0) {
            const struct score_row *known = score_find(was, is->v[i].subject, "counts");
            if (!known || known->n != is->v[i].n)
                return false;
            n--;
        }
    return n == 0;
}

/* `stale`: the count read before computing; marks that came later leave the campaign stale.
 * `jury`: the run's scores depend on its raters, and become stale. */
static enum status replace(struct store *s, const struct campaign *c, int64_t stale, bool jury,
                           const struct score_list *l, struct err *e)
{
    int64_t campaign = c->id;

    if (db_run(s->db, Q_CAMPAIGN_LOCK, ARGS(V_INT(campaign)), NULL, e) != OK ||
        db_run(s->db, Q_OUTCOME_DROP, ARGS(V_INT(campaign)), NULL, e) != OK ||
        store_score_write(s, Q_OUTCOME_ADD, campaign, NULL, l, e) != OK ||
        (jury && store_run_stale(s, c->run.id, e) != OK))
        return e->code;
    return db_run(s->db, Q_CAMPAIGN_FRESH, ARGS(V_INT(campaign), V_INT(stale)), NULL, e);
}

struct standing {
    struct score_list rows; /* as stored */
    int64_t stale;          /* number of changes since */
    bool fresh;             /* still valid */
};

/* Marks by AI judges do not touch the campaign, so they are counted. */
static enum status look(struct arena *a, struct store *s, const struct campaign *c,
                        struct standing *out, struct err *e)
{
    const struct score_row *known;
    struct score_versions versions;
    int64_t judged = 0;

    *out = (struct standing){0};
    if (store_score_span(s, Q_OUTCOME_VERSIONS, c->id, &versions, e) != OK ||
        db_int(s->db, Q_CAMPAIGN_STALENESS, ARGS(V_INT(c->id)), &out->stale, NULL, e) != OK ||
        db_int(s->db, Q_CAMPAIGN_JUDGED, ARGS(V_INT(c->run.id)), &judged, NULL, e) != OK ||
        outcome_stored(a, s, c, &out->rows, e) != OK)
        return e->code;
    known = score_find(&out->rows, "campaign", "ai:verdicts");
    out->fresh =
        !out->stale && known && known->n == judged && versions.oldest == STORE_SCORE_VERSION;
    return OK;
}

enum status outcome_refresh(struct arena *a, struct store *s, const struct campaign *c,
                            struct score_list *out, struct err *e)
{
    struct score_list is = {0};
    struct standing was;
    bool jury;

    if (look(a, s, c, &was, e) != OK)
        return e->code;
    if (was.fresh) {
        *out = was.rows;
        return OK;
    }
    if (outcome_compute(a, s, c, &is, e) != OK)
        return e->code;
    jury = was.stale || !same_jury(&was.rows, &is);
    if (store_atomically(s, e, replace(s, c, was.stale, jury, &is, e)) != OK)
        return e->code;
    return outcome_stored(a, s, c, out, e);
}

enum status outcome_stale_run(struct store *s, int64_t run, enum campaign_state least, bool *stale,
                              struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct campaign_list l;

    *stale = false;
    if (campaign_list(a, s, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++) {
        struct standing is;
        if (l.v[i].run.id != run || l.v[i].state < least)
            continue;
        if (look(a, s, &l.v[i], &is, e) != OK)
            return e->code;
        *stale |= !is.fresh;
    }
    return OK;
}

enum status outcome_refresh_run(struct store *s, struct run_row *run, enum campaign_state least,
                                struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct campaign_list l;

    if (campaign_list(a, s, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++) {
        struct score_list rows;
        struct standing was;
        struct campaign c;
        if (l.v[i].run.id != run->id || l.v[i].state < least)
            continue;
        if (look(a, s, &l.v[i], &was, e) != OK ||
            (!was.fresh && (campaign_by_id(a, s, l.v[i].id, &c, e) != OK ||
                            outcome_refresh(a, s, &c, &rows, e) != OK)))
            return e->code;
        run->stale |= !was.fresh;
    }
    return OK;
}

static enum status verify_one(struct arena *a, struct store *s, int64_t id, outcome_fn *fn,
                              void *user, struct outcome_counts *out, struct err *e)
{
    struct verify_rows r = {.what = "outcome"};
    struct score_versions versions;
    struct campaign c;

    if (campaign_by_id(a, s, id, &c, e) != OK ||
        store_score_span(s, Q_OUTCOME_VERSIONS, id, &versions, e) != OK ||
        outcome_stored(a, s, &c, &r.stored, e) != OK ||
        outcome_compute(a, s, &c, &r.computed, e) != OK)
        return e->code;
    r.whose = arena_printf(a, " of campaign %s", c.name);
    r.older = verify_older(a, &versions, arena_printf(a, "outcomes%s", r.whose), fn, user);
    verify_rows(a, &r, fn, user);
    out->rows += (int64_t)r.computed.n;
    out->older |= r.older;
    return OK;
}

enum status outcome_verify_run(struct arena *a, struct store *s, const struct run_row *run,
                               outcome_fn *fn, void *user, struct outcome_counts *out,
                               struct err *e)
{
    struct campaign_list l;

    *out = (struct outcome_counts){0};
    if (campaign_list(a, s, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++) {
        struct standing is = {.fresh = true};
        if (l.v[i].run.id != run->id || l.v[i].state < CAMPAIGN_OPEN || l.v[i].stale)
            continue;
        if (run->stale && look(a, s, &l.v[i], &is, e) != OK)
            return e->code;
        if (is.fresh && verify_one(a, s, l.v[i].id, fn, user, out, e) != OK)
            return e->code;
    }
    return OK;
}
