#include "store/store.h"

#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "gen/queries.h"
#include "store/jury.h"
#include "suite/field.h"

enum { LOST_MS = 60000, PAUSE_FIRST_MS = 100, PAUSE_MOST_MS = 3000 };

/* A minute, or the seconds in AUDITION_LOST_AFTER, because tests cannot wait that long. */
static int64_t lost_ms(void)
{
    int64_t seconds;
    const char *text = getenv("AUDITION_LOST_AFTER");

    return text && str_int(str_of(text), &seconds) && seconds > 0 ? seconds * 1000 : LOST_MS;
}

enum status store_open(struct store **out, const char *url, enum db_mode mode, struct err *e)
{
    struct store *s = mem_new(sizeof *s);
    int applied;

    s->lost_ms = lost_ms();
    if (db_open(&s->db, url, mode, e) != OK)
        goto fail;
    if (mode != DB_READ && db_migrate(s->db, &applied, e) != OK)
        goto fail;
    if (db_schema_check(s->db, e) != OK)
        goto fail;
    *out = s;
    return OK;
fail:
    store_close(s);
    return e->code;
}

void store_close(struct store *s)
{
    if (!s)
        return;
    db_close(s->db);
    free(s->signs);
    free(s);
}

void store_explain(struct store *s, struct err *e)
{
    struct err why = {0};

    if (!s || e->code != E_STORE)
        return;
    db_rollback(s->db);
    if (db_schema_check(s->db, &why) == E_STORE || why.code == E_ABSENT)
        *e = why;
}

enum status store_begin(struct store *s, struct err *e)
{
    return db_begin(s->db, e);
}

enum status store_commit(struct store *s, struct err *e)
{
    return db_commit(s->db, e);
}

void store_rollback(struct store *s)
{
    db_rollback(s->db);
}

enum status store_end(struct store *s, enum status st, struct err *e)
{
    if (st == OK)
        st = store_commit(s, e);
    if (st != OK)
        store_rollback(s);
    return st;
}

enum status store_leave(struct store *s, enum status st)
{
    store_rollback(s);
    return st;
}

bool store_again(struct store *s, int64_t wait_ms, struct store_patience *p, struct err *e)
{
    int64_t now = clock_mono_ms();
    struct timespec pause;
    struct err ignored = {0};

    if (e->code != E_BUSY && e->code != E_FULL)
        return false;
    if (!p->until_ms)
        *p = (struct store_patience){now + wait_ms, PAUSE_FIRST_MS};
    if (now >= p->until_ms)
        return false;
    pause = (struct timespec){p->pause_ms / 1000, p->pause_ms % 1000 * 1000000};
    (void)nanosleep(&pause, NULL);
    p->pause_ms = p->pause_ms * 2 < PAUSE_MOST_MS ? p->pause_ms * 2 : PAUSE_MOST_MS;
    if (s)
        (void)!db_revive(s->db, &ignored);
    *e = (struct err){0};
    return true;
}

/* ---- runs ---- */

/* The first row, and the number of rows. Names in it reach terminals, files and addresses
 * unchanged; they are checked here because the database may be somebody else's. */
static enum status run_first(struct arena *a, struct rows *r, struct run_row *out, int *n,
                             struct err *e)
{
    for (*n = 0; rows_next(r); ++*n)
        if (*n == 0)
            row_into(a, r, COLUMNS_RUN(struct run_row), out);
    if (rows_end(r, e) != OK)
        return e->code;
    if (*n && (!field_is_id(str_of(out->name)) || !field_is_id(str_of(out->suite))))
        return err_set(e, E_STORE,
                       "run %lld is damaged: the name of the run or of its suite is invalid",
                       (long long)out->id);
    return OK;
}

static bool is_run_name(const char *name)
{
    return name[0] && strspn(name, "0123456789abcdef") == strlen(name);
}

enum status store_run_get(struct arena *a, struct store *s, const char *name, struct run_row *out,
                          struct err *e)
{
    bool latest = strcmp(name, "latest") == 0;
    struct run_row found = {0};
    struct rows *r = db_query(s->db, latest ? Q_RUN_LATEST : Q_RUN_BY_NAME,
                              latest ? NO_ARGS : ARGS(V_TEXT(name), V_INT(is_run_name(name))), e);
    int n;

