/* store_read.h - reads a run back: for scoring, reports, listings and exports.
 *
 * The *_each functions call back row by row in constant memory, as cursors do. What a callback gets
 * is valid until it returns, and it must not use the store. */
#ifndef STORE_STORE_READ_H
#define STORE_STORE_READ_H

#include "store/cursor.h"
#include "store/jury.h"
#include "suite/mark.h"
#include "suite/turn.h"

/* One answer with its names. */
struct sample_row {
    int64_t id, model, item, repeat, round, position;
    const char *model_name, *item_name;
    enum state state;
    struct str answer, thinking, body; /* body: the frozen item */
    const char *finish, *fault, *why;
    int64_t tokens_in, tokens_out, tries, elapsed_ms, ended_ms, call;
    double cost;
};

/* Which samples to read; 0 and NULL: all. */
struct sample_filter {
    int64_t run, id;
    const char *model, *item;
};

/* Ordered by model, item position, repeat. */
struct cursor store_samples(struct store *s, const struct sample_filter *f, struct err *e);
bool store_sample_next(struct cursor *c, struct sample_row *out);

struct verdict_row {
    int64_t id, sample, repeat;
    const char *judge_name, *model_name, *item_name;
    int64_t sample_repeat;
    enum state state;
    struct str reply, reason;
    double overall;
    int64_t repairs, call;
    const char *fault, *why;
    /* of a pair: the models shown as A and B, the judge's letter or "tie", the winner; NULL: not a
     * pair, or none */
    const char *shown_a, *shown_b, *other_name, *choice, *winner_name;
    struct str shown;  /* the order shown, or what it is about, as stored */
    const char *about; /* the rule that it is about instead of the answer, or "": reply/about.h */
};

struct verdict_list {
    struct verdict_row *v;
    size_t n;
};

/* The verdicts of one sample, or a single one: of judges, or with `people` of a campaign, whose
 * verdicts can also all be read at once. Ordered by judge and repeat. The id of a verdict by people
 * is the negated number of their assignment; there are none before the campaign is unmasked. */
struct verdict_filter {
    int64_t run, id, sample; /* 0: any */
    const struct jury *people;
};
CHECKED enum status store_verdict_list(struct arena *a, struct store *s,
                                       const struct verdict_filter *f, struct verdict_list *out,
                                       struct err *e);
/* The same of a whole run, ordered by model, item position and sample repeat. */
struct cursor store_verdicts(struct store *s, int64_t run, const struct jury *people,
                             struct err *e);
bool store_verdict_next(struct cursor *c, struct verdict_row *out);

/* The marks of one verdict; `sample` is the one that it is about. */
struct mark_list {
    struct mark *v;
    size_t n;
};
CHECKED enum status store_mark_list(struct arena *a, struct store *s, int64_t verdict,
                                    int64_t sample, struct mark_list *out, struct err *e);

/* The mark of one dimension, or NULL. */
const struct mark *store_mark_find(const struct mark_list *marks, const char *dimension);

/* What scoring needs, as little as possible: every done sample with every mark of the jury's done
 * verdicts, ordered by sample, judge, judge repeat and dimension. A sample without marks comes
 * once, with dimension NULL. */
struct mark_fact {
    int64_t model, item, repeat, sample, judge;
    const char *dimension;
    double value;
};
typedef enum status mark_fn(void *user, const struct mark_fact *f, struct err *e);
CHECKED enum status store_mark_each(struct store *s, int64_t run, const struct jury *jury,
                                    mark_fn *fn, void *user, struct err *e);
/* The same for the people of a campaign. */
CHECKED enum status store_people_mark_each(struct store *s, int64_t run, const struct jury *jury,
                                           mark_fn *fn, void *user, struct err *e);

/* A mark for a stretch of turns of a conversation; ordered by sample and judge. */
struct window_fact {
    int64_t model, sample, judge;
    struct str shown; /* the stretch: turn_span_read() */
    const char *dimension;
    double value;
};
struct cursor store_windows(struct store *s, int64_t run, const struct jury *jury, struct err *e);
bool store_window_next(struct cursor *c, struct window_fact *out);
/* The samples without an answer whose flag `empty` stands, in order, as facts without a dimension.
 * None as long as the jury has judged nothing, or other answers of the model wait for a judge: a
 * run that is half judged would consist of them. */
struct cursor store_silent(struct store *s, int64_t run, const struct jury *jury, struct err *e);
bool store_fact_next(struct cursor *c, struct mark_fact *out);

/* The lowest and highest id of the run's items, which were planned together and so lie close
 * together. */
CHECKED enum status store_item_span(struct store *s, int64_t run, int64_t *first, int64_t *last,
                                    struct err *e);

