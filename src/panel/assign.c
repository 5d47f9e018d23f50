#include "panel/assign.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "gen/queries.h"
#include "math/williams.h"
#include "suite/item.h"
#include "suite/suite.h"

static const char *const phase_names[] = {"practice", "anchor", "main", "repeat"};

const char *assign_phase_name(enum phase p)
{
    return phase_names[p];
}

bool assign_phase_read(struct str name, enum phase *out)
{
    for (size_t i = 0; i < COUNT(phase_names); i++)
        if (str_is(name, phase_names[i])) {
            *out = (enum phase)i;
            return true;
        }
    return false;
}

enum phase assign_phase_of(struct str name)
{
    enum phase p = PHASE_MAIN;

    (void)assign_phase_read(name, &p);
    return p;
}

bool assign_same(const struct shown *x, const struct shown *y)
{
    return x->sample == y->sample && x->other == y->other;
}

/* ---- the choice ---- */

/* Negative: x is preferred to y. */
static int compare_use(const struct passage_use *x, const struct passage_use *y)
{
    if (x->uses != y->uses)
        return x->uses < y->uses ? -1 : 1;
    if (x->together != y->together)
        return x->together < y->together ? -1 : 1;
    return x->stratum < y->stratum ? -1 : x->stratum > y->stratum;
}

size_t assign_pick(const struct passage_use *v, size_t n, struct rng *lot)
{
    size_t best = n, equal = 0;

    for (size_t i = 0; i < n; i++) {
        int order;
        if (v[i].mine || v[i].waits)
            continue;
        order = best == n ? -1 : compare_use(&v[i], &v[best]);
        if (order < 0)
            equal = 0;
        /* reservoir sampling: each of the equals has the same chance */
        if (order < 0 || (order == 0 && rng_below(lot, equal + 1) == 0))
            best = i;
        equal += order <= 0;
    }
    return best;
}

/* A generator keyed with the campaign's secret: campaign file, seed and program are not enough
 * to predict it. */
static struct rng secret_lot(const char *secret, const char *purpose, int64_t x, int64_t y)
{
    struct hash h;

    hash_init_keyed(&h, str_of(secret));
    hash_str(&h, str_of(purpose));
    hash_int(&h, x);
    hash_int(&h, y);
    return rng_keyed(hash_u64(&h), purpose, NULL, 0);
}

static size_t *shuffled(struct rng *lot, size_t n)
{
    size_t *v = mem_new((n + 1) * sizeof *v);

    for (size_t i = 0; i < n; i++)
        v[i] = i;
    rng_shuffle(lot, v, n);
    return v;
}

void assign_order(const char *secret, int64_t item, int64_t use, size_t n, size_t *out)
{
    size_t rows = williams_rows(n), at = (size_t)use;
    struct rng lot = secret_lot(secret, "order", item, rows ? (int64_t)(at / rows) : 0);
    size_t *label = shuffled(&lot, n), *row = shuffled(&lot, rows);

    if (rows)
        williams_row(n, row[at % rows], out);
    for (size_t i = 0; i < n; i++)
        out[i] = label[out[i]];
    free(label);
    free(row);
}

/* Every round shows each pair once. A round must not begin with one of the last `held` pairs of
 * the round before: a rater whose pairs span both rounds would see it twice. */
static void next_round(struct rng *lot, size_t all, size_t some, size_t held, size_t *order)
{
    size_t *fresh = shuffled(lot, all), n = 0, late = 0, *kept = mem_new((all + 1) * sizeof *kept);

    for (size_t i = 0; i < all; i++) {
        bool again = false;
        for (size_t k = all - held; k < all; k++)
            again = again || order[k] == fresh[i];
        if (again && n < some - held)
            kept[late++] = fresh[i];
        else
            fresh[n++] = fresh[i];
        if (n == some - held) { /* later pairs belong to the next rater, who may see them */
            for (size_t k = i + 1; k < all; k++)
                kept[late++] = fresh[k];
            break;
        }
    }
    rng_shuffle(lot, kept, late);
    memcpy(order, fresh, n * sizeof *order);
    memcpy(order + n, kept, late * sizeof *order);
    free(fresh);
    free(kept);
}

void assign_pairs(const char *secret, int64_t item, int64_t use, size_t all, size_t some,
                  struct assign_pair *out)
{
    size_t begin = (size_t)use * some, n = 0, *order = mem_new((all + 1) * sizeof *order);
    bool *turned = mem_new(all + 1);