    if (run_first(a, r, &found, &n, e) != OK)
        return e->code;
    if (n == 0 && latest)
        return err_set(e, E_ABSENT, "no run in %s yet; `audition run` creates one", db_url(s->db));
    if (n == 0)
        return err_set(e, E_ABSENT,
                       "no run '%s' in %s: give an id such as 3f9c, the name you gave it, or "
                       "'latest'; `audition list` shows the runs",
                       name, db_url(s->db));
    if (n > 1 && strcmp(found.name, name) != 0 && strcmp(found.label, name) != 0)
        return err_set(e, E_USAGE, "several runs begin with '%s'; give more of the name", name);
    *out = found;
    return OK;
}

enum status store_run_by_id(struct arena *a, struct store *s, int64_t id, struct run_row *out,
                            struct err *e)
{
    int n;

    if (run_first(a, db_query(s->db, Q_RUN_BY_ID, ARGS(V_INT(id)), e), out, &n, e) != OK)
        return e->code;
    return n ? OK : err_set(e, E_ABSENT, "the run was removed");
}

enum status store_run_find(struct arena *a, struct store *s, const char *key, bool fresh,
                           struct run_row *out, bool *found, struct err *e)
{
    struct rows *r = db_query(s->db, Q_RUN_BY_KEY, ARGS(V_TEXT(key), V_INT(fresh)), e);
    int n;

    if (run_first(a, r, out, &n, e) != OK)
        return e->code;
    *found = n > 0;
    return OK;
}

enum status store_run_list(struct arena *a, struct store *s, struct run_list *out, struct err *e)
{
    return db_list(s->db, Q_RUN_LIST, NO_ARGS, ROWS_INTO(a, out, COLUMNS_RUN(struct run_row)), e);
}

/* A short word from the hash of key and generation, longer if the short one is taken. */
static enum status run_name(struct arena *a, struct store *s, const struct run_row *run,
                            const char **out, struct err *e)
{
    char hex[HASH_HEX];
    struct hash h;

    hash_init(&h);
    hash_str(&h, str_of(run->key));
    hash_int(&h, run->generation);
    hash_hex(&h, hex);
    for (size_t len = 4; len < sizeof hex; len++) {
        struct str word = {hex, len};
        int64_t taken;
        if (db_int(s->db, Q_RUN_NAME_TAKEN, ARGS(V_STR(word)), &taken, NULL, e) != OK)
            return e->code;
        if (taken == 0) {
            *out = arena_text(a, word);
            return OK;
        }
    }
    return err_set(e, E_STORE, "no free name for a run");
}

enum status store_run_next(struct store *s, const char *key, int64_t *generation, struct err *e)
{
    return db_int(s->db, Q_RUN_NEXT_GENERATION, ARGS(V_TEXT(key)), generation, NULL, e);
}

/* The title in the frozen suite. */
static const char *title_of(struct arena *a, struct str frozen)
{
    AUTO(json_freep) json_t *j = NULL;
    struct err e;

    return json_read(frozen, &j, &e) == OK ? arena_text(a, json_str_at(j, "title", STR(""))) : "";
}

const char *store_title(struct arena *a, struct suite_title t, const char *language)
{
    AUTO(json_freep) json_t *j = NULL;
    struct str own = STR("");
    struct err e = {0};

    if (t.titles && *t.titles && json_read(str_of(t.titles), &j, &e) == OK)
        own = json_str_at(j, language, STR(""));
    return own.n ? arena_text(a, own) : t.title && *t.title ? t.title : t.suite;
}

enum status store_run_add(struct arena *a, struct store *s, struct run_row *run, struct err *e)
{
    run->title = title_of(a, run->frozen);
    if (run_name(a, s, run, &run->name, e) != OK)
        return e->code;
    run->created_ms = clock_utc_ms();
    return db_int(s->db, Q_RUN_ADD,
                  ARGS(V_TEXT(run->name), V_TEXT(run->key), V_INT(run->generation),
                       V_INT(run->fresh), V_TEXT(run->suite), V_STR(run->frozen), V_INT(run->seed),
                       V_INT(run->repeats), V_INT(run->created_ms), V_TEXT(run->title),
                       V_TEXT(run->titles ? run->titles : "")),
                  &run->id, NULL, e);
}

