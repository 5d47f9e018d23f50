/* Dialogues: a user who wants something talks with the character until they leave, a limit is
 * reached or a rule ends it. What is said at a set turn comes from the user's plan; the rest from
 * their script, or from a model that plays them. */
#include "base/hash.h"
#include "suite/prompt.h"
#include "suite/role.h"
#include "suite/sitting.h"
#include "talk/talk.h"
#include "talk/voice.h"

enum { SPARE = 8 }; /* turns besides the exchanges: a greeting, farewells */

struct dialogue_talk {
    const struct dialogue *how;
    const struct user *user;
    const struct user_cue *plan;
    struct view model, player; /* each begins with a system message */
    size_t *begin;             /* in the model's view, where exchange i begins */
    size_t exchange;           /* the last one that has begun */
    size_t begun;              /* 1: the item's last turn began the first exchange */
    size_t lines;              /* of the script that were said */
    size_t summed;             /* exchanges that the last summary covers */
    struct str summary;
    bool sums; /* the request under way is for a summary */
    struct voice_lines said;
};

/* ---- what each side sees ---- */

static enum status tell_model(struct talk *t, struct str *out, struct err *e)
{
    const struct dialogue_talk *w = t->own;
    const struct prompt_var v[] = {
        {"character", role_told(t->a, t->who, &t->turns)},
        {"character_name", t->who->name},
        {"scene", t->item.prompt},
        {"user_name", w->user->name},
        {"language", str_of(t->suite->language)},
    };

    return prompt_fill(t->a, w->how->template.system, (struct prompt_vars){v, COUNT(v)}, out, e);
}

static enum status tell_player(struct talk *t, struct str *out, struct err *e)
{
    const struct dialogue_talk *w = t->own;
    const struct user *u = w->user;
    const struct prompt_var v[] = {
        {"user_name", u->name},
        {"who", u->who},
        {"wants", u->wants},
        {"style", voice_style(t->a, u, t->suite->language)},
        {"leaves", voice_leaves(t->a, u, t->suite->language)},
        {"leave", w->how->template.leave},
        {"character_name", t->who->name},
        {"scene", t->item.prompt},
        {"language", str_of(t->suite->language)},
    };
    return prompt_fill(t->a, w->how->template.user, (struct prompt_vars){v, COUNT(v)}, out, e);
}

static bool is(const struct turn *turn, const char *kind)
{
    return strcmp(turn->kind, kind) == 0;
}

static void dialogue_heard(struct talk *t, const struct turn *turn)
{
    struct dialogue_talk *w = t->own;
    bool model = turn->speaker == SPEAKER_MODEL;

    if (is(turn, TURN_SUMMARY)) {
        w->summary = turn->text;
        w->summed += (size_t)w->how->keep;
        return;
    }
    if ((size_t)turn->part > w->exchange) {
        w->exchange = (size_t)turn->part;
        w->begin[w->exchange] = w->model.n;
        w->begun += is(turn, TURN_BEFORE);
    }
    w->lines += strcmp(turn->source, TURN_SCRIPT) == 0 && is(turn, TURN_LINE);
    view_push(t->a, &w->model, model ? "assistant" : "user", turn->text);
    /* A player who speaks first is asked to begin; one who is greeted answers. */
    if (w->player.n == 1 && !model)
        view_push(t->a, &w->player, "user", w->how->template.opening);
    view_push(t->a, &w->player, model ? "user" : "assistant", turn->text);
}

/* ---- opening ---- */

/* Which dialogue it is: the same for every model. */
static int64_t number_of(const struct talk *t)
{
    char hex[HASH_HEX];
    struct hash h;
    int64_t n = 0;

    hash_init(&h);
    hash_str(&h, str_of(t->item.id));
    hash_int(&h, t->repeat);
    hash_hex(&h, hex);
    for (int i = 0; i < 15; i++)
        n = n * 16 + str_hex(hex[i]);
    return n;
}

