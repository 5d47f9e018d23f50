#include "eval/run.h"

#include <math.h>

#include "base/clock.h"
#include "base/message.h"
#include "eval/adaptive.h"
#include "eval/work.h"
#include "reply/about.h"
#include "suite/endpoint.h"
#include "suite/mark.h"
#include "suite/suite.h"

enum {
    BEATS = 4, /* signs of life in the time after which a silent worker is taken for dead */
    SHARE_MS = 2000,
    ORDERS_MS = 1000,
    REPORT_MS = 100,
    STEP_MOST_MS = 1000,
    OTHERS_MS = 1000,
    COUNT_MS = 10000
};

static enum status load_counts(struct work *w, struct err *e)
{
    struct run_progress *p = &w->progress;
    const struct state_counts *s, *v;
    struct run_counts c;

    if (store_run_counts(w->ctx.store, w->ctx.run, 1, w->o->jury, &c, e) != OK)
        return e->code;
    s = &c.samples;
    v = &c.verdicts;
    p->samples.total = s->total;
    p->samples.done = s->by[STATE_DONE];
    p->samples.failed = s->by[STATE_FAILED];
    p->verdicts.total = v->total;
    p->verdicts.done = v->by[STATE_DONE];
    p->verdicts.unscored = v->by[STATE_UNSCORED];
    p->verdicts.failed = v->by[STATE_FAILED];
    w->answered = p->samples.done;
    return OK;
}

static bool compares(const struct work *w)
{
    return w->ctx.suite->instrument.kind == INSTRUMENT_PAIR;
}

static bool chooses(const struct work *w)
{
    return compares(w) && adaptive_wanted(&w->goal);
}

/* Plan the next battles of a run that chooses them. */
static enum status plan_chosen(struct work *w, struct err *e)
{
    struct adaptive_how how = {
        .store = w->ctx.store,
        .run = w->ctx.run,
        .suite = w->ctx.suite,
        .judges.v = NEW_N(w->arena, struct party, w->nlanes),
        .goal = w->goal,
        .own_family = w->o->own_family,
        .judge_only = w->o->judge_only,
    };
    int64_t n;

    for (size_t i = 0; i < w->nlanes; i++)
        if (w->lanes[i].stage->kind == PARTY_JUDGE)
            how.judges.v[how.judges.n++] = w->lanes[i].who;
    if (adaptive_plan(&how, &n, e) != OK)
        return e->code;
    w->progress.verdicts.total += n;
    return OK;
}

/* Verdicts for samples that were answered before their judge was named. */
static enum status plan_lanes(struct work *w, struct err *e)
{
    for (size_t i = 0; i < w->nlanes; i++)
        if (w->lanes[i].stage->kind == PARTY_JUDGE && commit_plan(w, &w->lanes[i], 0, e) != OK)
            return e->code;
    return OK;
}

static enum status plan_missing(struct work *w, struct err *e)
{
    return store_atomically(w->ctx.store, e, chooses(w) ? plan_chosen(w, e) : plan_lanes(w, e));
}

/* How many verdicts this judge gives when all models together have so many samples. */
static int64_t verdicts_of(const struct work *w, const struct party *judge, int64_t samples)
{
    const struct instrument *in = &w->ctx.suite->instrument;
    int64_t models = 0, users;

    for (size_t k = 0; k < w->ctx.models.n; k++)
        models += w->o->own_family || !bouts_kin(judge->family, w->ctx.models.v[k].family);
    users = about_asks(w->ctx.suite, RULE_USER, STR("")) ? models : 0;
    if (in->kind == INSTRUMENT_PAIR)
        models = models * (models - 1) / (in->both_orders ? 1 : 2);
    return (judge->repeats * models * vocab_stretches(w->ctx.suite) + users) * samples /
           (int64_t)w->ctx.models.n;
}

/* How many verdicts there will be when all samples are answered. For conversations marked by
 * stretches it is an upper bound, since users leave; verdicts on what was answered before we began
 * are planned already. */
