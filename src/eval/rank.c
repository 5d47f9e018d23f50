#include "eval/rank.h"

#include <math.h>
#include <stdlib.h>

#include "base/map.h"
#include "eval/rating.h"
#include "eval/store_pair.h"
#include "math/dist.h"
#include "math/interval.h"

#define LEVEL 0.95

/* What is counted of one model. */
struct player {
    const char *name;
    bool met;        /* it is in the battle set */
    uint32_t number; /* ... under this number */
    int64_t planned, unscored, unjudged;
};

/* What is counted of one judge. */
struct bias {
    const char *name;
    size_t first, decided;          /* verdicts for what was shown first, of those for one side */
    size_t consistent, pairs;       /* of pairs judged both ways round */
    size_t first_twice, last_twice; /* ... that turned with the order */
};

/* One battle, of one verdict or two. */
struct bout {
    int64_t judge, item, repeat, judge_repeat, a, b;
    size_t verdicts, done, open; /* open: planned or under way */
    int64_t winner[2];
    bool first_won[2], decided[2];
};

struct ranker {
    struct arena *arena;
    const struct suite *suite;
    struct map models, judges; /* row id, as bytes */
    struct player **players;
    struct bias **biases;
    size_t nplayers, nbiases, player_cap, bias_cap;
    struct bout bout;
    int64_t item; /* of the last battle that counted */
    struct battle_set set;
    size_t duels_cap, names_cap;
    struct score_row *rows;
    size_t nrows, rows_cap;
};

/* ---- from verdicts to battles ---- */

static struct str id_key(const int64_t *id)
{
    return (struct str){(const char *)id, sizeof *id};
}

static struct player *player_of(struct ranker *k, int64_t id, const char *name)
{
    struct player *t = map_get(&k->models, id_key(&id));

    if (t)
        return t;
    t = NEW(k->arena, struct player);
    t->name = arena_text(k->arena, str_of(name));
    (void)map_put(&k->models, id_key(&id), t);
    k->players = mem_grow(k->players, &k->player_cap, k->nplayers + 1, sizeof(struct player *));
    return k->players[k->nplayers++] = t;
}

static struct bias *bias_of(struct ranker *k, int64_t id, const char *name)
{
    struct bias *b = map_get(&k->judges, id_key(&id));

    if (b)
        return b;
    b = NEW(k->arena, struct bias);
    b->name = arena_text(k->arena, str_of(name));
    (void)map_put(&k->judges, id_key(&id), b);
    k->biases = mem_grow(k->biases, &k->bias_cap, k->nbiases + 1, sizeof(struct bias *));
    return k->biases[k->nbiases++] = b;
}

/* The model's number in the battle set: by first battle, without gaps. */
static uint32_t number_of(struct ranker *k, struct player *t)
{
    if (!t->met) {
        k->set.names =
            mem_grow(k->set.names, &k->names_cap, k->set.models + 1, sizeof *k->set.names);
        k->set.names[k->set.models] = t->name;
        t->met = true;
        t->number = (uint32_t)k->set.models++;
    }
    return t->number;
}

static enum status add_duel(struct ranker *k, const struct bout *b, struct err *e)
{
    struct player *ta = map_get(&k->models, id_key(&b->a)),
                  *tb = map_get(&k->models, id_key(&b->b));
    int64_t winner = b->done == 2 && b->winner[0] != b->winner[1] ? 0 : b->winner[0];
    struct duel d = {.outcome = winner == b->a   ? DUEL_WON
                                : winner == b->b ? DUEL_LOST
                                                 : DUEL_TIED,
                     .weight = 1};

    if (k->set.n >= BATTLE_MAX)
        return err_set(e, E_INPUT, "more than %d battles", BATTLE_MAX);
    d.a = number_of(k, ta);
    d.b = number_of(k, tb);
    /* Battles come item by item. */
    if (k->set.n == 0 || k->item != b->item)
        k->set.clusters++;
    k->item = b->item;
    d.cluster = (uint32_t)(k->set.clusters - 1);
    k->set.v = mem_grow(k->set.v, &k->duels_cap, k->set.n + 1, sizeof *k->set.v);
    k->set.v[k->set.n++] = d;
    return OK;
}

