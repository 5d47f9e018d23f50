/* drive.h - what run, judge and batch share once they know their run: seat its judges, work it off,
 * show how it ended. */
#ifndef CMD_DRIVE_H
#define CMD_DRIVE_H

#include "cmd/annotate.h"
#include "cmd/suite_args.h"
#include "eval/run.h"

/* The options of run and judge; each of the two takes some of them. */
struct drive_values {
    struct annotate about; /* name, note and tags of the run */
    struct opt_list models, judges, users;
    int64_t jobs, repeat, limit, subset, seed, form, judge_repeat, max_retries, store_wait;
    const char *endpoint_wait;
    int64_t priority, budget_battles; /* < 0: not given */
    double timeout, target_rd;        /* the latter < 0: not given */
    const char *budget, *judge_template, *resume, *examiner, *until;
    bool own_family, no_cache, retry_failed, dry_run, detach, full, panel;
    bool several; /* one of several suites, whose own board comes at the end */
};

/* clang-format off */
#define DRIVE_DEFAULTS \
    {.jobs = 64, .seed = -1, .priority = -1, .judge_repeat = 1, .budget_battles = -1, .target_rd = -1, .max_retries = 8, .store_wait = 300}

#define DRIVE_AT(member) offsetof(struct drive_values, member)
#define DRIVE_OPTS \
    {"judge-template",  0,   OPT_TEXT,   DRIVE_AT(judge_template), "T",       "judge template: a built-in name or a file [set by the suite]", 0, 0}, \
    {"judge-repeat",    0,   OPT_COUNT,  DRIVE_AT(judge_repeat),   "N",       "verdicts per judge and answer [1]", 1, 100}, \
    {"panel",           0,   OPT_FLAG,   DRIVE_AT(panel),          NULL,      "let an added judge join the first ones [its scores get their own column]", 0, 0}, \
    {"own-family",      0,   OPT_FLAG,   DRIVE_AT(own_family),     NULL,      "let judges judge models of their own family", 0, 0}, \
    {"max-concurrency", 'j', OPT_COUNT,  DRIVE_AT(jobs),           "N",       "maximum number of concurrent requests [64]", 1, 10000}, \
    {"budget",          0,   OPT_TEXT,   DRIVE_AT(budget),         "AMOUNT",  "budget of the run, such as 5usd or 200000tok [as queued before, else none]", 0, 0}, \
    {"budget-battles",  0,   OPT_COUNT,  DRIVE_AT(budget_battles), "N",       "pairwise suites: judge at most N battles, the most informative first; 0: all again [all]", 0, 0}, \
    {"target-rd",       0,   OPT_NUMBER, DRIVE_AT(target_rd),      "POINTS",  "pairwise suites: choose battles until no rating deviation exceeds this; 0: all again [all]", 0, 350}, \
    {"max-retries",     0,   OPT_COUNT,  DRIVE_AT(max_retries),    "N",       "retries per request, not counting rate limits [8]", 0, 1000}, \
    {"timeout",         0,   OPT_NUMBER, DRIVE_AT(timeout),        "SECONDS", "timeout of one attempt [set in models.yaml, else 300]", 0, 86400}, \
    {"wait-for-endpoint", 0, OPT_TEXT,   DRIVE_AT(endpoint_wait),  "TIME",    "how long to wait for a model server that is starting: 90s, 10m, 1h [a few tries]", 0, 0}, \
    {"full",            0,   OPT_FLAG,   DRIVE_AT(full),           NULL,      "print every table at the end, not only the leaderboard", 0, 0}, \
    {"store-wait",      0,   OPT_COUNT,  DRIVE_AT(store_wait),     "SECONDS", "how long to wait for a database that refuses writes [300]", 0, 86400}
/* clang-format on */

/* The judges that --judge names, with --judge-template. */
struct drive_judges {
    const struct endpoint **v;
    size_t n;
    const struct template *template; /* NULL: the suite's */
};
CHECKED enum status drive_judges_find(struct app *app, const struct drive_values *v,
                                      const struct roster *r, struct drive_judges *out,
                                      struct diags *d, struct err *e);

/* The limits that --budget names; NaN and 0 where there is none. */
struct drive_budget {
    double usd;
    int64_t tokens;
};
CHECKED enum status drive_budget_read(const char *text, struct drive_budget *out, struct err *e);

/* --wait-for-endpoint: 90s, 10m, 1h; 0 where nothing is said. */
CHECKED enum status drive_wait_read(const char *text, int64_t *ms, struct err *e);

/* Each request in flight is an open file: raise our limit as far as we may, and warn if that is too
 * little. */
void drive_make_room(struct app *app, int64_t jobs);

/* E_USAGE for --until, --budget-battles or --target-rd if the suite does not allow it. */
CHECKED enum status drive_goal_fits(const struct drive_values *v, const struct suite *suite,
                                    struct err *e);

struct drive_job {
    struct run_row *run;
    const struct suite *suite;
    const struct drive_values *values;
    const struct drive_judges *judges;
    bool resumed;    /* the run existed before */
    bool judge_only; /* the models are not asked */
    run_post *post;  /* NULL: over the network; see run.h */
    void *post_user;
    json_t *files; /* added to the end as JSON; may be NULL */
};

/* Add the judges, work the run off, print the end. Sets app->exit. */
CHECKED enum status drive_run(struct app *app, const struct drive_job *job, struct err *e);

#endif
