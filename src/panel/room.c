#include "panel/room.h"

#include <math.h>

#include "base/clock.h"
#include "base/hash.h"
#include "gen/queries.h"
#include "store/store_turn.h"
#include "suite/endpoint.h"
#include "suite/item.h"
#include "suite/suite.h"
#include "suite/told.h"

enum { WAIT_MS = 15000 }; /* a sitting is held this long without a sign */

/* ---- opening ---- */

struct room_row {
    bool done;
    int64_t position, until_ms;
    struct str config;
};

static enum status read_sample(struct arena *a, struct store *s, struct room *r,
                               struct room_row *row, struct err *e)
{
    struct rows *rows;
    bool found;

    if (db_query(s->db, Q_ROOM_SAMPLE, ARGS(V_INT(r->sample)), &rows, e) != OK)
        return e->code;
    found = rows_next(rows);
    if (found) {
        row->done = str_is(row_str(rows, C_ROOM_SAMPLE_STATE), "done");
        r->model = row_int(rows, C_ROOM_SAMPLE_MODEL);
        r->repeat = row_int(rows, C_ROOM_SAMPLE_REPEAT);
        r->model_name = row_copy(a, rows, C_ROOM_SAMPLE_MODEL_NAME).p;
        row->config = row_copy(a, rows, C_ROOM_SAMPLE_CONFIG);
        row->position = row_int(rows, C_ROOM_SAMPLE_POSITION);
        row->until_ms = row_int(rows, C_ROOM_SAMPLE_UNTIL_MS);
    }
    if (rows_end(rows, e) != OK)
        return e->code;
    return found ? OK : err_set(e, E_STORE, "no sample %lld", (long long)r->sample);
}

static enum status read_turns(struct arena *a, struct store *s, struct room *r, struct err *e)
{
    struct turn_list old;

    if (store_turn_list(a, s, r->sample, &old, e) != OK)
        return e->code;
    if (!sitting_fits(&r->paper, &old))
        return err_set(e, E_STORE, "sitting %s: the stored turns do not match its paper",
                       r->item.id);
    r->turns.v = NEW_N(a, struct turn, sitting_length(&r->paper));
    for (; r->turns.n < old.n; r->turns.n++)
        r->turns.v[r->turns.n] = old.v[r->turns.n];
    return OK;
}

/* Where the sitting stands. The opening of a part is said together with what comes after it. */
static void look_ahead(struct room *r)
{
    size_t n = r->turns.n;

    r->next = sitting_next(&r->paper, n, &r->due);
    r->opens = r->next == SITTING_SAY && strcmp(r->due.kind, TURN_INSTRUCTION) == 0;
    if (!r->opens)
        return;
    r->opening = r->due;
    r->next = sitting_next(&r->paper, n + 1, &r->due);
}

enum status room_open(struct arena *a, struct store *s, const struct campaign *c,
                      const struct assignment *as, struct room *out, struct err *e)
{
    struct room r = {.assignment = as->id, .sample = as->nshown ? as->shown[0].sample : 0};
    struct room_row row = {0};
    struct party_list models;
    struct str body;

    if (read_sample(a, s, &r, &row, e) != OK || store_item_body(a, s, as->item, &body, e) != OK ||
        item_thaw(a, body, &r.item, e) != OK || paper_thaw(a, r.item.paper, &r.paper, e) != OK ||
        read_turns(a, s, &r, e) != OK || models_thaw(a, row.config, &r.endpoint, e) != OK ||
        store_party_list(a, s, PARTY_MODEL, c->run.id, &models, e) != OK)
        return e->code;
    r.who = vocab_character(&c->suite, &r.item);
    r.leak = leak_new(a, &c->suite, &models);
    look_ahead(&r);
    if (row.done)
        r.next = SITTING_DONE;
    r.awaited =
        r.next == SITTING_ANSWER && row.position == r.due.position && row.until_ms > clock_utc_ms();
    *out = r;
    return OK;
}

struct str room_shown(struct arena *a, const struct room *r, struct str words)
{
    return leak_blot(a, r->leak, &r->item, words);
}

/* ---- asking ---- */

/* The turns with the opening, as sitting.h would see them. */
static struct turn_list with_opening(const struct room *r)
{
    struct turn_list all = r->turns;

    if (r->opens)
        all.v[all.n++] = r->opening; /* there is room, and nobody counts it yet */
    return all;
}

static bool was_said(const struct room *r, struct str words)
{
    for (size_t i = 0; i < r->turns.n; i++)
        if (r->turns.v[i].part == r->due.part && r->turns.v[i].speaker == SPEAKER_EXAMINER &&
            str_eq(r->turns.v[i].text, words))
            return true;
    return false;
}

bool room_asked(const struct room *r, size_t i)
{
    struct turn_list all = with_opening(r);
    struct turn ignored;

    if (r->next == SITTING_FOLLOW_UP)
        return i >= r->paper.nprepared || was_said(r, r->paper.prepared[i]);
    return !sitting_question(&r->paper, &all, i, &ignored);
}