struct flag_row {
    int64_t id, sample;
    const char *kind, *model_name, *item_name;
    int64_t repeat;
    double value;
    struct str evidence;
    const char *overruled_by, *overruled_why; /* NULL: it is in force */
    const char *restored_by, *restored_why;   /* if a person restored it last; else NULL */
};
struct flag_list {
    struct flag_row *v;
    size_t n;
};
CHECKED enum status store_flag_list(struct arena *a, struct store *s, int64_t run,
                                    struct flag_list *out, struct err *e);
/* Inserts or updates a flag; an overruling is kept. */
CHECKED enum status store_flag_put(struct store *s, int64_t run, int64_t sample, const char *kind,
                                   double value, struct str evidence, struct err *e);
CHECKED enum status store_flag_drop(struct store *s, int64_t id, struct err *e);

/* A reply from the network, valid during the callback: who gave it, how long it took, and its
 * body. */
struct traffic_row {
    const char *kind, *name; /* "model" or "judge" */
    int64_t elapsed_ms;
    struct str response;
};
typedef enum status traffic_fn(void *user, const struct traffic_row *row, struct err *e);
/* All replies, those of models first; those of one model or judge follow each other. */
CHECKED enum status store_traffic_each(struct store *s, int64_t run, traffic_fn *fn, void *user,
                                       struct err *e);

/* Scores of one jury. */
struct score_row {
    const char *subject, *metric, *method; /* subject: "model/NAME", "judge/NAME" */
    double value, lo, hi;                  /* NaN: undefined */
    int64_t n, clusters;
    const char *why; /* why there is no interval, or a caution; see math/interval.h; NULL: none */
};
struct score_list {
    struct score_row *v;
    size_t n;
    bool sorted; /* by subject and metric, bytewise */
};
/* The version of the methods behind stored rows. Values are the same in all versions except for
 * rounding, intervals are not. Differences:
 * 1: rows from before versions were stored; 2: before variance components; 3 and 4: `identity` knew
 * fewer words; 5: no interval for Fleiss' kappa if raters are drawn; 6: sums in another order,
 * severities with fewer digits; 7: intervals of `unbroken` were too short if few broke; 8: so were
 * those of means if three units of twenty or more were off an end, those of contradictions, and
 * those of judges beside ratings; 9: the normal quantile differed in its last bit; 10: intervals
 * took rounding for different marks, accuracy (`ai:accuracy`) was about whole numbers, answers that
 * a rule leaves out were in variance components, contradictions counted as often as they were
 * listed, and `unbroken` was about turns that nobody had seen; 11: before people, empty answers
 * lost no battle, and counted as 0 in repeats that were not shown; 12: few people, or few prompts
 * with most of the battles, told models apart as if they were many; 13: ratings adjusted for style
 * had too short intervals if prompts differ in size, and flags on users who ended a dialogue named
 * no turn. */
enum {
    STORE_SCORE_VERSION = 14,
    STORE_SCORE_WORDS = 5,
    STORE_SCORE_SILENCE = 12,
    STORE_SCORE_TURNS = 14
};
CHECKED enum status store_score_list(struct arena *a, struct store *s, int64_t run,
                                     const char *jury, struct score_list *out, struct err *e);
/* Deletes those of all juries. */
CHECKED enum status store_score_drop(struct store *s, int64_t run, struct err *e);
CHECKED enum status store_score_add(struct store *s, int64_t run, const char *jury,
                                    const struct score_list *l, struct err *e);
/* The versions of the stored rows, or the current one if there are none. Rows are written together,
 * so there is only one. */
struct score_versions {
    int64_t oldest, newest;
};
CHECKED enum status store_score_versions(struct store *s, int64_t run, struct score_versions *out,
                                         struct err *e);
/* The same for other tables of such rows: `query` lists, adds or looks at the rows of `owner`;
 * `jury` is its last parameter, NULL if it has none. */
CHECKED enum status store_score_span(struct store *s, int query, int64_t owner,
                                     struct score_versions *out, struct err *e);
CHECKED enum status store_score_read(struct arena *a, struct store *s, int query, int64_t owner,
                                     const char *jury, struct score_list *out, struct err *e);
CHECKED enum status store_score_write(struct store *s, int query, int64_t owner, const char *jury,
                                      const struct score_list *l, struct err *e);

/* Why work was not scored: the number for each (subject, state, fault, why). */
struct fault_count {
    const char *who; /* model or judge */
    bool is_judge;
    enum state state;
    const char *fault, *why; /* `why` is that of one of them */
    int64_t n;
};
struct fault_list {
    struct fault_count *v;
    size_t n;
};
CHECKED enum status store_fault_list(struct arena *a, struct store *s, int64_t run,
                                     struct fault_list *out, struct err *e);

/* Whether this judge was asked about any answer of this model. */
CHECKED enum status store_judge_met(struct store *s, int64_t run, int64_t judge, int64_t model,
                                    bool *out, struct err *e);

#endif