static enum status dialogue_open(struct talk *t, struct err *e)
{
    struct dialogue_talk *w = NEW(t->a, struct dialogue_talk);
    const struct dialogue *how = &t->suite->elicit.dialogue;
    size_t most = 2 * (size_t)how->turns + t->item.nturns + SPARE;

    t->own = w;
    t->referenced = true;
    w->how = how;
    w->user = vocab_user(t->suite, &t->item);
    w->plan = user_plan(t->a, w->user, t->suite->seed, number_of(t), (size_t)how->turns);
    t->turns.v = NEW_N(t->a, struct turn, most + (size_t)how->turns);
    w->begin = NEW_N(t->a, size_t, (size_t)how->turns + 2);
    w->said.most = most;
    w->begin[0] = 1;
    w->model = view_new(t->a, most + 1);
    w->player = view_new(t->a, most + 3);
    if (tell_model(t, &w->model.v[0].text, e) != OK)
        return e->code;
    return tell_player(t, &w->player.v[0].text, e);
}

/* Exchanges stand in order, none beyond the limit, and none has more turns than fit. */
static bool dialogue_fits(const struct talk *t, const struct turn_list *turns)
{
    const struct dialogue_talk *w = t->own;
    size_t said = 0, summed = 0, keep = (size_t)w->how->keep;
    int64_t part = 0;

    for (size_t i = 0; i < turns->n; i++) {
        const struct turn *one = &turns->v[i];
        if (one->position != (int64_t)i + 1 || one->part < part || one->part > part + 1 ||
            one->part > w->how->turns + 1)
            return false;
        said = one->part > part ? 0 : said;
        part = one->part;
        if (!is(one, TURN_SUMMARY) && ++said > (part ? 2 : t->item.nturns + 1))
            return false;
        if (!is(one, TURN_SUMMARY))
            continue;
        if (w->how->context != CONTEXT_SUMMARY || (size_t)part <= summed + 2 * keep)
            return false;
        summed += keep;
    }
    return true;
}

/* ---- the user's turn ---- */

/* Words that are fixed; `fact` is the one that they are about, or "". */
static void say(struct talk *t, const char *kind, struct str text, const char *fact)
{
    const struct dialogue_talk *w = t->own;
    struct turn turn =
        sitting_turn(SPEAKER_EXAMINER, kind, text, TURN_SCRIPT, (int64_t)w->exchange + 1);

    turn.fact = fact;
    (void)talk_add(t, &turn);
}

/* The user goes, with their last words where they have any. */
static void leave(struct talk *t)
{
    const struct dialogue_talk *w = t->own;

    if (w->user->leaves.words.n)
        say(t, TURN_LEAVE, w->user->leaves.words, "");
    t->finish = "leave";
}

static void ask_player(struct talk *t, const struct user_cue *cue)
{
    struct dialogue_talk *w = t->own;
    const struct prompt_var v[] = {{"about", cue->text}};
    struct view *p = &w->player;
    struct err e = {0};
    struct str note;

    if (p->n == 1)
        view_push(t->a, p, "user", w->how->template.opening);
    t->ask = p->v;
    t->nask = p->n;
    t->told = p->told;
    t->to = 1;
    if (cue->kind != USER_CUE_ABOUT ||
        prompt_fill(t->a, w->how->template.about, (struct prompt_vars){v, COUNT(v)}, &note, &e) !=
            OK)
        return;
    /* The note is for this turn alone and stands in no later request. */
    t->ask = arena_copy(t->a, p->v, p->n, sizeof *p->v);
    t->ask[p->n - 1].text =
        str_of(arena_printf(t->a, "%.*s\n\n%.*s", STR_ARG(p->v[p->n - 1].text), STR_ARG(note)));
}

