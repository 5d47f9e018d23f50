/* store.h - every query of the program that means something, written once over db.h.
 *
 * A store is one thread's handle on the database. Rows handed out are copied into the arena
 * given first. Writes that belong together happen between store_begin() and store_commit(). An
 * error with E_BUSY or E_FULL may pass: see store_again(). */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/err.h"
#include "base/mem.h"
#include "db/db.h"
#include "suite/mark.h"
#include "suite/template.h"

/* The last sign of life that we saw of a worker elsewhere. */
struct sign_of_life {
    int64_t worker, beat_ms; /* by its own clock */
    int64_t seen_ms;         /* by ours, which only goes forward */
};

struct store {
    struct db *db;
    int64_t worker;  /* id of our row in `worker`; 0: none */
    int64_t run;     /* that we work on; 0: none */
    int64_t batch;   /* of our leases: how many there were */
    int64_t lost_ms; /* a worker that is silent for longer is taken for dead: a minute */
    bool doubt;      /* what is written may stand there from an attempt whose answer was lost */
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
/* A statement may have failed because somebody's newer program has changed the tables since they
 * were opened: then *e says so. Ends what transaction there is. NULL is fine. */
void store_explain(struct store *s, struct err *e);

CHECKED enum status store_begin(struct store *s, struct err *e);
CHECKED enum status store_commit(struct store *s, struct err *e);
void store_rollback(struct store *s);
/* The end of a transaction whose work came to `st`: commits it, or rolls back what failed. */
CHECKED enum status store_end(struct store *s, enum status st, struct err *e);
/* All of `work`, an expression that gives a status, or nothing of it:
 *     return store_atomically(s, e, erase(s, rater, e));
 */
#define store_atomically(s, e, work)                                                               \
    (store_begin((s), (e)) == OK ? store_end((s), (work), (e)) : (e)->code)

/* The same for work that only reads: all of it sees the rows of one moment. */
CHECKED enum status store_leave(struct store *s, enum status st);
#define store_looking(s, e, work)                                                                  \
    (store_begin((s), (e)) == OK ? store_leave((s), (work)) : (e)->code)

/* How long a caller has waited for a database that does not answer. Begin with {0}. */
struct store_patience {
    int64_t until_ms, pause_ms;
};

/* After a failure: true when it may pass and wait_ms is not over yet. Then this has paused, has
 * tried to reach the database again and has forgotten the failure; do what failed once more. The
 * store is NULL where opening it failed. */
bool store_again(struct store *s, int64_t wait_ms, struct store_patience *p, struct err *e);

/* ---- runs ---- */

struct run_row {
    int64_t id;
    const char *name, *key, *suite;
    struct str frozen;
    uint64_t seed;
    int64_t generation, repeats, created_ms;
    bool fresh, stale;
    const char *label, *note, *tags; /* what people wrote; tags: " a b " */
    const char *orders;              /* see order_word() */
    const char *title;               /* of its suite; may be "" */
    const char *titles;              /* ... by language, as JSON; "": title is all there is */
};
/* The title of a suite in a language; its id where it has none. */
struct suite_title {
    const char *suite, *title, *titles; /* as in struct run_row */
};
#define SUITE_TITLE(x) ((struct suite_title){(x)->suite, (x)->title, (x)->titles})
const char *store_title(struct arena *a, struct suite_title t, const char *language);

struct run_list {
    struct run_row *v;
    size_t n;
};

/* A run by its name, by the beginning of it, by its label, or "latest": the one last worked on.
 * E_ABSENT says which there are. */
CHECKED enum status store_run_get(struct arena *a, struct store *s, const char *name,
                                  struct run_row *out, struct err *e);
CHECKED enum status store_run_by_id(struct arena *a, struct store *s, int64_t id,
                                    struct run_row *out, struct err *e);
/* The newest run with this key (fresh ones apart); *found is false when there is none. */
CHECKED enum status store_run_find(struct arena *a, struct store *s, const char *key, bool fresh,
                                   struct run_row *out, bool *found, struct err *e);
/* Newest first; without `frozen`. */
CHECKED enum status store_run_list(struct arena *a, struct store *s, struct run_list *out,
                                   struct err *e);
/* The generation that a further run of this key would have. Ask before looking for the run: two
 * processes that both find none are then given the same one, and only one of them can add it. */
CHECKED enum status store_run_next(struct store *s, const char *key, int64_t *generation,
                                   struct err *e);
/* Insert, with the generation given; fills in id and name. */
CHECKED enum status store_run_add(struct arena *a, struct store *s, struct run_row *run,
                                  struct err *e);
/* Its scores are older than its verdicts. */
CHECKED enum status store_run_stale(struct store *s, int64_t run, struct err *e);
/* As store_end(), and the run is stale: its row is everybody's, and must not stay locked. Is it
 * worked on for the queue, then it is queued until somebody has scored it. */
CHECKED enum status store_end_stale(struct store *s, int64_t run, bool queued, enum status st,
                                    struct err *e);
/* Inside a transaction: the run is not stale when it commits, and *ours is the task to score it.
 * Not ours: somebody is at it. */
CHECKED enum status store_run_claim(struct store *s, int64_t run, bool *ours, struct err *e);
/* Somebody works on it now. */
CHECKED enum status store_run_touch(struct store *s, int64_t run, struct err *e);
/* Label, note and tags, where not NULL. E_USAGE: another run has this label. */
CHECKED enum status store_run_describe(struct store *s, const struct run_row *run, struct err *e);

/* Who takes part in a run. `config` is models_freeze(). */
struct party {
    int64_t id, run;
    const char *name, *family;
    struct str config;
    struct str template; /* judges: frozen */
    int64_t repeats;     /* judges */
    const char *panel;   /* judges: where they sit too (jury.h); NULL: where they do, or "" */
    /* at work: what they are asked with; of models NULL where that is the suite's */
    const struct template *own;
};

struct party_list {
    struct party *v;
    size_t n;
};

/* Of judges those that count; EVER: also those that were dropped; PEOPLE: campaigns, as judges. */
enum party_kind { PARTY_MODEL, PARTY_JUDGE, PARTY_EXAMINER, PARTY_JUDGE_EVER, PARTY_PEOPLE };

CHECKED enum status store_party_list(struct arena *a, struct store *s, enum party_kind kind,
                                     int64_t run, struct party_list *out, struct err *e);
/* The one of this name; NULL: there is none. */
const struct party *store_party_named(const struct party_list *l, const char *name);
/* Of the runs from first to last, newest first. */
CHECKED enum status store_party_span(struct arena *a, struct store *s, enum party_kind kind,
                                     int64_t first, int64_t last, struct party_list *out,
                                     struct err *e);
/* Insert, or update config of the one with that name; fills in id. */
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

/* What nobody has ended yet. */
int64_t store_counts_left(const struct state_counts *c);

/* Whether there is such an answer, such a verdict that counts: in a moment, however large the run.
 */
struct run_left {
    bool samples, verdicts;
};
CHECKED enum status store_run_left(struct store *s, int64_t run, struct run_left *out,
                                   struct err *e);

/* How n runs stand, in two questions however many they are; newest first, as store_run_list(). Of
 * verdicts those of a jury, or of all judges that count (NULL). */
struct jury;
CHECKED enum status store_run_counts(struct store *s, const struct run_row *runs, size_t n,
                                     const struct jury *jury, struct run_counts *out,
                                     struct err *e);
/* Rows of a run that somebody has in hand; of verdicts those of a jury, likewise. */
struct run_held {
    int64_t samples, verdicts;
};
CHECKED enum status store_run_held(struct store *s, int64_t run, const struct jury *jury,
                                   struct run_held *out, struct err *e);

#endif
