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

/* About the rater. "Prefer not to say" is always offered besides. */
struct question {
    const char *id;
    struct wording text;
    const struct wording *options;
    size_t noptions;
};

/* When somebody has learnt the scales: the marks given to practice texts agree with theirs. */
struct practice {
    bool on;
    int64_t texts;        /* in one attempt */
    int64_t attempts;     /* each with other texts as long as there are any */
    double exact, within; /* shares of marks that are right, and at most one step away */
    double bias;          /* mean error of a dimension at most */
    double kappa;         /* quadratic, asked for once there are `kappa_from` marks */
    int64_t kappa_from;
    double silent; /* share of anchor texts among what is rated later */
    /* Practised again after so many passages, and after so many days; 0: never. */
    int64_t again_items, again_days;
};

/* Signs that exclude a rater's work from the main table: fixed before the first rating. NaN: no. */
struct exclusion {
    double faster_than;  /* characters read in a second of active time */
    double same_marks;   /* share of marks that are the one used most in their dimension */
    double anchor_error; /* mean distance from the anchor texts, in steps of the scale */
};

struct spec {
    const char *name;
    struct wording title, purpose, instructions, consent; /* purpose: empty in old ones */
    const char *contact;                                  /* whom raters can ask; NULL */
    int64_t minutes; /* that a rater needs, about; 0: not said */
    const char *consent_version;
    const struct question *about;
    size_t nabout;
    int64_t passages, overlap; /* of a rater; of a passage */
    bool reference;            /* the item's reference is shown as one more system */
    bool all_repeats;          /* else the first answer of each model */
    int64_t pairs;             /* shown of one passage, where the instrument compares */
    int64_t deadline_ms;       /* 0: none */
    int64_t lease_ms;
    int64_t retention_days; /* after the campaign was closed, or its deadline; 0: nothing goes */
    bool retention_ratings; /* ratings go then too, not only what is personal */
    int64_t answer_wait_ms; /* of the interview room (pace.h); 0: words as they come */
    const char *code;       /* of open registration; NULL: by invitation only */
    bool open;              /* anybody may join, without one */
    int64_t per_network;    /* ... so many a day from one network */
    const char *panel;      /* of links: what holds a panel's number for the rater; NULL: nothing */
    double twice;    /* share of passages that a rater is shown once more, later and silently */
    bool completers; /* only those who finished count in the main table */
    struct practice practice;
    const struct example *anchors;
    size_t nanchors;
    struct exclusion exclude;
    const char *completion_code, *return_url; /* NULL: a code for each rater; nowhere */
    const char *rejected_code; /* for whoever did not pass the practice; NULL: none */
    uint64_t seed;
};

/* Read a campaign file for runs of this suite; faults go to d, and where there are any, *out and
 * *frozen are not to be used. *frozen is what a campaign stores. */
void spec_load(struct arena *a, const char *path, const struct suite *suite, struct spec *out,
               const char **frozen, struct diags *d);
/* The same for a text that is in no file, and may name none. */
void spec_read(struct arena *a, struct str text, const struct suite *suite, struct spec *out,
               const char **frozen, struct diags *d);
/* What was frozen, word for word the same. */
CHECKED enum status spec_thaw(struct arena *a, struct str frozen, const struct suite *suite,
                              struct spec *out, struct err *e);

/* The file has a rule by which raters are excluded. */
bool spec_excludes(const struct spec *s);

#endif
