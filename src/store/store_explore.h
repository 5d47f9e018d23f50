/* store_explore.h - lists of runs, samples, models and judges for browsing: filtered, sorted, and
 * read page by page.
 *
 * A page begins after a key and an id, those of the last row of the page before, so all pages cost
 * the same. Everything is in the arena. */
#ifndef STORE_STORE_EXPLORE_H
#define STORE_STORE_EXPLORE_H

#include "store/store_read.h"

/* ---- the value of each sample; see report/values.h ---- */

struct value_row {
    int64_t sample, model, item, repeat;
    double value, spread; /* spread NaN: fewer than two judges */
    const char *rule;     /* NULL: none */
};
struct value_list {
    struct value_row *v;
    size_t n;
};
/* How many times the derived rows of a run have been made so far, and how many times they had been
 * when its values were made. */
CHECKED enum status store_valued(struct store *s, int64_t run, int64_t *derived, int64_t *valued,
                                 struct err *e);
/* Inside a transaction: replaces all values of the run. */
CHECKED enum status store_value_put(struct store *s, int64_t run, int64_t derived,
                                    const struct value_list *l, struct err *e);
CHECKED enum status store_value_list(struct arena *a, struct store *s, int64_t run,
                                     struct value_list *out, struct err *e);
/* Of one sample; NULL if it has none. */
CHECKED enum status store_value_of(struct arena *a, struct store *s, int64_t sample,
                                   const struct value_row **out, struct err *e);

/* ---- pages ---- */

/* Where a page begins; EXPLORE_FIRST for the first one. */
struct explore_place {
    double key;
    int64_t id;
};
#define EXPLORE_FIRST ((struct explore_place){-1e308, 0})

struct explore_run {
    int64_t id, created_ms, key, total;
    const char *name, *suite, *title, *titles, *label, *note, *tags;
    bool stale;
};
struct explore_runs {
    struct explore_run *v;
    size_t n;
    int64_t total; /* number of all that match; 0 if the page is empty */
};
struct explore_run_filter {
    const char *order;               /* "new", "old", "worked" */
    const char *words, *model, *tag; /* "": any */
    const char *state;               /* "left", "done"; "": any */
};
CHECKED enum status store_run_page(struct arena *a, struct store *s,
                                   const struct explore_run_filter *f, struct explore_place after,
                                   int64_t most, struct explore_runs *out, struct err *e);

/* The state of each of n runs, and its best model (name NULL: none has a score). */
enum explore_phase {
    PHASE_OVER, /* nothing is left to do, and nobody is at work */
    PHASE_LEFT,
    PHASE_QUEUED,
    PHASE_PAUSED,
    PHASE_CANCELLED,
    PHASE_RUNNING, /* a worker had a heartbeat lately, whatever it holds */
};
struct explore_stand {
    enum explore_phase phase;
    int64_t samples, answered, failed, verdicts, judged, unscored, flags;
    int64_t planned; /* of both */
    int64_t beat_ms; /* last heartbeat of its workers; 0: none */
    const char *best, *orders;
    double score;
};
CHECKED enum status store_run_stand(struct arena *a, struct store *s, const int64_t *runs, size_t n,
                                    struct explore_stand *out, struct err *e);
struct explore_names {
    const char **v;
    size_t n;
};
/* The names of those who take part in each of n runs. */
struct explore_cast {
    struct explore_names models, judges;
};
CHECKED enum status store_run_cast(struct arena *a, struct store *s, const int64_t *runs, size_t n,
                                   struct explore_cast *out, struct err *e);
/* The name of the previous run of the same suite that has a model in common; NULL if there is
 * none. */
CHECKED enum status store_run_before(struct arena *a, struct store *s, const struct run_row *run,
                                     const char **out, struct err *e);

struct explore_sample {
    int64_t id, repeat, flags, total;
    enum state state;
    const char *model, *item, *rule;
    double value, spread, key;
    struct str excerpt; /* the beginning of the answer, long enough to contain words of the model */
};
struct explore_samples {
    struct explore_sample *v;
    size_t n;
    int64_t total;
};
struct explore_sample_filter {
    int64_t run;
    const char *order;          /* "", "low", "high", "spread", "long" */
    int64_t model, item, judge; /* ids; 0: any */
    const char *flag;           /* "", "any", or its kind */
    double from, to;            /* range of the value; infinite: any */
    bool unscored;
    double spread;    /* at least; 0: any */
    int64_t baseline; /* a run whose value differs; 0: any */
    const char *words;
};
CHECKED enum status store_sample_page(struct arena *a, struct store *s,
                                      const struct explore_sample_filter *f,
                                      struct explore_place after, int64_t most,
                                      struct explore_samples *out, struct err *e);
