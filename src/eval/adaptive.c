#include "eval/adaptive.h"

#include "base/map.h"
#include "math/pairing.h"

/* One item and repeat. */
struct cell {
    int64_t item, repeat;
    struct str item_name;
    int64_t *sample; /* [models]; 0: there is no answer */
};

/* Models have two numbers: their index in the run, and their place by name. Picks are about places,
 * so that the order in which models were given changes nothing. */
struct field {
    struct arena *a;
    const struct bouts *b;
    size_t n;           /* models */
    uint32_t *index;    /* [n] by place */
    uint32_t *place;    /* [n] by index */
    struct map models;  /* row id -> struct bouts_model */
    struct cell *cells; /* item by item */
    size_t ncells, cap;
    struct map used;   /* struct meeting, as bytes */
    size_t *item_used; /* [cells] battles on the item that begins at this cell */
    double *telling;   /* [cells] likewise: its weight, once there is a fit */
    uint32_t *begins;  /* [matches] the cell at which the item begins */
    bool *may;         /* [n][n] by places i < j: somebody may judge the pair */
    bool met_may;      /* pairs that have met count as allowed, whatever families say */
    size_t *left;      /* [n][n] likewise: cells where the two have not met */
};

struct meeting {
    size_t i, j, cell;
};

bool adaptive_wanted(const struct pair_goal *goal)
{
    return goal->budget > 0 || goal->rd > 0;
}

static struct str meeting_key(const struct meeting *m)
{
    return (struct str){(const char *)m, sizeof *m};
}

static bool met(const struct field *f, size_t i, size_t j, size_t cell)
{
    const struct meeting m = {i, j, cell};

    return map_get(&f->used, meeting_key(&m)) != NULL;
}

static bool both_answered(const struct field *f, size_t i, size_t j, size_t cell)
{
    const int64_t *sample = f->cells[cell].sample;

    return sample[f->index[i]] && sample[f->index[j]];
}

/* The cell behind the last one of the item that begins at `from`. */
static size_t item_end(const struct field *f, size_t from)
{
    size_t to = from;

    while (to < f->ncells && f->cells[to].item == f->cells[from].item)
        to++;
    return to;
}

/* ---- setting up ---- */

static void number_models(struct field *f)
{
    f->index = NEW_N(f->a, uint32_t, f->n);
    f->place = NEW_N(f->a, uint32_t, f->n);
    for (uint32_t m = 0; m < f->n; m++)
        for (uint32_t o = 0; o < f->n; o++)
            f->place[m] += strcmp(f->b->models[o].name, f->b->models[m].name) < 0;
    for (uint32_t m = 0; m < f->n; m++)
        f->index[f->place[m]] = m;
}

static enum status read_cells(struct field *f, struct store *s, int64_t run, struct err *e)
{
    struct cursor c = store_cells(s, run, e);
    struct cell_row row;

    while (store_cell_next(&c, &row)) {
        struct cell *last = f->ncells ? &f->cells[f->ncells - 1] : NULL;
        const struct bouts_model *m = map_get(&f->models, map_id(&row.model));
        if (!m) /* it came after the models were read */
            continue;
        if (!last || last->item != row.item || last->repeat != row.repeat) {
            f->cells = arena_grow(f->a, f->cells, &f->cap, f->ncells + 1, sizeof *f->cells);
            last = &f->cells[f->ncells++];
            *last = (struct cell){row.item, row.repeat, arena_str(f->a, row.item_name),
                                  NEW_N(f->a, int64_t, f->n)};
        }
        last->sample[m - f->b->models] = row.sample;
    }
    return cursor_end(&c);
}

/* Returns the cell at which the item begins. */
static size_t meet(struct field *f, struct meeting m)
{
    size_t first = m.cell;

    while (first > 0 && f->cells[first - 1].item == f->cells[m.cell].item)
        first--;
    (void)map_put(&f->used, meeting_key(&m), f);
    f->item_used[first]++;
    return first;
}