static void count_bias(struct bias *j, const struct bout *b)
{
    for (size_t i = 0; i < b->done; i++) {
        j->decided += b->decided[i];
        j->first += b->decided[i] && b->first_won[i];
    }
    if (b->done < 2)
        return;
    j->pairs++;
    j->consistent += b->winner[0] == b->winner[1];
    if (b->winner[0] != b->winner[1] && b->decided[0] && b->decided[1]) {
        j->first_twice += b->first_won[0];
        j->last_twice += !b->first_won[0];
    }
}

static enum status close_bout(struct ranker *k, struct err *e)
{
    const struct bout *b = &k->bout;
    size_t wanted = k->suite->instrument.both_orders ? 2 : 1;
    struct player *t[2];
    struct bias *j = map_get(&k->judges, id_key(&b->judge));

    if (b->verdicts == 0)
        return OK;
    t[0] = map_get(&k->models, id_key(&b->a));
    t[1] = map_get(&k->models, id_key(&b->b));
    for (size_t i = 0; i < 2; i++) {
        t[i]->planned++;
        t[i]->unjudged += b->done < wanted && b->open > 0;
        t[i]->unscored += b->done < wanted && b->open == 0;
    }
    count_bias(j, b);
    return b->done >= wanted ? add_duel(k, b, e) : OK;
}

static bool same_bout(const struct bout *b, const struct battle_row *r)
{
    return b->verdicts && b->verdicts < 2 && b->judge == r->judge && b->item == r->item &&
           b->repeat == r->repeat && b->judge_repeat == r->judge_repeat && b->a == r->a &&
           b->b == r->b;
}

static enum status battle_step(void *user, const struct battle_row *r, struct err *e)
{
    struct ranker *k = user;
    struct bout *b = &k->bout;

    (void)player_of(k, r->a, r->a_name);
    (void)player_of(k, r->b, r->b_name);
    (void)bias_of(k, r->judge, r->judge_name);
    if (!same_bout(b, r)) {
        if (close_bout(k, e) != OK)
            return e->code;
        *b = (struct bout){.judge = r->judge,
                           .item = r->item,
                           .repeat = r->repeat,
                           .judge_repeat = r->judge_repeat,
                           .a = r->a,
                           .b = r->b};
    }
    b->verdicts++;
    b->open += r->state == STATE_PLANNED || r->state == STATE_LEASED;
    if (r->state == STATE_DONE) {
        b->winner[b->done] = r->winner;
        b->decided[b->done] = r->winner != 0;
        b->first_won[b->done++] = r->winner == (r->a_first ? r->a : r->b);
    }
    return OK;
}

/* ---- rows ---- */

static void put_row(struct ranker *k, struct score_row row)
{
    k->rows = mem_grow(k->rows, &k->rows_cap, k->nrows + 1, sizeof *k->rows);
    k->rows[k->nrows++] = row;
}

static void put_count(struct ranker *k, const char *subject, const char *metric, int64_t value,
                      int64_t n)
{
    put_row(k, (struct score_row){subject, metric, "count", (double)value, NAN, NAN, n, 0});
}

static const char *subject_of(const struct ranker *k, const char *kind, const char *name)
{
    return arena_printf(k->arena, "%s/%s", kind, name);
}

static void put_models(struct ranker *k)
{
    for (size_t i = 0; i < k->nplayers; i++) {
        const struct player *t = k->players[i];
        const char *subject = subject_of(k, "model", t->name);
        put_count(k, subject, "unscored", t->unscored, t->planned);
        put_count(k, subject, "unjudged", t->unjudged, t->planned);
    }
}

static void put_share(struct ranker *k, const char *subject, const char *metric, size_t part,
                      size_t all)
{
    struct interval i = interval_wilson(part, all, LEVEL);

    put_row(k,
            (struct score_row){subject, metric, "Wilson", i.value, i.low, i.high, (int64_t)all, 0});
}

static void put_judge(struct ranker *k, const struct bias *j)
{
    const char *subject = subject_of(k, "judge", j->name);
    size_t turned = j->first_twice + j->last_twice;
    double bias = (double)j->first_twice - (double)j->last_twice;

    if (j->decided)
        put_share(k, subject, "first-shown", j->first, j->decided);
    if (j->pairs == 0)
        return;
    put_count(k, subject, "inconsistent", (int64_t)(j->pairs - j->consistent), (int64_t)j->pairs);
    put_share(k, subject, "swap-consistency", j->consistent, j->pairs);
    put_row(k, (struct score_row){subject, "position-bias", "(first - second) / pairs",
                                  bias / (double)j->pairs, NAN, NAN, (int64_t)j->pairs, 0});
    put_row(k, (struct score_row){subject, "position-bias-p", "exact binomial",
                                  dist_binomial_test(j->first_twice, turned, 0.5), NAN, NAN,
                                  (int64_t)turned, 0});
}