static enum status own_words(struct arena *a, struct str own, struct turn *t, struct err *e)
{
    struct str text = str_trim(own);

    if (text.n == 0)
        return err_set(e, E_INPUT, "a follow-up cannot be empty");
    if (utf8_count(text) > ROOM_WORDS_MAX)
        return err_set(e, E_INPUT, "a follow-up may have at most %d characters", ROOM_WORDS_MAX);
    t->text = arena_str(a, text);
    t->source = TURN_PERSON;
    return OK;
}

static enum status make_turn(struct arena *a, const struct room *r, const struct room_words *w,
                             struct turn *out, struct err *e)
{
    struct turn_list all = with_opening(r);
    bool chosen = w->choice >= 0 && !room_asked(r, (size_t)w->choice);

    *out = r->due;
    switch (r->next) {
    case SITTING_FOLLOW_UP:
        if (!chosen)
            return own_words(a, w->own, out, e);
        out->text = r->paper.prepared[w->choice];
        return OK;
    case SITTING_SAY:
        if (strcmp(r->due.kind, TURN_TASK) == 0)
            return OK;
        if (chosen && sitting_question(&r->paper, &all, (size_t)w->choice, out))
            return OK;
        return err_set(e, E_INPUT, "that is not a question of this part, or it was asked before");
    case SITTING_ANSWER:
    case SITTING_DONE:
        break;
    }
    return err_set(e, E_INPUT, "there is nothing to ask now");
}

/* From what was said last until now. */
static int64_t since_last(const struct room *r, int64_t now)
{
    int64_t last = r->turns.n ? r->turns.v[r->turns.n - 1].at_ms : now;

    return now > last ? now - last : 0;
}

/* Say it, unless the sitting has gone to somebody else: from the first write on it cannot. */
static enum status say_within(struct store *s, const struct campaign *c, const struct room *r,
                              const struct turn_list *new, bool *fresh, struct err *e)
{
    const struct turn *last = &new->v[new->n - 1];
    int64_t now = clock_utc_ms(), held = 0;

    *fresh = false;
    if (db_run(s->db, Q_ASSIGNMENT_SEEN,
               ARGS(V_INT(r->assignment), V_INT(now + c->spec.lease_ms), V_INT(now),
                    V_INT(last->speaker == SPEAKER_MODEL ? 0 : last->elapsed_ms)),
               &held, e) != OK)
        return e->code;
    return held ? store_turn_say(s, r->sample, new, fresh, e) : OK;
}

enum status room_say(struct arena *a, struct store *s, const struct campaign *c, struct room *r,
                     const struct room_words *w, bool *stale, struct err *e)
{
    struct turn v[2];
    struct turn_list new = {v, 0};
    int64_t now = clock_utc_ms();
    bool fresh = false;

    *stale = w->position != (int64_t)r->turns.n + 1;
    if (*stale)
        return OK;
    if (r->opens)
        v[new.n++] = r->opening;
    if (make_turn(a, r, w, &v[new.n], e) != OK)
        return e->code;
    v[new.n++].elapsed_ms = since_last(r, now);
    for (size_t i = 0; i < new.n; i++)
        v[i].at_ms = now;
    if (store_begin(s, e) != OK)
        return e->code;
    if (say_within(s, c, r, &new, &fresh, e) != OK || !fresh || store_commit(s, e) != OK) {
        store_rollback(s);
        *stale = !fresh;
        return fresh ? e->code : OK;
    }
    for (size_t i = 0; i < new.n; i++)
        r->turns.v[r->turns.n++] = v[i];
    look_ahead(r);
    return OK;
}

/* ---- waiting ---- */

enum status room_claim(struct store *s, const struct room *r, const char *token, bool *mine,
                       struct err *e)
{
    int64_t now = clock_utc_ms(), changed = 0;

    if (db_run(s->db, Q_ROOM_CLAIM,
               ARGS(V_INT(r->sample), V_INT(r->due.position), V_TEXT(token), V_INT(now + WAIT_MS),
                    V_INT(now), V_INT(r->assignment)),
               &changed, e) != OK)
        return e->code;
    *mine = changed > 0;
    return OK;
}

enum status room_keep(struct store *s, const struct room *r, const char *token, struct err *e)
{
    return db_run(s->db, Q_ROOM_KEEP,
                  ARGS(V_INT(r->sample), V_TEXT(token), V_INT(clock_utc_ms() + WAIT_MS)), NULL, e);
}

enum status room_free(struct store *s, const struct room *r, const char *token, struct err *e)
{
    return db_run(s->db, Q_ROOM_FREE, ARGS(V_INT(r->sample), V_TEXT(token)), NULL, e);
}

enum status room_question(struct arena *a, const struct campaign *c, const struct room *r,
                          struct live_question *out, struct err *e)
{
    const struct told_case k = {&c->suite, r->who, &r->paper};
    struct told d;

