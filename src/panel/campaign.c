#include "panel/campaign.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "eval/derive.h"
#include "gen/queries.h"
#include "math/graph.h"
#include "panel/leak.h"
#include "store/store_read.h"
#include "suite/mark.h"
#include "suite/suite.h"

static const char *const state_names[] = {"draft", "open", "closed", "unmasked"};

const char *campaign_state_name(enum campaign_state s)
{
    return state_names[s];
}

static enum campaign_state state_of(struct str name)
{
    for (size_t i = 0; i < COUNT(state_names); i++)
        if (str_is(name, state_names[i]))
            return (enum campaign_state)i;
    return CAMPAIGN_CLOSED;
}

/* ---- making one ---- */

/* Texts to be withheld, found by going through the run's answers. */
struct survey {
    struct arena *arena;
    struct leak *leak;
    struct map left_out; /* by the suite's rules: hidden without a decision */
    bool all_repeats;    /* otherwise only first answers are shown, and examined */
    struct withheld *v;
    size_t n, cap;
};

static enum status survey_samples(struct survey *v, struct store *s, int64_t run, struct err *e)
{
    AUTO(cursor_close) struct cursor c = store_samples(s, &(struct sample_filter){.run = run}, e);
    struct sample_row row;

    while (store_sample_next(&c, &row)) {
        struct leak_found f = {"left-out", STR("")};
        if (row.state != STATE_DONE || (row.repeat > 0 && !v->all_repeats))
            continue;
        if (!map_get(&v->left_out, map_id(&row.id)) && leak_find(v->leak, &row, &f, e) != OK)
            return e->code;
        if (!f.why)
            continue;
        v->v = arena_grow(v->arena, v->v, &v->cap, v->n + 1, sizeof *v->v);
        v->v[v->n++] = (struct withheld){
            .sample = row.id, .why = f.why, .words = arena_text(v->arena, f.words)};
    }
    return cursor_end(&c);
}

static enum status withhold(struct store *s, int64_t campaign, const struct survey *v,
                            struct err *e)
{
    for (size_t i = 0; i < v->n; i++)
        if (db_run(s->db, Q_WITHHELD_ADD,
                   ARGS(V_INT(campaign), V_INT(v->v[i].sample), V_TEXT(v->v[i].why),
                        V_TEXT(v->v[i].words)),
                   NULL, e) != OK)
            return e->code;
    return OK;
}

static enum status plan_passages(struct store *s, const struct campaign_new *m,
                                 const struct spec *spec, int64_t campaign, struct err *e)
{
    int64_t n = 0;

    if (db_run(s->db, Q_PASSAGE_PLAN,
               ARGS(V_INT(campaign), V_INT(m->run->id), V_INT(campaign_examines(m->suite)),
                    V_INT(spec->all_repeats)),
               &n, e) != OK)
        return e->code;
    if (n == 0)
        return err_set(e, E_USAGE, "run %s has no answers to show yet", m->run->name);
    if (n < spec->passages)
        return err_set(e, E_USAGE,
                       "each rater is to rate %lld passages, but run %s has answers to only %lld: "
                       "nobody could finish; lower passages_per_rater",
                       (long long)spec->passages, m->run->name, (long long)n);
    return OK;
}

static enum status survey_run(struct store *s, const struct campaign_new *m,
                              const struct spec *spec, int64_t campaign, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct survey v = {.arena = a, .all_repeats = spec->all_repeats};
    struct party_list models;

    if (store_party_list(a, s, PARTY_MODEL, m->run->id, &models, e) != OK ||
        store_flag_left_out(a, s, m->run->id, &m->suite->rules, &v.left_out, e) != OK)
        return e->code;
    if (spec->reference && store_party_named(&models, CAMPAIGN_REFERENCE))
        return err_set(e, E_USAGE,
                       "run %s has a model called '%s': its marks would be those of the items' "
                       "references; write reference: no",
                       m->run->name, CAMPAIGN_REFERENCE);
    v.leak = leak_new(a, m->suite, &models);
    if (survey_samples(&v, s, m->run->id, e) != OK || withhold(s, campaign, &v, e) != OK)
        return e->code;
    return plan_passages(s, m, spec, campaign, e);
}