/* The samples before and after one, in the order of the run; 0: none. */
CHECKED enum status store_sample_beside(struct store *s, int64_t run, int64_t sample,
                                        int64_t *before, int64_t *after, struct err *e);

/* Two samples that met, and how often each of them won. */
struct explore_battle {
    int64_t sample, other, verdicts, won, lost, tied;
    const char *model, *against, *item;
};
struct explore_battles {
    struct explore_battle *v;
    size_t n;
};
CHECKED enum status store_battle_page(struct arena *a, struct store *s, int64_t run, int64_t sample,
                                      int64_t other, int64_t most, struct explore_battles *out,
                                      struct err *e);

/* ---- one name over all runs ---- */

struct explore_part {
    int64_t run, created_ms, n;
    const char *name, *suite, *title, *titles; /* of the run */
    const char *jury, *judges;                 /* the key of the jury's scores, and its name */
    double value, lo, hi;                      /* a model's score; a judge's agreement; NaN: none */
    const char *why;                           /* as in struct explore_entry */
};
struct explore_parts {
    struct explore_part *v;
    size_t n;
};
/* Runs in which a model or a judge takes part, newest first. */
CHECKED enum status store_runs_of(struct arena *a, struct store *s, enum party_kind kind,
                                  const char *name, int64_t most, struct explore_parts *out,
                                  struct err *e);
CHECKED enum status store_party_names(struct arena *a, struct store *s, enum party_kind kind,
                                      const char *after, int64_t most, struct explore_names *out,
                                      struct err *e);

/* ---- words in all replies ---- */

struct explore_hit {
    int64_t id, run, sample;
    const char *who, *item; /* the model, or the judge */
    struct str words;
};
struct explore_hits {
    struct explore_hit *v;
    size_t n;
    /* The ids that were searched, from `from` down to above `to`; `to` 0: none is left. */
    int64_t from, to;
};
/* Finds texts that contain these words, ignoring the case of ASCII letters; any script, because
 * texts are not split into words. With three or more characters an index finds them in all replies
 * from `from` (0: the newest) down. With fewer, with wildcards of SQL, or while more than
 * EXPLORE_UNWORDED runs are not in the index, one call searches EXPLORE_WINDOW replies. */
enum { EXPLORE_WINDOW = 20000, EXPLORE_UNWORDED = 20 };
CHECKED enum status store_search(struct arena *a, struct store *s, const char *words, bool judges,
                                 int64_t from, int64_t most, struct explore_hits *out,
                                 struct err *e);

/* Inside a transaction: puts the words of a run into the index, replacing the old ones, unless
 * somebody is working on the run. */
CHECKED enum status store_words_put(struct store *s, int64_t run, int64_t derived, struct err *e);
/* Runs that are missing in the index or have changed since, newest first. */
CHECKED enum status store_unworded(struct arena *a, struct store *s, int64_t most, int64_t **out,
                                   size_t *n, struct err *e);

/* ---- boards over many runs ---- */

struct explore_suite {
    const char *suite, *run, *title, *titles; /* `run`: the newest one of the suite */
    int64_t runs;
};
struct explore_suites {
    struct explore_suite *v;
    size_t n;
};
CHECKED enum status store_suite_list(struct arena *a, struct store *s, int64_t most,
                                     struct explore_suites *out, struct err *e);

/* One score of each model in the runs of a suite, newest first. */
struct explore_entry {
    const char *run, *judges, *model; /* judges: name of the jury */
    int64_t created_ms, n;
    double value, lo, hi;
    const char *why; /* why there is no interval, or a caution with it; NULL: nothing */
};
struct explore_entries {
    struct explore_entry *v;
    size_t n;
};
CHECKED enum status store_board_of(struct arena *a, struct store *s, const char *suite,
                                   const char *metric, int64_t most, struct explore_entries *out,
                                   struct err *e);

#endif
