#include "web/page_live.h"

#include <time.h>

#include "base/clock.h"
#include "base/message.h"
#include "eval/run.h"
#include "report/wording.h"
#include "store/store_work.h"
#include "web/account.h"
#include "web/explore.h"
#include "web/pages.h"

enum {
    LISTENERS = 16,      /* each holds a thread and a handle on the database */
    LOOK_MS = 2000,      /* between two looks; at least ten times as long as a look takes */
    LIFE_MS = 60 * 1000, /* then the browser reconnects, and its rights are checked again */
    SIGN_MS = 10 * 1000,
    REFRESH_S = 15,
    FAILURES = 5,
};

static const struct {
    const char *name, *pill;
    enum word word;
} phases[] = {
    [PHASE_OVER] = {"over", "good", SEE_FINISHED},
    [PHASE_LEFT] = {"left", "warn", SEE_LEFT},
    [PHASE_QUEUED] = {"queued", "info", SEE_QUEUED},
    [PHASE_PAUSED] = {"paused", "warn", SEE_PAUSED},
    [PHASE_CANCELLED] = {"cancelled", "warn", SEE_CANCELLED},
    [PHASE_RUNNING] = {"running", "info", SEE_RUNNING},
};

struct live {
    const struct run_row *run;
    struct explore_stand stand;
    struct run_pulse pulse;
    struct failure_list failures;
    struct purse spent;
};

static enum status look(struct arena *a, struct store *s, const struct run_row *run,
                        struct live *out, struct err *e)
{
    *out = (struct live){.run = run};
    if (store_run_stand(a, s, &run->id, 1, &out->stand, e) != OK ||
        store_run_pulse(a, s, run->id, &out->pulse, e) != OK)
        return e->code;
    if (out->stand.phase == PHASE_OVER)
        return OK;
    if (store_run_failures(a, s, run->id, FAILURES, &out->failures, e) != OK)
        return e->code;
    return store_spent(s, run->id, &out->spent, e);
}

/* ---- what is shown ---- */

/* Verdicts are planned once a sample is answered: expect as many for each sample that is not. */
static const char *time_left(struct arena *a, const struct live *l)
{
    const struct explore_stand *c = &l->stand;
    int64_t answered = c->answered + c->failed, out = c->samples - answered;
    double rest = (double)c->planned;
    int64_t s;

    if (l->stand.phase != PHASE_RUNNING || l->pulse.rate <= 0)
        return "–";
    if (answered > 0)
        rest += (double)c->verdicts * (double)out / (double)answered;
    s = (int64_t)(rest / l->pulse.rate * 60);
    return s >= 3600 ? arena_printf(a, "%lld:%02d:%02d", (long long)(s / 3600), (int)(s / 60 % 60),
                                    (int)(s % 60))
                     : arena_printf(a, "%d:%02d", (int)(s / 60), (int)(s % 60));
}

static void tiles(struct page *p, const struct live *l)
{
    html_open(&p->h, "div", "class", "tiles block-s");
    widget_tile(p, LIVE_RATE, page_printf(p, l->pulse.rate < 10 ? "%.1f" : "%.0f", l->pulse.rate),
                page_phrase(p, LIVE_A_MINUTE),
                page_with(p, LIVE_WORKERS_N, page_number(p, l->pulse.workers)));
    widget_tile(p, LIVE_REMAINS, time_left(p->q->arena, l), NULL, NULL);
    widget_tile(p, LIVE_COST, l->spent.usd > 0 ? page_printf(p, "%.2f", l->spent.usd) : "–",
                l->spent.usd > 0 ? "USD" : NULL,
                page_with(p, LIVE_TOKENS, page_number(p, l->spent.tokens)));
    widget_tile(p, LIVE_RETRIES, page_number(p, l->pulse.retries), NULL,
                l->pulse.throttled
                    ? page_with(p, LIVE_THROTTLED, page_number(p, l->pulse.throttled))
                    : NULL);
    html_close(&p->h);
}

static void failures(struct page *p, const struct live *l)
{
    if (!l->failures.n)
        return;
    page_say(p, "p", "meta", LIVE_FAILURES);
    html_open(&p->h, "ul", "class", "list");
    for (size_t i = 0; i < l->failures.n; i++) {
        const struct failure *f = &l->failures.v[i];
        html_open(&p->h, "li", NULL);
        page_link(p, explore_sample_to(p->q, l->run->name, f->sample),
                  page_printf(p, "%s · %s", f->who, f->item));
        html_text(&p->h, " ");
        html_element(&p->h, "span", "soft",
                     wording_why(p->h.scratch, p->q->language, f->why, f->fault));
        html_close(&p->h);
    }
    html_close(&p->h);
}