static const char *new_secret(struct arena *a)
{
    unsigned char bytes[32];
    AUTO(buf_done) struct buf b = BUF_MAX(2 * sizeof bytes);

    hash_random(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        buf_fmt(&b, "%02x", bytes[i]);
    return arena_text(a, buf_str(&b));
}

enum status campaign_insert(struct store *s, const struct campaign_new *n, const char *name,
                            int64_t *id, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    int64_t now = clock_utc_ms();
    bool made = false;

    if (db_int(s->db, Q_CAMPAIGN_ADD,
               ARGS(V_INT(n->run->id), V_TEXT(name), V_TEXT(n->frozen), V_TEXT(new_secret(a)),
                    V_INT(now)),
               id, &made, e) != OK)
        return e->code;
    if (!made)
        return err_set(e, E_USAGE, "a campaign '%s' already exists; choose another name", name);
    return db_run(s->db, Q_AUDIT_ADD,
                  ARGS(V_INT(now), V_TEXT(n->who), V_TEXT("campaign.new"), V_TEXT(name),
                       V_TEXT(n->run->name)),
                  NULL, e);
}

static enum status make(struct store *s, const struct campaign_new *n, const struct spec *spec,
                        struct err *e)
{
    int64_t id = 0;

    if (campaign_insert(s, n, spec->name, &id, e) != OK)
        return e->code;
    return survey_run(s, n, spec, id, e);
}

enum status campaign_add(struct arena *a, struct store *s, const struct campaign_new *n,
                         struct campaign *out, struct err *e)
{
    struct spec spec;
    struct run_row flagged = *n->run;

    if (spec_thaw(a, str_of(n->frozen), n->suite, &spec, e) != OK ||
        derive_refresh(s, &flagged, e) != OK)
        return e->code;
    if (store_atomically(s, e, make(s, n, &spec, e)) != OK)
        return e->code;
    return campaign_get(a, s, spec.name, out, e);
}

/* ---- reading ---- */

/* Reads the run and its suite, then the campaign file, which depends on them. */
static enum status complete(struct arena *a, struct store *s, struct campaign *c, struct err *e)
{
    if (store_run_by_id(a, s, c->run.id, &c->run, e) != OK ||
        suite_thaw(a, c->run.frozen, &c->suite, e) != OK)
        return e->code;
    c->suite.titles = c->run.titles;
    return spec_thaw(a, c->frozen, &c->suite, &c->spec, e);
}

static enum status get(struct arena *a, struct store *s, int query, struct args args,
                       struct campaign *out, bool *found, struct err *e)
{
    struct campaign c;
    struct rows *r = db_query(s->db, query, args, e);

    *found = rows_next(r);
    if (*found) {
        row_into(a, r, COLUMNS_CAMPAIGN(struct campaign), &c);
        c.state = state_of(row_str(r, C_CAMPAIGN_STATE));
    }
    if (rows_end(r, e) != OK || (*found && complete(a, s, &c, e) != OK))
        return e->code;
    if (*found)
        *out = c;
    return OK;
}

enum status campaign_get(struct arena *a, struct store *s, const char *name, struct campaign *out,
                         struct err *e)
{
    bool found = false;

    if (get(a, s, Q_CAMPAIGN_GET, ARGS(V_TEXT(name)), out, &found, e) != OK)
        return e->code;
    return found ? OK
                 : err_set(e, E_ABSENT,
                           "no campaign '%s'; `audition campaign list` shows the campaigns", name);
}

enum status campaign_by_id(struct arena *a, struct store *s, int64_t id, struct campaign *out,
                           struct err *e)
{
    bool found = false;

    if (get(a, s, Q_CAMPAIGN_BY_ID, ARGS(V_INT(id)), out, &found, e) != OK)
        return e->code;
    return found ? OK : err_set(e, E_ABSENT, "no campaign %lld", (long long)id);
}

static void read_campaign(struct arena *a, const struct rows *r, void *out)
{
    row_into(a, r, COLUMNS_CAMPAIGN_LINE(struct campaign), out);
    ((struct campaign *)out)->state = state_of(row_str(r, C_CAMPAIGN_LINE_STATE));
}

enum status campaign_now(struct arena *a, struct store *s, int64_t id, struct campaign *out,
                         bool *found, struct err *e)
{
    struct rows *r = db_query(s->db, Q_CAMPAIGN_NOW, ARGS(V_INT(id)), e);

    *found = rows_next(r);
    if (*found) {
        row_into(a, r, COLUMNS_CAMPAIGN_NOW(struct campaign), out);
        out->state = state_of(row_str(r, C_CAMPAIGN_NOW_STATE));
    }
    return rows_end(r, e);
}

enum status campaign_list(struct arena *a, struct store *s, struct campaign_list *out,
                          struct err *e)
{
    return db_list(s->db, Q_CAMPAIGN_LIST, NO_ARGS, INTO(a, out, read_campaign), e);
}

/* ---- states ---- */

static bool may_turn(enum campaign_state from, enum campaign_state to)
{
    return (to == CAMPAIGN_OPEN && (from == CAMPAIGN_DRAFT || from == CAMPAIGN_CLOSED)) ||
           (to == CAMPAIGN_CLOSED && from == CAMPAIGN_OPEN) ||
           (to == CAMPAIGN_UNMASKED && from == CAMPAIGN_CLOSED);
}

enum status campaign_turn(struct store *s, const struct campaign *c, enum campaign_state to,
                          struct err *e)
{
    int64_t changed = 0;

    if (c->state == to)
        return err_set(e, E_USAGE, "campaign '%s' is already %s", c->name, state_names[to]);
    if (!may_turn(c->state, to))
        return err_set(e, E_USAGE,
                       to == CAMPAIGN_UNMASKED
                           ? "campaign '%s' is %s and cannot become %s: close it first"
                           : "campaign '%s' is %s and cannot become %s",
                       c->name, state_names[c->state], state_names[to]);
    if (to == CAMPAIGN_OPEN && c->spec.deadline_ms && c->spec.deadline_ms < clock_utc_ms())
        return err_set(e, E_USAGE, "the deadline of campaign '%s' has passed", c->name);
    if (db_run(s->db, Q_CAMPAIGN_TURN,
               ARGS(V_INT(c->id), V_TEXT(state_names[c->state]), V_TEXT(state_names[to]),
                    V_INT(clock_utc_ms())),
               &changed, e) != OK)
        return e->code;
    return changed ? OK
                   : err_set(e, E_BUSY, "someone else has just changed campaign '%s'", c->name);
}

bool campaign_examines(const struct suite *suite)
{
    return vocab_is_held(suite);
}

bool campaign_meets(const struct suite *suite)
{
    return vocab_is_held(suite) && suite->elicit.kind == ELICIT_DIALOGUE;
}

bool campaign_takes(const struct campaign *c, int64_t now_ms)
{
    return c->state == CAMPAIGN_OPEN && (c->spec.deadline_ms == 0 || now_ms <= c->spec.deadline_ms);
}

int64_t campaign_gone_ms(const struct campaign *c, int64_t now_ms)
{
    return campaign_takes(c, now_ms) ? now_ms - c->spec.lease_ms : INT64_MAX;
}

/* ---- withheld texts ---- */

static int by_name(const void *x, const void *y)
{
    const struct withheld *a = x, *b = y;

    return strcmp(a->name, b->name);
}

/* Rows come by passage and model; whoever decides must not learn which texts have the same
 * model. */
static void hide_order(const struct campaign *c, struct withheld *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char hex[HASH_HEX];
        struct hash h;
        hash_init_keyed(&h, str_of(c->secret));
        hash_str(&h, STR("withheld"));
        hash_int(&h, v[i].sample);
        hash_hex(&h, hex);
        (void)snprintf(v[i].name, sizeof v[i].name, "%.*s", WITHHELD_NAME - 1, hex);
    }
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && strcmp(v[end].item_name, v[i].item_name) == 0;)
            end++;
        qsort(v + i, end - i, sizeof *v, by_name);
    }
}

