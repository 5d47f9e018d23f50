/* Saving in groups: everything that became known since the last commit goes into one transaction,
 * together with the leases of what is asked next. */
#include "base/clock.h"
#include "base/log.h"
#include "base/message.h"
#include "eval/adaptive.h"
#include "eval/work.h"
#include "reply/about.h"
#include "store/store_read.h"
#include "suite/mark.h"

enum {
    GROUP_ROWS = 256, /* a group is saved when it has so many rows or is so old, */
    GROUP_MS = 50,
    GROUP_SHARE = 4, /* or sooner where commits are cheap: they may take a fifth of the time */
    GROUP_LEAST = 32,
    PAUSE_FIRST_MS = 100,
    PAUSE_MOST_MS = 3000,
};

/* What judges are asked about rules, besides the answer: once each, whatever the repeats. */
static enum status plan_about(const struct work *w, struct verdict_plan p, int64_t sample,
                              enum rule_kind kind, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    const struct suite *suite = w->ctx.suite;
    struct cursor c;
    struct sample_row row;
    int64_t *asked = NULL, planned;
    size_t n = 0, cap = 0;

    if (!suite->rules.of[kind].judge)
        return OK;
    c = store_samples(w->ctx.store, &(struct sample_filter){.run = p.run, .id = sample}, e);
    while (store_sample_next(&c, &row))
        if (row.state == STATE_DONE && about_asks(suite, kind, row.answer)) {
            asked = arena_grow(a, asked, &cap, n + 1, sizeof *asked);
            asked[n++] = row.id;
        }
    if (cursor_end(&c) != OK)
        return e->code;
    p.about = suite_rule_name(kind);
    while (n > 0) {
        p.sample = asked[--n];
        if (store_plan_verdicts(w->ctx.store, &p, &planned, e) != OK)
            return e->code;
    }
    return OK;
}

enum status commit_plan(const struct work *w, const struct lane *l, int64_t sample, struct err *e)
{
    const struct instrument *in = &w->ctx.suite->instrument;
    struct verdict_plan p = {
        .run = w->ctx.run->id,
        .judge = l->who.id,
        .family = w->o->own_family ? "" : l->who.family,
        .sample = sample,
        .window = in->window,
        .both_orders = in->both_orders,
        .seed = w->ctx.run->seed,
    };
    int64_t n;

    for (size_t i = 0; i < ABOUT_KINDS && l->channel->ep.kind != ENDPOINT_OBJECTIVE; i++)
        if (plan_about(w, p, sample, about_kinds[i], e) != OK)
            return e->code;
    if (in->kind == INSTRUMENT_PAIR && adaptive_wanted(&w->goal))
        return OK; /* battles are chosen when all answers are there: run.c */
    for (; p.repeat < l->who.repeats; p.repeat++)
        if ((in->kind == INSTRUMENT_PAIR ? store_plan_pairs(w->ctx.store, &p, &n, e)
                                         : store_plan_verdicts(w->ctx.store, &p, NULL, e)) != OK)
            return e->code;
    return OK;
}

/* A sample was answered: every judge of the run shall judge it. */
static enum status plan_judging(struct work *w, int64_t sample, struct err *e)
{
    for (size_t i = 0; i < w->nlanes; i++) {
        struct lane *l = &w->lanes[i];
        if (l->stage->kind != PARTY_JUDGE)
            continue;
        if (commit_plan(w, l, sample, e) != OK)
            return e->code;
        l->dry = false;
    }
    return OK;
}

static enum status save_task(struct work *w, struct task *t, struct err *e)
{
    const struct stage *stage = t->lane->stage;

    if (t->call)
        t->spent.call = t->call->id;
    if (!t->more)
        return stage->save(&w->ctx, t, e);
    return stage->keep ? stage->keep(&w->ctx, t, e) : OK;
}

static enum status save_calls(struct work *w, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct call_row **calls = NEW_N(a, struct call_row *, w->finished.n);
    size_t n = 0;

    for (struct task *t = w->finished.first; t; t = t->next)
        if (t->call)
            calls[n++] = t->call;
    return n ? store_call_add(w->ctx.store, calls, n, e) : OK;
}

/* Rows whose task has ended, or that are given back. */
static enum status unlease(struct work *w, enum party_kind kind, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    int64_t *ids = NEW_N(a, int64_t, w->finished.n + w->released.n);
    size_t n = 0;

    for (const struct task *t = w->finished.first; t; t = t->next)
        if (t->lane->stage->kind == kind && !t->more)
            ids[n++] = t->id;
    for (const struct task *t = w->released.first; t; t = t->next)
        if (t->lane->stage->kind == kind && !t->lost)
            ids[n++] = t->id;
    return n ? store_unlease(w->ctx.store, kind, ids, n, e) : OK;
}