static int64_t verdicts_expected(const struct work *w)
{
    const struct run_progress *p = &w->progress;
    int64_t samples = w->o->judge_only ? p->samples.done : p->samples.total - p->samples.failed;
    int64_t expected = 0;

    if (w->ctx.suite->instrument.window) {
        samples -= w->answered;
        expected = p->verdicts.total;
    }
    for (size_t i = 0; i < w->nlanes && w->ctx.models.n && !chooses(w); i++)
        if (w->lanes[i].stage->kind == PARTY_JUDGE)
            expected += verdicts_of(w, &w->lanes[i].who, samples);
    return expected > p->verdicts.total ? expected : p->verdicts.total;
}

/* ---- what the user sees ---- */

static void explain_wait(struct work *w)
{
    struct run_progress *p = &w->progress;
    int64_t now = clock_mono_ms();

    p->waiting = now < w->look_at_ms ? w->others_say : NULL;
    p->waiting_ms = -1;
    p->limit = 0;
    p->held = false;
    for (size_t i = 0; i < w->ngates; i++)
        p->limit += (int)w->gates[i].limit.window;
    for (size_t i = 0; i < w->nchannels; i++) {
        const struct channel *c = &w->channels[i];
        if (c->gate && c->gate->limit.closed_until_ms > now) {
            p->waiting = c->ep.name;
            p->waiting_ms = c->gate->limit.closed_until_ms - now;
        } else if (c->gate && c->gate->limit.window < 1) {
            p->waiting = c->taken;
        } else if (c->held) {
            p->waiting = c->paused;
            p->held = true;
        } else if (c->away) {
            p->waiting = c->unready[0] ? c->unready : c->absence;
        }
    }
    if (p->limit > w->o->jobs)
        p->limit = w->o->jobs;
    if (w->trouble_since_ms) {
        p->waiting = w->trouble;
        p->waiting_ms = -1;
    }
}

static void report(struct work *w)
{
    struct run_progress shown;

    if (!w->o->report)
        return;
    explain_wait(w);
    shown = w->progress;
    shown.draining = w->draining;
    shown.verdicts.total = verdicts_expected(w);
    w->o->report(w->o->user, &shown);
}

static int64_t rows_ended(const struct work *w)
{
    const struct run_progress *p = &w->progress;

    return p->samples.done + p->samples.failed + p->verdicts.done + p->verdicts.unscored +
           p->verdicts.failed;
}

/* Report to those who watch from elsewhere. The rate is that of the last ten seconds or so. */
static enum status tell(struct work *w, int64_t now, struct err *e)
{
    const struct run_progress *p = &w->progress;
    double minutes = (double)(now - w->told_ms) / 60000;
    char waiting[sizeof w->trouble] = "";

    explain_wait(w);
    if (minutes > 0)
        w->rate += ((double)(rows_ended(w) - w->told_rows) / minutes - w->rate) * 0.3;
    w->told_ms = now;
    w->told_rows = rows_ended(w);
    if (p->waiting && p->waiting_ms >= 0)
        (void)snprintf(waiting, sizeof waiting, "%s (429, %lld s)", p->waiting,
                       (long long)(p->waiting_ms + 999) / 1000);
    else if (p->waiting)
        (void)snprintf(waiting, sizeof waiting, "%s", p->waiting);
    return store_worker_tell(w->ctx.store,
                             &(struct run_pulse){.rate = w->rate < 0.05 ? 0 : w->rate,
                                                 .retries = p->retries,
                                                 .throttled = p->throttled,
                                                 .waiting = waiting},
                             e);
}

/* ---- the loop ---- */

static bool all_idle(const struct work *w)
{
    if (w->live || w->finished.n || w->released.n)
        return false;
    for (size_t i = 0; i < w->nlanes && !w->draining; i++) {
        const struct lane *l = &w->lanes[i];
        if (l->ready.n || (!l->dry && !lane_halted(l)))
            return false;
    }
    return true;
}

/* We wait for a database that does not answer a question as for one that takes no results. */
static enum status unless_passing(struct work *w, const struct err *e)
{
    if (e->code != E_BUSY && e->code != E_FULL)
        return e->code;
    w->in_doubt = true;
    return OK;
}