bool withheld_left_out(const struct withheld *w)
{
    return strcmp(w->why, "left-out") == 0 && w->decision && strcmp(w->decision, "hide") == 0;
}

enum status campaign_withheld(struct arena *a, struct store *s, const struct campaign *c,
                              struct withheld_list *out, struct err *e)
{
    const struct columns *columns = COLUMNS_WITHHELD(struct withheld);

    if (db_list(s->db, Q_WITHHELD_LIST, ARGS(V_INT(c->id)), ROWS_INTO(a, out, columns), e) != OK)
        return e->code;
    hide_order(c, out->v, out->n);
    return OK;
}

enum status campaign_decide(struct store *s, const struct campaign *c, int64_t sample, bool show,
                            const char *who, struct err *e)
{
    bool any;

    if (db_change(s->db, Q_WITHHELD_DECIDE,
                  ARGS(V_INT(c->id), V_INT(sample), V_TEXT(show ? "show" : "hide"), V_TEXT(who),
                       V_INT(clock_utc_ms())),
                  &any, e) != OK)
        return e->code;
    if (!any)
        return err_set(e, E_ABSENT, "that text is not withheld");
    return show ? db_run(s->db, Q_PASSAGE_ADD, ARGS(V_INT(c->id), V_INT(sample)), NULL, e) : OK;
}