enum status store_run_touch(struct store *s, int64_t run, struct err *e)
{
    return db_run(s->db, Q_RUN_TOUCH, ARGS(V_INT(run), V_INT(clock_utc_ms())), NULL, e);
}

enum status store_run_describe(struct store *s, const struct run_row *run, struct err *e)
{
    int64_t taken = 0;

    if (run->label && *run->label &&
        db_int(s->db, Q_RUN_LABEL_TAKEN, ARGS(V_TEXT(run->label), V_INT(run->id)), &taken, NULL,
               e) != OK)
        return e->code;
    if (taken)
        return err_set(e, E_USAGE, "another run is already called %s", run->label);
    return db_run(s->db, Q_RUN_DESCRIBE,
                  ARGS(V_INT(run->id), V_TEXT(run->label), V_TEXT(run->note), V_TEXT(run->tags)),
                  NULL, e);
}

enum status store_run_stale(struct store *s, int64_t run, struct err *e)
{
    return db_run(s->db, Q_RUN_STALE, ARGS(V_INT(run)), NULL, e);
}

enum status store_end_stale(struct store *s, int64_t run, bool queued, enum status st,
                            struct err *e)
{
    if (st == OK)
        st = db_commit_after(s->db, Q_RUN_WORKED, ARGS(V_INT(run), V_INT(queued)), e);
    if (st != OK)
        store_rollback(s);
    return st;
}

enum status store_run_claim(struct store *s, int64_t run, bool *ours, struct err *e)
{
    return db_change(s->db, Q_RUN_CLAIM, ARGS(V_INT(run)), ours, e);
}

/* ---- who takes part ---- */

enum status store_party_span(struct arena *a, struct store *s, enum party_kind kind, int64_t first,
                             int64_t last, struct party_list *out, struct err *e)
{
    static const int lists[] = {[PARTY_MODEL] = Q_MODEL_LIST,
                                [PARTY_JUDGE] = Q_JUDGE_LIST,
                                [PARTY_EXAMINER] = Q_EXAMINER_LIST,
                                [PARTY_JUDGE_EVER] = Q_JUDGE_EVER,
                                [PARTY_PEOPLE] = Q_PEOPLE_LIST};
    return db_list(s->db, lists[kind], ARGS(V_INT(first), V_INT(last)),
                   ROWS_INTO(a, out, COLUMNS_PARTY(struct party)), e);
}

enum status store_party_list(struct arena *a, struct store *s, enum party_kind kind, int64_t run,
                             struct party_list *out, struct err *e)
{
    return store_party_span(a, s, kind, run, run, out, e);
}

const struct party *store_party_named(const struct party_list *l, const char *name)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].name, name) == 0)
            return &l->v[i];
    return NULL;
}

/* A dropped judge that is asked again counts again. */
static enum status judge_revive(struct store *s, int64_t run, const char *judge, struct err *e)
{
    int64_t id;
    bool found;

    if (db_int(s->db, Q_JUDGE_DROPPED, ARGS(V_INT(run), V_TEXT(judge)), &id, &found, e) != OK)
        return e->code;
    return found ? jury_drop(s, run, judge, false, e) : OK;
}

enum status store_party_put(struct store *s, enum party_kind kind, int64_t run, struct party *p,
                            struct err *e)
{
    int64_t seated = 0;

    if (kind != PARTY_JUDGE)
        return db_int(s->db, kind == PARTY_MODEL ? Q_MODEL_PUT : Q_EXAMINER_PUT,
                      ARGS(V_INT(run), V_TEXT(p->name), V_TEXT(p->family), V_STR(p->config)),
                      &p->id, NULL, e);
    if (judge_revive(s, run, p->name, e) != OK ||
        db_int(s->db, Q_JUDGE_PUT,
               ARGS(V_INT(run), V_TEXT(p->name), V_TEXT(p->family), V_STR(p->config),
                    V_STR(p->template), V_INT(p->repeats)),
               &p->id, NULL, e) != OK)
        return e->code;
    if ((p->panel ? db_run(s->db, Q_SEAT_PUT, ARGS(V_INT(run), V_TEXT(p->panel), V_INT(p->id)),
                           &seated, e)
                  : db_run(s->db, Q_SEAT_FIRST, ARGS(V_INT(p->id)), &seated, e)) != OK)
        return e->code;
    return seated ? store_run_stale(s, run, e) : OK; /* its scores change */
}

