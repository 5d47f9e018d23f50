#include "store/store_work.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/version.h"
#include "gen/queries.h"
#include "reply/about.h"
#include "store/seal.h"
#include "store/store_pack.h"
#include "suite/mark.h"

/* ---- workers and leases ---- */

/* Start time of a process, in ticks: distinguishes a living worker from another process with its
 * number. 0 if there is no such process, if it has ended and was not reaped yet (in a container
 * without an init, nobody ever does), or if the system does not tell. */
static int64_t process_started(int64_t pid)
{
    char path[64], line[1024], *p;
    FILE *in;
    int field = 3;

    /* That of its first thread, which started with the process: an emulator of another processor
     * shows the process itself a different /proc/PID/stat than it shows others. */
    (void)snprintf(path, sizeof path, "/proc/%lld/task/%lld/stat", (long long)pid, (long long)pid);
    in = fopen(path, "re");
    if (!in)
        return 0;
    p = fgets(line, sizeof line, in);
    (void)fclose(in);
    p = p ? strrchr(line, ')') : NULL; /* the name before it may contain anything */
    if (!p || strchr("ZX", p[2]))
        return 0;
    for (p += 2; *p && field < 22; p++)
        field += *p == ' ';
    return strtoll(p, NULL, 10);
}

static enum status free_rows(struct store *s, int64_t worker, struct err *e)
{
    struct args who = ARGS(V_INT(worker));

    if (db_run(s->db, Q_WORKER_FREE_SAMPLES, who, NULL, e) != OK ||
        db_run(s->db, Q_WORKER_FREE_VERDICTS, who, NULL, e) != OK)
        return e->code;
    return db_run(s->db, Q_WORKER_FREE_ASKED, who, NULL, e);
}

/* Deletes the worker's row first, which waits until it has finished writing: see
 * store_worker_hold(). */
static enum status free_worker(struct store *s, int64_t id, struct err *e)
{
    if (db_run(s->db, Q_WORKER_DROP, ARGS(V_INT(id)), NULL, e) != OK)
        return e->code;
    return free_rows(s, id, e);
}

/* A worker that is stuck while writing, or while freeing another one, is left for the next
 * heartbeat: nobody waits for it. */
static enum status free_unheld(struct store *s, int64_t id, struct err *e)
{
    int64_t dropped;

    if (db_run(s->db, Q_WORKER_DROP_UNHELD, ARGS(V_INT(id)), &dropped, e) != OK)
        return e->code;
    return dropped > 0 ? free_rows(s, id, e) : OK;
}

enum { GONE_MAX = 256 };

/* Whether a worker had no new heartbeat for a minute. Measured with our own clock, because those of
 * two machines may differ. */
static bool is_silent(struct store *s, int64_t worker, int64_t beat_ms)
{
    int64_t now = clock_mono_ms();
    size_t i = 0;

    while (i < s->nsigns && s->signs[i].worker != worker)
        i++;
    if (i == s->nsigns) {
        s->signs = mem_grow(s->signs, &s->cap, ++s->nsigns, sizeof *s->signs);
        s->signs[i] = (struct sign_of_life){worker, beat_ms, now};
    } else if (s->signs[i].beat_ms != beat_ms) {
        s->signs[i] = (struct sign_of_life){worker, beat_ms, now};
    }
    return now - s->signs[i].seen_ms > s->lost_ms;
}

/* Workers whose rows can be freed: processes of this machine that have ended, and silent workers on
 * any machine. If a silent one comes back, its results are not accepted. */
static enum status find_gone(struct store *s, int64_t *gone, size_t *n, struct err *e)
{
    char machine[STORE_MACHINE];
    struct rows *r;

    *n = 0;
    store_machine(machine);
    r = db_query(s->db, Q_WORKER_LIST, NO_ARGS, e);
    while (rows_next(r)) {
        bool here = str_is(row_str(r, C_WORKER_HOST), machine);
        bool dead =
            is_silent(s, row_int(r, C_WORKER_ID), row_int(r, C_WORKER_BEAT_MS)) ||
            (here && process_started(row_int(r, C_WORKER_PID)) != row_int(r, C_WORKER_STARTED));
        if (row_int(r, C_WORKER_ID) != s->worker && dead && *n < GONE_MAX)
            gone[(*n)++] = row_int(r, C_WORKER_ID);
    }
    return rows_end(r, e);
}

