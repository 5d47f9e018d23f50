/* diag.h - faults in files that people write, with their places.
 *
 * Reading a suite does not stop at the first fault: every reader adds what it finds to one struct
 * diags and goes on, so that the user can fix everything at once. Each is shown as
 *
 *     suites/live.yaml:12:7: error: level 0.8 is not in order
 *        12 |       levels: {1: "...", 0.8: "..."}
 *           |                          ^~~
 *
 * Everything lives in the arena given to diags_init(). */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/mem.h"

/* A file that was read; kept so that the offending line can be shown. */
struct source {
    const char *path;
    struct str text;
    int first_line; /* number of text's first line in the file: 1, or more for a part of it */
};

struct place {
    const struct source *source; /* NULL: unknown */
    int line, column;            /* from 1; column in code points; 0: the whole line */
    int width;                   /* code points to underline */
};

enum diag_level { DIAG_ERROR, DIAG_WARNING };

struct diag {
    enum diag_level level;
    struct place at;
    const char *msg;
    struct diag *next;
};

struct diags {
    struct arena *arena;
    struct diag *first, **last;
    size_t errors, warnings;
};

enum { DIAGS_MAX = 200 }; /* shown; later ones are only counted */

void diags_init(struct diags *d, struct arena *a);
void diags_error(struct diags *d, struct place at, const char *fmt, ...) PRINTF(3, 4);
void diags_warn(struct diags *d, struct place at, const char *fmt, ...) PRINTF(3, 4);
/* Appends one fault in the form above, in a language (NULL: that of the process). */
void diag_show(const struct diag *one, const char *language, struct buf *out);
/* Appends all of them and a count ("2 errors, 1 warning"); nothing if there are none. */
void diags_show(const struct diags *d, const char *language, struct buf *out);

/* The most similar of n words, else the only one that begins or ends with `word`; NULL if none is
 * similar enough. */
const char *diag_suggest(struct str word, const char *const *words, size_t n);

#endif