/* ---- items ---- */

enum status store_item_add(struct store *s, int64_t run, int64_t position, const char *name,
                           struct str body, struct err *e)
{
    return db_run(s->db, Q_ITEM_ADD, ARGS(V_INT(run), V_INT(position), V_TEXT(name), V_STR(body)),
                  NULL, e);
}

enum status store_item_body(struct arena *a, struct store *s, int64_t id, struct str *out,
                            struct err *e)
{
    bool found;

    if (db_str(s->db, Q_ITEM_BODY, ARGS(V_INT(id)), a, out, &found, e) != OK)
        return e->code;
    return found ? OK : err_set(e, E_ABSENT, "no item with id %lld", (long long)id);
}

enum status store_item_find(struct store *s, int64_t run, const char *name, int64_t *id,
                            bool *found, struct err *e)
{
    return db_int(s->db, Q_ITEM_FIND, ARGS(V_INT(run), V_TEXT(name)), id, found, e);
}

enum status store_item_count(struct store *s, int64_t run, int64_t *n, struct err *e)
{
    return db_int(s->db, Q_ITEM_COUNT, ARGS(V_INT(run)), n, NULL, e);
}

/* ---- counts ---- */

static enum status counts(struct store *s, int query, const struct run_row *runs, size_t n,
                          const struct jury *jury, struct run_counts *out, struct err *e)
{
    struct args args = ARGS(V_INT(runs[n - 1].id), V_INT(runs[0].id),
                            V_TEXT(jury ? jury->key : "*"), V_INT(jury ? jury->judge : 0));
    struct rows *r;
    size_t i = 0;

    args.n = query == Q_SAMPLE_COUNTS ? 2 : 4;
    r = db_query(s->db, query, args, e);
    while (rows_next(r)) {
        struct state_counts *c;
        while (i < n && runs[i].id > row_int(r, C_COUNTS_RUN))
            i++;
        if (i == n || runs[i].id != row_int(r, C_COUNTS_RUN))
            continue; /* added since the runs were listed */
        c = query == Q_SAMPLE_COUNTS ? &out[i].samples : &out[i].verdicts;
        for (int st = 0; st < STATES; st++)
            c->by[st] = row_int(r, C_COUNTS_PLANNED + st);
        c->total = row_int(r, C_COUNTS_TOTAL);
    }
    return rows_end(r, e);
}

int64_t store_counts_left(const struct state_counts *c)
{
    return c->by[STATE_PLANNED] + c->by[STATE_LEASED];
}

enum status store_run_left(struct store *s, int64_t run, struct run_left *out, struct err *e)
{
    return db_row(s->db, Q_RUN_LEFT, ARGS(V_INT(run)), NULL, COLUMNS_RUN_LEFT(struct run_left), out,
                  NULL, e);
}

enum status store_run_held(struct store *s, int64_t run, const struct jury *jury,
                           struct run_held *out, struct err *e)
{
    return db_row(s->db, Q_RUN_HELD,
                  ARGS(V_INT(run), V_TEXT(jury ? jury->key : "*"), V_INT(jury ? jury->judge : 0)),
                  NULL, COLUMNS_RUN_HELD(struct run_held), out, NULL, e);
}

enum status store_run_counts(struct store *s, const struct run_row *runs, size_t n,
                             const struct jury *jury, struct run_counts *out, struct err *e)
{
    if (!n)
        return OK;
    memset(out, 0, n * sizeof *out);
    if (counts(s, Q_SAMPLE_COUNTS, runs, n, jury, out, e) != OK)
        return e->code;
    return counts(s, Q_VERDICT_COUNTS, runs, n, jury, out, e);
}