/* True: somebody has to be asked for the user's words. */
static bool user_speaks(struct talk *t)
{
    struct dialogue_talk *w = t->own;
    const struct user *u = w->user;
    static const char *const kinds[] = {[USER_CUE_NONE] = NULL,
                                        [USER_CUE_SAY] = TURN_TOPIC,
                                        [USER_CUE_TELL] = TURN_TELL,
                                        [USER_CUE_ASK] = TURN_PROBE,
                                        [USER_CUE_ABOUT] = NULL};
    const struct user_cue *cue;

    if (w->exchange >= (size_t)w->how->turns) {
        t->finish = "limit";
        return false;
    }
    cue = &w->plan[w->exchange - w->begun];
    if (w->how->by == USER_PERSON) {
        t->to = TALK_PERSON;
        return true;
    }
    if (u->leaves.after && w->exchange >= (size_t)u->leaves.after) {
        leave(t);
        return false;
    }
    if (kinds[cue->kind]) {
        say(t, kinds[cue->kind], cue->text, cue->fact);
    } else if (w->how->by == USER_MODEL) {
        ask_player(t, cue);
        return true;
    } else if (w->lines < u->nlines) {
        say(t, TURN_LINE, u->lines[w->lines], "");
    } else {
        leave(t);
    }
    return false;
}

/* ---- the model's turn ---- */

/* Of the exchanges so far, the first that the model is sent as it was. */
static size_t first_sent(const struct dialogue_talk *w)
{
    size_t keep = (size_t)w->how->keep;

    if (w->how->context == CONTEXT_LAST)
        return w->exchange > keep ? w->exchange - keep : 0;
    return w->how->context == CONTEXT_SUMMARY && w->summed ? w->summed + 1 : 0;
}

/* System message, what is recalled, and the exchanges from `first` to the end or to `last`. */
static void send(struct talk *t, size_t first, size_t last)
{
    struct dialogue_talk *w = t->own;
    const struct view *all = &w->model;
    size_t from = first ? w->begin[first] : 1;
    size_t to = last < w->exchange ? w->begin[last + 1] : all->n;
    const struct prompt_var v[] = {{"summary", w->summary}};
    struct str recalled;
    struct err e = {0};

    t->to = 0;
    t->ask = all->v;
    t->nask = to;
    t->told = from == 1 && to == all->n && !w->summary.n ? all->told : NULL;
    if (from == 1 && !w->summary.n)
        return;
    t->ask = NEW_N(t->a, struct chat_turn, to - from + 2); /* room for a request to sum up */
    t->ask[0] = all->v[0];
    memcpy(t->ask + 1, all->v + from, (to - from) * sizeof *t->ask);
    t->nask = 1 + to - from;
    if (w->summary.n && prompt_fill(t->a, w->how->template.recall,
                                    (struct prompt_vars){v, COUNT(v)}, &recalled, &e) == OK)
        t->ask[0].text =
            str_of(arena_printf(t->a, "%.*s\n\n%.*s", STR_ARG(t->ask[0].text), STR_ARG(recalled)));
}

/* The exchanges since the last summary are twice the length that is kept: sum up the older half. */
static bool must_sum(const struct dialogue_talk *w)
{
    return w->how->context == CONTEXT_SUMMARY && w->exchange > w->summed + 2 * (size_t)w->how->keep;
}

static void ask_summary(struct talk *t)
{
    struct dialogue_talk *w = t->own;
    struct chat_turn *asked;

    send(t, w->summed ? w->summed + 1 : 0, w->summed + (size_t)w->how->keep);
    asked = NEW_N(t->a, struct chat_turn, t->nask + 1);
    memcpy(asked, t->ask, t->nask * sizeof *asked);
    asked[t->nask++] = (struct chat_turn){.role = "user", .text = w->how->template.summary};
    t->ask = asked;
    w->sums = true;
}

static void ask_model(struct talk *t)
{
    struct dialogue_talk *w = t->own;
    struct err e;

    /* The template was filled before, so that this cannot fail. */
    if (t->who->lorebook)
        (void)!tell_model(t, &w->model.v[0].text, &e);
    w->sums = false;
    if (must_sum(w))
        ask_summary(t);
    else
        send(t, first_sent(w), w->exchange);
}

/* ---- what comes next ---- */

/* Add what was said before the dialogue: the item's turns, else the character's greeting. A user's
 * words that nobody has answered begin the first exchange. */
