#include "report/charts_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "gauge/readings.h"
#include "math/interval.h"
#include "report/traffic_table.h"
#include "report/wording.h"
#include "store/jury.h"
#include "store/store_compare.h"
#include "store/store_explore.h"

enum { RUNS = 40, BINS = 10 };

static struct table *begin(struct arena *a, const struct report *r, size_t rows, const char *key,
                           enum word word, struct table_cell **names)
{
    struct table *t = table_new(a, r->suite.language, rows);

    *names = table_add(t, .key = key, .word = word, .kind = TABLE_LINK);
    return t;
}

/* ---- rating against cost, and against time ---- */

/* The score of each model against x, one number per model; false if no model has both. */
static bool against(struct arena *a, const struct report *r, const struct table_column *what,
                    const double *x, struct table **out)
{
    struct table_cell *names, *price, *score;
    bool any = false;

    *out = begin(a, r, r->nmodels, "model", WORD_MODEL, &names);
    price = table_column(*out, what);
    score = table_add(*out, .key = "score", .word = wording_headline(&r->suite),
                      .kind = TABLE_INTERVAL, .decimals = show_headline(r));
    for (size_t i = 0; i < r->nmodels; i++) {
        names[i] = table_text(r->models[i].name);
        price[i] = table_number(x[i]);
        score[i] = table_score(r->models[i].score);
        any |= price[i].there && score[i].there;
    }
    return any;
}

enum status charts_pairs_cost(struct arena *a, struct store *s, const struct report *r,
                              struct table **out, struct err *e)
{
    double *cost = NEW_N(a, double, r->nmodels);
    bool any = false;

    (void)s;
    for (size_t i = 0; i < r->nmodels; i++) {
        cost[i] = r->models[i].cost;
        any = any || cost[i] > 0;
    }
    return any && against(a, r,
                          &(struct table_column){
                              .key = "cost", .word = CHART_COST, .kind = TABLE_MONEY},
                          cost, out)
               ? OK
               : err_set(e, E_INPUT, "no model of run %s has both a score and a price",
                         r->run.name);
}

/* The median response time; see traffic_table.h. */
enum status charts_pairs_latency(struct arena *a, struct store *s, const struct report *r,
                                 struct table **out, struct err *e)
{
    double *seconds = NEW_N(a, double, r->nmodels);
    struct traffic *v;
    size_t n;

    if (traffic_build(a, s, r->run.id, &v, &n, e) != OK)
        return e->code;
    for (size_t i = 0; i < r->nmodels; i++) {
        seconds[i] = NAN;
        for (size_t k = 0; k < n; k++)
            if (strcmp(v[k].kind, "model") == 0 && strcmp(v[k].name, r->models[i].name) == 0)
                seconds[i] = v[k].total;
    }
    return against(a, r,
                   &(struct table_column){.key = "total_s",
                                          .word = WORD_TRAFFIC_TOTAL,
                                          .kind = TABLE_SCORE,
                                          .decimals = 2,
                                          .flags = TABLE_LOWER},
                   seconds, out)
               ? OK
               : err_set(e, E_INPUT, "no model of run %s has both a score and timed replies",
                         r->run.name);
}

/* ---- history ---- */

/* The runs of the suite, oldest first, with a column for each model of this run. */
enum status charts_pairs_history(struct arena *a, struct store *s, const struct report *r,
                                 struct table **out, struct err *e)
{
    struct explore_entries l;
    struct table_cell *names;
    const char *runs[RUNS];
    int64_t most;
    size_t n = 0;