/* PostgreSQL takes many rows in one statement where rows of one kind follow each other: turns of
 * conversations, answers, what judges said before they were asked again, verdicts. */
enum { SORTS = 4 };

static int sort_of(const struct task *t)
{
    return 2 * (t->lane->stage->kind == PARTY_JUDGE) + !t->more;
}

static enum status save_all(struct work *w, struct err *e)
{
    if (save_calls(w, e) != OK)
        return e->code;
    for (int sort = 0; sort < SORTS; sort++)
        for (struct task *t = w->finished.first; t; t = t->next)
            if (sort_of(t) == sort && save_task(w, t, e) != OK)
                return e->code;
    for (const struct task *t = w->finished.first; t; t = t->next)
        if (t->lane->stage->detail && t->lane->stage->detail(&w->ctx, t, e) != OK)
            return e->code;
    for (const struct task *t = w->finished.first; t; t = t->next)
        if (t->lane->stage->kind == PARTY_MODEL && !t->more && t->state == STATE_DONE &&
            plan_judging(w, t->id, e) != OK)
            return e->code;
    return unlease(w, PARTY_MODEL, e) == OK ? unlease(w, PARTY_JUDGE, e) : e->code;
}

static enum status lease(struct work *w, struct lane *l, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct leased_list rows = {0};
    struct task **tasks, **end = &l->leased;

    if (store_lease(a, w->ctx.store, l->stage->kind, l->who.id, l->wanted, &l->last, &rows, e) !=
        OK)
        return e->code;
    tasks = NEW_N(a, struct task *, rows.n);
    for (size_t i = 0; i < rows.n; i++) {
        struct task *t = task_new(&rows.v[i]);
        *end = tasks[i] = t;
        end = &t->next;
        t->lane = l;
        arena_reset(w->ctx.scratch);
        if (l->stage->prepare(&w->ctx, &l->who, &rows.v[i], t, e) != OK)
            return e->code;
        t->via = lane_to(l, t->to);
    }
    return ask_look_up(w, tasks, rows.n, e);
}

static enum status lease_all(struct work *w, struct err *e)
{
    for (size_t i = 0; i < w->nlanes; i++) {
        struct lane *l = &w->lanes[i];
        l->wanted = w->draining ? 0 : lane_wants(l);
        if (l->wanted && lease(w, l, e) != OK)
            return e->code;
    }
    return OK;
}

/* ---- after the commit ---- */

static void count_saved(struct work *w, const struct task *t)
{
    struct run_progress *p = &w->progress;
    enum state state = t->state;
    bool sample = t->lane->stage->kind == PARTY_MODEL;

    if (state == STATE_DONE && sample)
        p->samples.done++;
    else if (sample)
        p->samples.failed++;
    else if (state == STATE_DONE)
        p->verdicts.done++;
    else if (state == STATE_UNSCORED)
        p->verdicts.unscored++;
    else
        p->verdicts.failed++;
}

/* What the task has paid is in its row now, or is given up with it. */
static void written(struct task *t)
{
    struct work *w = t->lane->work;

    w->unsaved.usd -= t->paid.usd;
    w->unsaved.tokens -= t->paid.tokens;
    t->paid = (struct purse){0};
}

static void leave(struct task *t)
{
    written(t);
    draw_drop(t);
    t->lane->open--;
    task_free(t);
}

/* These have another request to make. Look for all their replies at once; where the database does
 * not answer now, each looks when its turn comes. */
static void go_on(struct work *w, struct task **more, size_t n)
{
    struct err ignored = {0};
    bool known = ask_look_up(w, more, n, &ignored) == OK;

    for (size_t i = 0; i < n; i++) {
        struct task *t = more[i];
        if (!known)
            t->body = (struct str){0};
        if (!known || t->stored || draw_take(w, t))
            queue_push_front(&t->via->ready, t);
    }
}

static void after_save(struct work *w)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct task *t, **more = NEW_N(a, struct task *, w->finished.n);
    size_t n = 0;

    while ((t = queue_pop(&w->finished))) {
        t->call = NULL;
        w->progress.turns +=
            t->lane->stage->kind == PARTY_MODEL && (t->more || t->state == STATE_DONE);
        if (!t->more) {
            count_saved(w, t);
            leave(t);
            continue;
        }
        draw_drop(t);
        arena_reset(t->scratch);
        if (t->lane->stage->keep) {
            t->spent = task_unspent();
            written(t);
        }
        t->via = lane_to(t->lane, t->to);
        more[n++] = t;
    }
    while ((t = queue_pop(&w->released))) {
        t->lane->last = 0; /* its row is planned again: look for it from the first */
        leave(t);
    }
    go_on(w, more, n);
}

