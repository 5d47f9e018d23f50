/* progress.h - how a run goes, or what is done to all of its answers, while it goes.
 *
 * On a terminal two lines that are drawn again in their place about ten times a second; elsewhere
 * a plain line every five seconds at most and one at the end. Says once, whatever else is shown,
 * that an interruption was heard. */
#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include "cmd/cmd.h"
#include "eval/run.h"
#include "suite/training.h"

enum progress_mode { PROGRESS_NONE, PROGRESS_LINES, PROGRESS_LIVE };

struct progress {
    FILE *to;
    enum progress_mode mode;
    bool unicode;
    const char *what; /* is counted as samples */
    const volatile sig_atomic_t *stop;
    bool told;           /* that we are stopping */
    bool drawn;          /* the live lines are on the screen */
    bool said;           /* ... or a word is, where the first of them begins */
    bool begun;          /* the next two are known */
    int64_t done_before; /* rows that were finished when we began */
    int64_t shown_ms;    /* of the run, when a plain line was last written */
    int64_t seconds;     /* left, as last shown: it never goes up; < 0: nothing was */
    int64_t counted;     /* rows finished, as last written plainly; < 0: nothing was */
    bool turns;          /* of conversations: what they say is counted too */
    struct buf last;     /* plain line that has not been written yet */
};

/* what: the word for what is counted as samples, at most eight columns. stop: NULL for a search. */
void progress_init(struct progress *p, const struct app *app, const char *what,
                   const volatile sig_atomic_t *stop);
/* A run_report; user is the struct progress. */
void progress_report(void *user, const struct run_progress *now);
/* The same of a search of training lines: one line, `elapsed_ms` after its beginning. */
void progress_search(struct progress *p, const struct training_progress *now, int64_t elapsed_ms);
/* On a terminal: what takes its time, in a word or two, until progress_done() or something is
 * shown in its place. */
void progress_say(struct progress *p, const char *what);
/* The same from the beginning, of what cannot say how far it is. */
void progress_begin(struct progress *p, const struct app *app, const char *what);
/* Leave the last state behind and the cursor below it. */
void progress_done(struct progress *p);

#endif
