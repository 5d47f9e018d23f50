#include "store/store_exchange.h"

#include "gen/queries.h"
#include "suite/mark.h"

/* ---- verdicts with their marks ---- */

enum { MARKS_MAX = 64 };

/* The rows of one verdict come one after another, a mark in each: gather them. */
struct gather {
    struct arena *arena; /* of the verdict being gathered */
    struct judgement now;
    struct mark marks[MARKS_MAX];
    judgement_fn *fn;
    void *user;
};

static enum status hand_over(struct gather *g, struct err *e)
{
    return g->now.id ? g->fn(g->user, &g->now, e) : OK;
}

static void start(struct gather *g, const struct rows *r)
{
    struct arena *a = g->arena;

    arena_reset(a);
    g->now = (struct judgement){
        .id = row_int(r, C_JUDGEMENT_ID),
        .sample = row_int(r, C_JUDGEMENT_SAMPLE),
        .judge = row_copy(a, r, C_JUDGEMENT_JUDGE_NAME).p,
        .model = row_copy(a, r, C_JUDGEMENT_MODEL_NAME).p,
        .item = row_copy(a, r, C_JUDGEMENT_ITEM_NAME).p,
        .repeat = row_int(r, C_JUDGEMENT_SAMPLE_REPEAT),
        .judge_repeat = row_int(r, C_JUDGEMENT_REPEAT),
        .state = vocab_state_of(row_str(r, C_JUDGEMENT_STATE)),
        .sample_state = vocab_state_of(row_str(r, C_JUDGEMENT_SAMPLE_STATE)),
        .reply = row_copy(a, r, C_JUDGEMENT_REPLY),
        .reason = row_copy(a, r, C_JUDGEMENT_REASON),
        .overall = row_real(r, C_JUDGEMENT_OVERALL),
        .repairs = row_int(r, C_JUDGEMENT_REPAIRS),
        .fault = row_text_copy(a, r, C_JUDGEMENT_FAULT),
        .why = row_text_copy(a, r, C_JUDGEMENT_WHY),
        .marks = {g->marks, 0},
        .other = row_text_copy(a, r, C_JUDGEMENT_OTHER_NAME),
        .shown = row_text_copy(a, r, C_JUDGEMENT_SHOWN),
        .choice = row_text_copy(a, r, C_JUDGEMENT_CHOICE),
        .winner = row_text_copy(a, r, C_JUDGEMENT_WINNER_NAME),
        .item_body = row_copy(a, r, C_JUDGEMENT_ITEM_BODY),
        .answer = row_copy(a, r, C_JUDGEMENT_ANSWER),
    };
}

static enum status gather_step(void *user, const struct rows *r, struct err *e)
{
    struct gather *g = user;

    if (row_int(r, C_JUDGEMENT_ID) != g->now.id) {
        if (hand_over(g, e) != OK)
            return e->code;
        start(g, r);
    }
    if (!row_null(r, C_JUDGEMENT_DIMENSION) && g->now.marks.n < MARKS_MAX)
        g->marks[g->now.marks.n++] = (struct mark){
            .dimension = row_copy(g->arena, r, C_JUDGEMENT_DIMENSION).p,
            .value = row_real(r, C_JUDGEMENT_VALUE),
            .analysis = row_copy(g->arena, r, C_JUDGEMENT_ANALYSIS),
            .evidence = row_copy(g->arena, r, C_JUDGEMENT_EVIDENCE),
            .advice = row_copy(g->arena, r, C_JUDGEMENT_ADVICE),
        };
    return OK;
}

enum status store_judgement_each(struct store *s, int64_t run, judgement_fn *fn, void *user,
                                 struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct gather g = {.arena = a, .fn = fn, .user = user};

    if (db_each(s->db, Q_JUDGEMENT_EACH, ARGS(V_INT(run)), gather_step, &g, e) != OK)
        return e->code;
    return hand_over(&g, e);
}

/* ---- rows by their keys ---- */

static enum status found(struct arena *a, struct rows *r, struct found_row *out, struct err *e)
{
    *out = (struct found_row){0};
    if (rows_next(r))
        *out = (struct found_row){row_int(r, C_FOUND_ID), vocab_state_of(row_str(r, C_FOUND_STATE)),
                                  row_copy(a, r, C_FOUND_TEXT)};
    return rows_end(r, e);
}

enum status store_sample_find(struct arena *a, struct store *s, int64_t model, int64_t item,
                              int64_t repeat, struct found_row *out, struct err *e)
{
    struct rows *r =
        db_query(s->db, Q_SAMPLE_FIND, ARGS(V_INT(model), V_INT(item), V_INT(repeat)), e);

    return found(a, r, out, e);
}

enum status store_verdict_find(struct arena *a, struct store *s, const struct row_key *key,
                               struct found_row *out, struct err *e)
{
    struct rows *r = db_query(s->db, Q_VERDICT_FIND,
                              ARGS(V_INT(key->who), V_INT(key->about), V_INT(key->other),
                                   V_TEXT(key->shown), V_INT(key->repeat)),
                              e);

    return found(a, r, out, e);
}

enum status store_take(struct store *s, enum party_kind kind, const struct row_key *key,
                       int64_t *id, bool *taken, struct err *e)
{
    if (kind == PARTY_MODEL)
        return db_int(s->db, Q_SAMPLE_TAKE,
                      ARGS(V_INT(key->run), V_INT(key->who), V_INT(key->about), V_INT(key->repeat)),
                      id, taken, e);
    return db_int(s->db, Q_VERDICT_TAKE,
                  ARGS(V_INT(key->run), V_INT(key->who), V_INT(key->about), V_INT(key->other),
                       V_TEXT(key->shown), V_INT(key->repeat)),
                  id, taken, e);
}
