#include "panel/seat.h"

#include "base/clock.h"
#include "base/hash.h"
#include "gen/queries.h"
#include "store/store_turn.h"

enum { WAIT_MS = 15000 }; /* a claim expires after this time without a sign of life */

enum status seat_read(struct arena *a, struct store *s, struct seat *seat, struct err *e)
{
    struct str config = {0};
    struct rows *rows = db_query(s->db, Q_ROOM_SAMPLE, ARGS(V_INT(seat->sample)), e);
    bool found = rows_next(rows);

    if (found) {
        seat->done = str_is(row_str(rows, C_ROOM_SAMPLE_STATE), "done");
        seat->model = row_int(rows, C_ROOM_SAMPLE_MODEL);
        seat->repeat = row_int(rows, C_ROOM_SAMPLE_REPEAT);
        seat->model_name = row_copy(a, rows, C_ROOM_SAMPLE_MODEL_NAME).p;
        config = row_copy(a, rows, C_ROOM_SAMPLE_CONFIG);
        seat->position = row_int(rows, C_ROOM_SAMPLE_POSITION);
        seat->until_ms = row_int(rows, C_ROOM_SAMPLE_UNTIL_MS);
    }
    if (rows_end(rows, e) != OK)
        return e->code;
    if (!found)
        return err_set(e, E_STORE, "no sample %lld", (long long)seat->sample);
    return models_thaw(a, config, &seat->endpoint, e);
}

/* ---- saying ---- */

enum status seat_say(struct store *s, const struct campaign *c, const struct seat *seat,
                     const struct turn_list *new, struct err *e)
{
    const struct turn *last = &new->v[new->n - 1];
    int64_t now = clock_utc_ms(), held = 0;
    bool fresh = false;

    if (db_run(s->db, Q_ASSIGNMENT_SEEN,
               ARGS(V_INT(seat->assignment), V_INT(now + c->spec.lease_ms), V_INT(now),
                    V_INT(last->speaker == SPEAKER_MODEL ? 0 : last->elapsed_ms)),
               &held, e) != OK ||
        (held && store_turn_say(s, seat->sample, new, &fresh, e) != OK))
        return e->code;
    return fresh ? OK : err_set(e, E_ABSENT, "another answer was saved first");
}

int64_t seat_since_last(const struct turn_list *turns, int64_t now)
{
    int64_t last = turns->n ? turns->v[turns->n - 1].at_ms : now;

    return now > last ? now - last : 0;
}

/* Stores the request and the response under a unique key. */
enum status seat_trace(struct store *s, const struct campaign *c, const struct seat *seat,
                       const struct live_answer *answer, struct turn *t, struct err *e)
{
    struct call_row call = {
        .run = c->run.id,
        .url = seat->endpoint.url,
        .request = answer->request,
        .response = answer->response,
        .elapsed_ms = answer->elapsed_ms,
        .created_ms = clock_utc_ms(),
    };
    char hex[HASH_HEX];
    struct hash h;

    if (seat->endpoint.kind != ENDPOINT_CHAT)
        return OK;
    hash_init(&h);
    hash_str(&h, STR("room"));
    hash_int(&h, seat->sample);
    hash_int(&h, t->position);
    hash_str(&h, answer->request);
    hash_hex(&h, hex);
    call.key = hex;
    if (store_call_add(s, &(struct call_row *){&call}, 1, e) != OK)
        return e->code;
    t->call = call.id;
    return OK;
}

static struct val tokens(int64_t n)
{
    return n < 0 ? V_NULL : V_INT(n);
}

enum status seat_spend(struct store *s, const struct campaign *c, const struct seat *seat,
                       const struct chat_reply *reply, struct err *e)
{
    double usd = models_cost(&seat->endpoint, reply->tokens_in, reply->tokens_out, reply->cached);

    if (db_run(s->db, Q_ROOM_SPENT,
               ARGS(V_INT(seat->sample), tokens(reply->tokens_in), tokens(reply->tokens_out),
                    V_REAL(usd)),
               NULL, e) != OK ||
        db_run(s->db, Q_MUTE_END, ARGS(V_INT(seat->model)), NULL, e) != OK)
        return e->code;
    return store_run_stale(s, c->run.id, e);
}

enum status seat_mute(struct store *s, const struct seat *seat, const struct chat_reply *reply,
                      struct err *e)
{
    return db_run(s->db, Q_MUTE_ADD,
                  ARGS(V_INT(seat->model), V_INT(clock_utc_ms()),
                       V_TEXT(chat_fault_name(reply->fault)), V_TEXT(reply->why)),
                  NULL, e);
}

enum status seat_mutes(struct arena *a, struct store *s, const struct campaign *c,
                       struct mute_list *out, struct err *e)
{
    return db_list(s->db, Q_MUTE_LIST, ARGS(V_INT(c->run.id)),
                   ROWS_INTO(a, out, COLUMNS_MUTE(struct mute)), e);
}

enum status seat_end(struct store *s, const struct campaign *c, const struct seat *seat,
                     const struct turn_list *turns, struct str transcript, const char *finish,
                     struct err *e)
{
    const struct turn *last = &turns->v[turns->n - 1];
    int64_t elapsed = 0;

    for (size_t i = 0; i < turns->n; i++)
        elapsed += turns->v[i].elapsed_ms;
    if (db_run(s->db, Q_ROOM_END,
               ARGS(V_INT(seat->sample), V_STR(transcript), V_TEXT(finish), V_INT(elapsed),
                    V_INT(last->at_ms), last->call ? V_INT(last->call) : V_NULL),
               NULL, e) != OK)
        return e->code;
    return store_run_stale(s, c->run.id, e);
}

enum status seat_withhold(struct arena *a, struct store *s, const struct campaign *c,
                          const struct seat *seat, const struct leak *leak, const struct item *item,
                          struct str transcript, struct err *e)
{
    struct leak_found found = leak_look(a, leak, item, transcript);

    if (!found.why)
        return OK;
    return db_run(s->db, Q_WITHHELD_ADD,
                  ARGS(V_INT(c->id), V_INT(seat->sample), V_TEXT(found.why), V_STR(found.words)),
                  NULL, e);
}

/* ---- waiting ---- */

enum status seat_claim(struct store *s, const struct seat *seat, int64_t position,
                       const char *token, bool *mine, struct err *e)
{
    int64_t now = clock_utc_ms(), changed = 0;

    if (db_run(s->db, Q_ROOM_CLAIM,
               ARGS(V_INT(seat->sample), V_INT(position), V_TEXT(token), V_INT(now + WAIT_MS),
                    V_INT(now), V_INT(seat->assignment)),
               &changed, e) != OK)
        return e->code;
    *mine = changed > 0;
    return OK;
}

enum status seat_keep(struct store *s, const struct seat *seat, const char *token, struct err *e)
{
    return db_run(s->db, Q_ROOM_KEEP,
                  ARGS(V_INT(seat->sample), V_TEXT(token), V_INT(clock_utc_ms() + WAIT_MS)), NULL,
                  e);
}

enum status seat_free(struct store *s, const struct seat *seat, const char *token, struct err *e)
{
    return db_run(s->db, Q_ROOM_FREE, ARGS(V_INT(seat->sample), V_TEXT(token)), NULL, e);
}
