/* store.h - every query of the program, written once on top of db.h.
 *
 * A store is one thread's handle on the database. Rows that are returned are copied into the arena
 * given first. Writes that belong together go between store_begin() and store_commit(). Errors with
 * E_BUSY or E_FULL may be temporary: see store_again(). */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/err.h"
#include "base/mem.h"
#include "db/db.h"
#include "suite/mark.h"
#include "suite/template.h"

/* The last heartbeat seen of a worker. */
struct sign_of_life {
    int64_t worker, beat_ms; /* by its own clock */
    int64_t seen_ms;         /* by ours, which only goes forward */
};

struct store {
    struct db *db;
    int64_t worker;  /* id of our row in `worker`; 0: none */
    int64_t run;     /* that we work on; 0: none */
    int64_t batch;   /* number of our last lease */
    int64_t lost_ms; /* a worker without a heartbeat for longer is taken for dead: a minute */
    bool doubt;      /* what we write may be there already, from an attempt whose answer was lost */
    struct sign_of_life *signs;
    size_t nsigns, cap;
};

/* Open by URL. STORE_WRITE migrates an old schema. */
CHECKED enum status store_open(struct store **out, const char *url, enum db_mode mode,
                               struct err *e);
void store_close(struct store *s); /* NULL is fine */
static inline void store_closep(struct store **s)
{
    store_close(*s);
}
/* If a statement failed because a newer program has changed the tables since they were opened, *e
 * says so. Ends any transaction. NULL is fine. */
void store_explain(struct store *s, struct err *e);

CHECKED enum status store_begin(struct store *s, struct err *e);
CHECKED enum status store_commit(struct store *s, struct err *e);
void store_rollback(struct store *s);
/* Ends a transaction whose work returned `st`: commits it, or rolls back if it failed. */
CHECKED enum status store_end(struct store *s, enum status st, struct err *e);
/* All of `work`, an expression that returns a status, or nothing of it:
 *     return store_atomically(s, e, erase(s, rater, e)); */
#define store_atomically(s, e, work)                                                               \
    (store_begin((s), (e)) == OK ? store_end((s), (work), (e)) : (e)->code)

/* The same for work that only reads: it sees the rows of a single moment. */
CHECKED enum status store_leave(struct store *s, enum status st);
#define store_looking(s, e, work)                                                                  \
    (store_begin((s), (e)) == OK ? store_leave((s), (work)) : (e)->code)

/* How long a caller has waited for a database that does not answer. Initialize with {0}. */
struct store_patience {
    int64_t until_ms, pause_ms;
};

/* After a failure: true if it may be temporary and wait_ms has not passed yet. Then this has
 * paused, tried to reconnect and cleared the error, and the caller should try again. The store is
 * NULL if opening it failed. */
bool store_again(struct store *s, int64_t wait_ms, struct store_patience *p, struct err *e);

/* ---- runs ---- */

struct run_row {
    int64_t id;
    const char *name, *key, *suite;
    struct str frozen;
    uint64_t seed;
    int64_t generation, repeats, created_ms;
    bool fresh, stale;
    const char *label, *note, *tags; /* written by users; tags: " a b " */
    const char *orders;              /* see order_word() */
    const char *title;               /* of its suite; may be "" */
    const char *titles;              /* the title by language, as JSON; "": only `title` */
};
/* The title of a suite in a language, or its id if it has none. */
struct suite_title {
    const char *suite, *title, *titles; /* as in struct run_row */
};
#define SUITE_TITLE(x) ((struct suite_title){(x)->suite, (x)->title, (x)->titles})
const char *store_title(struct arena *a, struct suite_title t, const char *language);

struct run_list {
    struct run_row *v;
    size_t n;
};

/* A run by its name or the beginning of it, by its label, or "latest": the one last worked on.
 * E_ABSENT says which there are. */
CHECKED enum status store_run_get(struct arena *a, struct store *s, const char *name,
                                  struct run_row *out, struct err *e);
CHECKED enum status store_run_by_id(struct arena *a, struct store *s, int64_t id,
                                    struct run_row *out, struct err *e);
/* The newest run with this key, among fresh ones or among the others; *found is false if there is
 * none. */
CHECKED enum status store_run_find(struct arena *a, struct store *s, const char *key, bool fresh,
                                   struct run_row *out, bool *found, struct err *e);
/* Newest first; `frozen` is not read. */
CHECKED enum status store_run_list(struct arena *a, struct store *s, struct run_list *out,
                                   struct err *e);
