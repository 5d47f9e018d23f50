#include "web/page_room.h"

#include <time.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "panel/pace.h"
#include "web/meeting_form.h"
#include "web/pages.h"
#include "web/room_form.h"

enum {
    LISTEN_MS = 50, /* how often the answer so far is sent */
    KEEP_MS = 5000,
    HELD_BACK = 24, /* code points: a name must be complete before any of it is shown */
};

/* ---- showing ---- */

/* The page of a meeting as it stands. */
static enum status show_meeting(struct request *q, struct response *r, const struct visit *g,
                                const struct meeting *m, const char *notice, struct err *e)
{
    struct ballot_marks votes = {0};

    if (ballot_marks(q->arena, q->store, m->assignment, &votes, e) != OK)
        return e->code;
    return meeting_form_page(q, r, &(struct meeting_form){g, m, &votes, notice});
}

static enum status show_meeting_of(struct request *q, struct response *r, const struct visit *g,
                                   const struct assignment *as, bool *shown, struct err *e)
{
    struct meeting m;

    if (meeting_open(q->arena, q->store, &g->campaign, as, &m, e) != OK)
        return e->code;
    *shown = m.next != MEETING_DONE;
    return *shown ? show_meeting(q, r, g, &m, NULL, e) : OK;
}

enum status page_room_show(struct request *q, struct response *r, const struct visit *g,
                           const struct assignment *as, bool *shown, struct err *e)
{
    struct room_form f = {.g = g};
    struct room room;

    if (campaign_meets(&g->campaign.suite))
        return show_meeting_of(q, r, g, as, shown, e);
    if (room_open(q->arena, q->store, &g->campaign, as, &room, e) != OK)
        return e->code;
    *shown = room.next != SITTING_DONE;
    f.room = &room;
    return *shown ? room_form_page(q, r, &f) : OK;
}

/* ---- the answer, while it comes ---- */

/* A request that waits for an answer; used by the stream's thread. */
struct hearing {
    struct request *q;
    struct visit g;
    struct assignment as;
    bool meets;             /* `meeting` is used, else `room` */
    struct room room;       /* an interview */
    struct meeting meeting; /* a person plays the user */
    char token[SESSION_TOKEN];
    bool script; /* send parts to a script; else a page when the answer is complete */
    struct stream *out;
    struct store *store;
    bool alone;      /* the client has gone; the answer is stored all the same */
    struct buf told; /* what was sent to the script */
    int64_t asked_ms, heard_ms, kept_ms;
};

/* The seat that stands for the whole sitting. */
static const struct seat *seat_of(const struct hearing *x)
{
    return x->meets ? &x->meeting.sides[0].seat : &x->room.seat;
}

static int64_t position_of(const struct hearing *x)
{
    return x->meets ? x->meeting.said : x->room.due.position;
}

static bool is_over(const struct hearing *x)
{
    return x->meets ? x->meeting.next == MEETING_DONE : x->room.next == SITTING_DONE;
}

static void tell(struct hearing *x, struct str bytes)
{
    struct err e;

    if (!x->alone)
        x->alone = stream_write(x->out, bytes, &e) != OK;
}

static void tell_json(struct hearing *x, json_t *j)
{
    tell(x, str_of(json_text(x->q->arena, j)));
    tell(x, STR("\n"));
    json_decref(j);
}

/* Send what is new, or everything where the words sent before have changed. */
static void tell_words(struct hearing *x, struct str words)
{
    bool grown = str_starts(words, buf_str(&x->told));
    struct str new = str_from(words, grown ? x->told.n : 0);
    json_t *j;

    if (grown && new.n == 0)
        return;
    j = json_object();
    (void)json_object_set_new(j, "text", json_from_str(new));
    if (!grown)
        (void)json_object_set_new(j, "again", json_true());
    tell_json(x, j);
    buf_clear(&x->told);
    buf_add(&x->told, words);
}

/* Send the answer so far without its last code points. */
static void tell_answer(struct hearing *x, struct str said, size_t held_back)
{
    AUTO(arena_freep) struct arena *scratch = arena_new();
    struct str shown;
    size_t points;

    if (!x->script || x->alone)
        return;
    shown = room_shown(scratch, &x->room, said);
    points = utf8_count(shown);
    tell_words(x, utf8_head(shown, points > held_back ? points - held_back : 0));
}

static void on_heard(void *user, struct str said)
{
    struct hearing *x = user;
    int64_t now = clock_mono_ms();

    if (now - x->heard_ms < LISTEN_MS || x->g.campaign.spec.answer_wait_ms)
        return;
    x->heard_ms = now;
    tell_answer(x, said, HELD_BACK);
}

/* From time to time, renew our claim to the sitting, and send a byte so that nothing between us and
 * the browser takes the connection for dead. */
static bool on_wait(void *user)
{
    struct hearing *x = user;
    int64_t now = clock_mono_ms();
    struct err e;

    if (now - x->kept_ms >= KEEP_MS) {
        x->kept_ms = now;
        tell(x, STR("\n"));
        if (seat_keep(x->store, seat_of(x), x->token, &e) != OK)
            log_line(LOG_WARN, "room", "keep: %s", e.msg);
    }
    return !stream_stopped(x->out);
}