    if (told_begin(a, &k, &d, e) != OK || told_tell(a, &k, &r->turns, &d, e) != OK)
        return e->code;
    for (size_t i = 0; i < r->turns.n; i++)
        told_add(a, &d, &r->turns.v[i]);
    *out = (struct live_question){
        .ep = &r->endpoint,
        .sampling = c->suite.elicit.sampling,
        .turns = d.v,
        .nturns = d.n,
        .tag = arena_printf(a, "%s\t%s\t%lld\t#%zu", r->model_name, r->item.id,
                            (long long)r->repeat, r->turns.n + 1),
    };
    return OK;
}

/* ---- the answer ---- */

/* The trace: what went out and what came back, under a name that no other request has. */
static enum status add_call(struct store *s, const struct campaign *c, const struct room *r,
                            const struct live_answer *answer, int64_t *id, struct err *e)
{
    struct call_row call = {
        .run = c->run.id,
        .url = r->endpoint.url,
        .request = answer->request,
        .response = answer->response,
        .elapsed_ms = answer->elapsed_ms,
        .created_ms = clock_utc_ms(),
    };
    char hex[HASH_HEX];
    struct hash h;

    if (r->endpoint.kind != ENDPOINT_CHAT)
        return OK;
    hash_init(&h);
    hash_str(&h, STR("room"));
    hash_int(&h, r->sample);
    hash_int(&h, r->due.position);
    hash_str(&h, answer->request);
    hash_hex(&h, hex);
    call.key = hex;
    if (store_call_add(s, &call, e) != OK)
        return e->code;
    *id = call.id;
    return OK;
}

static struct val tokens(int64_t n)
{
    return n < 0 ? V_NULL : V_INT(n);
}

static struct val cost_of(const struct endpoint *ep, const struct chat_reply *reply)
{
    double usd = models_cost(ep, reply->tokens_in, reply->tokens_out, reply->cached);

    return isnan(usd) ? V_NULL : V_REAL(usd);
}

/* Others see a sitting that may give its model away only when somebody has decided. */
static enum status end_sitting(struct arena *a, struct store *s, const struct campaign *c,
                               const struct room *r, struct err *e)
{
    const struct sitting_names names = {c->suite.elicit.interview.template.examiner, r->who->name};
    const struct turn *last = &r->turns.v[r->turns.n - 1];
    struct str answer = sitting_transcript(a, &names, &r->turns);
    struct leak_found found = leak_look(a, r->leak, &r->item, answer);
    int64_t elapsed = 0;

    for (size_t i = 0; i < r->turns.n; i++)
        elapsed += r->turns.v[i].elapsed_ms;
    if (db_run(s->db, Q_ROOM_END,
               ARGS(V_INT(r->sample), V_STR(answer), V_TEXT(last->finish), V_INT(elapsed),
                    V_INT(last->at_ms), last->call ? V_INT(last->call) : V_NULL),
               NULL, e) != OK ||
        store_run_stale(s, c->run.id, e) != OK)
        return e->code;
    if (!found.why)
        return OK;
    return db_run(s->db, Q_WITHHELD_ADD,
                  ARGS(V_INT(c->id), V_INT(r->sample), V_TEXT(found.why), V_STR(found.words)), NULL,
                  e);
}

static enum status answer_within(struct arena *a, struct store *s, const struct campaign *c,
                                 struct room *r, const struct live_answer *answer, bool *fresh,
                                 struct err *e)
{
    const struct chat_reply *reply = &answer->reply;
    struct turn *t = &r->turns.v[r->turns.n];
    struct turn_list one = {t, 1};

    *t = r->due;
    t->text = sitting_answer(a, &r->paper, reply->text, &t->why);
    t->thinking = reply->thinking;
    t->finish = reply->finish;
    t->tokens_in = reply->tokens_in;
    t->tokens_out = reply->tokens_out;
    t->elapsed_ms = answer->elapsed_ms;
    t->at_ms = clock_utc_ms();
    if (add_call(s, c, r, answer, &t->call, e) != OK || say_within(s, c, r, &one, fresh, e) != OK ||
        !*fresh)
        return e->code;
    if (db_run(s->db, Q_ROOM_SPENT,
               ARGS(V_INT(r->sample), tokens(reply->tokens_in), tokens(reply->tokens_out),
                    cost_of(&r->endpoint, reply)),
               NULL, e) != OK)
        return e->code;
    r->turns.n++;
    look_ahead(r);
    return r->next == SITTING_DONE ? end_sitting(a, s, c, r, e) : OK;
}

enum status room_answer(struct arena *a, struct store *s, const struct campaign *c, struct room *r,
                        const struct live_answer *answer, struct err *e)
{
    bool fresh = true;

    if (store_begin(s, e) != OK)
        return e->code;
    if (answer_within(a, s, c, r, answer, &fresh, e) != OK || !fresh || store_commit(s, e) != OK) {
        store_rollback(s);
        return fresh ? e->code : OK; /* somebody else's answer stands */
    }
    return OK;
}
