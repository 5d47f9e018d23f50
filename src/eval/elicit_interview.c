/* Interviews: a sample that is a conversation. Each reply becomes a turn that is saved before the
 * next request is sent; a sitting that was cut off is prepared from its stored turns and goes on.
 */
#include "base/clock.h"
#include "eval/elicit.h"
#include "eval/examiner.h"
#include "store/store_turn.h"
#include "suite/dialogue.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "suite/suite.h"
#include "suite/template.h"

enum {
    REPAIRS_MAX = 1,
    EXAMINER_TURNS = 2 + 2 * REPAIRS_MAX,
    REPEATS_APART = 1 << 20, /* more than the repeats that a suite can have */
};

struct interview_work {
    const char *subject; /* "model TAB item TAB repeat", for recorded endpoints */
    struct item item;
    struct paper paper;
    const struct character *who;
    struct turn_list turns;  /* room for the whole sitting */
    size_t saved, written;   /* turns that are in the store; that keep() has written */
    struct turn *replied;    /* the turn that the last reply became; NULL: none */
    struct dialogue said;    /* the conversation as the model sees it */
    struct chat_turn *asked; /* what the examiner is told */
    size_t nasked;
    struct turn prepared; /* the follow-up that is used when the examiner finds none */
    int repairs;
    struct spent sought; /* what the follow-up under way took before its last reply */
    struct sample_result result;
};

/* ---- what was said ---- */

static struct turn *add_turn(struct task *t, const struct turn *turn)
{
    struct interview_work *w = t->work;
    struct turn *new = &w->turns.v[w->turns.n++];

    *new = *turn;
    new->at_ms = clock_utc_ms();
    dialogue_add(t->arena, &w->said, new);
    return new;
}

/* A turn that somebody was asked for: what it took, besides what was saved already. */
static void add_reply(struct task *t, struct turn *turn, const struct chat_reply *reply)
{
    struct interview_work *w = t->work;

    turn->thinking = arena_str(t->arena, reply->thinking);
    turn->finish = arena_text(t->arena, str_of(reply->finish));
    turn->tokens_in = reply->tokens_in < 0 ? -1 : reply->tokens_in + w->sought.tokens_in;
    turn->tokens_out = reply->tokens_out < 0 ? -1 : reply->tokens_out + w->sought.tokens_out;
    turn->elapsed_ms = t->spent.elapsed_ms + w->sought.elapsed_ms;
    w->sought = (struct spent){0};
    w->replied = add_turn(t, turn);
}

/* ---- whom to ask next ---- */

static struct dialogue_case told(const struct context *c, const struct interview_work *w)
{
    return (struct dialogue_case){c->suite, w->who, &w->paper};
}

static void ask_model(const struct context *c, struct task *t)
{
    struct interview_work *w = t->work;
    struct dialogue_case k = told(c, w);
    struct err e;

    /* The template was filled before, so that this cannot fail. */
    if (w->who->lorebook)
        (void)!dialogue_tell(t->arena, &k, &w->turns, &w->said, &e);

    t->turns = w->said.v;
    t->nturns = w->said.n;
    t->to_examiner = false;
    t->tag = arena_printf(t->arena, "%s\t#%zu", w->subject, w->turns.n + 1);
}

static void ask_examiner(struct task *t)
{
    struct interview_work *w = t->work;

    t->turns = w->asked;
    t->nturns = w->nasked;
    t->to_examiner = true;
    t->tag =
        arena_printf(t->arena, "%s\t#%zu%s", w->subject, w->turns.n + 1, w->repairs ? "\t1" : "");
}

static struct examiner_case case_of(const struct context *c, const struct interview_work *w)
{
    return (struct examiner_case){c->suite, w->who, &w->paper, &w->turns};
}

/* False when the template makes no request of it; the error says why. */
static bool tell_examiner(const struct context *c, struct task *t, struct err *e)
{
    struct interview_work *w = t->work;
    const struct template *words = &c->suite->elicit.interview.template.follow_up;
    struct examiner_case k = case_of(c, w);
    struct prompt_vars vars = examiner_vars(t->arena, &k);
    struct str system, user;

    if (prompt_fill(t->arena, words->system, vars, &system, e) != OK ||
        prompt_fill(t->arena, words->user, vars, &user, e) != OK)
        return false;
    w->repairs = 0;
    w->asked = NEW_N(t->arena, struct chat_turn, EXAMINER_TURNS);
    w->asked[0] = (struct chat_turn){"system", system};
    w->asked[1] = (struct chat_turn){"user", user};
    w->nasked = 2;
    ask_examiner(t);
    return true;
}