void page_live_state(struct page *p, enum explore_phase phase)
{
    widget_state(p, phases[phase].pill, page_phrase(p, phases[phase].word));
}

/* The part that events update. */
static void moving(struct page *p, const struct live *l)
{
    const struct explore_stand *c = &l->stand;
    const struct {
        enum word what;
        int64_t done, all;
    } bars[] = {{PHRASE_ANSWERS, c->answered, c->samples},
                {PHRASE_VERDICTS, c->judged, c->verdicts}};

    html_open(&p->h, "p", "class", "row");
    page_live_state(p, c->phase);
    if (c->failed)
        widget_pill(
            p, "bad",
            page_two(p, WORD_LABELLED, page_phrase(p, WORD_FAILED), page_number(p, c->failed)));
    if (*l->pulse.waiting) {
        html_element(&p->h, "span", "soft", page_phrase(p, LIVE_WAITING));
        html_element(&p->h, "span", "mono",
                     message_show(p->q->arena, p->q->language, l->pulse.waiting));
    }
    html_close(&p->h);
    for (size_t i = 0; i < COUNT(bars); i++) {
        html_element(&p->h, "p", "t14",
                     page_printf(p, "%s %lld / %lld", page_phrase(p, bars[i].what),
                                 (long long)bars[i].done, (long long)bars[i].all));
        widget_progress(p, bars[i].what, bars[i].done, bars[i].all);
    }
    if (l->stand.phase == PHASE_RUNNING)
        tiles(p, l);
    failures(p, l);
}

static void orders(struct page *p, const struct live *l)
{
    const char *action = explore_run_to(p->q, l->run, "/order");
    bool held = l->stand.phase == PHASE_PAUSED || l->stand.phase == PHASE_CANCELLED ||
                l->stand.phase == PHASE_LEFT;

    if (!session_may(p->q, ROLE_ADMIN))
        return;
    page_form(p, action);
    html_open(&p->h, "div", "class", "row");
    if (held)
        widget_button(p, "filled", LIVE_RESUME, "act", "resume");
    else
        widget_button(p, "", LIVE_PAUSE, "act", "pause");
    if (l->stand.phase != PHASE_CANCELLED && l->stand.phase != PHASE_LEFT)
        widget_go(p, "danger", explore_to(p->q, action, "act", "cancel", NULL), LIVE_CANCEL);
    html_close_n(&p->h, 2);
    if (held)
        page_say(p, "p", "note", LIVE_RESUME_NOTE);
}

enum status page_live_look(struct request *q, struct response *r, const struct run_row *run,
                           struct live **out, struct err *e)
{
    struct live *l = NEW(q->arena, struct live);

    *out = NULL;
    if (q->publish)
        return OK;
    if (look(q->arena, q->store, run, l, e) != OK)
        return e->code;
    if (l->stand.phase == PHASE_OVER)
        return OK;
    r->refresh_s = REFRESH_S;
    *out = l;
    return OK;
}

void page_live_card(struct page *p, const struct live *l)
{
    if (!l)
        return;
    html_open(&p->h, "div", "class", "card todo");
    html_open(&p->h, "div", "id", "live", "data-events",
              explore_to(p->q, explore_run_to(p->q, l->run, "/events"), "phase",
                         phases[l->stand.phase].name, NULL));
    moving(p, l);
    html_close(&p->h);
    orders(p, l);
    html_close(&p->h);
    page_script(p, "live.js");
}

/* ---- events ---- */

struct listener {
    struct request *q;
    struct run_row run;
    struct buf last; /* the last event sent */
};

/* That part as an event. */
static void event_of(struct request *q, const struct live *l, struct buf *out)
{
    AUTO(buf_done) struct buf part = BUF_MAX(RESPONSE_BODY_MAX);
    struct page p = {.q = q, .h = {.out = &part, .scratch = q->arena}};
    struct str rest, line;

    moving(&p, l);
    rest = buf_str(&part);
    while (str_line(&rest, &line))
        buf_fmt(out, "data: %.*s\n", STR_ARG(line));
    buf_text(out, "\n");
}

