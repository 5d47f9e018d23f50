/* Samples that are conversations (talk/talk.h). Each reply becomes a turn that is saved before the
 * next request is sent; a talk that was cut off is opened with its stored turns and goes on. */
#include <assert.h>

#include "base/message.h"
#include "eval/elicit.h"
#include "store/store_turn.h"
#include "suite/mark.h"
#include "talk/talk.h"

struct talk_work {
    const char *subject; /* "model TAB item TAB repeat", for recorded endpoints */
    struct talk talk;
    size_t saved, written; /* turns that are committed; that keep() has written */
    bool ours;             /* the store took them: the sample is still ours */
    struct sample_result result;
};

/* The request that the talk wants made. */
static void ask(struct task *t)
{
    const struct talk_work *w = t->work;
    const struct talk *k = &w->talk;

    t->turns = k->ask;
    t->nturns = k->nask;
    t->told = k->told;
    t->to = k->to;
    t->tag =
        arena_printf(t->arena, "%s\t#%zu%s", w->subject, k->turns.n + 1, k->again ? "\t1" : "");
    t->referenced = k->referenced;
}

/* False: it is over. */
static bool go_on(struct task *t)
{
    struct talk_work *w = t->work;

    assert(w->talk.course); /* talk_open() has set it */
    if (w->talk.course->next(&w->talk)) {
        ask(t);
        return true;
    }
    w->result.state = STATE_DONE;
    w->result.answer = w->talk.transcript;
    w->result.finish = w->talk.finish;
    return false;
}

/* ---- preparing ---- */

static enum status talk_prepare(const struct context *c, const struct party *who,
                                const struct leased *row, struct task *t, struct err *e)
{
    struct talk_work *w = t->work = NEW(t->arena, struct talk_work);
    struct turn_list old;

    w->result.id = row->id;
    w->talk = (struct talk){.a = t->arena, .suite = c->suite, .repeat = row->repeat};
    if (item_thaw(t->arena, row->body, &w->talk.item, e) != OK ||
        store_turn_list(t->arena, c->store, t->id, &old, e) != OK ||
        talk_open(&w->talk, &old, e) != OK)
        return e->code;
    t->repeat = row->repeat + w->talk.apart;
    w->saved = w->written = old.n;
    w->subject =
        arena_printf(t->arena, "%s\t%s\t%lld", who->name, w->talk.item.id, (long long)row->repeat);
    return go_on(t) ? OK : err_set(e, E_STORE, "%s is finished but still planned", w->talk.item.id);
}

/* ---- replies ---- */

/* What keep() wrote has been committed: a reply comes only after that. */
static void settle(struct task *t)
{
    struct talk_work *w = t->work;

    w->saved = w->written;
    w->talk.replied = NULL;
    w->talk.elapsed_ms = t->spent.elapsed_ms;
}

static bool talk_advance(const struct context *c, struct task *t, const struct chat_reply *reply)
{
    struct talk_work *w = t->work;

    (void)c;
    settle(t);
    if (w->talk.course->take(&w->talk, reply)) {
        ask(t);
        return true;
    }
    /* A reply that is a turn word for word is kept there alone. */
    if (t->referenced && t->call && w->talk.replied && !w->talk.again &&
        str_eq(str_trim(reply->text), w->talk.replied->text))
        t->call->response = STR("");
    return go_on(t);
}

static bool talk_fail(struct task *t, const char *fault, const char *why)
{
    struct talk_work *w = t->work;

    settle(t);
    if (w->talk.course->miss(&w->talk, fault, why))
        return go_on(t);
    w->result.state = STATE_FAILED;
    w->result.fault = fault;
    w->result.why = arena_printf(t->arena, N_("turn %zu") ": %s", w->talk.turns.n + 1, why);
    return false;
}

/* ---- saving ---- */

static enum status talk_keep(const struct context *c, struct task *t, struct err *e)
{
    struct talk_work *w = t->work;
    const struct turn_list *all = &w->talk.turns;
    struct turn_list new = {all->v + w->saved, all->n - w->saved};

    if (w->talk.replied)
        w->talk.replied->call = t->spent.call;
    w->written = all->n;
    return store_turn_add(c->store, t->id, &new, &w->ours, e);
}

static enum status talk_detail(const struct context *c, const struct task *t, struct err *e)
{
    struct talk_work *w = t->work;

    return t->more ? store_turn_spent(c->store, t->id, &t->spent, &w->ours, e) : OK;
}

static enum status talk_save(const struct context *c, struct task *t, struct err *e)
{
    struct talk_work *w = t->work;
    struct spent *total = &w->result.spent;

    t->state = w->result.state;
    if (talk_keep(c, t, e) != OK || store_turn_spent(c->store, t->id, &t->spent, &w->ours, e) != OK)
        return e->code;
    if (!w->ours) /* saved already, or another worker's by now, whose turns count */
        return OK;
    /* Tokens and cost were added turn by turn. */
    *total = task_unspent();
    total->call = t->spent.call;
    for (size_t i = 0; i < w->talk.turns.n; i++)
        total->elapsed_ms += w->talk.turns.v[i].elapsed_ms;
    return store_sample_end(c->store, &w->result, e);
}

const struct stage elicit_talk_stage = {
    .kind = PARTY_MODEL,
    .prepare = talk_prepare,
    .advance = talk_advance,
    .fail = talk_fail,
    .keep = talk_keep,
    .save = talk_save,
    .detail = talk_detail,
};
