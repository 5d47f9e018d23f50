#include "panel/meeting.h"

#include "base/clock.h"
#include "gen/queries.h"
#include "store/store_turn.h"
#include "suite/sitting.h"
#include "talk/voice.h"

/* ---- opening ---- */

static enum status open_side(struct store *s, const struct meeting *m, struct meeting_side *side,
                             struct err *e)
{
    struct turn_list old;

    if (seat_read(m->a, s, &side->seat, e) != OK ||
        store_turn_list(m->a, s, side->seat.sample, &old, e) != OK)
        return e->code;
    side->talk = (struct talk){
        .a = m->a, .suite = &m->c->suite, .item = m->item, .repeat = side->seat.repeat};
    side->saved = old.n;
    return talk_open(&side->talk, &old, e);
}

/* Number of answers on this side. */
static int64_t answers_of(const struct meeting_side *side)
{
    int64_t n = 0;

    for (size_t i = 0; i < side->talk.turns.n; i++)
        n += strcmp(side->talk.turns.v[i].kind, TURN_ANSWER) == 0;
    return n;
}

/* The exchange of the person's last words on this side. */
static int64_t said_by(const struct meeting_side *side)
{
    const struct turn_list *l = &side->talk.turns;
    int64_t n = 0;

    for (size_t i = 0; i < l->n; i++)
        if (l->v[i].speaker == SPEAKER_EXAMINER)
            n = l->v[i].part;
    return n;
}

/* Updates the state: the meeting is over as soon as one talk is. */
static void look_ahead(struct meeting *m)
{
    m->next = MEETING_SAY;
    m->answered = INT64_MAX;
    for (size_t i = 0; i < m->n; i++) {
        struct meeting_side *side = &m->sides[i];
        struct talk *t = &side->talk;
        int64_t answers;

        side->asked = false;
        if (!side->seat.done) {
            bool stands = t->course->next(t);
            side->asked = stands && t->to == 0;
            if (side->asked || !stands)
                m->next = MEETING_ANSWER;
        } else if (m->next == MEETING_SAY) {
            m->next = MEETING_DONE;
        }
        answers = answers_of(side);
        m->answered = answers < m->answered ? answers : m->answered;
    }
    m->said = said_by(&m->sides[0]);
}

enum status meeting_open(struct arena *a, struct store *s, const struct campaign *c,
                         const struct assignment *as, struct meeting *out, struct err *e)
{
    struct meeting m = {
        .a = a, .c = c, .assignment = as->id, .limit = c->suite.elicit.dialogue.turns};
    struct shown shown = as->nshown ? as->shown[0] : (struct shown){0, -1};
    struct party_list models;
    struct str body;

    if (store_item_body(a, s, as->item, &body, e) != OK || item_thaw(a, body, &m.item, e) != OK ||
        store_party_list(a, s, PARTY_MODEL, c->run.id, &models, e) != OK)
        return e->code;
    m.user = vocab_user(&c->suite, &m.item);
    m.who = vocab_character(&c->suite, &m.item);
    m.leak = leak_new(a, &c->suite, &models);
    m.n = shown.other > 0 ? 2 : 1;
    for (size_t i = 0; i < m.n; i++) {
        m.sides[i].seat =
            (struct seat){.sample = i ? shown.other : shown.sample, .assignment = as->id};
        if (open_side(s, &m, &m.sides[i], e) != OK)
            return e->code;
    }
    look_ahead(&m);
    m.awaited = m.next == MEETING_ANSWER && m.sides[0].seat.position == m.said &&
                m.sides[0].seat.until_ms > clock_utc_ms();
    *out = m;
    return OK;
}

struct str meeting_shown(const struct meeting *m, struct str words)
{
    return leak_blot(m->a, m->leak, &m->item, words);
}

static const struct turn *find(const struct meeting_side *side, int64_t exchange,
                               enum speaker speaker)
{
    for (size_t i = 0; i < side->talk.turns.n; i++) {
        const struct turn *t = &side->talk.turns.v[i];
        if (t->part == exchange && t->speaker == speaker && voice_is_said(t))
            return t;
    }
    return NULL;
}