static void begin(struct talk *t)
{
    struct turn turn = sitting_turn(SPEAKER_MODEL, TURN_GREETING, t->who->greeting, TURN_CARD, 0);

    for (size_t i = 0; i < t->item.nturns; i++) {
        bool model = strcmp(t->item.turns[i].role, "assistant") == 0;
        struct turn old =
            sitting_turn(model ? SPEAKER_MODEL : SPEAKER_EXAMINER, TURN_BEFORE,
                         t->item.turns[i].text, TURN_ITEM, !model && i + 1 == t->item.nturns);
        (void)talk_add(t, &old);
    }
    if (t->item.nturns == 0 && t->who->greeting.n)
        (void)talk_add(t, &turn);
}

/* How the last turn ends the dialogue; NULL: it does not. */
static const char *ended_by(const struct talk *t)
{
    const struct turn *last = &t->turns.v[t->turns.n - 1];

    if (last->part == 0)
        return NULL;
    if (last->speaker == SPEAKER_MODEL)
        return is(last, TURN_ANSWER) && talk_ends_by_rule(t, last) ? "rule" : NULL;
    if (is(last, TURN_LEAVE))
        return "leave";
    return voice_is_stuck(&t->turns) ? "user-repeats" : NULL;
}

static bool is_over(struct talk *t)
{
    if (!t->finish && t->turns.n)
        t->finish = ended_by(t);
    if (t->finish)
        t->transcript = voice_transcript(t->a, t->suite, &t->item, &t->turns);
    return t->finish != NULL;
}

static bool dialogue_next(struct talk *t)
{
    const struct turn *last;

    if (t->turns.n == 0)
        begin(t);
    for (;;) {
        if (is_over(t))
            return false;
        last = t->turns.n ? &t->turns.v[t->turns.n - 1] : NULL;
        if (last && (last->speaker == SPEAKER_EXAMINER || is(last, TURN_SUMMARY))) {
            ask_model(t);
            return true;
        }
        if (user_speaks(t))
            return true;
    }
}

/* ---- replies ---- */

static bool take_user(struct talk *t, const struct chat_reply *reply)
{
    struct dialogue_talk *w = t->own;
    struct turn turn =
        sitting_turn(SPEAKER_EXAMINER, TURN_LINE, STR(""), TURN_PLAYER, (int64_t)w->exchange + 1);
    struct voice_line said;

    voice_read(t->a, w->user->name, t->who->name, w->how->template.leave, reply->text, &said);
    turn.text = said.text;
    turn.why = said.why;
    if (said.text.n && voice_repeats(t->a, &w->said, &t->turns, said.text))
        turn.why = VOICE_REPEATS;
    if (said.leaves)
        turn.kind = TURN_LEAVE;
    if (said.text.n)
        talk_add_reply(t, &turn, reply);
    else
        talk_count(t, reply);
    if (said.leaves)
        t->finish = "leave";
    else if (said.text.n == 0)
        t->finish = "user-both"; /* nothing of it was the user's */
    return false;
}

static bool dialogue_take(struct talk *t, const struct chat_reply *reply)
{
    const struct dialogue_talk *w = t->own;
    struct turn turn = sitting_turn(SPEAKER_MODEL, w->sums ? TURN_SUMMARY : TURN_ANSWER, STR(""),
                                    "", (int64_t)w->exchange);

    if (t->to)
        return take_user(t, reply);
    turn.text = voice_answer(t->a, w->user->name, reply->text, &turn.why);
    talk_add_reply(t, &turn, reply);
    return false;
}

/* A user who says nothing has ended the dialogue, if it had begun. */
static bool dialogue_miss(struct talk *t, const char *fault, const char *why)
{
    const struct dialogue_talk *w = t->own;

    (void)why;
    if (!t->to || strcmp(fault, chat_fault_name(CHAT_EMPTY)) != 0 || w->exchange == 0)
        return false;
    t->finish = "user-silent";
    return true;
}

const struct talk_course dialogue_course = {
    .open = dialogue_open,
    .fits = dialogue_fits,
    .heard = dialogue_heard,
    .next = dialogue_next,
    .take = dialogue_take,
    .miss = dialogue_miss,
};
