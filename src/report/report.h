/* report.h - one report value, from which every form of output is made.
 *
 * report_build() gathers everything about a run that people want to see; the renderers turn it
 * into a terminal table, Markdown, HTML, CSV or JSON and compute nothing. Values live in the
 * arena. Text of models and judges is kept as it was and escaped by each renderer. */
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
    struct evidence_quotes quotes; /* of an interview: words that bear the mark out */
};

struct report_sitting;
struct values_matrix;

struct report_verdict {
    const char *judge;
    enum state state;
    struct report_mark *marks; /* in the instrument's order */
    size_t nmarks;
    struct str reply;  /* the judge's raw words */
    struct str reason; /* the judge's words on the whole; may be empty */
    const char *why;   /* when unscored or failed */
    double overall;    /* the judge's own; NaN: none */
    double mean;       /* ours: the weighted mean of the marks, unrounded; NaN: none */
    int64_t repeat, repairs, id;
    /* of a pair; NULL: not one, or no choice was made */
    const char *shown_a, *shown_b, *choice, *winner;
    const char *about; /* the rule that it is about instead of the answer, or NULL */
    struct str shown;  /* what it is about, or in which order, as it is stored */
};

struct report_sample {
    const char *model, *item;
    int64_t id, repeat;
    enum state state;
    struct str prompt, reference, answer;
    const struct item_turn *turns; /* the dialogue before the prompt */
    size_t nturns;
    const char *fault, *why;
    double value;                /* as scored, rules applied; NaN: unscored */
    double unrounded;            /* the same before the suite's rounding */
    const char *rule;            /* kind of the flag that set or capped the value; NULL: none */
    const struct flag_row *flag; /* first that stands; NULL */
    const struct item *asked;
    const struct report_sitting *sitting; /* NULL: no interview; see sittings.h */
    struct report_verdict *verdicts;
    size_t nverdicts;
};

/* A model in battles. Rows may be NULL. */
struct report_battles {
    int64_t group; /* of models that met, from 1; 0: all met, or this one met nobody */
    int64_t wins, losses, ties;
    const struct score_row *rank, *glicko, *glicko_rd, *glicko_order;
    const struct score_row *controlled; /* the rating with style taken out */
};

struct report_model {
    const char *name;
    const struct score_row *score;     /* NULL: there is none yet */
    const struct score_row *unrounded; /* the same; NULL unless the suite rounds */
    const struct score_row **marks;    /* by dimension, in the instrument's order; may hold NULL */
    const struct score_row **totals;   /* likewise; NULL unless it scores by totals or band */
    const struct score_row **rates;    /* by classifier; NULL where it has not spoken */
    int64_t planned, done, failed, unscored, unjudged, left_out, duplicates, tokens;
    double cost; /* USD; NaN: not known */
    struct report_battles battles;
    /* of interviews; NULL: not known */
    const struct score_row *spread, *unbroken, *never_broken, *contradictions;
    int64_t bad_users;      /* of dialogues: whose user was none */
    struct score_list over; /* of dialogues: rows over time, see over_time.h */
};

struct report_judge {
    const char *name;
    const char *template; /* its name; NULL: a function, which is asked nothing */
    int64_t planned, done, unscored, failed, repaired, tokens, differs, compared;
    double cost;
    double agreement; /* with the mean of the others; NaN: undefined */
    bool falls;       /* for some trick, when it was tried: audit.h */
    const char *kin;  /* models that it is itself, or of its family; NULL: none */
    /* of pairs; NULL: not known */
    const struct score_row *first_shown, *inconsistent, *consistency, *bias, *bias_p;
    const struct score_row *length, *own_family; /* the latter NaN: not measured */
};

/* A jury of the run, as a column beside the others. */
struct report_panel {
    const char *name;
    bool people, masked;
    double agreement; /* with the run's first jury; NaN: it is that one, or unknown */
    const struct score_row **scores; /* of report.models; may hold NULL */
};

/* Another jury side by side with the report's own. */
struct report_beside {
    struct jury jury;
    struct report_model *models; /* in the order of report.models */
};

struct report {
    struct run_row run;
    struct suite suite;
    struct jury jury;             /* whose numbers these are */
    bool hushed;                  /* masked, and scores would tell who is who */
    struct report_beside *beside; /* those asked for together with it */
    size_t nbeside;
    struct report_panel *panels; /* all whose numbers there are, this one first */
    size_t npanels;
    int64_t items;
    struct report_model *models; /* best first, by groups; those without a score last */
    size_t nmodels;
    const struct values_matrix *lead; /* who is ahead of whom; NULL: not known */
    struct party_list others;         /* who examines, plays the user or plays along */
    struct report_judge *judges;
    size_t njudges;
    double agreement;         /* of all judges, when there are several; NaN: undefined */
    struct noise noise;       /* where that of the scores comes from; of battles nothing */
    const char **classifiers; /* whose rates are shown beside the scores, never sorted by */
    const char **classes;     /* what each of them counts, with its name: "polite (manners)" */
    size_t nclassifiers;
    /* of pairs: what style is worth; NULL: not known */
    const struct score_row *style[STYLE_FEATURES];
    /* of pairs that are chosen: judged of those possible, the largest RD, what a round robin needs
     */
    const struct score_row *chosen, *largest_rd, *round_robin;
    const char **notes; /* what the ratings need said */
    size_t nnotes;
    struct fault_list faults;
    struct flag_list flags;
    struct report_sample *samples; /* none unless asked for; those that were at least tried */
    size_t nsamples;
    int64_t samples_left_out; /* there are more than the limit */
    struct traffic *traffic;  /* how fast everybody replied; none unless asked for */
    size_t ntraffic;
    bool withheld; /* the suite is sensitive: neither samples nor the evidence of flags are here */
};

enum { REPORT_CLASSIFIERS = 8 }; /* shown; there is no room for more */
enum { REPORT_SAMPLES = 2000 };  /* as many as a page can hold and a person can want */
enum { REPORT_PRINTED = 200 };   /* as many as one prints; a browser takes a second for each 100 */

struct report_take {
    const char *judge;         /* whose numbers: a judge, a panel, campaign:NAME; NULL: the first */
    const char *const *beside; /* others, side by side with it */
    size_t nbeside;
    size_t samples; /* how many to take along with their verdicts; 0: none */
    bool traffic;   /* how fast everybody replied */
    bool sensitive; /* even of a suite whose items and answers are to stay where they are */
};

/* When there are more samples than are taken,
 * flagged ones come first, then those without a value, then the lowest and the highest. Brings
 * the scores of a stale run up to date. */
CHECKED enum status report_build(struct arena *a, struct store *s, struct run_row *run,
                                 struct report_take take, struct report *out, struct err *e);

/* NULL: there is none of this name. */
const struct report_model *report_model_named(const struct report *r, const char *name);

/* ---- renderers: append to out ---- */

struct render_terminal {
    int columns; /* of the window; at least 20 */
    bool colour;
    bool unicode; /* false: plain ASCII */
    bool full;    /* every table; else the board, dimensions and what needs attention */
    bool window;  /* a person looks at it: a headline that is too long for a line is broken, too */
};

void render_terminal(const struct report *r, const struct render_terminal *how, struct buf *out);
void render_markdown(const struct report *r, struct buf *out);
void render_html(const struct report *r, struct buf *out); /* one file, no links to elsewhere */
void render_csv(const struct report *r, struct buf *out);
void render_json(const struct report *r, struct buf *out);

#endif