    for (size_t round = 0; all && n < some; round++) {
        struct rng lot = secret_lot(secret, "pairs", item, (int64_t)round),
                   sides = secret_lot(secret, "sides", item, (int64_t)(round / 2));
        next_round(&lot, all, some, round * all % some, order);
        for (size_t i = 0; i < all; i++)
            turned[i] = (rng_below(&sides, 2) ^ (round & 1)) != 0;
        for (size_t at = 0; at < all && n < some; at++)
            if (round * all + at >= begin)
                out[n++] = (struct assign_pair){order[at], turned[order[at]]};
    }
    free(order);
    free(turned);
}

/* ---- what is mixed in ---- */

/* Finds the first anchor from `after` on whose prompt has at least `texts` anchor texts, and
 * stores the first `texts` of them. Returns its index, or spec->nanchors. */
static size_t anchor_group(const struct spec *spec, size_t texts, size_t after, int64_t *out)
{
    for (size_t i = after; i < spec->nanchors; i++) {
        size_t n = 0;
        for (size_t k = 0; k < spec->nanchors; k++) {
            if (!str_eq(spec->anchors[k].prompt, spec->anchors[i].prompt))
                continue;
            if (k < i)
                break; /* already seen with the first of them */
            if (n < texts)
                out[n] = (int64_t)k;
            n++;
        }
        if (n && n >= texts)
            return i;
    }
    return spec->nanchors;
}

#define ALMOST_ONE (1 - 1e-9) /* a whole share must not be rounded up */

static int64_t at_most(int64_t n, int64_t most)
{
    return n < most ? n : most > 0 ? most : 0;
}

/* Numbers of extra pages: shares of the passages plus a random rest in [0, 1), truncated. Extras
 * go between passages, so there is one place less than passages; a repeat also never follows its
 * own passage directly. */
static struct assign_extras extras(const struct campaign *c, size_t texts, double repeats,
                                   double anchors)
{
    const struct spec *spec = &c->spec;
    double silent = spec->practice.silent;
    int64_t *group = mem_new((texts + 1) * sizeof *group), groups = 0;
    struct assign_extras x = {
        .repeats = (int64_t)(spec->twice * (double)spec->passages + repeats),
        .anchors = (int64_t)(silent / (1 - silent) * (double)spec->passages + anchors),
    };

    for (size_t i = 0; texts && !campaign_examines(&c->suite); i++) {
        i = anchor_group(spec, texts, i, group);
        if (i == spec->nanchors)
            break;
        groups++;
    }
    x.anchors = at_most(x.anchors, groups); /* each is shown only once */
    x.repeats = at_most(x.repeats, spec->passages - 2);
    x.anchors = at_most(x.anchors, spec->passages - 1 - x.repeats);
    free(group);
    return x;
}

struct assign_extras assign_extras(const struct campaign *c, int64_t rater, size_t texts)
{
    struct rng lot = secret_lot(c->secret, "extras", rater, 0);
    double repeats = rng_unit(&lot), anchors = rng_unit(&lot);

    return extras(c, texts, repeats, anchors);
}

struct assign_extras assign_extras_most(const struct campaign *c, size_t texts)
{
    return extras(c, texts, ALMOST_ONE, ALMOST_ONE);
}

/* ---- rows ---- */

static void read_shown(struct arena *a, struct str text, struct assignment *out)
{
    AUTO(json_freep) json_t *list = NULL;
    struct err e;
    size_t n;

    if (json_read(text, &list, &e) != OK)
        return;
    n = json_array_size(list);
    out->shown = NEW_N(a, struct shown, n + 1);
    for (size_t i = 0; i < n; i++) {
        const json_t *pair = json_array_get(list, i);
        out->shown[out->nshown++] = (struct shown){json_integer_value(json_array_get(pair, 0)),
                                                   json_integer_value(json_array_get(pair, 1))};
    }
}

void assign_read(struct arena *a, const struct rows *r, void *out)
{
    struct assignment *v = out;

    *v = (struct assignment){
        .id = row_int(r, C_ASSIGNMENT_ID),
        .campaign = row_int(r, C_ASSIGNMENT_CAMPAIGN),
        .rater = row_int(r, C_ASSIGNMENT_RATER),
        .phase = assign_phase_of(row_str(r, C_ASSIGNMENT_PHASE)),
        .item = row_int(r, C_ASSIGNMENT_ITEM),
        .anchor = row_int(r, C_ASSIGNMENT_ANCHOR),
        .attempt = row_int(r, C_ASSIGNMENT_ATTEMPT),
        .position = row_int(r, C_ASSIGNMENT_POSITION),
        .done = str_is(row_str(r, C_ASSIGNMENT_STATE), "done"),
        .gone = str_is(row_str(r, C_ASSIGNMENT_STATE), "left") ||
                str_is(row_str(r, C_ASSIGNMENT_STATE), "skipped") ||
                str_is(row_str(r, C_ASSIGNMENT_STATE), "closed"),
        .started_ms = row_int(r, C_ASSIGNMENT_STARTED_MS),
        .submitted_ms = row_int(r, C_ASSIGNMENT_SUBMITTED_MS),
        .active_ms = row_int(r, C_ASSIGNMENT_ACTIVE_MS),
    };

    read_shown(a, row_str(r, C_ASSIGNMENT_SHOWN), v);
}

