#include "store/store_exchange.h"

#include "gen/queries.h"
#include "suite/mark.h"

/* ---- verdicts with their marks ---- */

enum { MARKS_MAX = 64 };

static struct judgement start(struct arena *a, const struct rows *r)
{
    return (struct judgement){
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
        .other = row_text_copy(a, r, C_JUDGEMENT_OTHER_NAME),
        .shown = row_text_copy(a, r, C_JUDGEMENT_SHOWN),
        .choice = row_text_copy(a, r, C_JUDGEMENT_CHOICE),
        .winner = row_text_copy(a, r, C_JUDGEMENT_WINNER_NAME),
        .item_body = row_copy(a, r, C_JUDGEMENT_ITEM_BODY),
        .answer = row_copy(a, r, C_JUDGEMENT_ANSWER),
    };
}

/* There is one row for each mark; those of one verdict follow each other. */
enum status store_judgement_each(struct store *s, int64_t run, judgement_fn *fn, void *user,
                                 struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(cursor_close)
    struct cursor c = cursor_open(s, Q_JUDGEMENT_EACH, ARGS(V_INT(run)), e);
    struct judgement now = {0};
    struct mark marks[MARKS_MAX];

    while (rows_next(c.rows)) {
        if (row_int(c.rows, C_JUDGEMENT_ID) != now.id) {
            if (now.id && fn(user, &now, e) != OK)
                return e->code;
            arena_reset(a);
            now = start(a, c.rows);
            now.marks.v = marks;
        }
        if (!row_null(c.rows, C_JUDGEMENT_DIMENSION) && now.marks.n < MARKS_MAX)
            marks[now.marks.n++] = (struct mark){
                .dimension = row_copy(a, c.rows, C_JUDGEMENT_DIMENSION).p,
                .value = row_real(c.rows, C_JUDGEMENT_VALUE),
                .analysis = row_copy(a, c.rows, C_JUDGEMENT_ANALYSIS),
                .evidence = row_copy(a, c.rows, C_JUDGEMENT_EVIDENCE),
                .advice = row_copy(a, c.rows, C_JUDGEMENT_ADVICE),
            };
    }
    if (cursor_end(&c) != OK)
        return e->code;
    return now.id ? fn(user, &now, e) : OK;
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