    /* Enough unless other runs have many more models than this one; otherwise fewer runs are
     * shown. */
    most = (int64_t)RUNS * (2 * (int64_t)r->nmodels + 6);
    if (store_board_of(a, s, r->run.suite, "score", most, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n && n < RUNS; i++)
        if (!n || strcmp(runs[n - 1], l.v[i].run) != 0)
            runs[n++] = l.v[i].run;
    if (!n)
        return err_set(e, E_INPUT, "no run of %s has scores", r->run.suite);
    *out = begin(a, r, n, "run", WORD_RUN, &names);
    for (size_t k = 0; k < n; k++)
        names[k] = table_text(runs[n - 1 - k]);
    for (size_t m = 0; m < r->nmodels; m++) {
        struct table_cell *cells =
            table_add(*out, .key = r->models[m].name, .head = r->models[m].name,
                      .kind = TABLE_INTERVAL, .decimals = show_headline(r), .flags = TABLE_NAMED);
        for (size_t i = 0; i < l.n; i++)
            for (size_t k = 0; k < n; k++)
                if (strcmp(l.v[i].model, r->models[m].name) == 0 &&
                    strcmp(l.v[i].run, runs[n - 1 - k]) == 0) {
                    cells[k] = table_between(l.v[i].value, l.v[i].lo, l.v[i].hi);
                    cells[k].n = l.v[i].n;
                    cells[k].why = l.v[i].why && l.v[i].why[0] ? l.v[i].why : NULL;
                }
    }
    return OK;
}

/* ---- judges and people ---- */

struct both {
    int64_t sample, model, item;
    double judge, people; /* NaN: no mark */
};
struct boths {
    struct arena *a;
    struct both *v;
    size_t n, cap, at;
    bool people; /* which jury is being read */
};

/* Both juries' values come in the order of samples. */
static enum status add_value(void *user, const struct score_value *v, struct err *e)
{
    struct boths *b = user;

    (void)e;
    if (!b->people) {
        b->v = arena_grow(b->a, b->v, &b->cap, b->n + 1, sizeof *b->v);
        b->v[b->n++] = (struct both){v->sample, v->model, v->item, v->value, NAN};
        return OK;
    }
    for (size_t k = 0; k < b->n; k++, b->at++) {
        struct both *one = &b->v[b->at % b->n];
        if (one->sample != v->sample)
            continue;
        one->people = v->value;
        break;
    }
    return OK;
}

static enum status find_both(struct arena *a, struct store *s, const struct report *r,
                             struct boths *out, struct err *e)
{
    struct jury_list juries;
    const struct jury *judge = NULL, *people = NULL;
    size_t n = 0;

    if (jury_list(a, s, r->run.id, &juries, e) != OK)
        return e->code;
    for (size_t i = 0; i < juries.n; i++) {
        if (juries.v[i].campaign && !juries.v[i].masked && !people)
            people = &juries.v[i];
        else if (!juries.v[i].campaign && juries.v[i].members.n && !judge)
            judge = &juries.v[i];
    }
    if (!judge || !people || show_pair(r))
        return err_set(e, E_INPUT,
                       "run %s has no answers marked by a judge and by the people of an unmasked "
                       "campaign",
                       r->run.name);
    if (score_value_each(s, &r->run, &r->suite, judge, add_value, out, e) != OK)
        return e->code;
    out->people = true;
    if (score_value_each(s, &r->run, &r->suite, people, add_value, out, e) != OK)
        return e->code;
    for (size_t i = 0; i < out->n; i++)
        if (isfinite(out->v[i].judge) && isfinite(out->v[i].people))
            out->v[n++] = out->v[i];
    out->n = n;
    return n ? OK : err_set(e, E_INPUT, "no answer of run %s was marked by both", r->run.name);
}

static const char *item_name(const struct item_names *l, int64_t id)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].id == id)
            return l->v[i].name;
    return "";
}

static const char *party_name(const struct party_list *l, int64_t id)
{
    size_t i = readings_place(l, id);

    return i < l->n ? l->v[i].name : "";
}

static struct table_cell *column(struct table *t, const char *key, enum word word,
                                 enum table_kind kind)
{
    return table_add(t, .key = key, .word = word, .kind = kind, .decimals = 2);
}

