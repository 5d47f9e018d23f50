/* marks_file.h - read ratings in long form: one line for what one rater gave one unit.
 *
 * CSV with a header line, or JSONL; which one is seen from the first character. Columns (or
 * members):
 *
 *     unit        what was rated
 *     rater       by whom
 *     value       a number; at the nominal level any word. Empty or null: cannot say, which is no
 *                 rating and not 0
 *     dimension   optional: what was asked
 *
 * Others are passed over. A rater rates a unit once in each dimension. Results do not depend on the
 * order of lines. Faults are "file:line:column: what is wrong". "-" is stdin. */
#ifndef EXCHANGE_MARKS_FILE_H
#define EXCHANGE_MARKS_FILE_H

#include "base/err.h"
#include "math/agree.h"

enum {
    MARKS_MAX = 5000000,         /* ratings of one file */
    MARKS_DIMENSIONS_MAX = 1000, /* different ones */
    MARKS_NAME_MAX = 1024,       /* bytes of a name */
    MARKS_RATIO_MAX = 1000,      /* different values of a dimension at the ratio level */
};

struct marks_dimension {
    const char *name;   /* NULL: the file has no dimensions */
    struct cells cells; /* sorted; units and raters are those of this dimension */
};

struct marks_set {
    struct marks_dimension *v; /* in the order of their first rating */
    size_t n;
    size_t ratings, blank; /* lines with a value, and without */
};

/* Everything lives in the arena. A file without a rating is E_INPUT. */
CHECKED enum status marks_file_read(struct arena *a, const char *path, enum agree_level level,
                                    struct marks_set *out, struct err *e);

#endif