static enum status query_one(struct arena *a, struct store *s, int query, struct args args,
                             struct assignment *out, bool *found, struct err *e)
{
    struct rows *r = db_query(s->db, query, args, e);

    *found = rows_next(r);
    if (*found)
        assign_read(a, r, out);
    return rows_end(r, e);
}

enum status assign_get(struct arena *a, struct store *s, const struct rater *r, int64_t id,
                       struct assignment *out, struct err *e)
{
    struct assignment got = {0};
    bool found = false;

    if (query_one(a, s, Q_ASSIGNMENT_GET, ARGS(V_INT(id)), &got, &found, e) != OK)
        return e->code;
    /* Another rater's assignment is reported as absent, like one that does not exist. */
    if (!found || got.rater != r->id)
        return err_set(e, E_ABSENT, "no such assignment");
    *out = got;
    return OK;
}

enum status assign_begun(struct arena *a, struct store *s, const struct rater *r,
                         struct assignment *out, bool *found, struct err *e)
{
    return query_one(a, s, Q_ASSIGNMENT_OPEN,
                     ARGS(V_INT(r->id), V_INT(r->practice), V_INT(r->state == RATER_PRACTISING)),
                     out, found, e);
}

enum status assign_list(struct arena *a, struct store *s, int64_t rater,
                        struct assignment_list *out, struct err *e)
{
    return db_list(s->db, Q_ASSIGNMENT_LIST, ARGS(V_INT(rater)), INTO(a, out, assign_read), e);
}

/* ---- giving one ---- */

/* An assignment being made. */
struct giving {
    struct arena *a;
    struct store *s;
    const struct campaign *c;
    const struct rater *r;
    int64_t now;
    struct assignment_list had; /* all assignments of this rater so far */
    struct assignment given;
    bool found; /* an assignment was made */
};

static enum status read_uses(const struct giving *g, struct passage_use **out, size_t *n,
                             struct err *e)
{
    return db_list(g->s->db, Q_PASSAGE_USE,
                   ARGS(V_INT(g->c->id), V_INT(g->r->id), V_TEXT(g->r->stratum), V_INT(g->now),
                        V_INT(g->c->spec.completers), V_INT(campaign_gone_ms(g->c, g->now))),
                   &(struct row_list){g->a, sizeof **out, NULL, out, n,
                                      COLUMNS_PASSAGE_USE(struct passage_use)},
                   e);
}

static enum status has_reference(const struct giving *g, int64_t item, bool *out, struct err *e)
{
    struct item it;
    struct str body;

    *out = false;
    if (!g->c->spec.reference)
        return OK;
    if (store_item_body(g->a, g->s, item, &body, e) != OK || item_thaw(g->a, body, &it, e) != OK)
        return e->code;
    *out = str_trim(it.reference).n > 0;
    return OK;
}

/* The texts of a passage that may be shown; 0 stands for the reference. */
static enum status read_texts(const struct giving *g, int64_t item, int64_t **out, size_t *n,
                              struct err *e)
{
    bool reference;
    int64_t *v;

    if (has_reference(g, item, &reference, e) != OK ||
        db_list(
            g->s->db, Q_PASSAGE_TEXTS,
            ARGS(V_INT(g->c->id), V_INT(g->c->run.id), V_INT(item), V_INT(g->c->spec.all_repeats)),
            INTO_ARRAY(g->a, &v, n, row_first_int), e) != OK)
        return e->code;
    *out = NEW_N(g->a, int64_t, *n + 1); /* zeroed, so the last one is the reference */
    if (*n)
        memcpy(*out, v, *n * sizeof *v);
    *n += reference;
    return OK;
}