/* Matches that are planned already. They stand in the order of the cells. */
static void note_matches(struct field *f)
{
    size_t cell = 0;

    f->begins = NEW_N(f->a, uint32_t, f->b->nmatches + 1);
    for (size_t k = 0; k < f->b->nmatches; k++) {
        const struct bouts_match *m = &f->b->matches[k];
        uint32_t x = f->place[m->a], y = f->place[m->b], i = x < y ? x : y, j = x < y ? y : x;
        while (cell < f->ncells &&
               (f->cells[cell].item != m->item || f->cells[cell].repeat != m->repeat))
            cell++;
        if (cell == f->ncells)
            break;
        f->begins[k] = (uint32_t)meet(f, (struct meeting){i, j, cell});
        f->may[i * f->n + j] |= f->met_may;
    }
}

/* Some judge has neither of the two in its family. */
static void allow_pairs(struct field *f, bool own_family)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = i + 1; j < f->n; j++)
            for (size_t k = 0; k < f->b->njudges; k++) {
                const char *family = own_family ? "" : f->b->judges[k].family;
                f->may[i * f->n + j] |= !bouts_kin(family, f->b->models[f->index[i]].family) &&
                                        !bouts_kin(family, f->b->models[f->index[j]].family);
            }
}

static void count_left(struct field *f)
{
    for (size_t i = 0; i < f->n; i++)
        for (size_t j = i + 1; j < f->n; j++)
            for (size_t c = 0; c < f->ncells && f->may[i * f->n + j]; c++)
                f->left[i * f->n + j] += both_answered(f, i, j, c) && !met(f, i, j, c);
}

/* f->a and f->b are set. */
static enum status field_read(struct field *f, struct store *s, int64_t run, bool own_family,
                              struct err *e)
{
    f->n = f->b->nmodels;
    map_init(&f->models, f->a);
    map_init(&f->used, f->a);
    for (size_t m = 0; m < f->n; m++)
        (void)map_put(&f->models, map_id(&f->b->models[m].id), &f->b->models[m]);
    number_models(f);
    if (read_cells(f, s, run, e) != OK)
        return e->code;
    f->item_used = NEW_N(f->a, size_t, f->ncells + 1);
    f->may = NEW_N(f->a, bool, f->n * f->n);
    f->left = NEW_N(f->a, size_t, f->n * f->n);
    allow_pairs(f, own_family);
    note_matches(f);
    count_left(f);
    return OK;
}

/* What the verdicts so far say of the models, by places, and of the items. */
static enum status field_fit(struct field *f, struct pairing *out, struct err *e)
{
    struct duel *v = bouts_weighted(f->a, f->b);

    for (size_t i = 0; i < f->b->set.n; i++) {
        v[i].a = f->place[f->b->model[v[i].a]];
        v[i].b = f->place[f->b->model[v[i].b]];
        v[i].cluster = f->begins[f->b->fought[i].match];
    }
    if (pairing_fit(f->a, v, f->b->set.n, f->n, out, e) != OK)
        return e->code;
    f->telling = pairing_items(f->a, out, v, f->b->set.n, f->ncells + 1);
    return OK;
}

/* ---- a batch ---- */

struct batch {
    struct field f;
    const struct adaptive_how *how;
    size_t room;    /* battles that the budget leaves */
    size_t battles; /* planned in all */
    int64_t n;      /* verdicts added */
};

/* The first repeat of an item on which the pair can still meet (SIZE_MAX: none). *here: how often
 * it has met on the item. */
static size_t next_repeat(const struct field *f, struct pairing_pick p, size_t from, size_t *here)
{
    size_t cell = SIZE_MAX, to = item_end(f, from);

    *here = 0;
    for (size_t c = from; c < to; c++) {
        bool past = met(f, p.i, p.j, c);
        *here += past;
        if (!past && cell == SIZE_MAX && both_answered(f, p.i, p.j, c))
            cell = c;
    }
    return cell;
}

/* Where the pair meets next: of the items on which it has met least, the one that pairing_item()
 * picks. There is always one. */