/* ---- ratings ---- */

/* Items that this model's battles were on; battles stand item by item. */
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
    const char *subject = subject_of(k, "model", k->set.names[r->model]);
    const char *method = arena_printf(k->arena, "Bradley-Terry%s%s", t->method ? ", " : "",
                                      t->method ? t->method : "");

    put_row(k, (struct score_row){subject, "score", method, r->rating, r->lo, r->hi, r->games,
                                  items_of(&k->set, r->model)});
    if (t->ngroups > 1)
        put_count(k, subject, "group", (int64_t)group + 1, r->games);
    if (r->rank_best)
        put_row(k, (struct score_row){subject, "rank", "differences", (double)r->rank_best,
                                      (double)r->rank_best, (double)r->rank_worst, r->games, 0});
    put_count(k, subject, "wins", r->wins, r->games);
    put_count(k, subject, "losses", r->losses, r->games);
    put_count(k, subject, "ties", r->ties, r->games);
}

static void put_glicko(struct ranker *k, const struct rating_table *t, const struct rating *r)
{
    static const char made[] = "Glicko-2, each battle a period, in the order of the plan";
    const char *subject = subject_of(k, "model", k->set.names[r->model]);
    const char *shuffled = arena_printf(k->arena, "Glicko-2, %zu shuffled orders", t->shuffles);

    put_row(k, (struct score_row){subject, "glicko2", made, r->rating, r->lo, r->hi, r->games, 0});
    put_row(k, (struct score_row){subject, "glicko2-rd", made, r->rd, NAN, NAN, r->games, 0});
    put_row(k, (struct score_row){subject, "glicko2-order", shuffled, r->rating, r->order_lo,
                                  r->order_hi, r->games, 0});
}

static void put_notes(struct ranker *k, const struct rating_table *t)
{
    for (size_t i = 0; i < t->nnotes; i++)
        put_row(k, (struct score_row){"run/ratings", arena_printf(k->arena, "note:%zu", i + 1),
                                      t->notes[i], NAN, NAN, NAN, (int64_t)k->set.n, 0});
}

static enum status rate(struct ranker *k, uint64_t seed, struct err *e)
{
    struct rating_how how = {
        .system = RATING_BT, .ties = BT_HALF, .seed = seed, .glicko = {.tau = GLICKO_TAU}};
    struct rating_table t;

    if (k->set.n == 0)
        return OK;
    if (rating_compute(k->arena, &k->set, &how, &t, e) != OK)
        return e->code;
    for (size_t g = 0; g < t.ngroups; g++)
        for (size_t i = 0; i < t.groups[g].n; i++)
            put_headline(k, &t, g, &t.groups[g].v[i]);
    put_notes(k, &t);
    if (!k->suite->score.glicko)
        return OK;
    how.system = RATING_GLICKO;
    if (rating_compute(k->arena, &k->set, &how, &t, e) != OK)
        return e->code;
    for (size_t g = 0; g < t.ngroups; g++)
        for (size_t i = 0; i < t.groups[g].n; i++)
            put_glicko(k, &t, &t.groups[g].v[i]);
    return OK;
}

static enum status compute(struct ranker *k, struct store *s, const struct run_row *run,
                           struct err *e)
{
    if (store_battle_each(s, run->id, battle_step, k, e) != OK || close_bout(k, e) != OK ||
        rate(k, run->seed, e) != OK)
        return e->code;
    put_models(k);
    for (size_t i = 0; i < k->nbiases; i++)
        put_judge(k, k->biases[i]);
    return OK;
}

enum status rank_compute(struct arena *a, struct store *s, const struct run_row *run,
                         const struct suite *suite, struct score_list *out, struct err *e)
{
    struct ranker k = {.arena = a, .suite = suite, .set = {.cluster = "item"}};
    enum status st = OK;

    *out = (struct score_list){0};
    if (suite->instrument.kind != INSTRUMENT_PAIR)
        return OK;
    map_init(&k.models, a);
    map_init(&k.judges, a);
    st = compute(&k, s, run, e);
    if (st == OK)
        *out = (struct score_list){arena_copy(a, k.rows, k.nrows, sizeof *k.rows), k.nrows};
    free(k.rows);
    free(k.players);
    free(k.biases);
    free(k.set.names);
    free(k.set.v);
    return st;
}
