#include "store/store_pair.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"
#include "gen/queries.h"
#include "suite/mark.h"

enum { SAMPLES = 256 }; /* for which missing battles are looked up at once */

/* ---- planning ---- */

struct missing_list {
    struct bout_plan *v;
    size_t n, cap;
    struct arena *names;
};

static int64_t number_of(struct str name)
{
    return (int64_t)hash_u64_of(name);
}

static int name_order(struct str x, struct str y)
{
    int order = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);

    return order ? order : x.n < y.n ? -1 : x.n > y.n;
}

/* The draw uses names in alphabetical order: neither the order in which models were given nor row
 * ids may change it. */
static const char *draw_side(const struct verdict_plan *p, const struct bout_plan *m)
{
    bool swapped = name_order(m->a_name, m->b_name) > 0;
    const int64_t ids[] = {number_of(m->item), number_of(swapped ? m->b_name : m->a_name),
                           number_of(swapped ? m->a_name : m->b_name), m->repeat, p->repeat};
    struct rng rng = rng_keyed(p->seed, "side", ids, COUNT(ids));

    return (rng_below(&rng, 2) == 0) != swapped ? "ab" : "ba";
}

static enum status gather(struct missing_list *l, struct rows *r, struct err *e)
{
    arena_reset(l->names);
    l->n = 0;
    while (rows_next(r)) {
        l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
        row_into(l->names, r, COLUMNS_PAIR_MISSING(struct bout_plan), &l->v[l->n++]);
    }
    return rows_end(r, e);
}

static enum status add_battle(struct store *s, const struct verdict_plan *p,
                              const struct bout_plan *m, const char *shown, int64_t *n,
                              struct err *e)
{
    int64_t added;

    if (db_run(s->db, Q_PAIR_PLAN,
               ARGS(V_INT(p->run), V_INT(p->judge), V_INT(m->a), V_INT(m->b), V_TEXT(shown),
                    V_INT(p->repeat)),
               &added, e) != OK)
        return e->code;
    *n += added;
    return OK;
}

/* shown "": in one order, which is drawn here. */
static enum status add_battles(struct store *s, const struct verdict_plan *p,
                               const struct missing_list *l, const char *shown, int64_t *n,
                               struct err *e)
{
    for (size_t i = 0; i < l->n; i++)
        if (add_battle(s, p, &l->v[i], shown[0] ? shown : draw_side(p, &l->v[i]), n, e) != OK)
            return e->code;
    return OK;
}

static enum status plan_sample(struct store *s, const struct verdict_plan *p,
                               struct missing_list *l, const char *shown, int64_t *n, struct err *e)
{
    struct rows *r = db_query(s->db, Q_PAIR_MISSING_OF,
                              ARGS(V_INT(p->run), V_INT(p->judge), V_INT(p->repeat),
                                   V_TEXT(p->family), V_TEXT(shown), V_INT(p->sample)),
                              e);

    return gather(l, r, e) == OK ? add_battles(s, p, l, shown, n, e) : e->code;
}

/* Some samples at a time: memory stays small, and the database does not sort more than it
 * returns. */
static enum status plan_run(struct store *s, const struct verdict_plan *p, struct missing_list *l,
                            const char *shown, int64_t *n, struct err *e)
{
    int64_t at = 0, last = -1;

    if (db_two_ints(s->db, Q_PAIR_SPAN, ARGS(V_INT(p->run)), &at, &last, e) != OK)
        return e->code;
    for (; at <= last; at += SAMPLES) {
        struct rows *r =
            db_query(s->db, Q_PAIR_MISSING,
                     ARGS(V_INT(p->run), V_INT(p->judge), V_INT(p->repeat), V_TEXT(p->family),
                          V_TEXT(shown), V_INT(at), V_INT(at + SAMPLES), V_INT(p->only_met)),
                     e);
        if (gather(l, r, e) != OK || add_battles(s, p, l, shown, n, e) != OK)
            return e->code;
    }
    return OK;
}