enum status charts_pairs_human(struct arena *a, struct store *s, const struct report *r,
                               struct table **out, struct err *e)
{
    struct boths b = {.a = a};
    struct table_cell *names, *judge, *people;
    struct party_list models;
    struct item_names items;

    if (find_both(a, s, r, &b, e) != OK ||
        store_party_list(a, s, PARTY_MODEL, r->run.id, &models, e) != OK ||
        store_item_names(a, s, r->run.id, &items, e) != OK)
        return e->code;
    *out = begin(a, r, b.n, "answer", CHART_ANSWER, &names);
    judge = column(*out, "judge", CHART_JUDGE, TABLE_SCORE);
    people = column(*out, "people", CHART_PEOPLE, TABLE_SCORE);
    for (size_t i = 0; i < b.n; i++) {
        names[i] = table_text(arena_printf(a, "%s · %s", party_name(&models, b.v[i].model),
                                           item_name(&items, b.v[i].item)));
        judge[i] = table_number(b.v[i].judge);
        people[i] = table_number(b.v[i].people);
    }
    return OK;
}

static int by_item(const void *x, const void *y)
{
    const struct both *a = x, *b = y;

    if (a->item != b->item)
        return a->item < b->item ? -1 : 1;
    return a->sample < b->sample ? -1 : a->sample > b->sample;
}

/* People's mean mark for each range of the judge's marks that has answers. Answers to one item
 * are not independent, so items are the clusters. Sorts b. */
static struct table *bins_of(struct arena *a, const struct report *r, struct boths *b)
{
    struct interval_cluster *people = NEW_N(a, struct interval_cluster, b->n + 1);
    struct score_bounds bounds = score_sample_bounds(&r->suite);
    struct show_range range = {INFINITY, -INFINITY};
    struct table_cell *names, *judge, *value, *count;
    struct table *t;
    double step;

    for (size_t i = 0; i < b->n; i++)
        show_reach(&range, b->v[i].judge);
    step = range.lo < range.hi ? (range.hi - range.lo) / BINS : 1;
    if (b->n)
        qsort(b->v, b->n, sizeof *b->v, by_item);
    t = begin(a, r, BINS, "bin", CHART_JUDGE, &names);
    judge = column(t, "judge", CHART_JUDGE_MEAN, TABLE_SCORE);
    value = column(t, "people", CHART_PEOPLE, TABLE_INTERVAL);
    count = column(t, "n", WORD_ANSWERS, TABLE_COUNT);
    t->nrows = 0;
    for (int k = 0; k < BINS; k++) {
        double sum = 0;
        size_t n = 0, items = 0;
        int64_t item = -1;
        for (size_t i = 0; i < b->n; i++) {
            int at = (int)((b->v[i].judge - range.lo) / step);
            if ((at < BINS ? at : BINS - 1) != k)
                continue;
            if (b->v[i].item != item)
                people[items++] = (struct interval_cluster){0, 0};
            item = b->v[i].item;
            people[items - 1].sum += b->v[i].people;
            people[items - 1].n++;
            sum += b->v[i].judge;
            n++;
        }
        if (!n)
            continue;
        names[t->nrows] = table_text(
            arena_printf(a, "%.2f–%.2f", range.lo + step * k, range.lo + step * (k + 1)));
        judge[t->nrows] = table_number(sum / (double)n);
        value[t->nrows] = table_interval(interval_of_ratio(
            people, items, (struct interval_scale){bounds.min, bounds.max}, 0.95));
        count[t->nrows++] = table_count((int64_t)n);
    }
    return t;
}

enum status charts_pairs_reliability(struct arena *a, struct store *s, const struct report *r,
                                     struct table **out, struct err *e)
{
    struct boths b = {.a = a};

    if (find_both(a, s, r, &b, e) != OK)
        return e->code;
    *out = bins_of(a, r, &b);
    return OK;
}
