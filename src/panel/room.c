#include "panel/room.h"

#include "base/clock.h"
#include "store/store_turn.h"
#include "suite/item.h"
#include "suite/suite.h"
#include "suite/told.h"

/* ---- opening ---- */

static enum status read_turns(struct arena *a, struct store *s, struct room *r, struct err *e)
{
    struct turn_list old;

    if (store_turn_list(a, s, r->seat.sample, &old, e) != OK)
        return e->code;
    if (!sitting_fits(&r->paper, &old))
        return err_set(e, E_STORE, "sitting %s: the stored turns do not match its paper",
                       r->item.id);
    r->turns.v = NEW_N(a, struct turn, sitting_length(&r->paper));
    for (; r->turns.n < old.n; r->turns.n++)
        r->turns.v[r->turns.n] = old.v[r->turns.n];
    return OK;
}

/* Updates the state. The opening of a part is said together with its first question. */
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
    struct room r = {
        .seat = {.assignment = as->id, .sample = as->nshown ? as->shown[0].sample : 0}};
    struct party_list models;
    struct str body;

    if (seat_read(a, s, &r.seat, e) != OK || store_item_body(a, s, as->item, &body, e) != OK ||
        item_thaw(a, body, &r.item, e) != OK || paper_thaw(a, r.item.paper, &r.paper, e) != OK ||
        read_turns(a, s, &r, e) != OK ||
        store_party_list(a, s, PARTY_MODEL, c->run.id, &models, e) != OK)
        return e->code;
    r.who = vocab_character(&c->suite, &r.item);
    r.leak = leak_new(a, &c->suite, &models);
    look_ahead(&r);
    if (r.seat.done)
        r.next = SITTING_DONE;
    r.awaited = r.next == SITTING_ANSWER && r.seat.position == r.due.position &&
                r.seat.until_ms > clock_utc_ms();
    *out = r;
    return OK;
}

struct str room_shown(struct arena *a, const struct room *r, struct str words)
{
    return leak_blot(a, r->leak, &r->item, words);
}

/* ---- asking ---- */

/* The turns including the pending opening, as sitting.h expects them. */
static struct turn_list with_opening(const struct room *r)
{
    struct turn_list all = r->turns;

    if (r->opens)
        all.v[all.n++] = r->opening; /* there is room; r->turns.n is unchanged */
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

enum status room_say(struct arena *a, struct store *s, const struct campaign *c, struct room *r,
                     const struct room_words *w, bool *stale, struct err *e)
{
    struct turn v[2];
    struct turn_list new = {v, 0};
    int64_t now = clock_utc_ms();

    *stale = w->position != (int64_t)r->turns.n + 1;
    if (*stale)
        return OK;
    if (r->opens)
        v[new.n++] = r->opening;
    if (make_turn(a, r, w, &v[new.n], e) != OK)
        return e->code;
    v[new.n++].elapsed_ms = seat_since_last(&r->turns, now);
    for (size_t i = 0; i < new.n; i++)
        v[i].at_ms = now;
    if (store_atomically(s, e, seat_say(s, c, &r->seat, &new, e)) != OK) {
        *stale = e->code == E_ABSENT;
        return *stale ? OK : e->code;
    }
    for (size_t i = 0; i < new.n; i++)
        r->turns.v[r->turns.n++] = v[i];
    look_ahead(r);
    return OK;
}

/* ---- the answer ---- */

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
        .ep = &r->seat.endpoint,
        .sampling = c->suite.elicit.sampling,
        .turns = d.v,
        .nturns = d.n,
        .tag = arena_printf(a, "%s\t%s\t%lld\t#%zu", r->seat.model_name, r->item.id,
                            (long long)r->seat.repeat, r->turns.n + 1),
    };
    return OK;
}

static enum status end_sitting(struct arena *a, struct store *s, const struct campaign *c,
                               const struct room *r, struct err *e)
{
    const struct sitting_names names = {c->suite.elicit.interview.template.examiner, r->who->name};
    struct str answer = sitting_transcript(a, &names, &r->turns);

    if (seat_end(s, c, &r->seat, &r->turns, answer, r->turns.v[r->turns.n - 1].finish, e) != OK)
        return e->code;
    return seat_withhold(a, s, c, &r->seat, r->leak, &r->item, answer, e);
}

static enum status answer_within(struct arena *a, struct store *s, const struct campaign *c,
                                 struct room *r, const struct live_answer *answer, struct err *e)
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
    if (seat_trace(s, c, &r->seat, answer, t, e) != OK || seat_say(s, c, &r->seat, &one, e) != OK ||
        seat_spend(s, c, &r->seat, reply, e) != OK)
        return e->code;
    r->turns.n++;
    look_ahead(r);
    return r->next == SITTING_DONE ? end_sitting(a, s, c, r, e) : OK;
}

enum status room_answer(struct arena *a, struct store *s, const struct campaign *c, struct room *r,
                        const struct live_answer *answer, struct err *e)
{
    enum status st = store_atomically(s, e, answer_within(a, s, c, r, answer, e));

    return st == E_ABSENT ? OK : st; /* somebody else's answer was stored first */
}