static enum status plan_order(struct store *s, const struct verdict_plan *p, const char *shown,
                              int64_t *n, struct err *e)
{
    AUTO(arena_freep) struct arena *names = arena_new();
    struct missing_list l = {.names = names};
    enum status st =
        p->sample ? plan_sample(s, p, &l, shown, n, e) : plan_run(s, p, &l, shown, n, e);

    free(l.v);
    return st;
}

enum status store_plan_pairs(struct store *s, const struct verdict_plan *p, int64_t *n,
                             struct err *e)
{
    *n = 0;
    if (!p->both_orders)
        return plan_order(s, p, "", n, e);
    return plan_order(s, p, "ab", n, e) == OK ? plan_order(s, p, "ba", n, e) : e->code;
}

enum status store_plan_bout(struct store *s, const struct verdict_plan *p,
                            const struct bout_plan *bout, int64_t *n, struct err *e)
{
    *n = 0;
    if (!p->both_orders)
        return add_battle(s, p, bout, draw_side(p, bout), n, e);
    return add_battle(s, p, bout, "ab", n, e) == OK ? add_battle(s, p, bout, "ba", n, e) : e->code;
}

enum status store_pair_goal(struct store *s, int64_t run, struct pair_goal *out, struct err *e)
{
    *out = (struct pair_goal){0};
    return db_row(s->db, Q_PAIR_GOAL, ARGS(V_INT(run)), NULL, COLUMNS_PAIR_GOAL(struct pair_goal),
                  out, NULL, e);
}

enum status store_pair_goal_set(struct store *s, int64_t run, const struct pair_goal *goal,
                                struct err *e)
{
    return db_run(s->db, Q_PAIR_GOAL_SET, ARGS(V_INT(run), V_INT(goal->budget), V_REAL(goal->rd)),
                  NULL, e);
}

/* ---- reading back ---- */

struct cursor store_battles(struct store *s, int64_t run, const struct jury *jury, bool silence,
                            struct err *e)
{
    if (jury && jury->campaign)
        return cursor_open(s, Q_PEOPLE_BATTLE_EACH,
                           ARGS(V_INT(run), V_INT(jury->campaign), V_INT(silence && !jury->older)),
                           e);
    return cursor_open(s, Q_BATTLE_EACH,
                       ARGS(V_INT(run), V_TEXT(jury ? jury->key : "*"),
                            V_INT(jury ? jury->judge : 0), V_INT(silence)),
                       e);
}

bool store_battle_next(struct cursor *c, struct battle_row *out)
{
    if (!cursor_next(c, COLUMNS_BATTLE(struct battle_row), out))
        return false;
    out->a_first = str_is(out->shown, "ab");
    out->state = vocab_state_of(row_str(c->rows, C_BATTLE_STATE));
    return true;
}

struct cursor store_answers(struct store *s, int64_t run, struct err *e)
{
    return cursor_open(s, Q_ANSWER_EACH, ARGS(V_INT(run)), e);
}

bool store_answer_next(struct cursor *c, struct answer_row *out)
{
    return cursor_next(c, COLUMNS_ANSWER_EACH(struct answer_row), out);
}

struct cursor store_cells(struct store *s, int64_t run, struct err *e)
{
    return cursor_open(s, Q_PAIR_CELLS, ARGS(V_INT(run)), e);
}

bool store_cell_next(struct cursor *c, struct cell_row *out)
{
    return cursor_next(c, COLUMNS_CELL(struct cell_row), out);
}

void store_pair_verdict(const struct pair_reply *read, const int64_t shown[2],
                        struct verdict_result *r)
{
    r->reason = read->reason;
    r->state = read->fault ? STATE_UNSCORED : STATE_DONE;
    r->fault = read->kind;
    r->why = read->fault;
    r->choice = read->fault ? NULL : reply_pair_word(read->choice);
    r->winner = read->choice == PAIR_A ? shown[0] : read->choice == PAIR_B ? shown[1] : 0;
}