const struct turn *meeting_answer_of(const struct meeting *m, size_t side, int64_t exchange)
{
    return exchange <= m->answered ? find(&m->sides[side], exchange, SPEAKER_MODEL) : NULL;
}

const struct turn *meeting_said_of(const struct meeting *m, int64_t exchange)
{
    return find(&m->sides[0], exchange, SPEAKER_EXAMINER);
}

/* ---- what is stored ---- */

/* Saves the turns of a side that are not in the store yet. */
static enum status save_side(struct store *s, const struct campaign *c, struct meeting_side *side,
                             struct err *e)
{
    const struct turn_list *all = &side->talk.turns;
    struct turn_list new = {all->v + side->saved, all->n - side->saved};

    if (new.n == 0)
        return OK;
    if (seat_say(s, c, &side->seat, &new, e) != OK)
        return e->code;
    side->saved = all->n;
    return OK;
}

static enum status end_side(struct store *s, const struct meeting *m, struct meeting_side *side,
                            struct err *e)
{
    const struct talk *t = &side->talk;
    struct str transcript = voice_transcript(m->a, &m->c->suite, &m->item, &t->turns);

    if (seat_end(s, m->c, &side->seat, &t->turns, transcript, t->finish ? t->finish : "leave", e) !=
        OK)
        return e->code;
    side->seat.done = true;
    /* nobody else ever reads a meeting with two models */
    if (m->n > 1)
        return OK;
    return seat_withhold(m->a, s, m->c, &side->seat, m->leak, &m->item, transcript, e);
}

static enum status end_all(struct store *s, struct meeting *m, struct err *e)
{
    for (size_t i = 0; i < m->n; i++)
        if (end_side(s, m, &m->sides[i], e) != OK)
            return e->code;
    m->next = MEETING_DONE;
    return OK;
}

/* ---- saying ---- */

static enum status say_within(struct store *s, struct meeting *m, struct err *e)
{
    for (size_t i = 0; i < m->n; i++)
        if (save_side(s, m->c, &m->sides[i], e) != OK)
            return e->code;
    return OK;
}

enum status meeting_say(struct store *s, struct meeting *m, int64_t number, struct str words,
                        bool *stale, struct err *e)
{
    struct turn turn = sitting_turn(SPEAKER_EXAMINER, TURN_LINE, arena_str(m->a, str_trim(words)),
                                    TURN_PERSON, m->said + 1);

    *stale = number != m->said + 1 || m->next != MEETING_SAY;
    if (*stale)
        return OK;
    if (turn.text.n == 0 || utf8_count(turn.text) > MEETING_WORDS_MAX)
        return err_set(e, E_INPUT, "expected 1 to %d characters", MEETING_WORDS_MAX);
    turn.elapsed_ms = seat_since_last(&m->sides[0].talk.turns, clock_utc_ms());
    for (size_t i = 0; i < m->n; i++)
        (void)talk_add(&m->sides[i].talk, &turn);
    if (store_atomically(s, e, say_within(s, m, e)) != OK) {
        *stale = e->code == E_ABSENT;
        return *stale ? OK : e->code;
    }
    look_ahead(m);
    return OK;
}

/* ---- answers ---- */

size_t meeting_questions(const struct meeting *m, struct live_question out[MEETING_SIDES])
{
    size_t n = 0;

    for (size_t i = 0; i < m->n; i++) {
        const struct meeting_side *side = &m->sides[i];
        if (!side->asked)
            continue;
        out[n++] = (struct live_question){
            .ep = &side->seat.endpoint,
            .sampling = m->c->suite.elicit.sampling,
            .turns = side->talk.ask,
            .nturns = side->talk.nask,
            .tag = arena_printf(m->a, "%s\t%s\t%lld\t#%zu", side->seat.model_name, m->item.id,
                                (long long)side->seat.repeat, side->talk.turns.n + 1),
        };
    }
    return n;
}