static void add_prepared(struct task *t, const char *why)
{
    struct interview_work *w = t->work;
    struct turn turn = w->prepared;

    turn.why = arena_text(t->arena, str_of(why));
    turn.elapsed_ms = w->sought.elapsed_ms;
    w->sought = (struct spent){0};
    (void)add_turn(t, &turn);
}

static void end(const struct context *c, struct interview_work *w, struct arena *a)
{
    const struct sitting_names names = {c->suite->elicit.interview.template.examiner, w->who->name};

    w->result.state = STATE_DONE;
    w->result.answer = sitting_transcript(a, &names, &w->turns);
    w->result.finish = w->turns.v[w->turns.n - 1].finish;
}

/* Say what the paper says until somebody has to be asked. False: the sitting is over. */
static bool go_on(const struct context *c, struct task *t)
{
    struct interview_work *w = t->work;
    struct err e = {0};
    struct turn next;

    for (;;)
        switch (sitting_next(&w->paper, w->turns.n, &next)) {
        case SITTING_DONE:
            end(c, w, t->arena);
            return false;
        case SITTING_ANSWER:
            ask_model(c, t);
            return true;
        case SITTING_FOLLOW_UP:
            w->prepared = next;
            if (c->suite->elicit.interview.examiner == EXAMINER_SCRIPT)
                add_prepared(t, "");
            else if (tell_examiner(c, t, &e))
                return true;
            else
                add_prepared(t, e.msg);
            break;
        case SITTING_SAY:
            (void)add_turn(t, &next);
            break;
        }
}

/* ---- preparing ---- */

/* What was said before we came. */
static enum status recall(const struct context *c, struct task *t, struct err *e)
{
    struct interview_work *w = t->work;
    struct turn_list old;

    if (store_turn_list(t->arena, c->store, t->id, &old, e) != OK)
        return e->code;
    if (!sitting_fits(&w->paper, &old))
        return err_set(e, E_STORE, "sitting %s: the stored turns do not match its paper",
                       w->item.id);
    for (; w->turns.n < old.n; w->turns.n++) {
        w->turns.v[w->turns.n] = old.v[w->turns.n];
        dialogue_add(t->arena, &w->said, &old.v[w->turns.n]);
    }
    w->saved = w->written = old.n;
    return OK;
}

static enum status open_sitting(const struct context *c, struct task *t, const struct leased *row,
                                struct err *e)
{
    struct interview_work *w = t->work;
    struct dialogue_case k;
    struct str body;

    if (store_item_body(t->arena, c->store, row->item, &body, e) != OK ||
        item_thaw(t->arena, body, &w->item, e) != OK ||
        paper_thaw(t->arena, w->item.paper, &w->paper, e) != OK)
        return e->code;
    /* A small bank can draw one paper twice: that is sat twice, not answered from the cache. */
    t->repeat = row->repeat + (w->paper.number - 1) * REPEATS_APART;
    w->turns.v = NEW_N(t->arena, struct turn, sitting_length(&w->paper));
    w->who = vocab_character(c->suite, &w->item);
    k = told(c, w);
    if (dialogue_begin(t->arena, &k, &w->said, e) != OK)
        return e->code;
    return recall(c, t, e);
}

static enum status interview_prepare(const struct context *c, const struct party *who,
                                     const struct leased *row, struct task **out, struct err *e)
{
    struct task *t = task_new(row);
    struct interview_work *w = NEW(t->arena, struct interview_work);

    t->work = w;
    w->result.id = row->id;
    if (open_sitting(c, t, row, e) != OK) {
        task_free(t);
        return e->code;
    }
    w->subject =
        arena_printf(t->arena, "%s\t%s\t%lld", who->name, w->item.id, (long long)row->repeat);
    if (!go_on(c, t)) {
        (void)err_set(e, E_STORE, "sitting %s is over but still planned", w->item.id);
        task_free(t);
        return e->code;
    }
    *out = t;
    return OK;
}

/* ---- replies ---- */

