#include "report/report.h"

#include <math.h>
#include <stdlib.h>

#include "audit/audit.h"
#include "eval/derive.h"
#include "report/panels.h"
#include "report/pick.h"
#include "report/show.h"
#include "report/sittings.h"
#include "report/traffic_table.h"
#include "store/store_class.h"
#include "suite/suite.h"
#include "suite/template.h"

/* Counts are stored as numbers; a missing one is 0. */
static int64_t count_of(const struct score_row *row)
{
    return row && isfinite(row->value) ? (int64_t)llround(row->value) : 0;
}

static int64_t count_in(const struct score_list *l, const char *subject, const char *metric)
{
    return count_of(score_find(l, subject, metric));
}

/* ---- models and judges ---- */

static const struct score_row **rows_of(struct arena *a, const struct score_list *l,
                                        const struct suite *suite, const char *subject,
                                        const char *metric)
{
    size_t n = suite->instrument.ndimensions;
    const struct score_row **rows = NEW_N(a, const struct score_row *, n);

    for (size_t i = 0; i < n; i++)
        rows[i] = score_find(l, subject,
                             arena_printf(a, "%s:%s", metric, suite->instrument.dimensions[i].id));
    return rows;
}

static struct report_battles battles_of(const struct score_list *l, const char *subject)
{
    return (struct report_battles){
        .group = count_in(l, subject, "group"),
        .wins = count_in(l, subject, "wins"),
        .losses = count_in(l, subject, "losses"),
        .ties = count_in(l, subject, "ties"),
        .rank = score_find(l, subject, "rank"),
        .glicko = score_find(l, subject, "glicko2"),
        .glicko_rd = score_find(l, subject, "glicko2-rd"),
        .glicko_order = score_find(l, subject, "glicko2-order"),
        .controlled = score_find(l, subject, "controlled"),
    };
}

/* The rows about the turns of dialogues. */
static struct score_list over_time(struct arena *a, const struct score_list *l, const char *subject)
{
    static const char *const kinds[] = {"drift:", "slope", "alive:", "recall:", "contradictions"};
    struct score_list out = {.v = NEW_N(a, struct score_row, l->n), .sorted = l->sorted};

    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; k < COUNT(kinds) && strcmp(l->v[i].subject, subject) == 0; k++)
            if (str_starts(str_of(l->v[i].metric), str_of(kinds[k])))
                out.v[out.n++] = l->v[i];
    return out;
}

static const struct score_row **rates_of(struct arena *a, const struct score_list *l,
                                         const struct report *r, const char *subject)
{
    const struct score_row **rows = NEW_N(a, const struct score_row *, r->nclassifiers);

    for (size_t i = 0; i < r->nclassifiers; i++)
        rows[i] = score_find(l, subject, arena_printf(a, "rate:%s", r->classifiers[i]));
    return rows;
}

static struct report_model model_of(struct arena *a, const struct score_list *l,
                                    const struct report *r, const char *name)
{
    const struct suite *suite = &r->suite;
    const char *subject = arena_printf(a, "model/%s", name);
    const struct score_row *samples = score_find(l, subject, "samples");
    struct report_model m = {
        .name = name,
        .score = score_find(l, subject, "score"),
        .unrounded = score_find(l, subject, "score-unrounded"),
        .marks = rows_of(a, l, suite, subject, "mark"),
        .rates = rates_of(a, l, r, subject),
        .planned = count_of(samples),
        .done = samples ? samples->n : 0,
        .failed = count_in(l, subject, "failed"),
        .unscored = count_in(l, subject, "unscored"),
        .unjudged = count_in(l, subject, "unjudged"),
        .left_out = count_in(l, subject, "left-out"),
        .duplicates = count_in(l, subject, "flag:duplicate"),
        .tokens = count_in(l, subject, "tokens"),
        .cost = show_value(score_find(l, subject, "cost")),
        .spread = score_find(l, subject, "spread"),
        .unbroken = score_find(l, subject, "unbroken"),
        .never_broken = score_find(l, subject, "never-broken"),
        .contradictions = score_find(l, subject, "contradictions"),
        .bad_users = count_in(l, subject, "flag:user"),
    };

    if (suite->elicit.kind == ELICIT_DIALOGUE)
        m.over = over_time(a, l, subject);
    if (suite->instrument.kind == INSTRUMENT_PAIR)
        m.battles = battles_of(l, subject);
    if (suite->score.kind == SCORE_TOTALS || suite->score.kind == SCORE_BAND)
        m.totals = rows_of(a, l, suite, subject, "total");
    return m;
}

static struct report_judge judge_of(struct arena *a, const struct score_list *l, const char *name)
{
    const char *subject = arena_printf(a, "judge/%s", name);
    const struct score_row *verdicts = score_find(l, subject, "verdicts");
    const struct score_row *differs = score_find(l, subject, "overall-differs");

