#include "store/store_order.h"

#include <math.h>
#include <unistd.h>

#include "base/clock.h"
#include "gen/queries.h"

static const char *const words[] = {
    [ORDER_NONE] = "",
    [ORDER_QUEUED] = "queued",
    [ORDER_PAUSED] = "paused",
    [ORDER_CANCELLED] = "cancelled",
};

const char *order_word(enum order o)
{
    return words[o];
}

enum status order_run(struct store *s, int64_t run, enum order o, struct err *e)
{
    return db_run(s->db, Q_ORDER_RUN, ARGS(V_INT(run), V_TEXT(words[o])), NULL, e);
}

enum status order_queue(struct store *s, int64_t run, const struct run_orders *o, struct err *e)
{
    return db_run(s->db, Q_ORDER_QUEUE,
                  ARGS(V_INT(run), V_INT(o->priority), V_INT(o->needs), V_REAL(o->budget_usd),
                       V_INT(o->budget_tokens)),
                  NULL, e);
}

enum status order_done(struct store *s, int64_t run, const struct run_orders *o, struct err *e)
{
    return db_run(s->db, Q_ORDER_DONE, ARGS(V_INT(run), V_INT(o->queued)), NULL, e);
}

enum status order_get(struct store *s, int64_t run, struct run_orders *out, struct err *e)
{
    struct rows *r;

    *out = (struct run_orders){.budget_usd = NAN};
    r = db_query(s->db, Q_ORDER_OF, ARGS(V_INT(run)), e);
    while (rows_next(r)) {
        for (size_t i = 0; i < COUNT(words); i++)
            if (str_is(row_str(r, C_ORDER_ORDERS), words[i]))
                out->order = (enum order)i;
        out->needs = row_int(r, C_ORDER_NEEDS);
        out->priority = row_int(r, C_ORDER_PRIORITY);
        out->budget_usd = row_real(r, C_ORDER_BUDGET_USD);
        out->budget_tokens = row_int(r, C_ORDER_BUDGET_TOKENS);
        out->queued = row_int(r, C_ORDER_QUEUED);
    }
    return rows_end(r, e);
}

enum status order_next(struct arena *a, struct store *s, struct order_ids *out, struct err *e)
{
    return db_list(s->db, Q_ORDER_NEXT, NO_ARGS, INTO(a, out, row_first_int), e);
}

/* ---- endpoints and workers ---- */

enum status held_put(struct store *s, const struct held_row *row, struct err *e)
{
    return db_run(
        s->db, Q_HELD_PUT,
        ARGS(V_TEXT(row->subject), V_TEXT(row->drain ? "drain" : "pause"), V_INT(clock_utc_ms())),
        NULL, e);
}

enum status held_known(struct store *s, const char *endpoint, bool *known, struct err *e)
{
    int64_t one;

    return db_int(s->db, Q_HELD_KNOWN, ARGS(V_TEXT(endpoint)), &one, known, e);
}

enum status held_drop(struct store *s, const char *subject, bool *was, struct err *e)
{
    return db_change(s->db, Q_HELD_DROP, ARGS(V_TEXT(subject)), was, e);
}

static void read_held(struct arena *a, const struct rows *r, void *out)
{
    *(struct held_row *)out = (struct held_row){row_copy(a, r, C_HELD_SUBJECT).p,
                                                str_is(row_str(r, C_HELD_WORD), "drain")};
}

enum status held_list(struct arena *a, struct store *s, struct held_list *out, struct err *e)
{
    return db_list(s->db, Q_HELD_LIST, NO_ARGS, INTO(a, out, read_held), e);
}

const struct held_row *held_find(const struct held_list *l, const char *subject)
{
    for (size_t i = 0; i < l->n; i++)
        if (strcmp(l->v[i].subject, subject) == 0)
            return &l->v[i];
    return NULL;
}

const char *held_self(struct arena *a)
{
    char host[256] = "";

    (void)gethostname(host, sizeof host - 1);
    return arena_printf(a, "worker/%s:%lld", host, (long long)getpid());
}

enum status held_forget(struct arena *a, struct store *s, struct err *e)
{
    bool was;

    return held_drop(s, held_self(a), &was, e);
}

/* The host name in what store_machine() returns. */
static const char *host_of(struct arena *a, struct str machine)
{
    size_t n = str_find(machine, STR("/"));

    return arena_text(a, (struct str){machine.p, n < machine.n ? n : machine.n});
}

static void read_worker(struct arena *a, const struct rows *r, void *out)
{
    struct worker_row *w = out;

    row_into(a, r, COLUMNS_SHOWN(struct worker_row), w);
    w->host = host_of(a, str_of(w->host));
    w->name = arena_printf(a, "%s:%lld", w->host, (long long)w->pid);
}

enum status workers_shown(struct arena *a, struct store *s, struct worker_list *out, struct err *e)
{
    return db_list(s->db, Q_WORKERS_SHOWN, NO_ARGS, INTO(a, out, read_worker), e);
}

/* ---- progress ---- */

enum status store_worker_tell(struct store *s, const struct run_pulse *p, struct err *e)
{
    return db_run(s->db, Q_WORKER_TELL,
                  ARGS(V_INT(s->worker), V_REAL(p->rate), V_INT(p->retries), V_INT(p->throttled),
                       V_TEXT(p->waiting)),
                  NULL, e);
}

enum status store_run_pulse(struct arena *a, struct store *s, int64_t run, struct run_pulse *out,
                            struct err *e)
{
    return db_row(s->db, Q_RUN_PULSE, ARGS(V_INT(run), V_INT(clock_utc_ms() - WORKER_SIGN_MS)), a,
                  COLUMNS_PULSE(struct run_pulse), out, NULL, e);
}

enum status store_run_failures(struct arena *a, struct store *s, int64_t run, int64_t most,
                               struct failure_list *out, struct err *e)
{
    return db_list(s->db, Q_RUN_FAILURES, ARGS(V_INT(run), V_INT(most)),
                   ROWS_INTO(a, out, COLUMNS_FAILURE(struct failure)), e);
}
