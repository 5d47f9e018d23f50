/* report.h - one value from which all output forms are made.
 *
 * report_build() gathers everything that people want to see about a run; the renderers turn it
 * into a terminal table, Markdown, HTML, CSV or JSON, and compute nothing. Values live in the
 * arena. Text of models and judges is kept unchanged; each renderer escapes it. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "eval/score.h"
#include "gauge/noise.h"
#include "reply/evidence.h"
#include "store/store_read.h"
#include "suite/item.h"
#include "suite/mark.h"
#include "text/style.h"

struct report_mark {
    const char *dimension;
    double value;
    struct str analysis, advice;
    struct evidence_quotes quotes; /* interviews: quotations that support the mark */
};

struct report_sitting;
struct values_matrix;

struct report_verdict {
    const char *judge;
    enum state state;
    struct report_mark *marks; /* in the instrument's order */
    size_t nmarks;
    struct str reply;  /* raw reply of the judge */
    struct str reason; /* the judge's overall reason; may be empty */
    const char *why;   /* if unscored or failed */
    double overall;    /* given by the judge; NaN: none */
    double mean;       /* computed: weighted mean of the marks, unrounded; NaN: none */
    int64_t repeat, repairs, id;
    /* of a pair; NULL: not a pair, or no choice */
    const char *shown_a, *shown_b, *choice, *winner;
    const char *about; /* the rule it is about; NULL: it is about the answer */
    struct str shown;  /* what it is about, or the order shown, as stored */
};

struct report_sample {
    const char *model, *item;
    int64_t id, repeat;
    enum state state;
    struct str prompt, reference, answer;
    const struct item_turn *turns; /* the dialogue before the prompt */
    size_t nturns;
    const char *fault, *why;
    double value;                /* as scored, after rules; NaN: unscored */
    double unrounded;            /* before the suite's rounding */
    const char *rule;            /* kind of the flag that set or capped the value; NULL: none */
    const struct flag_row *flag; /* the first that stands, or NULL */
    const struct item *asked;
    const struct report_sitting *sitting; /* NULL: not an interview; see sittings.h */
    struct report_verdict *verdicts;
    size_t nverdicts;
};

/* Results of a model in battles. Rows may be NULL. */
struct report_battles {
    int64_t group; /* group of models that met, from 1; 0: all met, or this one met nobody */
    int64_t wins, losses, ties;
    const struct score_row *rank, *glicko, *glicko_rd, *glicko_order;
    const struct score_row *controlled; /* rating controlled for style */
};

struct report_model {
    const char *name;
    const struct score_row *score;     /* NULL: none yet */
    const struct score_row *unrounded; /* NULL unless the suite rounds */
    const struct score_row **marks;    /* by dimension, in the instrument's order; may hold NULL */
    const struct score_row **totals;   /* same order; NULL unless scored by totals or band */
    const struct score_row **rates;    /* by classifier; may hold NULL */
    int64_t planned, done, failed, unscored, unjudged, left_out, duplicates, tokens;
    double cost; /* USD; NaN: unknown */
    struct report_battles battles;
    /* of interviews; NULL: unknown */
    const struct score_row *spread, *unbroken, *never_broken, *contradictions;
    int64_t bad_users;      /* dialogues whose user did not act as a user */
    struct score_list over; /* dialogues: rows over time, see over_time.h */
};

struct report_judge {
    const char *name;
    const char *template; /* name of the template; NULL: a function, which needs no prompt */
    int64_t planned, done, unscored, failed, repaired, tokens, differs, compared;
    double cost;
    double agreement; /* with the mean of the others; NaN: undefined */
    bool falls;       /* for at least one trick in an audit (audit.h) */
    const char *kin;  /* models that are the judge itself or of its family; NULL: none */
    /* of pairs; NULL: unknown */
    const struct score_row *first_shown, *inconsistent, *consistency, *bias, *bias_p;
    const struct score_row *length, *own_family; /* own_family may be NaN: not measured */
};

/* A jury of the run, as a column beside the others. */
struct report_panel {
    const char *name;
    bool people, masked;
    double agreement; /* with the run's first jury; NaN: this is the first one, or unknown */
    const struct score_row **scores; /* of report.models; may hold NULL */
};

/* Another jury, side by side with the report's own. */
struct report_beside {
    struct jury jury;
    struct report_model *models; /* in the order of report.models */
};

struct report {
    struct run_row run;
    struct suite suite;
    struct jury jury;             /* the jury of these numbers */
    bool hushed;                  /* masked, and scores would reveal the systems */
    struct report_beside *beside; /* juries requested in addition */
    size_t nbeside;
    struct report_panel *panels; /* all juries that have numbers, this one first */
    size_t npanels;
    int64_t items;
    struct report_model *models; /* best first, by groups; those without a score last */
    size_t nmodels;
    const struct values_matrix *lead; /* who is ahead of whom; NULL: unknown */
    struct party_list others;         /* examiners, users and other participants */
    struct report_judge *judges;
    size_t njudges;
    double agreement;         /* of all judges, if there are several; NaN: undefined */
    struct noise noise;       /* sources of noise of the scores; none for battles */
    const char **classifiers; /* whose rates are shown; they never affect the order */
    const char **classes;     /* what each one detects, with its name: "polite (manners)" */
    size_t nclassifiers;
    /* of pairs: effects of style; NULL: unknown */
    const struct score_row *style[STYLE_FEATURES];
    /* of chosen pairs: battles judged out of the possible ones, largest RD, size of a round
     * robin */
    const struct score_row *chosen, *largest_rd, *round_robin;
    const char **notes; /* notes on the ratings */
    size_t nnotes;
    struct fault_list faults;
    struct flag_list flags;
    struct report_sample *samples; /* only if requested; samples that were at least tried */
    size_t nsamples;
    int64_t samples_left_out; /* number beyond the limit */
    struct traffic *traffic;  /* response times; only if requested */
    size_t ntraffic;
    bool withheld; /* the suite is sensitive: neither samples nor flags are included */
};

enum { REPORT_CLASSIFIERS = 8 }; /* most that fit */
enum { REPORT_SAMPLES = 2000 };  /* more than a page can hold or a person wants */
enum { REPORT_PRINTED = 200 };   /* limit for printing: a browser takes a second per 100 */

struct report_take {
    const char *judge;         /* which jury: a judge, a panel or campaign:NAME; NULL: the first */
    const char *const *beside; /* further juries, side by side with it */
    size_t nbeside;
    size_t samples; /* number of samples to include with their verdicts; 0: none */
    bool traffic;   /* include response times */
    bool sensitive; /* include samples even if the suite is sensitive */
};

/* If there are more samples than requested, flagged ones come first, then those without a value,
 * then the lowest and the highest. Recomputes the scores of a stale run. */
CHECKED enum status report_build(struct arena *a, struct store *s, struct run_row *run,
                                 struct report_take take, struct report *out, struct err *e);

/* NULL if there is none. */
const struct report_model *report_model_named(const struct report *r, const char *name);

/* ---- renderers: append to out ---- */

struct render_terminal {
    int columns; /* width of the window; at least 20 */
    bool colour;
    bool unicode; /* false: plain ASCII */
    bool full;    /* all tables; otherwise the board, dimensions and what needs attention */
    bool window;  /* output to a window: a headline that is too long is wrapped, too */
};

void render_terminal(const struct report *r, const struct render_terminal *how, struct buf *out);
void render_markdown(const struct report *r, struct buf *out);
void render_html(const struct report *r, struct buf *out); /* self-contained, no external links */
void render_csv(const struct report *r, struct buf *out);
void render_json(const struct report *r, struct buf *out);

#endif