/* We know of nothing that is left. But our lanes are not told of rows that other workers give back
 * or leave behind when they die, and a commit whose answer was lost with the connection may have
 * leased rows in our name. So register as a new worker and look again. */
static enum status look_again(struct work *w, struct err *e)
{
    /* Two workers that answer the two samples of a pair at the same moment do not see each other's,
     * so neither plans the battle. And this is when battles are chosen, where they are. */
    if (store_worker_end(w->ctx.store, e) != OK || store_worker_start(w->ctx.store, e) != OK ||
        (compares(w) && plan_missing(w, e) != OK))
        return unless_passing(w, e);
    share_drop(w); /* whoever has work may want what we hold */
    w->looked_again = true;
    for (size_t i = 0; i < w->nlanes; i++) {
        w->lanes[i].dry = w->lanes[i].serves;
        w->lanes[i].last = 0;
    }
    return OK;
}

static bool any_halted(const struct work *w)
{
    for (size_t i = 0; i < w->nchannels; i++)
        if (w->channels[i].halted)
            return true;
    return false;
}

/* Count what all processes have done: at the end, and now and then while others are working. */
static enum status count_all(struct work *w, int64_t now, bool over, struct err *e)
{
    if (!over && now < w->count_at_ms)
        return OK;
    w->count_at_ms = now + COUNT_MS;
    return load_counts(w, e);
}

/* Nobody holds anything. But another worker may have given rows back after we looked for some, and
 * battles may follow from what was answered since: look once more. */
static enum status look_behind(struct work *w, bool *over, struct err *e)
{
    struct run_left left = {0};

    if (store_run_left(w->ctx.store, w->ctx.run->id, &left, e) != OK)
        return e->code;
    *over = w->none_held || !(left.samples || left.verdicts || compares(w));
    w->looked_again = *over;
    w->none_held = true;
    return OK;
}

/* We have nothing left to do. *over: nobody has. We wait for what other processes have in progress,
 * because it becomes ours if they die. So everyone who works on a run returns when the run is done,
 * and with the same result. */
static enum status when_idle(struct work *w, int64_t now, bool *over, struct err *e)
{
    struct run_held held = {0};
    int64_t others;
    bool last;

    *over = w->draining || w->o->post; /* what is held would only be leased again */
    if (*over || w->trouble_since_ms || now < w->look_at_ms)
        return OK;
    if (!w->looked_again)
        return look_again(w, e);
    if (store_run_held(w->ctx.store, w->ctx.run->id, w->o->jury, &held, e) != OK)
        return unless_passing(w, e);
    others = (w->o->judge_only ? 0 : held.samples) + held.verdicts;
    last = any_halted(w);
    if ((others == 0 && !last && look_behind(w, &last, e) != OK) ||
        count_all(w, now, last, e) != OK)
        return unless_passing(w, e);
    *over = last;
    if (last || others == 0)
        return OK;
    w->looked_again = w->none_held = false;
    w->look_at_ms = now + OTHERS_MS;
    (void)snprintf(w->others_say, sizeof w->others_say, N_("another process is working on %lld"),
                   (long long)others);
    return OK;
}

/* Ask nothing more; what is in flight is waited for. */
static void drain(struct work *w)
{
    if (w->draining)
        return;
    w->draining = true;
    ask_release(w, false);
}

static void obey_stop(struct work *w)
{
    int stop = w->o->stop ? *w->o->stop : 0;

    if (stop)
        drain(w);
    if (stop > 1)
        ask_release(w, true);
}

/* Told to leave while the database takes nothing: what cannot be saved will be asked for again. */
static bool must_leave(const struct work *w)
{
    return w->trouble_since_ms && w->o->stop && *w->o->stop > 1;
}