/* The generation of the next run with this key. Ask for it before looking for a run: two processes
 * that both find none then get the same number, and only one of them can add the run. */
CHECKED enum status store_run_next(struct store *s, const char *key, int64_t *generation,
                                   struct err *e);
/* Inserts a run with the generation given; fills in id and name. */
CHECKED enum status store_run_add(struct arena *a, struct store *s, struct run_row *run,
                                  struct err *e);
/* Marks the scores of the run as older than its verdicts. */
CHECKED enum status store_run_stale(struct store *s, int64_t run, struct err *e);
/* As store_end(), but also marks the run as stale at the last moment, because its row is shared and
 * must not stay locked. A run that is worked on for the queue is queued until it has been
 * scored. */
CHECKED enum status store_end_stale(struct store *s, int64_t run, bool queued, enum status st,
                                    struct err *e);
/* Inside a transaction: claims the task of scoring the run, which is no longer stale once this
 * commits. *ours is false if somebody else has it. */
CHECKED enum status store_run_claim(struct store *s, int64_t run, bool *ours, struct err *e);
/* Notes that the run is being worked on now. */
CHECKED enum status store_run_touch(struct store *s, int64_t run, struct err *e);
/* Sets label, note and tags, if not NULL. E_USAGE: another run has this label. */
CHECKED enum status store_run_describe(struct store *s, const struct run_row *run, struct err *e);

/* A participant of a run. `config` is that of models_freeze(). */
struct party {
    int64_t id, run;
    const char *name, *family;
    struct str config;
    struct str template; /* judges: frozen */
    int64_t repeats;     /* judges */
    const char *panel;   /* judges: seat on this panel too; NULL: only if without a seat, on "" */
    /* at work: the template they are asked with; NULL for a model: that of the suite */
    const struct template *own;
};

struct party_list {
    struct party *v;
    size_t n;
};

/* JUDGE: those that count; JUDGE_EVER: dropped ones too; PEOPLE: campaigns, as judges. */
enum party_kind { PARTY_MODEL, PARTY_JUDGE, PARTY_EXAMINER, PARTY_JUDGE_EVER, PARTY_PEOPLE };

CHECKED enum status store_party_list(struct arena *a, struct store *s, enum party_kind kind,
                                     int64_t run, struct party_list *out, struct err *e);
/* The one with this name, or NULL. */
const struct party *store_party_named(const struct party_list *l, const char *name);
/* The same for the runs from first to last, newest first. */
CHECKED enum status store_party_span(struct arena *a, struct store *s, enum party_kind kind,
                                     int64_t first, int64_t last, struct party_list *out,
                                     struct err *e);
/* Inserts it, or updates the config of the one with that name; fills in id. */
CHECKED enum status store_party_put(struct store *s, enum party_kind kind, int64_t run,
                                    struct party *p, struct err *e);

CHECKED enum status store_item_add(struct store *s, int64_t run, int64_t position, const char *name,
                                   struct str body, struct err *e);
/* Item by id (id != 0) or by name. */
CHECKED enum status store_item_body(struct arena *a, struct store *s, int64_t id, struct str *out,
                                    struct err *e);
CHECKED enum status store_item_find(struct store *s, int64_t run, const char *name, int64_t *id,
                                    bool *found, struct err *e);
CHECKED enum status store_item_count(struct store *s, int64_t run, int64_t *n, struct err *e);

/* ---- counts ---- */

struct state_counts {
    int64_t by[STATES];
    int64_t total;
};

struct run_counts {
    struct state_counts samples, verdicts;
};

/* Those that have not ended yet. */
int64_t store_counts_left(const struct state_counts *c);

/* Whether answers, or verdicts of judges that count, are left to do. Fast, however large the run
 * is. */
struct run_left {
    bool samples, verdicts;
};
CHECKED enum status store_run_left(struct store *s, int64_t run, struct run_left *out,
                                   struct err *e);

/* The state of n runs, with two queries for all of them; newest first, as in store_run_list().
 * Verdicts are those of a jury, or of all judges that count (NULL). */
struct jury;
CHECKED enum status store_run_counts(struct store *s, const struct run_row *runs, size_t n,
                                     const struct jury *jury, struct run_counts *out,
                                     struct err *e);
/* The number of rows of a run that workers hold; verdicts as above. */
struct run_held {
    int64_t samples, verdicts;
};
CHECKED enum status store_run_held(struct store *s, int64_t run, const struct jury *jury,
                                   struct run_held *out, struct err *e);

#endif