static size_t choose_cell(const struct field *f, struct pairing_pick p, struct rng *rng)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct pairing_item *v = NEW_N(scratch, struct pairing_item, f->ncells);
    size_t n = 0, least = SIZE_MAX, here;

    for (size_t from = 0; from < f->ncells; from = item_end(f, from)) {
        size_t cell = next_repeat(f, p, from, &here);
        if (cell == SIZE_MAX || here > least)
            continue;
        n = here < least ? 0 : n;
        least = here;
        v[n++] = (struct pairing_item){cell, f->item_used[from], f->telling[from]};
    }
    return v[pairing_item(v, n, rng)].at;
}

static enum status plan_judge(struct batch *b, const struct party *judge, struct verdict_plan plan,
                              const struct bout_plan *bout, struct err *e)
{
    plan.judge = judge->id;
    for (plan.repeat = 0; plan.repeat < judge->repeats; plan.repeat++) {
        int64_t n;
        if (store_plan_bout(b->how->store, &plan, bout, &n, e) != OK)
            return e->code;
        b->n += n;
    }
    return OK;
}

static struct verdict_plan plan_of(const struct adaptive_how *how)
{
    return (struct verdict_plan){
        .run = how->run->id,
        .both_orders = how->suite->instrument.both_orders,
        .seed = how->run->seed,
    };
}

static enum status plan_battle(struct batch *b, struct pairing_pick p, size_t cell, struct err *e)
{
    struct field *f = &b->f;
    uint32_t x = f->index[p.i], y = f->index[p.j], first = x < y ? x : y, second = x < y ? y : x;
    const struct bouts_model *ma = &f->b->models[first], *mb = &f->b->models[second];
    const struct cell *c = &f->cells[cell];
    const struct bout_plan bout = {c->sample[first], c->sample[second], c->item_name,
                                   str_of(ma->name), str_of(mb->name),  c->repeat};

    for (size_t k = 0; k < b->how->judges.n; k++) {
        const struct party *judge = &b->how->judges.v[k];
        const char *family = b->how->own_family ? "" : judge->family;
        if (!bouts_kin(family, ma->family) && !bouts_kin(family, mb->family) &&
            plan_judge(b, judge, plan_of(b->how), &bout, e) != OK)
            return e->code;
    }
    (void)meet(f, (struct meeting){p.i, p.j, cell});
    f->left[p.i * f->n + p.j]--;
    b->battles++;
    b->room--;
    return OK;
}

static struct rng rng_for(const struct batch *b, const char *purpose, size_t number)
{
    const int64_t id = (int64_t)number;

    return rng_keyed(b->how->run->seed, purpose, &id, 1);
}

static enum status warm_up(struct batch *b, struct err *e)
{
    struct pairing_pick *picks = NEW_N(b->f.a, struct pairing_pick, b->f.n);

    for (size_t m = 0; m < PAIRING_WARM; m++) {
        struct rng rng = rng_for(b, "pairing-warm", m);
        pairing_match(&rng, b->f.n, picks);
        for (size_t k = 0; k < b->f.n / 2 && b->room > 0; k++)
            if (b->f.left[picks[k].i * b->f.n + picks[k].j] > 0 &&
                plan_battle(b, picks[k], choose_cell(&b->f, picks[k], &rng), e) != OK)
                return e->code;
    }
    return OK;
}

static bool precise(const struct batch *b, const struct pairing *p)
{
    return b->how->goal.rd > 0 && PAIRING_WIDEN * pairing_rd(p) <= b->how->goal.rd;
}

static enum status pick_battles(struct batch *b, struct pairing *p, struct err *e)
{
    size_t n = b->f.n, wanted = pairing_batch(n, b->battles);
    bool *open = NEW_N(b->f.a, bool, n *n);

    for (; wanted > 0 && b->room > 0 && !precise(b, p); wanted--) {
        struct rng rng = rng_for(b, "pairing", b->battles);
        struct pairing_pick pick = {0};
        for (size_t k = 0; k < n * n; k++)
            open[k] = b->f.left[k] > 0;
        if (!pairing_next(p, open, &rng, &pick))
            return OK;
        pairing_meet(p, pick);
        if (plan_battle(b, pick, choose_cell(&b->f, pick, &rng), e) != OK)
            return e->code;
    }
    return OK;
}