    return (struct report_judge){
        .name = name,
        .planned = count_of(verdicts),
        .done = verdicts ? verdicts->n : 0,
        .unscored = count_in(l, subject, "unscored"),
        .failed = count_in(l, subject, "failed"),
        .repaired = count_in(l, subject, "repaired"),
        .tokens = count_in(l, subject, "tokens"),
        .differs = count_of(differs),
        .compared = differs ? differs->n : 0,
        .cost = show_value(score_find(l, subject, "cost")),
        .agreement = show_value(score_find(l, subject, "agreement")),
        .first_shown = score_find(l, subject, "first-shown"),
        .inconsistent = score_find(l, subject, "inconsistent"),
        .consistency = score_find(l, subject, "swap-consistency"),
        .bias = score_find(l, subject, "position-bias"),
        .bias_p = score_find(l, subject, "position-bias-p"),
        .length = score_find(l, subject, "length"),
        .own_family = score_find(l, subject, "own-family"),
    };
}

/* ---- classifiers ---- */

static bool is_known(const struct report *r, const char *classifier)
{
    for (size_t i = 0; i < r->nclassifiers; i++)
        if (strcmp(r->classifiers[i], classifier) == 0)
            return true;
    return false;
}

/* Classifiers for which some model has a rate, in the order of the rows: by model, then by name. */
static void find_classifiers(struct arena *a, const struct score_list *l, struct report *r)
{
    r->classifiers = NEW_N(a, const char *, REPORT_CLASSIFIERS);
    for (size_t i = 0; i < l->n && r->nclassifiers < REPORT_CLASSIFIERS; i++) {
        struct str name = str_of(l->v[i].metric);
        if (str_drop(&name, STR("rate:")) && !is_known(r, name.p))
            r->classifiers[r->nclassifiers++] = name.p;
    }
}

static enum status name_classes(struct arena *a, struct store *s, struct report *r, struct err *e)
{
    r->classes = NEW_N(a, const char *, r->nclassifiers);
    for (size_t i = 0; i < r->nclassifiers; i++) {
        const char *name = r->classifiers[i], *label;
        if (store_class_label(a, s, r->run.id, name, &label, e) != OK)
            return e->code;
        r->classes[i] = strcmp(label, name) == 0 ? name : arena_printf(a, "%s (%s)", label, name);
    }
    return OK;
}

/* Highest first. Dimensions where less is better were inverted during scoring. */
static int compare_models(const void *x, const void *y)
{
    const struct report_model *a = x, *b = y;
    double va = show_value(a->score), vb = show_value(b->score);

    if (isnan(va) || isnan(vb))
        return isnan(va) != isnan(vb) ? (isnan(va) ? 1 : -1) : strcmp(a->name, b->name);
    if (a->battles.group != b->battles.group) /* ratings of different groups are not comparable */
        return a->battles.group < b->battles.group ? -1 : 1;
    if (va == vb) { /* of the same band: the higher mean first */
        va = a->unrounded ? a->unrounded->value : va;
        vb = b->unrounded ? b->unrounded->value : vb;
    }
    return va != vb ? (va > vb ? -1 : 1) : strcmp(a->name, b->name);
}

static void gather_ratings(struct arena *a, const struct score_list *l, struct report *r)
{
    const struct score_row *row;

    r->notes = NEW_N(a, const char *, l->n);
    while ((row = score_find(l, "run/ratings", arena_printf(a, "note:%zu", r->nnotes + 1))))
        r->notes[r->nnotes++] = row->method;
    r->chosen = score_find(l, "run/ratings", "battles");
    r->largest_rd = score_find(l, "run/ratings", "largest-rd");
    r->round_robin = score_find(l, "run/ratings", "round-robin");
    /* While masked, style would reveal the systems: the run shows whose answers are long. */
    for (int f = 0; f < STYLE_FEATURES && !r->jury.masked; f++)
        r->style[f] = score_find(l, "run/ratings",
                                 arena_printf(a, "style:%s", style_name((enum style_feature)f)));
}

static enum status build_parties(struct arena *a, struct store *s, struct report *r, struct err *e)
{
    struct party_list models, judges = r->jury.members;
    struct party people = {.name = r->jury.name};
    struct score_list scores;