/* Wait until then, or until the server stops. */
static void wait_until(struct hearing *x, int64_t at_ms)
{
    const struct timespec nap = {.tv_nsec = LISTEN_MS * 1000000L};

    while (clock_mono_ms() < at_ms && on_wait(x))
        (void)nanosleep(&nap, NULL);
}

/* A model's speed can reveal which it is: where the campaign hides it, wait until the answer may
 * begin (panel/pace.h). */
static void hold_back(struct hearing *x)
{
    int64_t wait_ms = x->g.campaign.spec.answer_wait_ms;

    if (wait_ms)
        wait_until(x, x->asked_ms + pace_begin(wait_ms, clock_mono_ms() - x->asked_ms));
}

/* Send the words of a complete answer at our own speed, not the model's. Without a script they come
 * with the page. */
static void hand_out(struct hearing *x, struct str answer)
{
    int64_t begin = clock_mono_ms();
    size_t all = utf8_count(answer), out = 0;

    while (x->script && !x->alone && out < all) {
        wait_until(x, clock_mono_ms() + LISTEN_MS);
        out = stream_stopped(x->out) ? all : pace_points(clock_mono_ms() - begin, all);
        tell_answer(x, answer, all - out);
    }
}

static enum status hear(struct hearing *x, struct err *e)
{
    struct live_question question;
    struct live_answer answer;

    if (room_question(x->q->arena, &x->g.campaign, &x->room, &question, e) != OK)
        return e->code;
    question.heard = on_heard;
    question.waits = on_wait;
    question.user = x;
    if (live_ask(x->q->arena, &question, 1, &answer, e) != OK)
        return e->code;
    if (answer.reply.fault != CHAT_OK)
        return seat_mute(x->store, &x->room.seat, &answer.reply, e) != OK
                   ? e->code
                   : err_set(e, E_NET, "%s: %s: %s", x->room.seat.model_name,
                             chat_fault_name(answer.reply.fault), answer.reply.why);
    hold_back(x); /* and store it only then: opening the page again must not show it sooner */
    if (room_answer(x->q->arena, x->store, &x->g.campaign, &x->room, &answer, e) != OK)
        return e->code;
    if (x->g.campaign.spec.answer_wait_ms)
        hand_out(x, answer.reply.text);
    tell_answer(x, answer.reply.text, 0);
    return OK;
}

static void on_unheard(void *user, struct str said)
{
    (void)user;
    (void)said;
}

/* Ask all models at once, and show nothing before all have answered. Good answers are stored even
 * if another failed, so that only that one is asked for again. */
static enum status hear_all(struct hearing *x, struct err *e)
{
    struct live_answer answers[MEETING_SIDES] = {0};
    struct live_question questions[MEETING_SIDES];
    size_t n, bad = 0;

    while (bad == 0 && x->meeting.next == MEETING_ANSWER) {
        n = meeting_questions(&x->meeting, questions);
        for (size_t i = 0; i < n; i++) {
            questions[i].heard = on_unheard;
            questions[i].waits = on_wait;
            questions[i].user = x;
        }
        if (n && live_ask(x->q->arena, questions, n, answers, e) != OK)
            return e->code;
        for (size_t i = 0; i < n; i++)
            if (answers[i].reply.fault != CHAT_OK && bad++ == 0)
                (void)err_set(e, E_NET, "%s: %s", chat_fault_name(answers[i].reply.fault),
                              answers[i].reply.why);
        hold_back(x);
        if (meeting_answers(x->store, &x->meeting, answers, e) != OK)
            return e->code;
    }
    return bad ? e->code : OK;
}

/* Without a script: the page as it stands now. */
static enum status tell_page(struct hearing *x, struct err *e)
{
    struct response r = {.arena = x->q->arena, .status = 200, .body = BUF_MAX(RESPONSE_BODY_MAX)};
    enum status st = page_rate_show(x->q, &r, e);

    if (st == OK)
        tell(x, buf_str(&r.body));
    buf_done(&r.body);
    return st;
}

static enum status on_stream(struct stream *out, struct store *store, void *user, struct err *e)
{
    struct hearing *x = user;
    struct err failed = {0};
    json_t *end;
    bool good;

    x->out = out;
    x->store = x->q->store = store;
    x->told = (struct buf)BUF_MAX(RESPONSE_BODY_MAX);
    x->asked_ms = x->kept_ms = clock_mono_ms();
    good = (x->meets ? hear_all(x, &failed) : hear(x, &failed)) == OK;
    buf_done(&x->told);
    /* Only the log may tell why: such messages name models. */
    if (!good)
        log_line(LOG_ERROR, "room", "assignment=%lld turn=%lld %s", (long long)x->as.id,
                 (long long)position_of(x), failed.msg);
    if (seat_free(store, seat_of(x), x->token, e) != OK)
        return e->code;
    if (!x->script)
        return tell_page(x, e);
    end = json_object();
    (void)json_object_set_new(end, "end", json_boolean(good));
    tell_json(x, end);
    return OK;
}

