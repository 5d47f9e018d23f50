/* spec.h - a campaign as its file describes it: who rates what, how much, and what counts.
 *
 *     campaign: comic-july
 *     title: {en: Comic dialogues, zh: 相声续写, ja: 漫才の続き}
 *     passages_per_rater: 5
 *     overlap: 6                     # ratings wanted for each passage
 *     reference: takes-part          # the human text is one more system
 *     deadline: 2026-12-01 18:00 +09:00
 *     code: HUMOUR-26                # open registration with this word; else by invitation
 *     counts: completers             # or everyone
 *
 * Everything has a default (share/campaign/default.yaml holds the texts), so that a campaign can be
 * three lines. What is asked comes from the run's suite; its examples are the practice texts unless
 * the file brings its own. A campaign stores the file with everything written out, so that it is
 * fixed before the first rating: spec_thaw() reads that back. Everything lives in the arena. */
#ifndef PANEL_SPEC_H
#define PANEL_SPEC_H

#include "base/diag.h"
#include "base/err.h"
#include "suite/vocab.h"

/* A text that raters read, in the languages of the interface. */
struct wording {
    struct str en, zh, ja;
};
struct str spec_wording(const struct wording *w, const char *language);

/* A question about the rater. "Prefer not to say" is always offered. */
struct question {
    const char *id;
    struct wording text;
    const struct wording *options;
    size_t noptions;
};

/* Criteria for having learnt the scales: agreement with the marks of practice texts. */
struct practice {
    bool on;
    int64_t texts;        /* per attempt */
    int64_t attempts;     /* with other texts each, as far as possible */
    double exact, within; /* shares of marks that are exact, and at most one step off */
    double bias;          /* largest mean error of a dimension */
    double kappa;         /* quadratic; checked once there are `kappa_from` marks */
    int64_t kappa_from;
    double silent; /* share of anchor texts mixed in later */
    /* Practice again after so many passages or days; 0: never. */
    int64_t again_items, again_days;
};

/* Rules that exclude raters from the main table, fixed before the first rating. NaN: no rule. */
struct exclusion {
    double faster_than;  /* characters per second of active time */
    double same_marks;   /* share of marks equal to the most frequent one in their dimension */
    double anchor_error; /* mean distance from anchor texts, in steps of the scale */
};

struct spec {
    const char *name;
    struct wording title, purpose, instructions, consent; /* purpose: empty in older files */
    const char *contact;                                  /* for questions of raters; NULL: none */
    int64_t minutes; /* approximate time a rater needs; 0: not stated */
    const char *consent_version;
    const struct question *about;
    size_t nabout;
    int64_t passages, overlap; /* per rater; ratings per passage */
    bool reference;            /* the item's reference is shown as another system */
    bool all_repeats;          /* otherwise only the first answer of each model */
    int64_t pairs;             /* number per passage, if the instrument compares */
    int64_t deadline_ms;       /* 0: none */
    int64_t lease_ms;
    int64_t retention_days; /* after closing or the deadline; 0: nothing is deleted */
    bool retention_ratings; /* also deletes ratings, not only personal data */
    int64_t answer_wait_ms; /* in the interview room (pace.h); 0: no delay */
    const char *code;       /* for open registration; NULL: by invitation only */
    bool open;              /* anybody may join without a code */
    int64_t per_network;    /* ... at most so many per day and network */
    const char *panel;      /* URL parameter with the rater's number in a panel; NULL: none */
    double twice;           /* share of passages shown to a rater again, later and silently */
    bool completers;        /* only raters who finished count in the main table */
    struct practice practice;
    const struct example *anchors;
    size_t nanchors;
    struct exclusion exclude;
    const char *completion_code, *return_url; /* NULL: an individual code; no URL */
    const char *rejected_code;                /* for raters who failed the practice; NULL: none */
    uint64_t seed;
};

/* Reads a campaign file for runs of this suite. Faults go to d; if there are any, *out and
 * *frozen must not be used. *frozen is what a campaign stores. */
void spec_load(struct arena *a, const char *path, const struct suite *suite, struct spec *out,
               const char **frozen, struct diags *d);
/* The same for a text that is not a file and cannot refer to files. */
void spec_read(struct arena *a, struct str text, const struct suite *suite, struct spec *out,
               const char **frozen, struct diags *d);
/* Reads what was frozen. */
CHECKED enum status spec_thaw(struct arena *a, struct str frozen, const struct suite *suite,
                              struct spec *out, struct err *e);

/* Does the file have a rule that excludes raters? */
bool spec_excludes(const struct spec *s);

#endif
