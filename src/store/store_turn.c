#include "store/store_turn.h"
#include "gen/queries.h"

static const char *const speakers[] = {[SPEAKER_EXAMINER] = "examiner", [SPEAKER_MODEL] = "model"};

static void read_turn(struct arena *a, const struct rows *r, void *out)
{
    bool model = str_is(row_str(r, C_TURN_SPEAKER), speakers[SPEAKER_MODEL]);

    row_into(a, r, COLUMNS_TURN(struct turn), out);
    ((struct turn *)out)->speaker = model ? SPEAKER_MODEL : SPEAKER_EXAMINER;
}

enum status store_turn_list(struct arena *a, struct store *s, int64_t sample, struct turn_list *out,
                            struct err *e)
{
    return db_list(s->db, Q_TURN_LIST, ARGS(V_INT(sample)), INTO(a, out, read_turn), e);
}

enum status store_turn_of_call(struct arena *a, struct store *s, int64_t call, struct turn *out,
                               bool *found, struct err *e)
{
    struct turn_list l;

    if (db_list(s->db, Q_TURN_OF_CALL, ARGS(V_INT(call)), INTO(a, &l, read_turn), e) != OK)
        return e->code;
    *found = l.n > 0;
    if (*found)
        *out = l.v[0];
    return OK;
}

static struct val text(struct str s)
{
    return V_STR(s.p ? s : STR(""));
}

static enum status add_one(struct store *s, int64_t sample, const struct turn *t, bool held,
                           int64_t *added, struct err *e)
{
    const struct val v[] = {V_INT(sample),
                            V_INT(t->position),
                            V_INT(t->part),
                            V_TEXT(speakers[t->speaker]),
                            V_TEXT(t->kind),
                            text(t->text),
                            text(str_of(t->fact)),
                            text(str_of(t->source)),
                            text(t->quote),
                            text(str_of(t->why)),
                            text(t->thinking),
                            text(str_of(t->finish)),
                            V_COUNT(t->tokens_in),
                            V_COUNT(t->tokens_out),
                            V_INT(t->elapsed_ms),
                            V_INT(t->at_ms),
                            t->call ? V_INT(t->call) : V_NULL,
                            V_INT(s->worker)};

    if (held)
        return db_run(s->db, Q_TURN_ADD, (struct args){v, COUNT(v)}, added, e);
    return db_run(s->db, Q_TURN_SAY, (struct args){v, COUNT(v) - 1}, added, e);
}

/* Stops at the first turn that is not added: it exists already, or the sample is not (or no longer)
 * held. For turns of a worker this is checked in doubt alone; else the result is not awaited. */
static enum status add_all(struct store *s, int64_t sample, const struct turn_list *turns,
                           bool held, bool *all, struct err *e)
{
    *all = true;
    for (size_t i = 0; i < turns->n && *all; i++) {
        int64_t added = 1;
        if (add_one(s, sample, &turns->v[i], held, held && !s->doubt ? NULL : &added, e) != OK)
            return e->code;
        *all = added > 0;
    }
    return OK;
}

enum status store_turn_add(struct store *s, int64_t sample, const struct turn_list *turns,
                           bool *ours, struct err *e)
{
    return add_all(s, sample, turns, true, ours, e);
}

enum status store_turn_spent(struct store *s, int64_t sample, const struct spent *spent, bool *ours,
                             struct err *e)
{
    int64_t changed = 1;

    if (*ours && db_run(s->db, Q_TURN_SPENT,
                        ARGS(V_INT(sample), V_COUNT(spent->tokens_in), V_COUNT(spent->tokens_out),
                             V_REAL(spent->cost), V_INT(spent->tries), V_INT(s->worker)),
                        s->doubt ? &changed : NULL, e) != OK)
        return e->code;
    *ours = *ours && changed > 0;
    return OK;
}

enum status store_turn_say(struct store *s, int64_t sample, const struct turn_list *turns,
                           bool *fresh, struct err *e)
{
    return add_all(s, sample, turns, false, fresh, e);
}