/* ---- */

/* A judge that was added later, or is to judge more often, gets what the others got. */
static enum status catch_up(const struct adaptive_how *how, int64_t *n, struct err *e)
{
    struct verdict_plan plan = plan_of(how);

    plan.only_met = true;
    for (size_t k = 0; k < how->judges.n; k++) {
        plan.judge = how->judges.v[k].id;
        plan.family = how->own_family ? "" : how->judges.v[k].family;
        for (plan.repeat = 0; plan.repeat < how->judges.v[k].repeats; plan.repeat++) {
            int64_t added;
            if (store_plan_pairs(how->store, &plan, &added, e) != OK)
                return e->code;
            *n += added;
        }
    }
    return OK;
}

static enum status plan_batch(struct batch *b, const struct bouts *bouts, struct err *e)
{
    int64_t budget = b->how->goal.budget;
    struct pairing p;

    b->battles = bouts->nmatches;
    b->room = budget == 0                   ? SIZE_MAX
              : (size_t)budget > b->battles ? (size_t)budget - b->battles
                                            : 0;
    if (b->room == 0 || bouts->nmodels < 2)
        return OK;
    if (field_read(&b->f, b->how->store, b->how->run->id, b->how->own_family, e) != OK ||
        field_fit(&b->f, &p, e) != OK)
        return e->code;
    return b->battles == 0 ? warm_up(b, e) : pick_battles(b, &p, e);
}

static enum status answers_open(const struct adaptive_how *how, bool *open, struct err *e)
{
    struct run_left left = {0};

    if (store_run_left(how->store, how->run->id, &left, e) != OK)
        return e->code;
    *open = !how->judge_only && left.samples;
    return OK;
}

enum status adaptive_plan(const struct adaptive_how *how, int64_t *n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct bouts bouts;
    struct batch b = {.f = {.a = a, .b = &bouts}, .how = how};
    enum status st;
    bool open = false;

    *n = 0;
    if (how->judges.n == 0)
        return OK;
    if (answers_open(how, &open, e) != OK || catch_up(how, n, e) != OK)
        return e->code;
    if (open || *n > 0)
        return OK;
    if (bouts_read(
            a, &(struct bouts_want){.store = how->store, .run = how->run->id, .suite = how->suite},
            &bouts, e) != OK)
        return e->code;
    if (bouts.open)
        return OK;
    st = plan_batch(&b, &bouts, e);
    *n = b.n;
    return st;
}

/* ---- how far it has come ---- */

static size_t count_judged(const struct bouts *b)
{
    size_t n = 0;

    for (size_t i = 0; i < b->set.n; i++)
        n += i == 0 || b->fought[i].match != b->fought[i - 1].match;
    return n;
}

static enum status measure(struct field *f, struct adaptive_state *out, struct err *e)
{
    struct pairing p;

    if (field_fit(f, &p, e) != OK)
        return e->code;
    out->possible = f->b->nmatches;
    for (size_t k = 0; k < f->n * f->n; k++)
        out->possible += f->left[k];
    out->chosen = out->possible > f->b->nmatches;
    out->judged = count_judged(f->b);
    out->rd = PAIRING_WIDEN * pairing_rd(&p);
    out->round_robin = pairing_round_robin(&p, out->rd);
    return OK;
}

enum status adaptive_measure(struct arena *scratch, struct store *s, int64_t run,
                             const struct bouts *b, struct adaptive_state *out, struct err *e)
{
    struct field f = {.a = scratch, .b = b, .met_may = true};
    struct adaptive_state state = {0};
    struct pair_goal goal;

    if (store_pair_goal(s, run, &goal, e) != OK)
        return e->code;
    if (adaptive_wanted(&goal) && b->set.n > 0 &&
        (field_read(&f, s, run, false, e) != OK || measure(&f, &state, e) != OK))
        return e->code;
    *out = state;
    return OK;
}