    if (store_score_list(a, s, r->run.id, r->jury.key, &scores, e) != OK ||
        store_party_list(a, s, PARTY_MODEL, r->run.id, &models, e) != OK ||
        store_party_list(a, s, PARTY_EXAMINER, r->run.id, &r->others, e) != OK)
        return e->code;
    if (r->jury.campaign) /* all raters count as one judge here */
        judges = (struct party_list){&people, 1};
    find_classifiers(a, &scores, r);
    if (name_classes(a, s, r, e) != OK)
        return e->code;
    r->nmodels = models.n;
    r->models = NEW_N(a, struct report_model, models.n);
    for (size_t i = 0; i < models.n; i++)
        r->models[i] = model_of(a, &scores, r, models.v[i].name);
    if (panels_mask(a, s, &scores, r, e) != OK)
        return e->code;
    qsort(r->models, r->nmodels, sizeof *r->models, compare_models);
    r->njudges = judges.n;
    r->judges = NEW_N(a, struct report_judge, judges.n);
    for (size_t i = 0; i < judges.n; i++) {
        struct template t = {0};
        if (judges.v[i].template.n && template_thaw(a, judges.v[i].template, &t, e) != OK)
            return e->code;
        r->judges[i] = judge_of(a, &scores, judges.v[i].name);
        r->judges[i].template = t.name && *t.name ? t.name : NULL;
        if (audit_falls(a, s, judges.v[i].name, &r->judges[i].falls, e) != OK)
            return e->code;
    }
    gather_ratings(a, &scores, r);
    r->agreement = show_value(score_find(&scores, "run/judges", "agreement"));
    r->noise = noise_of(a, &scores, "run/noise");
    if (panels_kin(a, s, &models, r, e) != OK)
        return e->code;
    return panels_take(a, s, r, e);
}

/* ---- side by side ---- */

const struct report_model *report_model_named(const struct report *r, const char *name)
{
    for (size_t i = 0; i < r->nmodels; i++)
        if (strcmp(r->models[i].name, name) == 0)
            return &r->models[i];
    return NULL;
}

static void add_judges(struct arena *a, struct report *r, const struct report *other)
{
    struct report_judge *all = NEW_N(a, struct report_judge, r->njudges + other->njudges);
    size_t n = r->njudges;

    memcpy(all, r->judges, r->njudges * sizeof *all);
    for (size_t i = 0; i < other->njudges; i++) {
        bool known = false;
        for (size_t k = 0; k < r->njudges; k++)
            known |= strcmp(r->judges[k].name, other->judges[i].name) == 0;
        if (!known)
            all[n++] = other->judges[i];
    }
    r->judges = all;
    r->njudges = n;
}

static enum status build_beside(struct arena *a, struct store *s, const struct report_take *take,
                                struct report *r, struct err *e)
{
    r->beside = NEW_N(a, struct report_beside, take->nbeside);
    for (size_t i = 0; i < take->nbeside; i++) {
        struct report_beside *b = &r->beside[i];
        struct report other = {.run = r->run, .suite = r->suite};
        if (jury_find(a, s, r->run.id, take->beside[i], &other.jury, e) != OK)
            return e->code;
        if (other.jury.masked || r->jury.masked) /* the other one would reveal the systems */
            return err_set(e, E_USAGE, "%s is not unmasked yet, and cannot be shown beside another",
                           other.jury.masked ? other.jury.name : r->jury.name);
        if (build_parties(a, s, &other, e) != OK)
            return e->code;
        *b = (struct report_beside){.jury = other.jury,
                                    .models = NEW_N(a, struct report_model, r->nmodels)};
        for (size_t m = 0; m < r->nmodels; m++)
            b->models[m] = *report_model_named(&other, r->models[m].name);
        add_judges(a, r, &other);
    }
    r->nbeside = take->nbeside;
    return OK;
}

/* Keeps the faults of models and of this jury's judges. */
static void keep_own_faults(struct report *r)
{
    size_t n = 0;

    for (size_t i = 0; i < r->faults.n; i++) {
        const struct fault_count *f = &r->faults.v[i];
        bool own = !f->is_judge;
        for (size_t k = 0; k < r->njudges && !own; k++)
            own = strcmp(r->judges[k].name, f->who) == 0;
        if (own)
            r->faults.v[n++] = *f;
    }
    r->faults.n = n;
}

enum status report_build(struct arena *a, struct store *s, struct run_row *run,
                         struct report_take take, struct report *out, struct err *e)
{
    struct report r = {0};

    if (run->stale && derive_refresh(s, run, e) != OK)
        return err_wrap(e, "scores of run %s", run->name);
    r.run = *run;
    if (suite_thaw(a, run->frozen, &r.suite, e) != OK)
        return err_wrap(e, "suite of run %s", run->name);
    if (jury_find(a, s, run->id, take.judge, &r.jury, e) != OK ||
        store_item_count(s, run->id, &r.items, e) != OK || build_parties(a, s, &r, e) != OK ||
        build_beside(a, s, &take, &r, e) != OK ||
        store_fault_list(a, s, run->id, &r.faults, e) != OK ||
        store_flag_list(a, s, run->id, &r.flags, e) != OK)
        return e->code;
    keep_own_faults(&r);
    r.withheld = r.suite.sensitive && !take.sensitive;
    if (r.jury.masked)
        r.faults.n = 0;
    else if (take.traffic && traffic_build(a, s, run->id, &r.traffic, &r.ntraffic, e) != OK)
        return e->code;
    if (r.withheld || r.jury.masked)
        r.flags.n = 0; /* their evidence quotes answers; their number is in the scores */
    else if (take.samples &&
             (pick_samples(a, s, take.samples, &r, e) != OK || sittings_take(a, s, &r, e) != OK))
        return e->code;
    *out = r;
    return OK;
}