/* How often the passage was assigned to anybody. */
static enum status shown_so_far(const struct giving *g, int64_t item, int64_t *out, struct err *e)
{
    return db_int(g->s->db, Q_PASSAGE_SHOWN, ARGS(V_INT(g->c->id), V_INT(item)), out,
                  &(bool){false}, e);
}

/* Shows each text alone. */
static enum status show_each(const struct giving *g, const int64_t *texts, size_t n,
                             struct assignment *want, struct err *e)
{
    size_t *order = NEW_N(g->a, size_t, n + 1);
    int64_t shown = 0;

    if (shown_so_far(g, want->item, &shown, e) != OK)
        return e->code;
    assign_order(g->c->secret, want->item, shown, n, order);
    for (size_t i = 0; i < n; i++)
        want->shown[i] = (struct shown){texts[order[i]], -1};
    want->nshown = n;
    return OK;
}

/* Shows as many pairs of texts as the campaign wants per passage. */
static enum status show_pairs(const struct giving *g, const int64_t *texts, size_t n,
                              struct assignment *want, struct err *e)
{
    size_t all = n * (n - 1) / 2, count = 0, some = (size_t)g->c->spec.pairs;
    struct shown *pairs = NEW_N(g->a, struct shown, all + 1);
    struct assign_pair *chosen = NEW_N(g->a, struct assign_pair, all + 1);
    int64_t use = 0;