static void after_lease(struct work *w)
{
    for (size_t i = 0; i < w->nlanes; i++) {
        struct lane *l = &w->lanes[i];
        int got = 0;
        for (struct task *t = l->leased, *next; t; t = next, got++) {
            next = t->next;
            if (t->stored || draw_take(w, t))
                queue_push(&t->via->ready, t);
        }
        l->leased = NULL;
        l->open += (size_t)got;
        l->dry |= got < l->wanted;
        w->looked_again &= got == 0;
        w->none_held &= got == 0;
    }
}

/* Taking from the budget locks the run's row until the commit, so it comes last; only marking the
 * run as stale is done after it. */
static enum status group(struct work *w, struct err *e)
{
    if (db_by_key(w->ctx.store->db, e) != OK || store_worker_hold(w->ctx.store, &w->lost, e) != OK)
        return e->code;
    if (ask_forgets(w))
        return OK;
    if (save_all(w, e) != OK || lease_all(w, e) != OK)
        return e->code;
    return share_budget(w, e);
}

static enum status end_group(struct work *w, enum status st, struct err *e)
{
    struct store *s = w->ctx.store;

    return w->finished.n ? store_end_stale(s, w->ctx.run->id, w->o->queued, st, e)
                         : store_end(s, st, e);
}

static enum status try_group(struct work *w, struct err *e)
{
    if (store_begin(w->ctx.store, e) != OK || end_group(w, group(w, e), e) != OK) {
        for (size_t i = 0; i < w->nlanes; i++) {
            task_free_list(w->lanes[i].leased);
            w->lanes[i].leased = NULL;
            w->lanes[i].last = 0;
        }
        share_drop(w);
        return e->code;
    }
    if (ask_forgets(w)) {
        ask_release_lost(w);
        return OK;
    }
    after_save(w);
    draw_wake(w);
    ask_release_lost(w);
    after_lease(w);
    return OK;
}

/* The database did not take the group. Nothing is lost yet: all of it is still in memory. */
static enum status note_trouble(struct work *w, struct err *e)
{
    int64_t now = clock_mono_ms();

    if (e->code != E_BUSY && e->code != E_FULL)
        return e->code;
    if (!w->trouble_since_ms) {
        w->trouble_since_ms = now;
        w->trouble_pause_ms = PAUSE_FIRST_MS;
        log_info("store", "waiting=%zu reason=\"%s\"", w->finished.n, e->msg);
    }
    memcpy(w->trouble, e->msg, sizeof w->trouble);
    if (now - w->trouble_since_ms > w->o->store_wait_ms)
        return err_wrap(e,
                        "gave up after waiting %lld s; %zu result%s could not be saved and will be "
                        "requested again",
                        (long long)(now - w->trouble_since_ms) / 1000, w->finished.n,
                        message_s(w->finished.n));
    w->trouble_next_ms = now + w->trouble_pause_ms;
    w->trouble_pause_ms =
        w->trouble_pause_ms * 2 > PAUSE_MOST_MS ? PAUSE_MOST_MS : w->trouble_pause_ms * 2;
    return OK;
}

enum status commit_group(struct work *w, struct err *e)
{
    int64_t begun;

    if ((w->trouble_since_ms || w->in_doubt) && db_revive(w->ctx.store->db, e) != OK)
        return note_trouble(w, e);
    w->ctx.store->doubt = w->trouble_since_ms || w->in_doubt;
    begun = clock_mono_ms();
    if (try_group(w, e) != OK)
        return note_trouble(w, e);
    w->commit_ms = clock_mono_ms() - begun;
    w->trouble_since_ms = 0;
    w->in_doubt = false;
    return OK;
}

bool commit_due(const struct work *w, int64_t now_ms, int64_t *wait_ms)
{
    bool wants = w->released.n > 0 || w->in_doubt ||
                 (w->budget_short && now_ms >= w->budget_next_ms && !w->draining);

    *wait_ms = INT64_MAX;
    if (w->trouble_since_ms) {
        *wait_ms = w->trouble_next_ms - now_ms;
        return *wait_ms <= 0;
    }
    for (size_t i = 0; i < w->nlanes && !w->draining; i++) {
        const struct lane *l = &w->lanes[i];
        /* An empty lane is fed at once; one that runs low waits for the next group. */
        wants |= lane_wants(l) > 0 && l->ready.n == 0;
    }
    if (wants || w->finished.n >= GROUP_ROWS)
        return true;
    if (w->finished.n == 0)
        return false;
    *wait_ms = w->finished_since_ms + GROUP_MS - now_ms;
    return *wait_ms <= 0 || (w->finished.n >= GROUP_LEAST &&
                             now_ms - w->finished_since_ms >= GROUP_SHARE * w->commit_ms);
}
