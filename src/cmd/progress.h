/* progress.h - shows how far a run, or other work on its answers, has come.
 *
 * On a terminal: two lines, drawn in place about ten times a second. Elsewhere: a plain line every
 * five seconds at most, and one at the end. In every mode it says once that an interruption was
 * noticed. */
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
    const char *what; /* the word for samples */
    const volatile sig_atomic_t *stop;
    bool told;           /* we have said that we are stopping */
    bool drawn;          /* the live lines are on the screen */
    bool said;           /* the word of progress_say() is */
    bool begun;          /* done_before is known */
    int64_t done_before; /* rows that were finished when we began */
    int64_t shown_ms;    /* time of the last plain line */
    int64_t seconds;     /* left, as last shown, which never goes up; < 0: never shown */
    int64_t counted;     /* rows finished at the last plain line; < 0: there was none */
    bool turns;          /* conversations: count turns, too */
    struct buf last;     /* plain line that has not been written yet */
};

/* what: the word for samples, at most eight columns. stop: NULL for a search. */
void progress_init(struct progress *p, const struct app *app, const char *what,
                   const volatile sig_atomic_t *stop);
/* A run_report; user is the struct progress. */
void progress_report(void *user, const struct run_progress *now);
/* The same for a search of training lines, in one line; `elapsed_ms` since its beginning. */
void progress_search(struct progress *p, const struct training_progress *now, int64_t elapsed_ms);
/* On a terminal: say in a word or two what is being done, until progress_done() or a line replaces
 * it. */
void progress_say(struct progress *p, const char *what);
/* progress_init() and progress_say(), for work that cannot tell how far it is. */
void progress_begin(struct progress *p, const struct app *app, const char *what);
/* Leave the last state on the screen and the cursor below it. */
void progress_done(struct progress *p);

#endif
