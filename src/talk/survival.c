#include "talk/survival.h"

#include <math.h>

#include "math/interval.h"
#include "math/survive.h"
#include "store/store_flag.h"
#include "store/store_turn.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/suite.h"
#include "suite/timeline.h"
#include "talk/recall.h"

#define LEVEL 0.95

/* A sitting that is over. */
struct sat {
    int64_t sample, item;
    size_t model; /* in the list of models */
};

struct survey {
    struct arena *a;
    struct store *store;
    const struct suite *suite;
    const struct timeline *timeline;
    struct party_list models;
    struct map left_out;
    struct sat *v;
    size_t n, cap;
    /* the paper in hand */
    int64_t item;
    struct paper paper;
    struct timeline_case look;
    const struct user *user; /* who talks with the character; a nameless one in interviews */
    struct shown *shown;     /* of each sitting */
    int64_t watched;         /* turns of dialogues that were seen of every model */
    struct score_row *rows;
    size_t nrows, rows_cap;
};

/* What one conversation shows. */
struct shown {
    struct timeline_span span;
    struct recall_list recalls;
};

static enum status list_sittings(struct survey *s, int64_t run, struct err *e)
{
    struct cursor c = store_samples(s->store, &(struct sample_filter){.run = run}, e);
    struct sample_row row;

    while (store_sample_next(&c, &row)) {
        size_t model = 0;
        while (model < s->models.n && s->models.v[model].id != row.model)
            model++;
        if (row.state != STATE_DONE || model == s->models.n ||
            map_get(&s->left_out, map_id(&row.id)))
            continue;
        s->v = arena_grow(s->a, s->v, &s->cap, s->n + 1, sizeof *s->v);
        s->v[s->n++] = (struct sat){row.id, row.item, model};
    }
    return cursor_end(&c);
}

static enum status take_paper(struct survey *s, int64_t item, struct err *e)
{
    struct item thawed;
    struct str body;

    if (item == s->item)
        return OK;
    if (store_item_body(s->a, s->store, item, &body, e) != OK ||
        item_thaw(s->a, body, &thawed, e) != OK ||
        (thawed.paper.n && paper_thaw(s->a, thawed.paper, &s->paper, e) != OK))
        return e->code;
    s->user = vocab_user(s->suite, &thawed);
    s->look = timeline_case_of(s->a, s->suite, &thawed, &s->paper);
    s->item = item;
    return OK;
}

static enum status measure(struct survey *s, const struct sat *one, struct shown *out,
                           struct err *e)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct turn_list turns;
    struct sign_list signs;

    if (take_paper(s, one->item, e) != OK ||
        store_turn_list(scratch, s->store, one->sample, &turns, e) != OK)
        return e->code;
    signs = timeline_find(scratch, s->timeline, &s->look, &turns);
    out->span = timeline_span(&turns, &signs);
    out->recalls = recall_find(s->a, s->user, &turns);
    return OK;
}

/* ---- rows ---- */

static void put(struct survey *s, struct score_row row)
{
    s->rows = arena_grow(s->a, s->rows, &s->rows_cap, s->nrows + 1, sizeof *s->rows);
    s->rows[s->nrows++] = row;
}

static void put_interval(struct survey *s, const char *subject, const char *metric,
                         struct interval i, const char *method)
{
    put(s, (struct score_row){subject, metric, method, i.value, i.low, i.high, (int64_t)i.n,
                              (int64_t)i.clusters, interval_why_name(i.why)});
}

/* All sittings have the same length: one without a sign counts with all of it. */
static void put_sittings(struct survey *s, const char *subject, const struct shown *v, size_t n)
{
    struct interval_cluster *c = NEW_N(s->a, struct interval_cluster, n);
    double most = 0, never = 0;
    struct interval i;

    for (size_t k = 0; k < n; k++) {
        const struct timeline_span *span = &v[k].span;
        if (span->answers == 0)
            continue;
        c[k] = (struct interval_cluster){(double)span->unbroken, 1};
        most = fmax(most, (double)span->answers);
        never += span->unbroken == span->answers;
    }
    i = interval_of_means(c, n, (struct interval_scale){0, most}, LEVEL);
    if (i.n == 0)
        return;
    put_interval(s, subject, "unbroken", i, "restricted mean, M, sittings");
    put(s, (struct score_row){subject, "never-broken", "count", never, NAN, NAN, (int64_t)i.n, 0,
                              NULL});
}

/* Of a dialogue with an answer: until the role broke, or the user left. */
static struct survive_one lasted(const struct timeline_span *span)
{
    bool broke = span->unbroken < span->answers;

    return (struct survive_one){(int64_t)span->unbroken + broke, broke};
}

