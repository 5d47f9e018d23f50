/* Interviews: a paper asks, a model answers, an examiner follows up on what was said. */
#include "suite/template.h"
#include "suite/told.h"
#include "talk/examiner.h"
#include "talk/talk.h"

enum {
    REPAIRS_MAX = 1,
    EXAMINER_TURNS = 2 + 2 * REPAIRS_MAX,
    REPEATS_APART = 1 << 20, /* more than the repeats that a suite can have */
};

struct interview_talk {
    struct paper paper;
    struct told said;        /* the conversation as the model sees it */
    struct chat_turn *asked; /* what the examiner is told */
    size_t nasked;
    struct turn prepared; /* the follow-up that is used when the examiner finds none */
};

/* ---- whom to ask next ---- */

static struct told_case told_of(const struct talk *t)
{
    const struct interview_talk *w = t->own;

    return (struct told_case){t->suite, t->who, &w->paper};
}

static void ask_model(struct talk *t)
{
    struct interview_talk *w = t->own;
    struct told_case k = told_of(t);
    struct err e;

    /* The template was filled before, so that this cannot fail. */
    if (t->who->lorebook)
        (void)!told_tell(t->a, &k, &t->turns, &w->said, &e);
    t->ask = w->said.v;
    t->nask = w->said.n;
    t->to = 0;
    t->again = 0;
}

static void ask_examiner(struct talk *t)
{
    struct interview_talk *w = t->own;

    t->ask = w->asked;
    t->nask = w->nasked;
    t->to = 1;
}

static struct examiner_case case_of(const struct talk *t)
{
    const struct interview_talk *w = t->own;

    return (struct examiner_case){t->suite, t->who, &w->paper, &t->turns};
}

/* False when no request can be made of the template; the error says why. */
static bool tell_examiner(struct talk *t, struct err *e)
{
    struct interview_talk *w = t->own;
    const struct template *words = &t->suite->elicit.interview.template.follow_up;
    struct examiner_case k = case_of(t);
    struct prompt_vars vars = examiner_vars(t->a, &k);
    struct str system, user;

    if (prompt_fill(t->a, words->system, vars, &system, e) != OK ||
        prompt_fill(t->a, words->user, vars, &user, e) != OK)
        return false;
    t->again = 0;
    w->asked = NEW_N(t->a, struct chat_turn, EXAMINER_TURNS);
    w->asked[0] = (struct chat_turn){.role = "system", .text = system};
    w->asked[1] = (struct chat_turn){.role = "user", .text = user};
    w->nasked = 2;
    ask_examiner(t);
    return true;
}

static void add_prepared(struct talk *t, const char *why)
{
    struct interview_talk *w = t->own;
    struct turn turn = w->prepared;

    turn.why = arena_text(t->a, str_of(why));
    turn.elapsed_ms = t->sought.elapsed_ms;
    t->sought = (struct spent){0};
    (void)talk_add(t, &turn);
}

static void end(struct talk *t)
{
    const struct sitting_names names = {t->suite->elicit.interview.template.examiner, t->who->name};

    t->transcript = sitting_transcript(t->a, &names, &t->turns);
    t->finish = t->turns.v[t->turns.n - 1].finish;
}

/* Say what the paper says until somebody has to be asked. */
static bool interview_next(struct talk *t)
{
    struct interview_talk *w = t->own;
    struct err e = {0};
    struct turn next;

    for (;;)
        switch (sitting_next(&w->paper, t->turns.n, &next)) {
        case SITTING_DONE:
            end(t);
            return false;
        case SITTING_ANSWER:
            ask_model(t);
            return true;
        case SITTING_FOLLOW_UP:
            w->prepared = next;
            if (t->suite->elicit.interview.examiner == EXAMINER_SCRIPT)
                add_prepared(t, "");
            else if (tell_examiner(t, &e))
                return true;
            else
                add_prepared(t, e.msg);
            break;
        case SITTING_SAY:
            (void)talk_add(t, &next);
            break;
        }
}

/* ---- opening ---- */

static enum status interview_open(struct talk *t, struct err *e)
{
    struct interview_talk *w = NEW(t->a, struct interview_talk);
    struct told_case k;

    t->own = w;
    if (paper_thaw(t->a, t->item.paper, &w->paper, e) != OK)
        return e->code;
    /* A small bank can draw the same paper twice. It is then sat twice, not answered from the
     * cache. */
    t->apart = (w->paper.number - 1) * REPEATS_APART;
    t->turns.v = NEW_N(t->a, struct turn, sitting_length(&w->paper));
    k = told_of(t);
    return told_begin(t->a, &k, &w->said, e);
}

static bool interview_fits(const struct talk *t, const struct turn_list *turns)
{
    const struct interview_talk *w = t->own;

    return sitting_fits(&w->paper, turns);
}

static void interview_heard(struct talk *t, const struct turn *turn)
{
    struct interview_talk *w = t->own;

    told_add(t->a, &w->said, turn);
}

/* ---- replies ---- */

/* Send the reply back with its fault. False when there are no words for that. */
static bool ask_again(struct talk *t, struct str said, const char *fault)
{
    struct interview_talk *w = t->own;
    const struct prompt_var v[] = {{"fault", str_of(fault)},
                                   {"language", str_of(t->suite->language)}};
    struct err e = {0};
    struct str text;

    if (t->again == REPAIRS_MAX ||
        prompt_fill(t->a, t->suite->elicit.interview.template.follow_up.repair,
                    (struct prompt_vars){v, COUNT(v)}, &text, &e) != OK)
        return false;
    t->again++;
    w->asked[w->nasked++] = (struct chat_turn){.role = "assistant", .text = arena_str(t->a, said)};
    w->asked[w->nasked++] = (struct chat_turn){.role = "user", .text = text};
    ask_examiner(t);
    return true;
}

/* True when a repair is to be asked for. */
static bool take_follow_up(struct talk *t, const struct chat_reply *reply)
{
    struct interview_talk *w = t->own;
    struct examiner_case k = case_of(t);
    struct examiner_follow_up f;
    const char *fault = examiner_read(t->a, &k, reply->text, &f);
    struct turn turn = w->prepared;

    if (!fault) {
        turn.text = f.question;
        turn.quote = f.quote;
        turn.source = TURN_EXAMINER;
        talk_add_reply(t, &turn, reply);
        return false;
    }
    talk_count(t, reply);
    if (ask_again(t, reply->text, fault))
        return true;
    add_prepared(t, fault);
    return false;
}

static bool interview_take(struct talk *t, const struct chat_reply *reply)
{
    struct interview_talk *w = t->own;
    struct turn turn;

    if (t->to)
        return take_follow_up(t, reply);
    (void)sitting_next(&w->paper, t->turns.n, &turn);
    turn.text = sitting_answer(t->a, &w->paper, reply->text, &turn.why);
    talk_add_reply(t, &turn, reply);
    return false;
}

/* Without the examiner the sitting goes on with the prepared follow-up; without the model it
 * cannot. */
static bool interview_miss(struct talk *t, const char *fault, const char *why)
{
    if (t->to)
        add_prepared(t, arena_printf(t->a, "%s: %s", fault, why));
    return t->to != 0;
}

const struct talk_course interview_course = {
    .open = interview_open,
    .fits = interview_fits,
    .heard = interview_heard,
    .next = interview_next,
    .take = interview_take,
    .miss = interview_miss,
};