/* ---- coverage ---- */

/* Severity and difficulty can only be separated if passages and raters form a connected graph.
 * Passages without submissions are ignored. The nodes are the passages, followed by the raters. */
static enum status find_connected(struct store *s, const struct campaign *c,
                                  struct coverage_list *l, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    size_t n = 0, cap = 0, raters = 0, lonely = 0;
    struct graph_arc *arcs = NULL;
    int64_t rater = -1;
    struct map passages;
    uint32_t *group;
    struct rows *r = db_query(s->db, Q_HANDED_IN, ARGS(V_INT(c->id)), e);

    map_init(&passages, a);
    for (size_t i = 0; i < l->n; i++) {
        (void)map_put(&passages, map_id(&l->v[i].item), &l->v[i]);
        lonely += l->v[i].done == 0;
    }
    while (rows_next(r)) {
        int64_t item = row_int(r, C_HANDED_IN_ITEM);
        const struct coverage *at = map_get(&passages, map_id(&item));
        raters += row_int(r, C_HANDED_IN_RATER) != rater;
        rater = row_int(r, C_HANDED_IN_RATER);
        arcs = arena_grow(a, arcs, &cap, n + 1, sizeof *arcs);
        if (at)
            arcs[n++] = (struct graph_arc){(uint32_t)(l->n + raters - 1), (uint32_t)(at - l->v)};
    }
    group = NEW_N(a, uint32_t, l->n + raters);
    l->connected = raters > 0 && graph_groups(arcs, n, l->n + raters, group) == 1 + lonely;
    return rows_end(r, e);
}

enum status campaign_coverage(struct arena *a, struct store *s, const struct campaign *c,
                              struct coverage_list *out, struct err *e)
{
    const struct columns *columns = COLUMNS_COVERAGE(struct coverage);
    int64_t now = clock_utc_ms();
    struct coverage_list l = {0};

    if (db_list(s->db, Q_COVERAGE_LIST,
                ARGS(V_INT(c->id), V_INT(now), V_INT(c->spec.completers),
                     V_INT(campaign_gone_ms(c, now))),
                ROWS_INTO(a, &l, columns), e) != OK ||
        find_connected(s, c, &l, e) != OK)
        return e->code;
    for (size_t i = 0; i < l.n; i++)
        if (l.v[i].counted < c->spec.overlap)
            l.short_of += c->spec.overlap - l.v[i].counted;
    l.top_up = (l.short_of + c->spec.passages - 1) / c->spec.passages;
    *out = l;
    return OK;
}