/* For how many turns this model was seen. All of them if its longest dialogues broke: then it is
 * known that none lasts longer. */
static int64_t watched(const struct shown *v, size_t n, int64_t all)
{
    int64_t longest = 0;
    bool known = true;

    for (size_t k = 0; k < n; k++) {
        struct survive_one one = lasted(&v[k].span);
        if (v[k].span.answers == 0 || one.time < longest)
            continue;
        known = one.ended && (known || one.time > longest);
        longest = one.time;
    }
    return known || longest > all ? all : longest;
}

/* Users leave: of an unbroken dialogue it is not known what would have come after that. */
static void put_dialogues(struct survey *s, const char *subject, const struct shown *v, size_t n)
{
    struct survive_one *one = NEW_N(s->a, struct survive_one, n);
    struct survive_curve curve;
    size_t count = 0;
    double never = 0;

    for (size_t k = 0; k < n; k++) {
        if (v[k].span.answers == 0)
            continue;
        one[count] = lasted(&v[k].span);
        never += !one[count++].ended;
    }
    if (count == 0)
        return;
    curve = survive_curve(s->a, one, count, LEVEL);
    put_interval(s, subject, "unbroken", survive_mean(s->a, one, count, s->watched, LEVEL),
                 "restricted mean, Kaplan-Meier");
    put(s, (struct score_row){subject, "never-broken", "count", never, NAN, NAN, (int64_t)count, 0,
                              NULL});
    for (size_t k = 0; k < curve.n; k++) {
        const struct survive_step *p = &curve.v[k];
        put(s, (struct score_row){subject, arena_printf(s->a, "alive:%lld", (long long)p->time),
                                  "Kaplan-Meier, simultaneous", p->share, p->low, p->high,
                                  (int64_t)p->there, (int64_t)count, NULL});
    }
}

/* At one distance: the dialogues are the units. */
static void put_recall(struct survey *s, const char *subject, const struct shown *v, size_t n,
                       int64_t distance)
{
    struct interval_cluster *c = NEW_N(s->a, struct interval_cluster, n);
    size_t asked = 0;

    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < v[k].recalls.n; i++)
            if (v[k].recalls.v[i].distance == distance) {
                c[k].sum += v[k].recalls.v[i].said.n > 0;
                c[k].n++;
                asked++;
            }
    if (asked)
        put_interval(s, subject, arena_printf(s->a, "recall:%lld", (long long)distance),
                     interval_of_ratio(c, n, interval_share, LEVEL), "M, dialogues");
}

/* Sittings are sorted by model. One without turns (its answer was imported) takes no part. */
static void put_model(struct survey *s, size_t from, size_t to)
{
    const char *subject = arena_printf(s->a, "model/%s", s->models.v[s->v[from].model].name);
    const struct shown *v = &s->shown[from];

    if (s->suite->elicit.kind == ELICIT_INTERVIEW) {
        put_sittings(s, subject, v, to - from);
        return;
    }
    put_dialogues(s, subject, v, to - from);
    for (int64_t distance = 0; distance < USER_TURNS_MAX; distance++)
        put_recall(s, subject, v, to - from, distance);
}

/* Where the sittings of the model at this one end. */
static size_t next_model(const struct survey *s, size_t from)
{
    size_t to = from;

    while (to < s->n && s->v[to].model == s->v[from].model)
        to++;
    return to;
}

static enum status survey(struct survey *s, const struct run_row *run, struct err *e)
{
    if (store_party_list(s->a, s->store, PARTY_MODEL, run->id, &s->models, e) != OK ||
        store_flag_left_out(s->a, s->store, run->id, &s->suite->rules, &s->left_out, e) != OK ||
        list_sittings(s, run->id, e) != OK)
        return e->code;
    s->shown = NEW_N(s->a, struct shown, s->n + 1);
    for (size_t i = 0; i < s->n; i++)
        if (measure(s, &s->v[i], &s->shown[i], e) != OK)
            return e->code;
    s->watched = s->suite->elicit.dialogue.turns;
    for (size_t i = 0, to; i < s->n; i = to) {
        to = next_model(s, i);
        s->watched = watched(&s->shown[i], to - i, s->watched);
    }
    for (size_t i = 0, to; i < s->n; i = to) {
        to = next_model(s, i);
        put_model(s, i, to);
    }
    return OK;
}

enum status survival_compute(struct arena *a, struct store *s, const struct run_row *run,
                             const struct suite *suite, struct score_list *out, struct err *e)
{
    struct survey all = {.a = a, .store = s, .suite = suite, .timeline = timeline_new(a)};

    if (vocab_is_talk(suite) && survey(&all, run, e) != OK)
        return e->code;
    *out = (struct score_list){.v = all.rows, .n = all.nrows};
    return OK;
}
