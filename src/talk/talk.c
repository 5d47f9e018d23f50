#include "talk/talk.h"

#include "base/clock.h"
#include "suite/timeline.h"

static const struct talk_course *course_of(const struct suite *s)
{
    if (s->elicit.kind == ELICIT_INTERVIEW)
        return &interview_course;
    return s->elicit.dialogue.cast.nmembers ? &scene_course : &dialogue_course;
}

enum status talk_open(struct talk *t, const struct turn_list *old, struct err *e)
{
    t->course = course_of(t->suite);
    t->who = vocab_character(t->suite, &t->item);
    if (t->suite->elicit.dialogue.until.broken)
        t->signs = timeline_new(t->a);
    if (t->course->open(t, e) != OK)
        return e->code;
    if (!t->course->fits(t, old))
        return err_set(e, E_STORE, "%s: the stored turns are not the beginning of it", t->item.id);
    for (; t->turns.n < old->n; t->turns.n++) {
        t->turns.v[t->turns.n] = old->v[t->turns.n];
        t->course->heard(t, &t->turns.v[t->turns.n]);
    }
    return OK;
}

/* Most answers show no sign by themselves. For one that does, look at the whole talk, where words
 * that were put to the character are no sign. */
static bool slips(const struct talk *t, const struct turn *answer)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    static const struct paper none;
    struct timeline_case c = timeline_case_of(scratch, t->suite, &t->item, &none);
    struct turn copy = *answer;
    struct turn_list alone = {&copy, 1};
    struct sign_list found = timeline_find(scratch, t->signs, &c, &alone);

    if (found.n)
        found = timeline_find(scratch, t->signs, &c, &t->turns);
    return found.n && found.v[found.n - 1].turn == answer->position;
}

bool talk_ends_by_rule(const struct talk *t, const struct turn *answer)
{
    const struct dialogue_until *until = &t->suite->elicit.dialogue.until;

    for (size_t i = 0; i < until->nwords; i++)
        if (str_find(answer->text, until->words[i]) != SIZE_MAX)
            return true;
    return t->signs && slips(t, answer);
}

struct view view_new(struct arena *a, size_t most)
{
    struct view v = {NEW_N(a, struct chat_turn, most + 1), 1, chat_told_new(a)};

    v.v[0].role = "system";
    return v;
}

/* Join what one side says twice in a row: some servers want the roles to alternate. */
void view_push(struct arena *a, struct view *v, const char *role, struct str text)
{
    const struct chat_turn *last = &v->v[v->n - 1];

    if (strcmp(last->role, role) == 0) {
        text = str_of(arena_printf(a, "%.*s\n\n%.*s", STR_ARG(last->text), STR_ARG(text)));
        v->n--;
    }
    v->v[v->n++] = (struct chat_turn){role, text};
}

struct turn *talk_add(struct talk *t, const struct turn *turn)
{
    struct turn *new = &t->turns.v[t->turns.n++];

    *new = *turn;
    new->position = (int64_t)t->turns.n;
    new->at_ms = clock_utc_ms();
    t->course->heard(t, new);
    return new;
}

void talk_count(struct talk *t, const struct chat_reply *reply)
{
    struct spent *s = &t->sought;

    s->tokens_in += reply->tokens_in > 0 ? reply->tokens_in : 0;
    s->tokens_out += reply->tokens_out > 0 ? reply->tokens_out : 0;
    s->elapsed_ms += t->elapsed_ms;
}

void talk_add_reply(struct talk *t, struct turn *turn, const struct chat_reply *reply)
{
    turn->thinking = arena_str(t->a, reply->thinking);
    turn->finish = arena_text(t->a, str_of(reply->finish));
    turn->tokens_in = reply->tokens_in < 0 ? -1 : reply->tokens_in + t->sought.tokens_in;
    turn->tokens_out = reply->tokens_out < 0 ? -1 : reply->tokens_out + t->sought.tokens_out;
    turn->elapsed_ms = t->elapsed_ms + t->sought.elapsed_ms;
    t->sought = (struct spent){0};
    t->replied = talk_add(t, turn);
}