static enum status take(struct store *s, const struct campaign *c, struct meeting_side *side,
                        const struct live_answer *answer, struct err *e)
{
    struct talk *t = &side->talk;

    t->replied = NULL;
    t->elapsed_ms = answer->elapsed_ms;
    (void)t->course->take(t, &answer->reply);
    if (t->replied && seat_trace(s, c, &side->seat, answer, t->replied, e) != OK)
        return e->code;
    if (seat_spend(s, c, &side->seat, &answer->reply, e) != OK)
        return e->code;
    return save_side(s, c, side, e);
}

static bool is_over(const struct meeting *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->sides[i].asked)
            return false;
    return m->next == MEETING_ANSWER; /* a talk has ended, and nobody is to be asked */
}

static enum status answers_within(struct store *s, struct meeting *m,
                                  const struct live_answer *answers, struct err *e)
{
    for (size_t i = 0, at = 0; i < m->n; i++) {
        if (!m->sides[i].asked)
            continue;
        if ((answers[at].reply.fault == CHAT_OK
                 ? take(s, m->c, &m->sides[i], &answers[at], e)
                 : seat_mute(s, &m->sides[i].seat, &answers[at].reply, e)) != OK)
            return e->code;
        at++;
    }
    look_ahead(m);
    return is_over(m) ? end_all(s, m, e) : OK;
}

enum status meeting_answers(struct store *s, struct meeting *m, const struct live_answer *answers,
                            struct err *e)
{
    return store_atomically(s, e, answers_within(s, m, answers, e));
}

/* ---- the end, and votes on the way ---- */

static enum status leave_within(struct store *s, struct meeting *m, struct err *e)
{
    int64_t now = clock_utc_ms(), held = 0;

    if (db_run(s->db, Q_ASSIGNMENT_SEEN,
               ARGS(V_INT(m->assignment), V_INT(now + m->c->spec.lease_ms), V_INT(now), V_INT(0)),
               &held, e) != OK)
        return e->code;
    return held ? end_all(s, m, e) : err_set(e, E_INPUT, "this was left to someone else");
}

enum status meeting_leave(struct store *s, struct meeting *m, struct err *e)
{
    if (m->next != MEETING_SAY || m->answered == 0)
        return err_set(e, E_INPUT, "nothing was answered yet");
    return store_atomically(s, e, leave_within(s, m, e));
}

static const char *vote_name(char name[32], int64_t exchange)
{
    (void)snprintf(name, 32, BALLOT_TURN "%lld", (long long)exchange);
    return name;
}

enum status meeting_vote(struct store *s, const struct meeting *m, int64_t exchange, double value,
                         struct str why, struct err *e)
{
    char name[32];
    struct ballot_mark mark = {.dimension = vote_name(name, exchange), .value = value};

    if (m->n < 2 || exchange < 1 || exchange > m->answered)
        return err_set(e, E_INPUT, "there is no exchange %lld", (long long)exchange);
    if (ballot_check(&m->c->suite.instrument, &mark, e) != OK)
        return e->code;
    if (utf8_count(why) > BALLOT_COMMENT_MAX)
        return err_set(e, E_INPUT, "a reason may have at most %d characters", BALLOT_COMMENT_MAX);
    return db_run(s->db, Q_RATING_TURN,
                  ARGS(V_INT(m->assignment), V_INT(m->sides[0].seat.sample),
                       V_INT(m->sides[1].seat.sample), V_TEXT(mark.dimension), V_REAL(value),
                       V_INT(clock_utc_ms()), V_STR(why)),
                  NULL, e);
}

const struct ballot_mark *meeting_vote_of(const struct ballot_marks *marks, int64_t exchange)
{
    char name[32];

    (void)vote_name(name, exchange);
    for (size_t i = 0; i < marks->n; i++)
        if (strcmp(marks->v[i].dimension, name) == 0)
            return &marks->v[i];
    return NULL;
}