/* ---- asking ---- */

static enum status show_notice(struct request *q, struct response *r, const struct hearing *x,
                               int status, enum word notice, struct err *e)
{
    struct room_form f = {&x->g, &x->room, words_of(q->language, notice)};

    r->status = status;
    if (x->meets)
        return show_meeting(q, r, &x->g, &x->meeting, f.notice, e);
    return room_form_page(q, r, &f);
}

static enum status open_either(struct request *q, struct hearing *x, struct err *e)
{
    x->meets = campaign_meets(&x->g.campaign.suite);
    if (x->meets)
        return meeting_open(q->arena, q->store, &x->g.campaign, &x->as, &x->meeting, e);
    return room_open(q->arena, q->store, &x->g.campaign, &x->as, &x->room, e);
}

/* Another request was quicker: show the sitting as it is, unless it is another rater's by now. */
static enum status late(struct request *q, struct response *r, struct hearing *x, struct err *e)
{
    if (assign_get(q->arena, q->store, &x->g.rater, x->as.id, &x->as, e) != OK)
        return e->code;
    if (x->as.gone)
        return response_redirect(r, "/rate");
    if (open_either(q, x, e) != OK)
        return e->code;
    if (!is_over(x))
        return show_notice(q, r, x, 409, x->meets ? PHRASE_MEET_LATE : PHRASE_ROOM_LATE, e);
    return response_redirect(r, "/rate");
}

/* Store the votes on turns in the form. */
static enum status take_votes(struct request *q, const struct hearing *x, struct err *e)
{
    const struct meeting *m = &x->meeting;

    for (int64_t n = 1; m->n > 1 && n <= m->answered; n++) {
        struct str vote = request_form(q, arena_printf(q->arena, "vote.%lld", (long long)n));
        struct str why = request_form(q, arena_printf(q->arena, "why.%lld", (long long)n));
        double value;
        if (vote.n && (!str_double(vote, &value) ||
                       meeting_vote(q->store, m, n, value, str_trim(why), e) != OK))
            return e->code == OK ? err_set(e, E_INPUT, "no such vote") : e->code;
    }
    return OK;
}

static enum status say_to_all(struct request *q, struct hearing *x, int64_t position,
                              struct str own, bool *stale, struct err *e)
{
    struct meeting *m = &x->meeting;

    if (take_votes(q, x, e) != OK)
        return e->code;
    if (str_is(request_form(q, "do"), "end"))
        return meeting_leave(q->store, m, e);
    if (m->next == MEETING_SAY)
        return meeting_say(q->store, m, position, own, stale, e);
    *stale = position != m->said || own.n;
    return OK;
}

/* Store what the form says, where it is the rater's turn. */
static enum status say(struct request *q, struct hearing *x, bool *stale, struct err *e)
{
    const struct room_words words = {
        .position = request_int(request_form(q, "position"), 0),
        .choice = request_int(request_form(q, "choice"), -1),
        .own = request_form(q, "own"),
    };

    if (x->meets)
        return say_to_all(q, x, words.position, words.own, stale, e);
    if (x->room.next != SITTING_ANSWER)
        return room_say(q->arena, q->store, &x->g.campaign, &x->room, &words, stale, e);
    *stale = words.position != x->room.due.position || words.choice >= 0 || words.own.n;
    return OK;
}

static enum status load(struct request *q, struct hearing *x, struct err *e)
{
    if (page_rater_of(q, &x->g, e) != OK ||
        assign_get(q->arena, q->store, &x->g.rater, page_rater_asked(q), &x->as, e) != OK)
        return e->code;
    if (!campaign_examines(&x->g.campaign.suite) || x->as.phase != PHASE_MAIN)
        return err_set(e, E_ABSENT, "there is no interview to hold");
    return x->as.gone ? OK : open_either(q, x, e);
}

enum status page_room_ask(struct request *q, struct response *r, struct err *e)
{
    struct hearing *x = NEW(q->arena, struct hearing);
    bool stale = false, mine = false;

    *x = (struct hearing){.q = q};
    if (load(q, x, e) != OK)
        return e->code;
    if (page_rater_elsewhere(q, r, &x->g))
        return OK;
    if (x->as.done || x->as.gone || page_rater_practises(q, &x->g) || is_over(x))
        return response_redirect(r, "/rate");
    if (say(q, x, &stale, e) != OK)
        return e->code == E_INPUT
                   ? show_notice(q, r, x, 422, x->meets ? PHRASE_MEET_CANNOT : PHRASE_ROOM_CANNOT,
                                 e)
                   : e->code;
    if (is_over(x)) /* the person has left */
        return response_redirect(r, "/rate");
    session_random(x->token);
    if (!stale && seat_claim(q->store, seat_of(x), position_of(x), x->token, &mine, e) != OK)
        return e->code;
    if (!mine)
        return late(q, r, x, e);
    x->script = str_holds(request_header(q, "Accept"), STR("application/x-ndjson"));
    response_stream(r, x->script ? "application/x-ndjson" : "text/html; charset=utf-8", on_stream,
                    x);
    return OK;
}