static int64_t wait_for(const struct work *w, int64_t commit_wait_ms, int64_t report_at_ms,
                        int64_t now_ms)
{
    int64_t wait = STEP_MOST_MS;

    if (commit_wait_ms < wait)
        wait = commit_wait_ms;
    if (w->limit_wait_ms < wait)
        wait = w->limit_wait_ms;
    if (w->o->report && report_at_ms - now_ms < wait)
        wait = report_at_ms - now_ms;
    return wait < 0 ? 0 : wait;
}

static enum status beat(struct work *w, struct err *e)
{
    if (store_worker_beat(w->ctx.store, &w->lost, e) != OK)
        return e->code == E_BUSY || e->code == E_FULL ? OK : e->code;
    ask_release_lost(w);
    return OK;
}

static const char *stop_word(const struct run_orders *run, const struct held_row *self)
{
    if (run->order == ORDER_PAUSED || run->order == ORDER_CANCELLED)
        return order_word(run->order);
    return !self ? NULL : self->drain ? "drained" : "paused";
}

/* Obey what people have ordered for this run, its endpoints and this process. */
static enum status obey(struct work *w, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct run_orders run;
    struct held_list held;
    const char *why;

    if (order_get(w->ctx.store, w->ctx.run->id, &run, e) != OK ||
        held_list(a, w->ctx.store, &held, e) != OK)
        return unless_passing(w, e);
    for (size_t i = 0; i < w->nchannels; i++)
        w->channels[i].held =
            held_find(&held, arena_printf(a, "endpoint/%s", w->channels[i].ep.name)) != NULL;
    why = stop_word(&run, held_find(&held, held_self(a)));
    if (!why && w->o->outranked && w->o->outranked(w->o->user, &run))
        why = N_("a more urgent run comes first");
    if (why) { /* an order that is taken back later has stopped us all the same */
        w->ordered = why;
        drain(w);
    }
    return OK;
}

/* Do what is due now and then. */
static enum status keep_up(struct work *w, int64_t now, struct err *e)
{
    if (w->trouble_since_ms)
        return OK;
    if (now >= w->share_at_ms) {
        w->share_at_ms = now + SHARE_MS;
        if (lane_share(w, e) != OK || tell(w, now, e) != OK)
            return unless_passing(w, e);
    }
    if (now >= w->orders_at_ms) {
        w->orders_at_ms = now + ORDERS_MS;
        if (!w->o->post && obey(w, e) != OK) /* files ask nobody */
            return e->code;
    }
    if (now < w->beat_at_ms)
        return OK;
    w->beat_at_ms = now + w->ctx.store->lost_ms / BEATS;
    return beat(w, e);
}

static enum status work_loop(struct work *w, struct err *e)
{
    int64_t start = clock_mono_ms(), report_at = start;

    w->beat_at_ms = start + w->ctx.store->lost_ms / BEATS;
    w->share_at_ms = start + SHARE_MS;
    w->told_ms = start;
    w->told_rows = rows_ended(w);
    for (;;) {
        int64_t now = clock_mono_ms(), commit_wait;
        bool over;

        w->progress.elapsed_ms = now - start;
        obey_stop(w);
        /* This comes first: a process that was suspended for long may have lost its share of an
         * endpoint. */
        if (keep_up(w, now, e) != OK)
            return e->code;
        ask_ready(w);
        if (w->budget_reached && !w->live && w->finished.n == 0)
            drain(w); /* nothing is in flight that could give budget back */
        if (commit_due(w, now, &commit_wait)) {
            http_send(w->http); /* the endpoints work while the database does */
            if (commit_group(w, e) != OK)
                return e->code;
            commit_wait = 0;
        }
        if (must_leave(w))
            return OK;
        if (all_idle(w)) {
            if (when_idle(w, now, &over, e) != OK)
                return e->code;
            if (over)
                return OK;
            if (now >= w->look_at_ms)
                commit_wait = 0;
        }
        if (now >= report_at) {
            report_at = now + REPORT_MS;
            report(w);
        }
        if (loop_step(w->loop, wait_for(w, commit_wait, report_at, now), e) != OK)
            return e->code;
    }
}

static enum status open_work(struct work *w, struct err *e)
{
    struct suite *suite = NEW(w->arena, struct suite);
    const struct run_row *run = w->ctx.run;