    if (shown_so_far(g, want->item, &use, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            pairs[count++] = (struct shown){texts[i], texts[k]};
    some = some < count ? some : count;
    assign_pairs(g->c->secret, want->item, use, count, some, chosen);
    for (size_t i = 0; i < some; i++) {
        struct shown p = pairs[chosen[i].pair];
        want->shown[i] = chosen[i].turned ? (struct shown){p.other, p.sample} : p;
    }
    want->nshown = some;
    return OK;
}

const char *assign_shown(struct arena *a, const struct shown *v, size_t n)
{
    AUTO(buf_done) struct buf b = BUF_MAX(SIZE_MAX / 2); /* bounded by the models of a run */

    buf_char(&b, '[');
    for (size_t i = 0; i < n; i++)
        buf_fmt(&b, "%s[%lld,%lld]", i ? "," : "", (long long)v[i].sample, (long long)v[i].other);
    buf_char(&b, ']');
    return arena_text(a, buf_str(&b));
}

static enum status give(struct giving *g, const struct assignment *want, struct err *e)
{
    int64_t id = 0;
    bool made;

    if (db_int(g->s->db, Q_ASSIGNMENT_ADD,
               ARGS(V_INT(g->c->id), V_INT(g->r->id), V_TEXT(phase_names[want->phase]),
                    V_INT(want->item), V_INT(want->anchor), V_INT(want->attempt),
                    V_TEXT(assign_shown(g->a, want->shown, want->nshown)),
                    V_INT(g->now + g->c->spec.lease_ms), V_INT(g->now)),
               &id, &made, e) != OK)
        return e->code;
    return query_one(g->a, g->s, Q_ASSIGNMENT_GET, ARGS(V_INT(id)), &g->given, &g->found, e);
}

/* ---- sittings ---- */

/* A sitting that could be assigned. */
struct sitting_use {
    int64_t sample, uses, met, all; /* all: how often any rater met its model */
    bool planned;
};

/* Negative: x is preferred to y. Prefers sittings still to be held, then those that the fewest
 * raters have, then the model that this rater met least, then the model that all raters met
 * least: so every model gets examined, even if a passage gets few raters. */
static int compare_sitting(const struct sitting_use *x, const struct sitting_use *y)
{
    if (x->planned != y->planned)
        return x->planned ? -1 : 1;
    if (x->uses != y->uses)
        return x->uses < y->uses ? -1 : 1;
    if (x->met != y->met)
        return x->met < y->met ? -1 : 1;
    return x->all < y->all ? -1 : x->all > y->all;
}

/* The turns so far stay with the rater who left, and the sitting starts again. */
static enum status clear_sitting(const struct giving *g, int64_t sample, int64_t left,
                                 struct err *e)
{
    if (db_run(g->s->db, Q_ROOM_KEEP_TURNS, ARGS(V_INT(sample), V_INT(left)), NULL, e) != OK ||
        db_run(g->s->db, Q_ROOM_CLEAR_TURNS, ARGS(V_INT(sample)), NULL, e) != OK)
        return e->code;
    return db_run(g->s->db, Q_ROOM_CLEAR_ASKING, ARGS(V_INT(sample)), NULL, e);
}

/* Takes over a sitting that was left. *free is false if its rater has come back meanwhile. */
static enum status take_sitting(const struct giving *g, const struct assignment *want, bool *free,
                                struct err *e)
{
    struct val shown = V_TEXT(assign_shown(g->a, want->shown, 1));
    int64_t left = 0, held = 0;
    bool found = false;

    if (db_int(g->s->db, Q_ROOM_LEAVE, ARGS(V_INT(want->item), shown, V_INT(g->now)), &left, &found,
               e) != OK ||
        (found && clear_sitting(g, want->shown[0].sample, left, e) != OK) ||
        db_int(g->s->db, Q_ROOM_HELD, ARGS(V_INT(want->item), shown), &held, &(bool){false}, e) !=
            OK)
        return e->code;
    *free = held == 0;
    return OK;
}

/* Chooses one sitting of the passage, or none: sittings that others are holding are not
 * available. */
static enum status show_sitting(const struct giving *g, struct assignment *want, struct err *e)
{
    int64_t item = want->item;
    struct rng lot = secret_lot(g->c->secret, "sitting", g->r->id, item);
    struct sitting_use best = {0};
    size_t equal = 0;
    struct rows *r;
    bool free = true;

    want->shown = NEW(g->a, struct shown);
    want->nshown = 0;
    r = db_query(g->s->db, Q_ROOM_SITTINGS,
                 ARGS(V_INT(g->c->id), V_INT(g->c->run.id), V_INT(item),
                      V_INT(g->c->spec.all_repeats), V_INT(g->now), V_INT(g->r->id)),
                 e);
    while (rows_next(r)) {
        struct sitting_use x = {row_int(r, C_SITTING_ID), row_int(r, C_SITTING_TAKEN),
                                row_int(r, C_SITTING_MET), row_int(r, C_SITTING_MET_BY_ALL),
                                str_is(row_str(r, C_SITTING_STATE), "planned")};
        int order = want->nshown ? compare_sitting(&x, &best) : -1;
        if (x.planned && x.uses)
            continue;
        equal = order < 0 ? 0 : equal;
        if (order < 0 || (order == 0 && rng_below(&lot, equal + 1) == 0))
            best = x;
        equal += order <= 0;
        want->nshown = 1;
    }
    want->shown[0] = (struct shown){best.sample, -1};
    if (rows_end(r, e) != OK || (best.planned && take_sitting(g, want, &free, e) != OK))
        return e->code;
    want->nshown = free ? want->nshown : 0;
    return OK;
}

/* ---- two at once ---- */

/* An unused sample of this model for this item; adds one if there is none left. */
static enum status spare_sample(const struct giving *g, int64_t model, int64_t item, int64_t *out,
                                struct err *e)
{
    struct args of = ARGS(V_INT(model), V_INT(item));
    bool found = false;

    if (db_int(g->s->db, Q_ROOM_SPARE, of, out, &found, e) != OK ||
        (!found && db_int(g->s->db, Q_ROOM_MORE, of, out, &found, e) != OK))
        return e->code;
    if (!found)
        return err_set(e, E_STORE, "a model of the run has no sample of this item");
    return db_run(g->s->db, Q_ROOM_PROMISE, ARGS(V_INT(*out)), NULL, e);
}

/* Chooses two models, each pair equally often, on random sides. The two samples belong to this
 * meeting only, however it ends. */
static enum status show_meeting(const struct giving *g, struct assignment *want, struct err *e)
{
    struct assign_pair chosen = {0};
    struct party_list models;
    size_t first = 0, left;
    int64_t use = 0, a = 0, b = 0;
    size_t pairs;

    want->nshown = 0;
    want->shown = NEW(g->a, struct shown);
    if (store_party_list(g->a, g->s, PARTY_MODEL, g->c->run.id, &models, e) != OK ||
        shown_so_far(g, want->item, &use, e) != OK)
        return e->code;
    pairs = models.n ? models.n * (models.n - 1) / 2 : 0;
    if (pairs == 0)
        return OK;
    assign_pairs(g->c->secret, want->item, use, pairs, 1, &chosen);
    for (left = chosen.pair; left >= models.n - 1 - first; first++)
        left -= models.n - 1 - first;
    if (spare_sample(g, models.v[first].id, want->item, &a, e) != OK ||
        spare_sample(g, models.v[first + 1 + left].id, want->item, &b, e) != OK)
        return e->code;
    *want->shown = chosen.turned ? (struct shown){b, a} : (struct shown){a, b};
    want->nshown = 1;
    return OK;
}

/* Decides which texts of a passage to show, and in which order. */
static enum status show_passage(const struct giving *g, const struct passage_use *use,
                                struct assignment *want, struct err *e)
{
    int64_t *texts = NULL;
    size_t n = 0;

    want->item = use->item;
    if (campaign_meets(&g->c->suite) && g->c->suite.instrument.kind == INSTRUMENT_PAIR)
        return show_meeting(g, want, e);
    if (campaign_examines(&g->c->suite))
        return show_sitting(g, want, e);
    if (read_texts(g, use->item, &texts, &n, e) != OK)
        return e->code;
    want->shown = NEW_N(g->a, struct shown, n * (n + 1) / 2 + 1);
    if (g->c->suite.instrument.kind != INSTRUMENT_PAIR)
        return show_each(g, texts, n, want, e);
    return show_pairs(g, texts, n, want, e);
}

static enum status give_passage(struct giving *g, struct err *e)
{
    struct rng lot = secret_lot(g->c->secret, "passage", g->r->id, g->r->done);
    struct assignment want = {.phase = PHASE_MAIN, .anchor = -1};
    struct passage_use *uses = NULL;
    size_t n = 0, pick;
    bool waiting = false;

    if (read_uses(g, &uses, &n, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++)
        waiting |= uses[i].waits && !uses[i].mine;
    for (size_t tried = 0; tried < n; tried++) {
        pick = assign_pick(uses, n, &lot);
        if (pick == n)
            break;
        if (show_passage(g, &uses[pick], &want, e) != OK)
            return e->code;
        if (want.nshown) {
            if (db_run(g->s->db, Q_PASSAGE_GIVEN,
                       ARGS(V_INT(g->c->id), V_TEXT(g->r->stratum), V_INT(want.item)), NULL,
                       e) != OK)
                return e->code;
            return give(g, &want, e);
        }
        uses[pick].waits = true; /* everything in it is hidden, or taken for now */
        waiting |= campaign_examines(&g->c->suite);
    }
    /* A rater who has rated everything available has finished, even with fewer passages than
     * planned. */
    return waiting ? OK : rater_finish(g->s, g->c, g->r->id, 1, e);
}

/* The next practice text of this attempt; each attempt continues where the one before it ended. */
static enum status give_practice(struct giving *g, struct err *e)
{
    int64_t had = 0, texts = g->c->spec.practice.texts, n = (int64_t)g->c->spec.nanchors;
    struct assignment want = {.phase = PHASE_PRACTICE,
                              .attempt = g->r->practice,
                              .shown = &(struct shown){0, -1},
                              .nshown = 1};

    for (size_t i = 0; i < g->had.n; i++)
        had += g->had.v[i].phase == PHASE_PRACTICE && g->had.v[i].attempt == want.attempt;
    if (had >= texts || had >= n)
        return OK;
    want.anchor = (want.attempt * texts + had) % n;
    return give(g, &want, e);
}

static bool had_anchor(const struct assignment_list *had, int64_t anchor, bool in_practice)
{
    for (size_t i = 0; i < had->n; i++)
        if (had->v[i].anchor == anchor &&
            (had->v[i].phase == PHASE_ANCHOR || (in_practice && had->v[i].phase == PHASE_PRACTICE)))
            return true;
    return false;
}

/* Did the rater practise with any of these? Then they know the expected marks. */
static bool practised_any(const struct assignment_list *had, const int64_t *group, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (had_anchor(had, group[i], true))
            return true;
    return false;
}

/* Chooses anchor texts on one prompt, as many as a passage has texts, that this rater has not
 * had silently. Those used in practice are only taken if there are no others. */
static bool silent_anchor(const struct giving *g, size_t texts, struct assignment *out)
{
    struct rng lot = secret_lot(g->c->secret, "silent", g->r->id, (int64_t)g->had.n);
    int64_t *group = NEW_N(g->a, int64_t, texts + 1), *best = NEW_N(g->a, int64_t, texts + 1);
    uint64_t fresh = 0, known = 0;
    size_t *order;

    for (size_t i = 0; (i = anchor_group(&g->c->spec, texts, i, group)) < g->c->spec.nanchors;
         i++) {
        bool practised = practised_any(&g->had, group, texts);
        if (had_anchor(&g->had, group[0], false) || (practised && fresh))
            continue;
        if (rng_below(&lot, practised ? ++known : ++fresh) == 0)
            memcpy(best, group, texts * sizeof *best);
    }
    if (!fresh && !known)
        return false;
    *out = (struct assignment){.phase = PHASE_ANCHOR, .anchor = best[0], .nshown = texts};
    out->shown = NEW_N(g->a, struct shown, texts + 1);
    order = shuffled(&lot, texts);
    for (size_t i = 0; i < texts; i++)
        out->shown[i] = (struct shown){ASSIGN_ANCHOR(best[order[i]]), -1};
    free(order);
    return true;
}

/* Has this rater already repeated it? */
static bool was_repeated(const struct assignment_list *had, int64_t item)
{
    for (size_t i = 0; i < had->n; i++)
        if (had->v[i].phase == PHASE_REPEAT && had->v[i].item == item)
            return true;
    return false;
}

/* A passage for this rater to rate once more, other than the last one; NULL: none. */
static const struct assignment *repeatable(const struct giving *g)
{
    const struct assignment_list *had = &g->had;
    struct rng lot = secret_lot(g->c->secret, "twice", g->r->id, (int64_t)had->n);
    const struct assignment *best = NULL;
    uint64_t n = 0;

    for (size_t i = 0; i + 1 < had->n; i++) {
        const struct assignment *x = &had->v[i];
        if (x->phase == PHASE_MAIN && x->done && !was_repeated(had, x->item) &&
            rng_below(&lot, ++n) == 0)
            best = x;
    }
    return best;
}

/* The same texts in reverse order, with the sides of pairs swapped. */
static enum status give_again(struct giving *g, const struct assignment *was, struct err *e)
{
    struct assignment want = {.phase = PHASE_REPEAT, .item = was->item, .anchor = -1};

    want.shown = NEW_N(g->a, struct shown, was->nshown + 1);
    for (size_t i = was->nshown; i-- > 0;) {
        struct shown x = was->shown[i];
        want.shown[want.nshown++] = x.other < 0 ? x : (struct shown){x.other, x.sample};
    }
    return give(g, &want, e);
}

/* Has a text of it been withheld since? */
static enum status is_withheld(const struct giving *g, const struct assignment *was, bool *out,
                               struct err *e)
{
    return db_true(g->s->db, Q_WITHHELD_SHOWN,
                   ARGS(V_INT(g->c->id), V_TEXT(assign_shown(g->a, was->shown, was->nshown))), out,
                   e);
}

/* Which extras this rater still has to get, and whether one is due now. The numbers are those of
 * assign_extras(); they are placed at random, never two in a row, never first or last. *first is
 * the kind to try first; PHASE_MAIN: none. */
static struct assign_extras extra_due(const struct giving *g, size_t *texts, enum phase *first)
{
    const struct assignment_list *had = &g->had;
    struct rng lot = secret_lot(g->c->secret, "mixed", g->r->id, (int64_t)had->n);
    uint64_t slots = (uint64_t)(g->c->spec.passages - g->r->done), left;
    struct assign_extras x;

    *texts = 0;
    *first = PHASE_MAIN;
    for (size_t i = 0; i < had->n; i++)
        if (had->v[i].phase == PHASE_MAIN)
            *texts = had->v[i].nshown;
    x = assign_extras(g->c, g->r->id, *texts);
    for (size_t i = 0; i < had->n; i++) {
        x.anchors -= had->v[i].phase == PHASE_ANCHOR;
        x.repeats -= had->v[i].phase == PHASE_REPEAT;
    }
    x.anchors = x.anchors > 0 ? x.anchors : 0;
    x.repeats = x.repeats > 0 ? x.repeats : 0;
    left = (uint64_t)(x.anchors + x.repeats);
    if (g->r->done && left && rng_below(&lot, slots) < left)
        *first = rng_below(&lot, left) < (uint64_t)x.anchors ? PHASE_ANCHOR : PHASE_REPEAT;
    return x;
}

/* Assigns an extra of this kind, if there is one. */
static enum status give_extra(struct giving *g, enum phase kind, size_t texts, struct err *e)
{
    const struct assignment *again = kind == PHASE_REPEAT ? repeatable(g) : NULL;
    struct assignment anchor;
    bool withheld = false;

    if (kind == PHASE_ANCHOR)
        return silent_anchor(g, texts, &anchor) ? give(g, &anchor, e) : OK;
    if (!again)
        return OK;
    if (is_withheld(g, again, &withheld, e) != OK)
        return e->code;
    return withheld ? OK : give_again(g, again, e);
}

static enum status give_work(struct giving *g, struct err *e)
{
    enum phase before = g->had.n ? g->had.v[g->had.n - 1].phase : PHASE_MAIN;
    bool extra_before = before == PHASE_ANCHOR || before == PHASE_REPEAT;
    enum phase first, other;
    struct assign_extras x;
    size_t texts;

    if (g->r->done >= g->c->spec.passages)
        return OK;
    x = extra_due(g, &texts, &first);
    other = first == PHASE_ANCHOR ? PHASE_REPEAT : PHASE_ANCHOR;
    if (first != PHASE_MAIN && !extra_before) {
        if (give_extra(g, first, texts, e) != OK)
            return e->code;
        if (!g->found && (other == PHASE_ANCHOR ? x.anchors : x.repeats) > 0 &&
            give_extra(g, other, texts, e) != OK)
            return e->code;
    }
    return g->found ? OK : give_passage(g, e);
}

/* Could it be assigned, now or once its sitting is free? */
static enum status is_shown(const struct giving *g, int64_t item, bool *out, struct err *e)
{
    int64_t *texts;
    size_t n = 1;

    if (!campaign_examines(&g->c->suite) && read_texts(g, item, &texts, &n, e) != OK)
        return e->code;
    *out = n > 0;
    return OK;
}

/* Is anything left to rate? Otherwise there is no point in practising, and the rater has
 * finished. */
static enum status is_left(const struct giving *g, bool *out, struct err *e)
{
    struct passage_use *uses = NULL;
    struct assignment begun;
    size_t n = 0;

    if (assign_begun(g->a, g->s, g->r, &begun, out, e) != OK || read_uses(g, &uses, &n, e) != OK)
        return e->code;
    for (size_t i = 0; i < n && !*out; i++)
        if (!uses[i].mine && is_shown(g, uses[i].item, out, e) != OK)
            return e->code;
    return OK;
}

static enum status is_due(const struct giving *g, bool *out, struct err *e)
{
    *out = false;
    return rater_must_practise(g->c, g->r, g->now) ? is_left(g, out, e) : OK;
}

enum status assign_practice_due(struct arena *a, struct store *s, const struct campaign *c,
                                const struct rater *r, bool *due, struct err *e)
{
    const struct giving g = {.a = a, .s = s, .c = c, .r = r, .now = clock_utc_ms()};
    bool is = false;

    if (is_due(&g, &is, e) != OK)
        return e->code;
    *due = is;
    return OK;
}

/* Assignments in progress wait until practice is over. */
static enum status practise_again(const struct giving *g, struct rater *r, struct err *e)
{
    bool due;

    if (is_due(g, &due, e) != OK)
        return e->code;
    if (!due)
        return OK;
    r->state = RATER_PRACTISING;
    return db_run(g->s->db, Q_RATER_STATE,
                  ARGS(V_INT(r->id), V_TEXT(rater_state_name(RATER_RATING)),
                       V_TEXT(rater_state_name(RATER_PRACTISING))),
                  NULL, e);
}

static enum status give_next(struct giving *g, struct rater *now, struct err *e)
{
    /* Read again under the lock: they may have submitted from another device meanwhile. */
    if (db_run(g->s->db, Q_CAMPAIGN_LOCK, ARGS(V_INT(g->c->id)), NULL, e) != OK ||
        rater_get(g->a, g->s, g->r->id, now, e) != OK ||
        db_run(g->s->db, Q_ASSIGNMENT_EXPIRE, ARGS(V_INT(g->c->id), V_INT(g->now)), NULL, e) != OK)
        return e->code;
    g->r = now;
    if (now->state != RATER_PRACTISING && now->state != RATER_RATING)
        return OK;
    if (practise_again(g, now, e) != OK ||
        assign_begun(g->a, g->s, g->r, &g->given, &g->found, e) != OK)
        return e->code;
    if (g->found)
        return db_run(g->s->db, Q_ASSIGNMENT_KEEP,
                      ARGS(V_INT(g->given.id), V_INT(g->now + g->c->spec.lease_ms)), NULL, e);
    if (assign_list(g->a, g->s, g->r->id, &g->had, e) != OK)
        return e->code;
    return g->r->state == RATER_PRACTISING ? give_practice(g, e) : give_work(g, e);
}

enum status assign_next(struct arena *a, struct store *s, const struct campaign *c,
                        const struct rater *r, struct assignment *out, bool *found, struct err *e)
{
    struct giving g = {.a = a, .s = s, .c = c, .r = r, .now = clock_utc_ms()};
    struct rater now = {0};

    if (r->state != RATER_PRACTISING && r->state != RATER_RATING) {
        *found = false;
        return OK;
    }
    if (store_atomically(s, e, give_next(&g, &now, e)) != OK)
        return e->code;
    *out = g.given;
    *found = g.found;
    return OK;
}