/* Send the part if it has changed. *over: the phase has changed, and the page must be reloaded. */
static enum status look_once(struct listener *x, struct stream *out, struct store *store,
                             bool *over, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct buf event = BUF_MAX(RESPONSE_BODY_MAX);
    struct request q = *x->q;
    enum status st;
    struct live l;

    q.arena = a;
    if (look(a, store, &x->run, &l, e) != OK)
        return e->code;
    *over = !str_is(request_query(&q, "phase"), phases[l.stand.phase].name);
    if (*over)
        buf_text(&event, "event: over\ndata: \n\n");
    else
        event_of(&q, &l, &event);
    st = str_eq(buf_str(&event), buf_str(&x->last)) ? OK : stream_write(out, buf_str(&event), e);
    buf_done(&x->last);
    x->last = event;
    return st;
}

static enum status follow(struct listener *x, struct stream *out, struct store *store,
                          struct err *e)
{
    int64_t begin = clock_mono_ms(), sign = begin;
    bool over = false;

    while (!over && clock_mono_ms() - begin < LIFE_MS) {
        int64_t at = clock_mono_ms(), pause;
        if (look_once(x, out, store, &over, e) != OK)
            return e->code;
        pause = 10 * (clock_mono_ms() - at);
        pause = pause < LOOK_MS ? LOOK_MS : pause;
        /* in short naps: a server that stops does not wait for us */
        for (int64_t until = at + pause; !over && clock_mono_ms() < until;) {
            const struct timespec nap = {.tv_nsec = 100 * 1000000L};
            if (stream_stopped(out))
                return err_set(e, E_STOP, "the server is stopping");
            (void)nanosleep(&nap, NULL);
            if (clock_mono_ms() - sign < SIGN_MS)
                continue;
            sign = clock_mono_ms();
            if (stream_write(out, STR(": \n\n"), e) != OK)
                return e->code;
        }
    }
    return OK;
}

static enum status on_stream(struct stream *out, struct store *store, void *user, struct err *e)
{
    struct listener *x = user;
    atomic_int *listeners = &x->q->site->listeners;
    enum status st;

    if (atomic_fetch_add(listeners, 1) >= LISTENERS)
        st = stream_write(out, STR("event: full\ndata: \n\n"), e);
    else
        st = follow(x, out, store, e);
    atomic_fetch_sub(listeners, 1);
    buf_done(&x->last);
    return st;
}

enum status page_live_events(struct request *q, struct response *r, struct err *e)
{
    struct listener *x = NEW(q->arena, struct listener);

    *x = (struct listener){.q = q, .last = BUF_MAX(RESPONSE_BODY_MAX)};
    if (store_run_get(q->arena, q->store, request_param(q, "run").p, &x->run, e) != OK)
        return e->code;
    response_header(r, "X-Accel-Buffering", "no"); /* nginx would hold them back */
    response_stream(r, "text/event-stream", on_stream, x);
    return OK;
}

/* ---- orders ---- */

enum status page_live_sure(struct request *q, struct response *r, struct err *e)
{
    struct run_row run;

    if (store_run_get(q->arena, q->store, request_param(q, "run").p, &run, e) != OK)
        return e->code;
    return widget_sure(q, r,
                       &(struct widget_sure){
                           .title = words_of(q->language, LIVE_CANCEL_TITLE),
                           .sentence = LIVE_CANCEL_WHAT,
                           .action = explore_run_to(q, &run, "/order"),
                           .label = LIVE_CANCEL,
                           .name = "act",
                           .value = "cancel",
                           .back = explore_run_to(q, &run, ""),
                       });
}

enum status page_live_order(struct request *q, struct response *r, struct err *e)
{
    struct str act = request_form(q, "act");
    enum order o = str_is(act, "pause")    ? ORDER_PAUSED
                   : str_is(act, "cancel") ? ORDER_CANCELLED
                   : str_is(act, "resume") ? ORDER_QUEUED
                                           : ORDER_NONE;
    struct run_row run;
    bool over;

    if (store_run_get(q->arena, q->store, request_param(q, "run").p, &run, e) != OK)
        return e->code;
    if (o == ORDER_NONE)
        return err_set(e, E_INPUT, "there is no such order");
    if (run_order(q->arena, q->store, &run, o, &over, e) != OK ||
        (!over &&
         account_audit(q, arena_printf(q->arena, "run.%.*s", STR_ARG(act)), run.name, "", e) != OK))
        return e->code;
    if (over && (q->route->flags & ROUTE_JSON)) /* a page shows it */
        return err_set(e, E_USAGE, "run %s is already finished", run.name);
    return response_redirect(r, explore_run_to(q, &run, ""));
}