    if (suite_thaw(w->arena, run->frozen, suite, e) != OK)
        return err_wrap(e, "run %s", run->name);
    w->ctx.suite = suite;
    queue_init(&w->finished);
    queue_init(&w->released);
    queue_init(&w->held);
    queue_init(&w->twins);
    if (store_pair_goal(w->ctx.store, run->id, &w->goal, e) != OK || lane_open_all(w, e) != OK ||
        loop_new(&w->loop, e) != OK || http_new(&w->http, w->loop, w->o->jobs, e) != OK)
        return e->code;
    /* The first slice is taken with the first commit, which also learns what was spent. */
    share_drop(w);
    w->ctx.store->run = run->id;
    if (store_worker_start(w->ctx.store, e) != OK || plan_missing(w, e) != OK ||
        lane_share(w, e) != OK)
        return e->code;
    return load_counts(w, e);
}

static void close_work(struct work *w)
{
    struct err ignored = {0};

    ask_release(w, true);
    if (w->ctx.store->worker && store_worker_end(w->ctx.store, &ignored) == OK)
        w->ctx.store->worker = 0;
    task_free_list(w->finished.first);
    task_free_list(w->released.first);
    task_free_list(w->held.first); /* their rows were given back with the worker's end */
    lane_close_all(w);
    local_close_all(w);
    http_free(w->http);
    loop_free(w->loop);
}

static const char *halted(struct arena *a, const struct work *w)
{
    const char *all = NULL;

    for (size_t i = 0; i < w->nchannels; i++) {
        const char *why = w->channels[i].halted;
        if (why)
            all = all ? arena_printf(a, "%s\n%s", all, why) : arena_text(a, str_of(why));
    }
    return all;
}

enum status run_work(struct arena *a, struct store *s, const struct run_row *run,
                     const struct run_options *o, struct run_outcome *out, struct err *e)
{
    AUTO(arena_freep) struct arena *own = arena_new(), *scratch = arena_new();
    struct work w = {.arena = own,
                     .ctx = {.store = s, .run = run, .scratch = scratch},
                     .o = o,
                     .progress = {.run = run, .cost = NAN}};
    enum status st = open_work(&w, e);

    out->begun = st == OK;
    if (st == OK)
        st = work_loop(&w, e);
    if (st == OK && w.draining) /* else they were counted before it was over */
        st = load_counts(&w, e);
    if (st == OK)
        report(&w);
    out->halted = halted(a, &w);
    out->ordered = w.ordered;
    out->interrupted = o->stop && *o->stop;
    out->budget_reached = w.budget_reached;
    close_work(&w);
    out->progress = w.progress;
    out->progress.waiting = NULL;
    if (st == OK)
        *e = (struct err){0}; /* a database that was away for a moment is no failure */
    return st;
}

static enum status is_over(struct arena *a, struct store *s, const struct run_row *run, bool *over,
                           struct err *e)
{
    struct run_left left = {0};
    struct run_pulse pulse;

    if (store_run_left(s, run->id, &left, e) != OK ||
        store_run_pulse(a, s, run->id, &pulse, e) != OK)
        return e->code;
    /* Of what was ordered something may be left that is not planned yet. */
    *over = !left.samples && !left.verdicts && pulse.workers == 0 &&
            strcmp(run->orders, order_word(ORDER_NONE)) == 0;
    return OK;
}

static enum status queue_again(struct store *s, int64_t run, struct err *e)
{
    struct run_orders o;

    if (order_get(s, run, &o, e) != OK)
        return e->code;
    o.needs = RUN_KNOWS;
    return order_queue(s, run, &o, e);
}

enum status run_order(struct arena *a, struct store *s, const struct run_row *run, enum order o,
                      bool *over, struct err *e)
{
    if (is_over(a, s, run, over, e) != OK)
        return e->code;
    if (*over)
        return OK;
    return o == ORDER_QUEUED ? queue_again(s, run->id, e) : order_run(s, run->id, o, e);
}