static void read_word(const char *path, char *out, size_t size)
{
    FILE *in = fopen(path, "re");

    if (!in || !fgets(out, (int)size, in))
        out[0] = '\0';
    out[strcspn(out, "\n")] = '\0';
    if (in)
        (void)fclose(in);
}

void store_machine(char out[STORE_MACHINE])
{
    char host[256] = "", boot[64], space[64] = "";
    ssize_t n = readlink("/proc/self/ns/pid", space, sizeof space - 1);

    (void)gethostname(host, sizeof host - 1);
    read_word("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    space[n > 0 ? n : 0] = '\0';
    (void)snprintf(out, STORE_MACHINE, "%s/%s/%s", host, boot, space);
}

static enum status free_gone(struct store *s, struct err *e)
{
    int64_t gone[GONE_MAX];
    size_t n;

    if (find_gone(s, gone, &n, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++)
        if (free_unheld(s, gone[i], e) != OK)
            return e->code;
    if (db_run(s->db, Q_WORKER_ORPHAN_ASKED, NO_ARGS, NULL, e) != OK ||
        db_run(s->db, Q_WORKER_ORPHAN_SAMPLES, NO_ARGS, NULL, e) != OK)
        return e->code;
    return db_run(s->db, Q_WORKER_ORPHAN_VERDICTS, NO_ARGS, NULL, e);
}

/* Worker ids are random, not sequential: if one were reused, a dead worker could write in the name
 * of another. */
static enum status worker_add(struct store *s, struct err *e)
{
    char host[STORE_MACHINE], name[STORE_MACHINE + 64];
    int64_t pid = getpid(), id;

    store_machine(host);
    hash_random(&id, sizeof id);
    id &= INT64_MAX;
    (void)snprintf(name, sizeof name, "%s:%lld:%016llx", host, (long long)pid,
                   (unsigned long long)id);
    if (db_run(s->db, Q_WORKER_ADD,
               ARGS(V_INT(id), V_TEXT(name), V_TEXT(host), V_INT(pid), V_INT(process_started(pid)),
                    V_INT(clock_utc_ms()), V_TEXT(VERSION), V_INT(s->run)),
               NULL, e) != OK)
        return e->code;
    s->worker = id;
    return OK;
}

static enum status start_change(struct store *s, struct err *e)
{
    /* Our old row still exists if it could not be deleted at the time. */
    if (s->worker && free_worker(s, s->worker, e) != OK)
        return e->code;
    return free_gone(s, e) == OK ? worker_add(s, e) : e->code;
}

/* If our row is gone, others took us for dead while we slept, and own what we held. */
static enum status go_on(struct store *s, bool there, bool *lost, struct err *e)
{
    if (there)
        return OK;
    *lost = true;
    return worker_add(s, e);
}

static enum status beat_change(struct store *s, bool *lost, struct err *e)
{
    int64_t changed;

    if (db_run(s->db, Q_WORKER_BEAT, ARGS(V_INT(s->worker), V_INT(clock_utc_ms())), &changed, e) !=
            OK ||
        go_on(s, changed > 0, lost, e) != OK)
        return e->code;
    return free_gone(s, e);
}

static enum status end_change(struct store *s, struct err *e)
{
    if (free_worker(s, s->worker, e) != OK)
        return e->code;
    return db_run(s->db, Q_ASKED_FORGET, NO_ARGS, NULL, e);
}

enum status store_worker_start(struct store *s, struct err *e)
{
    return store_atomically(s, e, start_change(s, e));
}

enum status store_worker_beat(struct store *s, bool *lost, struct err *e)
{
    return store_atomically(s, e, beat_change(s, lost, e));
}

enum status store_worker_hold(struct store *s, bool *lost, struct err *e)
{
    int64_t id;
    bool found;

    if (db_int(s->db, Q_WORKER_HOLD, ARGS(V_INT(s->worker)), &id, &found, e) != OK)
        return e->code;
    return go_on(s, found, lost, e);
}

enum status store_worker_end(struct store *s, struct err *e)
{
    return store_atomically(s, e, end_change(s, e));
}

enum status store_worker_evict(struct store *s, int64_t worker, struct err *e)
{
    return store_atomically(s, e, free_worker(s, worker, e));
}

/* ---- shares of an endpoint ---- */

struct asked {
    int64_t workers, slots, ours; /* -1: we do not use it yet */
};

static enum status asked_look(struct store *s, const char *endpoint, struct asked *out,
                              struct err *e)
{
    return db_row(s->db, Q_ASKED_LOOK, ARGS(V_TEXT(endpoint), V_INT(s->worker)), NULL,
                  COLUMNS_ASKED(struct asked), out, NULL, e);
}

static enum status asked_take(struct store *s, const char *endpoint, int64_t worker, int64_t slots,
                              struct err *e)
{
    return db_run(s->db, Q_ASKED_TAKE, ARGS(V_TEXT(endpoint), V_INT(worker), V_INT(slots)), NULL,
                  e);
}

/* An equal share, if the others have left as much. Nobody is shut out: if there are more workers
 * than the window allows, each may have one request at a time. */
static struct asked_share share_of(const struct asked *a, int64_t window)
{
    bool asks = a->ours >= 0;
    int64_t n = a->workers + !asks, fair = n > 0 ? window / n : 0;
    int64_t left = window - (a->slots - (asks ? a->ours : 0));

    if (fair == 0)
        return (struct asked_share){n, window > 0};
    return (struct asked_share){n, fair < left ? fair : left > 0 ? left : 0};
}

static enum status take_more(struct store *s, const char *endpoint, int64_t window, int64_t busy,
                             struct asked_share *out, struct err *e)
{
    struct asked a = {0};

    if (asked_take(s, endpoint, 0, 0, e) != OK || asked_look(s, endpoint, &a, e) != OK)
        return e->code;
    *out = share_of(&a, window);
    return asked_take(s, endpoint, s->worker, out->slots > busy ? out->slots : busy, e);
}

enum status store_worker_asks(struct store *s, const char *endpoint, int64_t window, int64_t busy,
                              struct asked_share *out, struct err *e)
{
    struct asked a = {0};
    int64_t hold;

    if (asked_look(s, endpoint, &a, e) != OK)
        return e->code;
    *out = share_of(&a, window);
    if (out->slots > a.ours) /* others may want more, too */
        return store_atomically(s, e, take_more(s, endpoint, window, busy, out, e));
    hold = out->slots > busy ? out->slots : busy;
    return hold == a.ours ? OK : asked_take(s, endpoint, s->worker, hold, e);
}

/* ---- planning ---- */

enum status store_plan_samples(struct store *s, int64_t run, int64_t model, int64_t repeat,
                               struct err *e)
{
    return db_run(s->db, Q_PLAN_SAMPLES, ARGS(V_INT(run), V_INT(model), V_INT(repeat)), NULL, e);
}

enum status store_plan_first(struct store *s, int64_t run, int64_t model, int64_t repeat,
                             struct err *e)
{
    return db_run(s->db, Q_PLAN_FIRST, ARGS(V_INT(run), V_INT(model), V_INT(repeat)), NULL, e);
}

enum status store_plan_item(struct store *s, int64_t run, int64_t model, int64_t repeat,
                            int64_t position, struct err *e)
{
    return db_run(s->db, Q_PLAN_ITEM,
                  ARGS(V_INT(run), V_INT(model), V_INT(repeat), V_INT(position)), NULL, e);
}

static void read_open(struct arena *a, const struct rows *r, void *out)
{
    (void)a;
    *(bool *)out = row_int(r, C_ITEM_OPEN_OPEN) != 0;
}

enum status store_item_open(struct arena *a, struct store *s, int64_t run, int64_t model,
                            bool **open, int64_t *n, struct err *e)
{
    size_t all = 0;
    enum status st = db_list(s->db, Q_ITEM_OPEN, ARGS(V_INT(run), V_INT(model)),
                             INTO_ARRAY(a, open, &all, read_open), e);

    *n = (int64_t)all;
    return st;
}

static enum status plan_about(struct store *s, const struct verdict_plan *p, int64_t *n,
                              struct err *e)
{
    return db_run(s->db, Q_PLAN_ABOUT,
                  ARGS(V_INT(p->run), V_INT(p->judge), V_INT(p->repeat), V_TEXT(p->family),
                       V_TEXT(p->about), V_INT(p->sample)),
                  n, e);
}

static enum status plan_windows(struct store *s, const struct verdict_plan *p, int64_t *n,
                                struct err *e)
{
    const struct val v[] = {V_INT(p->run),     V_INT(p->judge),  V_INT(p->repeat),
                            V_TEXT(p->family), V_INT(p->window), V_INT(p->sample)};

    return db_run(s->db, p->sample ? Q_PLAN_WINDOW : Q_PLAN_WINDOWS,
                  (struct args){v, COUNT(v) - !p->sample}, n, e);
}

enum status store_plan_verdicts(struct store *s, const struct verdict_plan *p, int64_t *n,
                                struct err *e)
{
    if (p->about)
        return plan_about(s, p, n, e);
    if (p->window)
        return plan_windows(s, p, n, e);
    if (p->sample)
        return db_run(s->db, Q_PLAN_VERDICT,
                      ARGS(V_INT(p->run), V_INT(p->judge), V_INT(p->repeat), V_TEXT(p->family),
                           V_INT(p->sample)),
                      n, e);
    return db_run(s->db, Q_PLAN_VERDICTS,
                  ARGS(V_INT(p->run), V_INT(p->judge), V_INT(p->repeat), V_TEXT(p->family)), n, e);
}

enum status store_plan_again(struct store *s, int64_t run, int64_t *samples, int64_t *verdicts,
                             struct err *e)
{
    if (db_run(s->db, Q_PLAN_SAMPLES_AGAIN, ARGS(V_INT(run)), samples, e) != OK)
        return e->code;
    if (db_run(s->db, Q_PLAN_VERDICTS_AGAIN, ARGS(V_INT(run)), verdicts, e) != OK)
        return e->code;
    return *verdicts ? seal_unscored_drop(s, run, 0, e) : OK;
}

/* ---- leasing ---- */

static void read_lease(struct arena *a, const struct rows *r, struct leased *l)
{
    row_into(a, r, COLUMNS_LEASE(struct leased), l);
    l->other_first = str_is(l->as_shown, "ba");
    l->shown = turn_span_read(l->as_shown);
    l->about = about_is(l->as_shown);
}

/* Leases rows after `after`; those taken are recognized by the number of this lease. */
static enum status lease_after(struct arena *a, struct store *s, enum party_kind kind, int64_t who,
                               int max, int64_t after, struct leased_list *out, struct err *e)
{
    bool samples = kind == PARTY_MODEL;
    struct rows *r;

    s->batch++;
    if (db_run(s->db, samples ? Q_LEASE_SAMPLES : Q_LEASE_VERDICTS,
               ARGS(V_INT(who), V_INT(s->worker), V_INT((size_t)max - out->n), V_INT(s->batch),
                    V_INT(after)),
               NULL, e) != OK)
        return e->code;
    r = db_query(s->db, samples ? Q_LEASED_SAMPLES : Q_LEASED_VERDICTS,
                 ARGS(V_INT(after), V_INT(s->worker), V_INT(s->batch)), e);
    while (rows_next(r) && out->n < (size_t)max)
        read_lease(a, r, &out->v[out->n++]);
    return rows_end(r, e);
}

/* On PostgreSQL others may take the same rows at the same time. */
enum { PASSES = 3 };

enum status store_lease(struct arena *a, struct store *s, enum party_kind kind, int64_t who,
                        int max, int64_t *after, struct leased_list *out, struct err *e)
{
    int passes = db_is_postgres(s->db) ? PASSES : 1;

    *out = (struct leased_list){.v = NEW_N(a, struct leased, (size_t)max)};
    for (; passes > 0 && out->n < (size_t)max; passes--) {
        if (lease_after(a, s, kind, who, max, *after, out, e) != OK)
            return e->code;
        if (out->n)
            *after = out->v[out->n - 1].id;
    }
    return OK;
}

enum status store_unlease(struct store *s, enum party_kind kind, const int64_t *ids, size_t n,
                          struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct val *v = NEW_N(a, struct val, 2 * n);

    for (size_t i = 0; i < n; i++) {
        v[2 * i] = V_INT(ids[i]);
        v[2 * i + 1] = V_INT(s->worker);
    }
    return db_each_of(s->db, kind == PARTY_MODEL ? Q_UNLEASE_SAMPLE : Q_UNLEASE_VERDICT,
                      (struct args){v, 2 * n}, n, NULL, NULL, e);
}

/* ---- calls ---- */

static struct call_row read_call(struct arena *a, const struct rows *r)
{
    struct call_row c = {
        .id = row_int(r, C_CALL_ID),
        .run = row_int(r, C_CALL_RUN),
        .key = row_copy(a, r, C_CALL_KEY).p,
        .url = row_copy(a, r, C_CALL_URL).p,
        .elapsed_ms = row_int(r, C_CALL_ELAPSED_MS),
        .created_ms = row_int(r, C_CALL_CREATED_MS),
    };

    pack_columns(a, r, C_CALL_REQUEST, &c);
    c.request = arena_str(a, c.request);
    c.response = arena_str(a, c.response);
    return c;
}

static enum status take_found(void *user, size_t i, const struct rows *r, struct err *e)
{
    struct call_wanted *w = (struct call_wanted *)user + i;
    struct call_row call = read_call(w->arena, r);

    (void)e;
    w->found = arena_copy(w->arena, &call, 1, sizeof call);
    return OK;
}

enum status store_call_find(struct store *s, struct call_wanted *wanted, size_t n, int64_t run,
                            bool only_run, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    AUTO(pack_dictionaries_done) struct pack_dictionaries d = {0};
    struct val *v = NEW_N(a, struct val, 3 * n);

    for (size_t i = 0; i < n; i++) {
        v[3 * i] = V_TEXT(wanted[i].key);
        v[3 * i + 1] = V_INT(run);
        v[3 * i + 2] = V_INT(only_run);
        wanted[i].found = NULL;
    }
    if (db_each_of(s->db, Q_CALL_FIND, (struct args){v, 3 * n}, n, take_found, wanted, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++)
        if (wanted[i].found && pack_open(s, &d, wanted[i].arena, wanted[i].found, e) != OK)
            return e->code;
    return OK;
}

enum status store_call_get(struct arena *a, struct store *s, int64_t id, struct call_row *out,
                           struct err *e)
{
    AUTO(pack_dictionaries_done) struct pack_dictionaries d = {0};
    struct rows *r = db_query(s->db, Q_CALL_GET, ARGS(V_INT(id)), e);
    bool found = rows_next(r);

    if (found)
        *out = read_call(a, r);
    if (rows_end(r, e) != OK)
        return e->code;
    return found ? pack_open(s, &d, a, out, e)
                 : err_set(e, E_ABSENT, "no call with id %lld", (long long)id);
}

static enum status hold_run(struct store *s, int64_t run, struct err *e)
{
    bool found;

    if (db_int(s->db, Q_CALL_HOLD, ARGS(V_INT(run)), &run, &found, e) != OK)
        return e->code;
    return found ? OK : err_set(e, E_ABSENT, "the run was removed");
}

static enum status take_id(void *user, size_t i, const struct rows *r, struct err *e)
{
    struct call_row **calls = user;

    (void)e;
    calls[i]->id = row_int(r, 0);
    return OK;
}

/* Looks up the ids of those that existed before. */
static enum status find_ids(struct store *s, struct call_row **calls, size_t n, struct err *e)
{
    AUTO(arena_freep) struct arena *a = arena_new();
    struct call_row **old = NEW_N(a, struct call_row *, n);
    struct val *keys = NEW_N(a, struct val, 2 * n);
    size_t m = 0;

    for (size_t i = 0; i < n; i++)
        if (!calls[i]->id) {
            keys[2 * m] = V_TEXT(calls[i]->key);
            keys[2 * m + 1] = V_INT(calls[i]->run);
            old[m++] = calls[i];
        }
    return m ? db_each_of(s->db, Q_CALL_ID, (struct args){keys, 2 * m}, m, take_id, old, e) : OK;
}

enum status store_call_add(struct store *s, struct call_row **calls, size_t n, struct err *e)
{
    enum { VALUES = 7 };
    AUTO(arena_freep) struct arena *a = arena_new();
    struct val *v = NEW_N(a, struct val, VALUES * n);
    int64_t *ids = NEW_N(a, int64_t, n);

    for (size_t i = 0; i < n; i++) {
        const struct call_row *c = calls[i];
        const struct val row[VALUES] = {
            V_INT(c->run),      V_TEXT(c->key),       V_TEXT(c->url),       V_STR(c->request),
            V_STR(c->response), V_INT(c->elapsed_ms), V_INT(c->created_ms),
        };
        if ((i == 0 || c->run != calls[i - 1]->run) && hold_run(s, c->run, e) != OK)
            return e->code;
        memcpy(v + VALUES * i, row, sizeof row);
    }
    if (db_add_all(s->db, Q_CALL_ADD, (struct args){v, VALUES * n}, n, ids, e) != OK)
        return e->code;
    for (size_t i = 0; i < n; i++)
        calls[i]->id = ids[i];
    return find_ids(s, calls, n, e);
}

/* ---- results ---- */

static struct val text_or_null(struct str s)
{
    return s.n ? V_STR(s) : V_NULL;
}

enum status store_sample_end(struct store *s, const struct sample_result *r, struct err *e)
{
    const struct spent *t = &r->spent;

    return db_run(s->db, Q_SAMPLE_END,
                  ARGS(V_INT(r->id), V_TEXT(vocab_state_name(r->state)), text_or_null(r->answer),
                       text_or_null(r->thinking), V_TEXT(r->finish), V_COUNT(t->tokens_in),
                       V_COUNT(t->tokens_out), V_REAL(t->cost), V_INT(t->tries),
                       V_INT(t->elapsed_ms), V_INT(clock_utc_ms()), V_TEXT(r->fault),
                       V_TEXT(r->why), t->call ? V_INT(t->call) : V_NULL, V_INT(s->worker)),
                  NULL, e);
}

enum status store_verdict_write(struct store *s, struct verdict_result *r, struct err *e)
{
    const struct spent *t = &r->spent;

    r->ended_ms = clock_utc_ms();
    return db_run(s->db, Q_VERDICT_END,
                  ARGS(V_INT(r->id), V_TEXT(vocab_state_name(r->state)), text_or_null(r->reply),
                       V_REAL(r->overall), text_or_null(r->reason), V_INT(r->repairs),
                       V_COUNT(t->tokens_in), V_COUNT(t->tokens_out), V_REAL(t->cost),
                       V_INT(t->tries), V_INT(t->elapsed_ms), V_INT(r->ended_ms), V_TEXT(r->fault),
                       V_TEXT(r->why), t->call ? V_INT(t->call) : V_NULL, V_TEXT(r->choice),
                       r->choice ? V_INT(r->winner) : V_NULL, V_INT(s->worker)),
                  NULL, e);
}

enum status store_verdict_marks(struct store *s, const struct verdict_result *r, struct err *e)
{
    for (size_t i = 0; i < r->nmarks; i++) {
        const struct mark *m = &r->marks[i];
        if (db_run(s->db, Q_MARK_ADD,
                   ARGS(V_INT(r->id), V_TEXT(m->dimension), V_REAL(m->value),
                        text_or_null(m->analysis), text_or_null(m->evidence),
                        text_or_null(m->advice), V_INT(r->ended_ms)),
                   NULL, e) != OK)
            return e->code;
    }
    return OK;
}

enum status store_verdict_end(struct store *s, struct verdict_result *r, struct err *e)
{
    return store_verdict_write(s, r, e) == OK ? store_verdict_marks(s, r, e) : e->code;
}

enum status store_spent(struct store *s, int64_t run, struct purse *out, struct err *e)
{
    return db_row(s->db, Q_SPENT, ARGS(V_INT(run)), NULL, COLUMNS_SPENT(struct purse), out, NULL,
                  e);
}

/* ---- budgets ---- */

enum status store_budget_look(struct store *s, int64_t run, struct purse *spent,
                              struct budget_others *others, struct err *e)
{
    if (db_run(s->db, Q_BUDGET_LOCK, ARGS(V_INT(run)), NULL, e) != OK ||
        store_spent(s, run, spent, e) != OK)
        return e->code;
    return db_row(s->db, Q_BUDGET_OTHERS, ARGS(V_INT(run), V_INT(s->worker)), NULL,
                  COLUMNS_BUDGET_OTHERS(struct budget_others), others, NULL, e);
}

enum status store_budget_hold(struct store *s, int64_t run, struct purse held, struct err *e)
{
    return db_run(s->db, Q_BUDGET_HOLD,
                  ARGS(V_INT(s->worker), V_INT(run), V_REAL(held.usd), V_INT(held.tokens)), NULL,
                  e);
}