/* Send the reply back with its fault. False when there are no words for that. */
static bool ask_again(const struct context *c, struct task *t, struct str said, const char *fault)
{
    struct interview_work *w = t->work;
    const struct prompt_var v[] = {{"fault", str_of(fault)},
                                   {"language", str_of(c->suite->language)}};
    struct err e = {0};
    struct str text;

    if (w->repairs == REPAIRS_MAX ||
        prompt_fill(t->arena, c->suite->elicit.interview.template.follow_up.repair,
                    (struct prompt_vars){v, COUNT(v)}, &text, &e) != OK)
        return false;
    w->repairs++;
    w->asked[w->nasked++] = (struct chat_turn){"assistant", arena_str(t->arena, said)};
    w->asked[w->nasked++] = (struct chat_turn){"user", text};
    ask_examiner(t);
    return true;
}

/* What a reply of the examiner's took that has not become a turn yet. */
static void count_sought(struct task *t, const struct chat_reply *reply)
{
    struct spent *s = &((struct interview_work *)t->work)->sought;

    s->tokens_in += reply->tokens_in > 0 ? reply->tokens_in : 0;
    s->tokens_out += reply->tokens_out > 0 ? reply->tokens_out : 0;
    s->elapsed_ms += t->spent.elapsed_ms;
}

/* True when a repair is to be asked for. */
static bool take_follow_up(const struct context *c, struct task *t, const struct chat_reply *reply)
{
    struct interview_work *w = t->work;
    struct examiner_case k = case_of(c, w);
    struct examiner_follow_up f;
    const char *fault = examiner_read(t->arena, &k, reply->text, &f);
    struct turn turn = w->prepared;

    if (!fault) {
        turn.text = f.question;
        turn.quote = f.quote;
        turn.source = TURN_EXAMINER;
        add_reply(t, &turn, reply);
        return false;
    }
    count_sought(t, reply);
    if (ask_again(c, t, reply->text, fault))
        return true;
    add_prepared(t, fault);
    return false;
}

static void take_answer(struct task *t, const struct chat_reply *reply)
{
    struct interview_work *w = t->work;
    struct turn turn;

    (void)sitting_next(&w->paper, w->turns.n, &turn);
    turn.text = sitting_answer(t->arena, &w->paper, reply->text, &turn.why);
    add_reply(t, &turn, reply);
}

/* What keep() wrote has been committed: a reply comes only after that. */
static void settle(struct interview_work *w)
{
    w->saved = w->written;
    w->replied = NULL;
}

static bool interview_advance(const struct context *c, struct task *t,
                              const struct chat_reply *reply)
{
    settle(t->work);
    if (!t->to_examiner)
        take_answer(t, reply);
    else if (take_follow_up(c, t, reply))
        return true;
    return go_on(c, t);
}

/* Without an examiner the sitting goes on with what is prepared; without the model it cannot. */
static bool interview_fail(const struct context *c, struct task *t, const char *fault,
                           const char *why)
{
    struct interview_work *w = t->work;

    settle(w);
    if (t->to_examiner) {
        add_prepared(t, arena_printf(t->arena, "%s: %s", fault, why));
        return go_on(c, t);
    }
    w->result.state = STATE_FAILED;
    w->result.fault = fault;
    w->result.why = arena_printf(t->arena, "turn %zu: %s", w->turns.n + 1, why);
    return false;
}

/* ---- saving ---- */

static enum status add_rows(const struct context *c, struct task *t, bool *ours, struct err *e)
{
    struct interview_work *w = t->work;
    struct turn_list new = {w->turns.v + w->saved, w->turns.n - w->saved};

    if (w->replied)
        w->replied->call = t->spent.call;
    w->written = w->turns.n;
    return store_turn_add(c->store, t->id, &new, &t->spent, ours, e);
}

static enum status interview_keep(const struct context *c, struct task *t, struct err *e)
{
    bool ours;

    return add_rows(c, t, &ours, e);
}

static enum status interview_save(const struct context *c, struct task *t, enum state *state,
                                  struct err *e)
{
    struct interview_work *w = t->work;
    struct spent *total = &w->result.spent;
    bool ours;

    *state = w->result.state;
    if (add_rows(c, t, &ours, e) != OK)
        return e->code;
    if (!ours) /* saved already, or somebody else's by now: their turns are what was said */
        return OK;
    /* What it took was added turn by turn. */
    *total = task_unspent();
    total->call = t->spent.call;
    for (size_t i = 0; i < w->turns.n; i++)
        total->elapsed_ms += w->turns.v[i].elapsed_ms;
    return store_sample_end(c->store, &w->result, e);
}

const struct stage elicit_interview_stage = {
    .kind = PARTY_MODEL,
    .prepare = interview_prepare,
    .advance = interview_advance,
    .fail = interview_fail,
    .keep = interview_keep,
    .save = interview_save,
};
